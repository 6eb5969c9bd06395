#include <gtest/gtest.h>

#include <string>

#include "api/package_variant.h"
#include "json/text.h"
#include "krm/object.h"
#include "merge/merge_key.h"
#include "package/clone.h"
#include "package/context.h"
#include "package/init.h"
#include "package/inject.h"
#include "package/kptfile.h"
#include "package/metadata.h"
#include "package/pipeline.h"
#include "package/tests/package_text.h"
#include "testing/cases.h"

namespace portico::package {
namespace {

using portico::testing::Case;

/// Runs the mutation twice: the second run must not change anything.
template <class Mutation>
void check(const Case& one, Mutation&& mutate) {
  const Result<krm::Package> done = mutate(package_from(one["package"]));
  one.expect("want", shown(done));
  if (!done) return;
  EXPECT_EQ(shown(mutate(*done)), shown(done)) << "the second run changed something";
}

class Contexts : public ::testing::TestWithParam<Case> {};
TEST_P(Contexts, MatchTheirFile) {
  const json::Value value = from_yaml(GetParam()["context"]);
  const auto spec =
      api::decode<api::PackageVariantSpec>(json::Value::object({{"packageContext", value}}));
  check(GetParam(), [&](krm::Package package) {
    return set_context(std::move(package), *spec->package_context);
  });
}

class Pipelines : public ::testing::TestWithParam<Case> {};
TEST_P(Pipelines, MatchTheirFile) {
  const auto pipeline = api::decode<api::Pipeline>(from_yaml(GetParam()["pipeline"]));
  std::string variant = GetParam()["variant"];
  while (variant.ends_with('\n')) variant.pop_back();
  check(GetParam(), [&](krm::Package package) {
    return set_pipeline(std::move(package), variant.empty() ? "my-pv" : variant, *pipeline);
  });
}

class Injections : public ::testing::TestWithParam<Case> {};
TEST_P(Injections, MatchTheirFile) {
  const auto spec = api::decode<api::PackageVariantSpec>(
      json::Value::object({{"injectors", from_yaml(GetParam()["injectors"])}}));
  InjectionObjects objects;
  const auto listed = krm::Object::parse_file(GetParam()["cluster"]);
  for (const krm::Object& object : *listed)
    (*objects
          .try_emplace({std::string(object.api_version()), std::string(object.kind())},
                       std::vector<json::Value>{})
          .first->second)
        .push_back(object.value());
  std::string records;
  check(GetParam(), [&](krm::Package package) -> Result<krm::Package> {
    PORTICO_TRY(Injection injection, inject(std::move(package), spec->injectors, objects));
    records.clear();
    for (const InjectionRecord& record : injection.records)
      records +=
          record.kind + " " + record.name + (record.content_hash.empty() ? " missing" : "") + "\n";
    return std::move(injection.package);
  });
  if (GetParam().has("records")) GetParam().expect("records", records);
}

class Clones : public ::testing::TestWithParam<Case> {};
TEST_P(Clones, MatchTheirFile) {
  CloneOptions options;
  options.package = "group/copy";
  options.upstream = {"https://example.com/catalog.git", "basens", "basens/v2", "abc123"};
  options.deployment = GetParam().has("deployment");
  check(GetParam(), [&](krm::Package package) { return clone(std::move(package), options); });
  // An upstream that is cloned often is marked once for all clones.
  const krm::Package upstream = package_from(GetParam()["package"]);
  const auto marked = merge::with_merge_keys(upstream);
  ASSERT_TRUE(marked);
  EXPECT_EQ(shown(clone(*marked, options)), shown(clone(upstream, options)));
}

class Metadata : public ::testing::TestWithParam<Case> {};
TEST_P(Metadata, MatchesItsFile) {
  const json::Value object = from_yaml(GetParam()["revision"]);
  const auto revision = api::decode<api::PackageRevision>(object);
  check(GetParam(), [&](krm::Package package) {
    return set_metadata(std::move(package), change_to(*revision));
  });
}

#define PORTICO_CASES(suite, folder)                                                           \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      Data, suite, ::testing::ValuesIn(portico::testing::cases("package/tests/data/" folder)), \
      portico::testing::case_name)
PORTICO_CASES(Contexts, "context");
PORTICO_CASES(Pipelines, "pipeline");
PORTICO_CASES(Injections, "inject");
PORTICO_CASES(Clones, "clone");
PORTICO_CASES(Metadata, "metadata");

TEST(Metadata, IsReadAsItWasSet) {
  const krm::Package package =
      package_from("== Kptfile ==\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n");
  api::PackageRevision revision;
  revision.spec.package_metadata = api::PackageMetadata{{{"a", "b"}}, {{"c", "d"}}};
  revision.spec.readiness_gates = {{"one"}, {"two"}};
  revision.status.conditions = {{"one", "True", 0, "", "Because", "it is"}};
  const auto changed = set_metadata(package, change_to(revision));
  ASSERT_TRUE(changed.ok());
  const auto read = read_metadata(*changed);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->metadata, *revision.spec.package_metadata);
  EXPECT_EQ(read->readiness_gates, revision.spec.readiness_gates);
  EXPECT_EQ(read->conditions, revision.status.conditions);
}

TEST(FunctionNames, AreRecognisedWithDots) {
  for (const char* function : {"f", "", "a.b", "1"})
    for (const char* variant : {"pv", "a.b", "a-1"})
      EXPECT_TRUE(is_variant_function(function_name(variant, function, 12), variant));
  EXPECT_FALSE(is_variant_function("PackageVariant.pv.0", "pv"));
  EXPECT_FALSE(is_variant_function("PackageVariant.pvx.f.0", "pv"));
  EXPECT_FALSE(is_variant_function("PackageVariant.pv.f.0x", "pv"));
  EXPECT_FALSE(is_variant_function("PackageVariant.pv.f.", "pv"));
  EXPECT_FALSE(is_variant_function("other", "pv"));
  EXPECT_FALSE(is_variant_function("", ""));
}

TEST(Wanted, AreTheNamesThatFit) {
  const krm::Package package = package_from(
      "== a.yaml ==\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n  annotations:\n"
      "    kpt.dev/config-injection: required\n---\napiVersion: example.com/v1\nkind: Team\n"
      "metadata:\n  name: t\n  annotations:\n    kpt.dev/config-injection: optional\n");
  const auto points = find_injection_points(package);
  ASSERT_TRUE(points.ok());
  const auto wanted = wanted_objects(
      *points, {{"", {}, {}, "b"}, {{}, {}, {}, "a"}, {{}, {}, "Team", "c"}, {{}, "v9", {}, "d"}});
  using Names = std::vector<std::string>;
  EXPECT_EQ(wanted.at({"v1", "ConfigMap"}), (Names{"a", "b"}));
  EXPECT_EQ(wanted.at({"example.com/v1", "Team"}), (Names{"a", "c"}));
}

TEST(Init, MakesWhatKptMakes) {
  const auto shared = portico::testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "../shared is not there";
  const auto folder = shared / "conformance/porch-task/init/init-task/expected";
  const auto made =
      init("group/testpkg", {"", "test package", "http://kpt.dev/testpkg", {"test", "kpt", "pkg"}});
  ASSERT_TRUE(made.ok());
  for (const auto& [path, file] : made->files)
    EXPECT_EQ(file.text(), portico::testing::read_file(folder / path)) << path;
  EXPECT_EQ(made->files.size(), 3u);
}

TEST(GenerateContext, MakesWhatPorchMakes) {
  const auto shared = portico::testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "../shared is not there";
  const auto folder =
      shared / "conformance/porch-task/package-context/generated-from-the-package-path";
  krm::Package package;
  for (const char* file : {"Kptfile", "bucket.yaml"})
    package.set(file, portico::testing::read_file(folder / "input" / file));
  const auto made = generate_context(package, "parent1/parent1.2/parent1.2.3/me");
  ASSERT_TRUE(made.ok());
  for (const auto& [path, file] : made->files)
    EXPECT_EQ(file.text(), portico::testing::read_file(folder / "expected" / path)) << path;
  EXPECT_EQ(made->files.size(), 3u);
}

}  // namespace
}  // namespace portico::package
