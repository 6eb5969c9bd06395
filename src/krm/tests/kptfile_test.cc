#include "krm/kptfile.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/cases.h"

namespace portico::krm {
namespace {

constexpr const char* kText = R"(# our package
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web # mine
  annotations:
    config.kubernetes.io/local-config: "true"
upstream:
  type: git
  git:
    repo: https://example.com/blueprints.git
    directory: /web
    ref: 1.10
  updateStrategy: resource-merge
upstreamLock:
  type: git
  git:
    repo: https://example.com/blueprints.git
    directory: /web
    ref: "1.10"
    commit: 0123456789012345678901234567890123456789
info:
  description: a web server
  readinessGates:
  - conditionType: ready.example.com # why
pipeline:
  mutators:
  # first of all
  - image: set-labels:v0.1
    name: labels
    configMap:
      tier: front
      replicas: 3
      version: 1.10
  - image: set-namespace:v0.1
    configPath: ns.yaml
    selectors:
    - kind: Deployment
      labels: {app: web}
    exclude:
    - name: secret
  validators:
  - exec: ./check
inventory:
  namespace: prod
  name: inv
  inventoryID: abc
status:
  conditions:
  - type: ready.example.com
    status: "False"
    reason: Waiting
extra: {a: 1}
)";

TEST(Kptfile, DecodesEveryPart) {
  const Object object = *Object::parse(kText);
  const auto decoded = Kptfile::decode(object);
  ASSERT_TRUE(decoded) << decoded.error().text();
  const Kptfile& kptfile = *decoded;
  EXPECT_EQ(kptfile.name, "web");
  EXPECT_EQ(kptfile.annotations.at("config.kubernetes.io/local-config"), "true");
  EXPECT_EQ(*kptfile.upstream, (Upstream{"git",
                                         {"https://example.com/blueprints.git", "/web", "1.10", ""},
                                         "resource-merge"}));
  EXPECT_EQ(kptfile.upstream_lock->git.commit, "0123456789012345678901234567890123456789");
  EXPECT_EQ(kptfile.info.readiness_gates, std::vector<std::string>{"ready.example.com"});
  ASSERT_EQ(kptfile.mutators.size(), 2u);
  EXPECT_EQ(*kptfile.mutators[0].config_map,
            (std::map<std::string, std::string>{
                {"replicas", "3"}, {"tier", "front"}, {"version", "1.10"}}));
  EXPECT_EQ(kptfile.mutators[1].config_map, std::nullopt);
  EXPECT_EQ(kptfile.mutators[1].selectors[0].labels.at("app"), "web");
  EXPECT_EQ(kptfile.mutators[1].exclude[0].name, "secret");
  EXPECT_EQ(kptfile.validators[0].exec, "./check");
  EXPECT_EQ(kptfile.inventory->id, "abc");
  EXPECT_EQ(kptfile.conditions[0], (PackageCondition{"ready.example.com", "False", "Waiting", ""}));
  EXPECT_EQ(kptfile.unknown_fields, std::vector<std::string>{"extra"});
}

TEST(Kptfile, ErrorsNameTheField) {
  const auto error = [](std::string_view body) {
    const auto object =
        Object::parse("apiVersion: kpt.dev/v1\nkind: Kptfile\n" + std::string(body));
    EXPECT_TRUE(object) << body;
    const auto decoded = Kptfile::decode(*object);
    return decoded ? "" : decoded.error().text();
  };
  EXPECT_EQ(error("pipeline:\n  mutators:\n  - image: [a]\n"),
            "pipeline.mutators[0].image: must be a string");
  EXPECT_EQ(error("pipeline:\n  mutators: {}\n"), "pipeline.mutators: must be a list");
  EXPECT_EQ(error("pipeline:\n  validators: [a]\n"), "pipeline.validators[0]: must be a map");
  EXPECT_EQ(error("upstream: x\n"), "upstream: must be a map");
  EXPECT_EQ(error("info:\n  readinessGates: [x]\n"), "info.readinessGates[0]: must be a map");
  EXPECT_EQ(error("status:\n  conditions:\n  - status: {}\n"),
            "status.conditions[0].status: must be a string");
  EXPECT_EQ(error("pipeline:\ninfo: ~\n"), "");
  const auto old = Kptfile::decode(*Object::parse("apiVersion: kpt.dev/v1alpha2\nkind: Kptfile\n"));
  ASSERT_FALSE(old);
  EXPECT_TRUE(old.error().text().starts_with("apiVersion: must be \"kpt.dev/v1\", found "));
}

TEST(Kptfile, WritingKeepsEverythingElse) {
  Object object = *Object::parse(kText);
  Upstream lock = *Kptfile::decode(object)->upstream_lock;
  lock.git.ref = "2.0";
  lock.git.commit = "fedc";
  ASSERT_TRUE(set_package_name(object, "api"));
  ASSERT_TRUE(set_upstream_lock(object, lock));
  ASSERT_TRUE(set_readiness_gates(object, {"ready.example.com", "other.example.com"}));
  ASSERT_TRUE(set_conditions(object, {{"ready.example.com", "True", "Done", ""}}));
  std::string want = kText;
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(want.find(from), std::string::npos) << from;
    want.replace(want.find(from), from.size(), to);
  };
  replace("name: web #", "name: api #");
  replace("ref: \"1.10\"", "ref: \"2.0\"");
  replace("0123456789012345678901234567890123456789", "fedc");
  replace("# why\n", "# why\n  - conditionType: other.example.com\n");
  replace("status: \"False\"\n    reason: Waiting", "status: \"True\"\n    reason: Done");
  EXPECT_EQ(object.text(), want);

  ASSERT_TRUE(set_readiness_gates(object, {}));
  ASSERT_TRUE(set_conditions(object, {}));
  ASSERT_TRUE(set_upstream(object, std::nullopt));
  EXPECT_FALSE(object.value().contains("status"));
  EXPECT_FALSE(object.value().contains("upstream"));
  EXPECT_FALSE(object.value()["info"].contains("readinessGates"));
}

TEST(Kptfile, ANewOneIsComplete) {
  Object object = new_kptfile("web");
  ASSERT_TRUE(set_upstream(object, Upstream{"git", {"https://x/y.git", "/", "v1", ""}, ""}));
  EXPECT_EQ(
      object.text(),
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\nupstream:\n  type: git\n"
      "  git:\n    repo: https://x/y.git\n    directory: /\n    ref: v1\n");
}

TEST(Kptfile, ReadsEverySharedOne) {
  const std::filesystem::path shared = testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "../shared is not there";
  int read = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared)) {
    if (!entry.is_regular_file() || entry.path().filename() != "Kptfile") continue;
    const auto object = Object::parse(testing::read_file(entry.path()));
    if (!object) continue;
    const auto decoded = Kptfile::decode(*object);
    ++(decoded ? read : refused);
    if (!decoded) std::printf("%s: %s\n", entry.path().c_str(), decoded.error().text().c_str());
  }
  EXPECT_GT(read, 500);
  EXPECT_LT(refused, read / 20);
}

}  // namespace
}  // namespace portico::krm
