// What a command waits for: the objects it asked for and those they affect.
#include "controllers/following.h"

#include <gmock/gmock.h>

#include "api/kinds.h"
#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

class Following : public ::testing::Test {
 protected:
  Following() {
    store("apiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: default}\n");
    for (const char* name : {"up", "edge", "far"}) {
      fleet_.make_git(name);
      auto object = fleet_.repository_object(name, name);
      if (std::string_view(name) == "far")
        object = object.with_at({"spec", "git", "secretRef", "name"}, "login");
      fleet_.store_new(object);
    }
    store(R"(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: set, namespace: default}
spec:
  upstream: {repo: up, package: web}
  targets:
    - repositories: [{name: edge, packageNames: [a, b]}]
)");
    const auto set =
        drafts::must(fleet_.registry->get({api::variant_set_kind(), "default", "set"}));
    for (const char* name : {"a", "b"})
      variant(name, "up", "web", "edge", name,
              fmt::format("  ownerReferences: [{{apiVersion: config.porch.kpt.dev/v1alpha2, kind: "
                          "PackageVariantSet, name: set, uid: {}, controller: true}}]\n",
                          set["metadata"]["uid"].as_string()));
    variant("chained", "edge", "a", "far", "c");
    variant("alone", "up", "db", "far", "d");
  }
  void store(const std::string& yaml) { fleet_.store_new(drafts::objects_from(yaml)[0]); }
  void variant(const std::string& name, const std::string& from, const std::string& package,
               const std::string& to, const std::string& made, const std::string& owner = "") {
    store(
        fmt::format("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
                    "metadata:\n  name: {}\n  namespace: default\n{}"
                    "spec: {{upstream: {{repo: {}, package: {}}}, downstream: {{repo: {}, "
                    "package: {}}}}}\n",
                    name, owner, from, package, to, made));
  }
  std::vector<std::string> names(const krm::GroupKind& type, const std::string& name) const {
    std::vector<std::string> out;
    for (const auto& key : drafts::must(following(*fleet_.registry, {{type, "default", name}})))
      out.push_back(key.type.kind + " " + key.name);
    return out;
  }

  drafts::Fleet fleet_;
};

TEST_F(Following, OfAVariantAreItsSetItsRepositoryAndWhatIsMadeFromItsPackage) {
  EXPECT_THAT(names(api::variant_kind(), "a"),
              ElementsAre("PackageVariant a", "PackageVariant chained", "PackageVariantSet set",
                          "Repository edge", "Repository far"));
  EXPECT_THAT(names(api::variant_kind(), "b"),
              ElementsAre("PackageVariant b", "PackageVariantSet set", "Repository edge"));
  EXPECT_THAT(names(api::variant_kind(), "gone"), ElementsAre("PackageVariant gone"));
}

TEST_F(Following, TheRepositoriesOfItsVariantsMatter) {
  std::vector<std::string> out;
  for (const auto& key :
       drafts::must(repositories_for(*fleet_.registry, {{api::variant_kind(), "default", "b"}})))
    out.push_back(key.name);
  EXPECT_THAT(out, ElementsAre("edge", "up"));
}

TEST_F(Following, TheRepositoriesOfVariantsToComeMatter) {
  store(R"(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: new, namespace: default}
spec:
  upstream: {repo: up, package: web}
  targets:
    - repositories: [{name: far}]
)");
  std::vector<std::string> out;
  for (const auto& key : drafts::must(
           repositories_for(*fleet_.registry, {{api::variant_set_kind(), "default", "new"}})))
    out.push_back(key.name);
  EXPECT_THAT(out, ElementsAre("far", "up"));
}

TEST_F(Following, OfASetAreItsVariants) {
  EXPECT_THAT(names(api::variant_set_kind(), "set"),
              ElementsAre("PackageVariant a", "PackageVariant b", "PackageVariant chained",
                          "PackageVariantSet set", "Repository edge", "Repository far"));
}

TEST_F(Following, OfARepositoryIsWhatReadsAndWritesIt) {
  const std::vector<std::string> want{"PackageVariant alone", "PackageVariant chained",
                                      "Repository far"};
  EXPECT_EQ(names(api::repository_kind(), "far"), want);
  EXPECT_THAT(names(api::repository_kind(), "edge"),
              ElementsAre("PackageVariant a", "PackageVariant b", "PackageVariant chained",
                          "PackageVariantSet set", "Repository edge", "Repository far"));
  std::vector<std::string> with_secret = want;
  with_secret.insert(with_secret.begin(), "Secret login");  // by group
  EXPECT_EQ(names({"", "Secret"}, "login"), with_secret);
  EXPECT_THAT(names({"", "ConfigMap"}, "unread"), ElementsAre("ConfigMap unread"));
}

TEST_F(Following, OfARepositoryAreNotASetsVariantsInOthers) {
  variant("elsewhere", "up", "other", "far", "e",
          fmt::format("  ownerReferences: [{{apiVersion: config.porch.kpt.dev/v1alpha2, kind: "
                      "PackageVariantSet, name: set, uid: {}, controller: true}}]\n",
                      drafts::must(fleet_.registry->get(
                          {api::variant_set_kind(), "default", "set"}))["metadata"]["uid"]
                          .as_string()));
  EXPECT_THAT(names(api::repository_kind(), "edge"), Not(Contains("PackageVariant elsewhere")));
}

// Repeated queries give the same answer as a first query.
TEST_F(Following, IsTheSameForWhoAsksAgain) {
  const DependentsIndex index(*fleet_.registry);
  const auto expect_the_same = [&] {
    for (const auto& [type, name] :
         std::vector<std::pair<krm::GroupKind, std::string>>{{api::variant_kind(), "a"},
                                                             {api::variant_kind(), "chained"},
                                                             {api::variant_set_kind(), "set"},
                                                             {api::repository_kind(), "edge"},
                                                             {api::repository_kind(), "far"},
                                                             {{"", "Secret"}, "login"}}) {
      const std::set<krm::ObjectKey> asked{{type, "default", name}};
      EXPECT_EQ(drafts::must(index.following(asked)),
                drafts::must(following(*fleet_.registry, asked)))
          << name;
      EXPECT_EQ(drafts::must(index.repositories_for(asked)),
                drafts::must(repositories_for(*fleet_.registry, asked)))
          << name;
    }
  };
  const auto get = [&](const krm::GroupKind& type, const char* name) {
    return drafts::must(fleet_.registry->get({type, "default", name}));
  };
  const auto write = [&](registry::Verb verb, const json::Value& object) {
    drafts::must(fleet_.registry->commit({{verb, object}}));
  };
  expect_the_same();
  write(registry::Verb::kUpdate, get(api::variant_kind(), "chained")
                                     .with_at({"spec", "upstream", "package"}, "b")
                                     .with_at({"spec", "downstream", "repo"}, "up"));
  expect_the_same();
  write(registry::Verb::kUpdate,
        get(api::variant_kind(), "b").without_at({"metadata", "ownerReferences"}));
  expect_the_same();
  write(registry::Verb::kUpdate,
        get(api::repository_kind(), "far").without_at({"spec", "git", "secretRef"}));
  expect_the_same();
  write(registry::Verb::kDelete, get(api::variant_kind(), "alone"));
  variant("later", "edge", "a", "up", "z");
  expect_the_same();
  write(registry::Verb::kDelete, get(api::variant_set_kind(), "set"));  // and its variant
  expect_the_same();
  variant("alone", "edge", "a", "far", "d");  // another object of the same name
  expect_the_same();
}

}  // namespace
}  // namespace portico::controllers
