// Each file under data/ is one merge.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "merge/package.h"
#include "merge/patch.h"
#include "merge/schema.h"
#include "merge/strategy.h"
#include "merge/tests/package_text.h"
#include "merge/tree.h"
#include "testing/cases.h"

namespace portico::merge {
namespace {

using testing::Case;
using ::testing::ValuesIn;

krm::Object object(const std::string& text) {
  auto parsed = krm::Object::parse(text);
  EXPECT_TRUE(parsed) << parsed.error().text();
  return parsed ? *parsed : krm::Object::from_value(json::Value::object());
}

Schema schema_of(const krm::Object& object) {
  const std::string_view version = object.api_version();
  return Schemas().of(object.id(), version.substr(version.rfind('/') + 1));
}

OnConflict policy(const std::string& options) {
  if (options.find("local") != std::string::npos) return OnConflict::kLocal;
  return options.find("fail") != std::string::npos ? OnConflict::kFail : OnConflict::kUpstream;
}

std::string shown(const std::vector<Conflict>& conflicts) {
  std::string text;
  for (const Conflict& conflict : conflicts) text += conflict_text(conflict) + "\n";
  return text;
}

class Tree : public ::testing::TestWithParam<Case> {};

TEST_P(Tree, MatchesItsFile) {
  const Case& file = GetParam();
  const krm::Object theirs = object(file["theirs"]), ours = object(file["ours"]);
  std::optional<krm::Object> base;
  if (file.has("base")) base = object(file["base"]);
  TreeOptions options;
  options.on_conflict = policy(file["options"]);
  options.infer_keys = file["options"].find("infer") != std::string::npos;
  options.schema = schema_of(ours);
  auto merged = merge_object(base ? &*base : nullptr, theirs, ours, options);
  file.expect("want", merged ? merged->object.text() : "error: " + merged.error().text() + "\n");
  if (!merged) return;
  file.expect("conflicts", shown(merged->conflicts));
  // Once merged, the new upstream is the base: merging it again changes nothing.
  auto again = merge_object(&theirs, theirs, merged->object, options);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->object.text(), merged->object.text());
}
INSTANTIATE_TEST_SUITE_P(Data, Tree, ValuesIn(testing::cases("merge/tests/data/tree")),
                         testing::case_name);

class PackageMerge : public ::testing::TestWithParam<Case> {};

TEST_P(PackageMerge, MatchesItsFile) {
  const Case& file = GetParam();
  const krm::Package base = package(file["base"]), theirs = package(file["theirs"]),
                     ours = package(file["ours"]);
  StrategyOptions options;
  options.on_conflict = policy(file["options"]);
  const std::string& words = file["options"];
  for (const char* name : {"fast-forward", "force-delete-replace", "copy-merge"})
    if (words.find(name) != std::string::npos) options.strategy = *parse_strategy(name);
  auto merged = update_package({base, theirs, ours}, options);
  file.expect("want", merged ? print(merged->package) : "error: " + merged.error().text() + "\n");
  if (merged) file.expect("conflicts", shown(merged->conflicts));
}
INSTANTIATE_TEST_SUITE_P(Data, PackageMerge, ValuesIn(testing::cases("merge/tests/data/package")),
                         testing::case_name);

class Patch : public ::testing::TestWithParam<Case> {};

TEST_P(Patch, MatchesItsFile) {
  const Case& file = GetParam();
  const krm::Object patch = object(file["patch"]), target = object(file["object"]);
  PatchOptions options;
  options.schema = schema_of(target);
  options.prepend = file["options"].find("prepend") != std::string::npos;
  auto patched = patch_object(patch, target, options);
  ASSERT_TRUE(patched) << patched.error().text();
  file.expect("want", *patched ? (*patched)->text() : "deleted\n");
}
INSTANTIATE_TEST_SUITE_P(Data, Patch, ValuesIn(testing::cases("merge/tests/data/patch")),
                         testing::case_name);

}  // namespace
}  // namespace portico::merge
