// Secrets that are created, deleted and changed while the controllers run.
#include <gmock/gmock.h>

#include "base/hash.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

using json::Value;
using ::testing::HasSubstr;

class SecretsOfRepositories : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"up", "edge"}) {
      fleet_.make_git(name);
      fleet_.commit(name, "main", {{"README.md", "a repository\n"}});
      fleet_.store_new(
          fleet_.repository_object(name, name)
              .with_at({"spec", "git", "secretRef", "name"}, std::string("of-") + name));
    }
    fleet_.commit("up", "main",
                  {{"web/Kptfile",
                    "apiVersion: kpt.dev/v1\nkind: Kptfile\n"
                    "metadata: {name: web}\n"}});
    const Value variant = drafts::objects_from(
        "apiVersion: config.porch.kpt.dev/v1alpha1\n"
        "kind: PackageVariant\n"
        "metadata: {name: pv, namespace: default}\n"
        "spec: {upstream: {repo: up, package: web}, downstream: {repo: edge, package: web}}\n")[0];
    fleet_.store_new(variant);
    manager_ = Manager::make({.registry = *fleet_.registry,
                              .log = log_,
                              .controllers = all_controllers({.registry = *fleet_.registry,
                                                              .packages = *fleet_.packages,
                                                              .drafts = *fleet_.drafts,
                                                              .repository_health = reach_,
                                                              .clock = fleet_.clock,
                                                              .workers = 2})});
    drafts::must(manager_->start());
    settle();
  }

  void settle() {
    ASSERT_TRUE(manager_->wait_settled(std::chrono::seconds(20), [](const Progress&) {}));
  }

  krm::ObjectKey secret_key(const std::string& name) const {
    return {{"", "Secret"}, fleet_.kNs, name};
  }
  void store(const std::string& name, const std::string& key) {
    const auto stored = fleet_.registry->get(secret_key(name));
    Value secret = stored ? *stored
                          : Value::object({{"apiVersion", "v1"}, {"kind", "Secret"}})
                                .with_at({"metadata", "name"}, name)
                                .with_at({"metadata", "namespace"}, fleet_.kNs);
    secret = secret.with("data", Value::object({{key, base64_encode("hidden")}}));
    drafts::must(fleet_.registry->commit(
        {{stored ? registry::Verb::kUpdate : registry::Verb::kCreate, secret}}));
    settle();
  }
  void drop(const std::string& name) {
    drafts::must(fleet_.registry->commit(
        {{registry::Verb::kDelete, drafts::must(fleet_.registry->get(secret_key(name)))}}));
    settle();
  }

  /// "True", or "False: " followed by the message.
  std::string ready(const krm::ObjectKey& key) const {
    const Value object = drafts::must(fleet_.registry->get(key));
    for (const Value& each : object["status"]["conditions"].items())
      if (each["type"].as_string() == "Ready")
        return std::string(each["status"].as_string()) +
               (each["status"].as_string() == "True"
                    ? ""
                    : ": " + std::string(each["message"].as_string()));
    return "";
  }
  std::string ready(const std::string& repository) const {
    return ready({drafts::kRepositoryType, fleet_.kNs, repository});
  }

  drafts::Fleet fleet_;
  NoLog log_;
  RepositoryHealth reach_;
  std::unique_ptr<Manager> manager_;
};

TEST_F(SecretsOfRepositories, LetThemInWhenTheyCome) {
  EXPECT_EQ(ready("up"),
            "False: repository \"up\": spec.git.secretRef: Secret \"of-up\" not found in namespace "
            "\"default\"");
  store("of-up", "password");
  EXPECT_THAT(ready("up"), HasSubstr("Secret \"of-up\": data.username: missing required key"));
  store("of-up", "bearerToken");
  EXPECT_EQ(ready("up"), "True");
  // The variant has its upstream now, but cannot write.
  const krm::ObjectKey variant{kVariantType, fleet_.kNs, "pv"};
  EXPECT_THAT(ready(variant), HasSubstr("repository \"edge\" has not been read yet"));
  store("of-edge", "bearerToken");
  EXPECT_EQ(ready("edge"), "True");
  EXPECT_EQ(ready(variant), "True");
  EXPECT_TRUE(fleet_.revision("edge.web.packagevariant-1").ok());
}

TEST_F(SecretsOfRepositories, LockThemOutWhenTheyGo) {
  store("of-up", "bearerToken");
  store("of-edge", "bearerToken");
  ASSERT_EQ(ready("edge"), "True");
  drop("of-edge");
  EXPECT_THAT(ready("edge"), HasSubstr("Secret \"of-edge\" not found"));
  EXPECT_EQ(ready("up"), "True");
  const auto shut = fleet_.packages->sync(
      drafts::must(fleet_.registry->get({drafts::kRepositoryType, fleet_.kNs, "edge"})));
  EXPECT_EQ(shut.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace portico::controllers
