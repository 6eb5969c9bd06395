// Each file below data/builds is a variant whose inputs change, and the edits that users made in
// between. Both builds are made by the real steps: clone, context, pipeline, injection, render.
#include "package/builds.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "api/package_variant.h"
#include "fnrun/builtin.h"
#include "krm/equal.h"
#include "package/clone.h"
#include "package/context.h"
#include "package/inject.h"
#include "package/pipeline.h"
#include "package/tests/package_text.h"
#include "render/render.h"
#include "testing/cases.h"

namespace portico::package {
namespace {

using portico::testing::Case;

/// `package` overlaid with the files of `text`; "(removed)" as content removes a file and
/// everything below it.
krm::Package overlaid(krm::Package package, const std::string& text) {
  for (const auto& [path, file] : package_from(text).files) {
    if (file.text() == "(removed)\n") {
      std::erase_if(package.files, [&path = path](const auto& one) {
        return one.first == path || one.first.starts_with(path + "/");
      });
    } else {
      package.files.insert_or_assign(path, file);
    }
  }
  return package;
}

/// A variant: {name, spec}, its upstream and the objects of the cluster.
struct Inputs {
  krm::Package upstream;
  json::Value variant;
  std::string cluster, ref, commit;
};

Result<krm::Package> render(const krm::Package& package) {
  const fnrun::BuiltinRunner runner;
  PORTICO_TRY(render::Rendered out, render::render(package, runner));
  if (out.failure) return *std::move(out.failure);
  return std::move(out.package);
}

Result<krm::Package> build(const Inputs& inputs, bool deployment) {
  const json::Value& given = inputs.variant["spec"];
  const auto spec =
      api::decode<api::PackageVariantSpec>(given.is_null() ? json::Value::object() : given);
  if (!spec) return spec.error();
  const api::GitLock lock{"https://example.com/catalog.git", "web", inputs.ref, inputs.commit};
  PORTICO_TRY(krm::Package package, clone(inputs.upstream, {"edge/web", lock, deployment}));
  PORTICO_TRY(package, set_context(package, spec->package_context.value_or(api::PackageContext())));
  PORTICO_TRY(package, set_pipeline(package, inputs.variant["name"].as_string(),
                                    spec->pipeline.value_or(api::Pipeline())));
  InjectionObjects objects;
  PORTICO_TRY(const auto listed, krm::Object::parse_file(inputs.cluster));
  for (const krm::Object& object : listed)
    (*objects
          .try_emplace({std::string(object.api_version()), std::string(object.kind())},
                       std::vector<json::Value>{})
          .first->second)
        .push_back(object.value());
  PORTICO_TRY(Injection injection, inject(package, spec->injectors, objects));
  return render(injection.package);
}

merge::OnConflict policy(const std::string& options) {
  if (options.find("keepLocal") != std::string::npos) return merge::OnConflict::kLocal;
  return options.find("fail\n") != std::string::npos ? merge::OnConflict::kFail
                                                     : merge::OnConflict::kUpstream;
}

constexpr merge::Strategy kStrategies[] = {
    merge::Strategy::kResourceMerge, merge::Strategy::kFastForward,
    merge::Strategy::kForceDeleteReplace, merge::Strategy::kCopyMerge};

class Builds : public ::testing::TestWithParam<Case> {};

TEST_P(Builds, MatchTheirFile) {
  const Case& one = GetParam();
  const auto either = [&one](const char* now, const char* before) {
    return one[one.has(now) ? now : before];
  };
  Inputs inputs{package_from(one["upstream"]), from_yaml(one["variant"]), one["cluster"], "web/v1",
                "1111"};
  const bool deployment = one["options"].find("deployment") != std::string::npos;
  const auto base = build(inputs, deployment);
  ASSERT_TRUE(base) << base.error().text();
  inputs = {overlaid(inputs.upstream, one["new upstream"]),
            from_yaml(either("new variant", "variant")), either("new cluster", "cluster"), "web/v2",
            "2222"};
  const auto theirs = build(inputs, deployment);
  ASSERT_TRUE(theirs) << theirs.error().text();

  MergeBuilds builds{*base, *theirs, overlaid(*base, one["edits"]), {}, policy(one["options"])};
  for (const merge::Strategy strategy : kStrategies)
    if (one["options"].find(merge::name_of(strategy)) != std::string::npos)
      builds.strategy = strategy;
  std::string edits, conflicts;
  for (const merge::Difference& edit : local_edits(builds.base, builds.ours))
    edits += merge::difference_text(edit) + "\n";
  one.expect("local edits", edits);
  const auto merged = merge_builds(builds);
  one.expect("want", merged ? shown(merged->package) : shown(merged.error()));
  if (merged)
    for (const merge::Conflict& conflict : merged->conflicts)
      conflicts += merge::conflict_text(conflict) + "\n";
  one.expect("conflicts", conflicts);

  // For every package: without edits the result is the new build, and so it is with the strategy
  // that drops all edits.
  for (const merge::Strategy strategy : kStrategies) {
    const auto unedited = merge_builds({*base, *theirs, *base, strategy, {}});
    ASSERT_TRUE(unedited) << unedited.error().text();
    EXPECT_EQ(shown(unedited->package), shown(*theirs)) << merge::name_of(strategy);
    EXPECT_TRUE(unedited->conflicts.empty());
  }
  if (!merged) return;
  // With the new build as the base, merging again changes nothing.
  const auto again = merge_builds({*theirs, *theirs, merged->package, {}, {}});
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(shown(again->package), shown(merged->package));
  EXPECT_TRUE(again->conflicts.empty());
  const auto rendered = render(merged->package);
  EXPECT_TRUE(rendered) << rendered.error().text();
}
INSTANTIATE_TEST_SUITE_P(Data, Builds,
                         ::testing::ValuesIn(portico::testing::cases("package/tests/data/builds")),
                         portico::testing::case_name);

krm::Package with_kptfile(const std::string& rest) {
  return package_from(
      "== Kptfile ==\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n" + rest);
}

TEST(MergeBuilds, WithoutABaseTakesWhatTheBuildWrites) {
  const krm::Package ours = with_kptfile(
      "upstream: {type: git, git: {repo: other, directory: d, ref: v1}}\n"
      "pipeline: {mutators: [{name: PackageVariant.old.f.0, image: i}, {name: mine, image: j}]}\n");
  const krm::Package theirs = with_kptfile(
      "upstream: {type: git, git: {repo: r, directory: d, ref: v2}}\n"
      "pipeline: {mutators: [{name: PackageVariant.new.f.0, image: i}]}\n");
  const auto merged = merge_builds({{}, theirs, ours, {}, {}});
  ASSERT_TRUE(merged) << merged.error().text();
  const json::Value kptfile = merged->package.find("Kptfile")->object()->value();
  EXPECT_EQ(kptfile["upstream"]["git"]["repo"].as_string(), "r");
  std::vector<std::string> functions;
  for (const json::Value& function : kptfile["pipeline"]["mutators"].items())
    functions.emplace_back(function["name"].as_string());
  EXPECT_EQ(functions, (std::vector<std::string>{"PackageVariant.new.f.0", "mine"}));
  EXPECT_TRUE(merged->conflicts.empty());
}

TEST(MergeBuilds, RefusesAKptfileThatDoesNotParse) {
  krm::Package broken;
  broken.set("Kptfile", "a: [\n");
  const krm::Package sound = with_kptfile("");
  EXPECT_FALSE(local_edits(sound, broken).empty());
  const auto merged = merge_builds({sound, sound, broken, {}, {}});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, Code::kInvalid);
  EXPECT_EQ(merged.error().text(), "Kptfile: 2:1: '[' or '{' is not closed");
}

TEST(Words, OfTheApiAreThoseOfTheMerge) {
  for (const std::string_view word : api::kUpgradeStrategies)
    EXPECT_EQ(merge::name_of(*merge::parse_strategy(word)), word);
  for (const std::string_view word : api::kConflictPolicies)
    EXPECT_EQ(merge::name_of(*merge::parse_on_conflict(word)), word);
  const api::PackageVariantSpec defaults = api::with_defaults(api::PackageVariantSpec());
  EXPECT_EQ(defaults.upgrade_strategy, merge::name_of(*merge::parse_strategy("")));
  EXPECT_EQ(defaults.on_conflict, merge::name_of(*merge::parse_on_conflict("")));
}

TEST(FunctionNames, OfSomeVariant) {
  for (const char* variant_function : {"PackageVariant.pv.f.0", "PackageVariant.a.b..12"})
    EXPECT_TRUE(is_variant_function(variant_function)) << variant_function;
  for (const char* other : {"PackageVariant.pv.0", "PackageVariant..f.0", "PackageVariant.pv.f.x",
                            "PackageVariant.", "set-labels", ""})
    EXPECT_FALSE(is_variant_function(other)) << other;
}

}  // namespace
}  // namespace portico::package
