// A repository answers, but the answer cannot be stored: the repository is not reported as failing.
#include <gtest/gtest.h>

#include <optional>

#include "controllers/all.h"
#include "controllers/repository.h"
#include "controllers/repository_health.h"
#include "drafts/tests/fleet.h"
#include "registry/forwarding_registry.h"

namespace portico::controllers {
namespace {

using drafts::must;
using json::Value;

/// Writes of package revisions fail while `error` is set.
class Unreached : public registry::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  std::vector<Result<Value>> commit_each(const std::vector<registry::Write>& writes) override {
    if (!error) return ForwardingRegistry::commit_each(writes);
    return std::vector<Result<Value>>(writes.size(), *error);
  }
  std::optional<Error> error;
};

class Unstored : public ::testing::Test {
 protected:
  Unstored() : unreached_(*fleet_.registry), engines_(fleet_.over(unreached_)) {
    fleet_.make_git("edge");
    fleet_.commit("edge", "main", {{"README.md", "# edge\n"}});
    fleet_.store_new(fleet_.repository_object("edge", "edge"));
    EXPECT_TRUE(sync());
    fleet_.commit("edge", "main",
                  {{"web/Kptfile",
                    "apiVersion: kpt.dev/v1\nkind: Kptfile\n"
                    "metadata: {name: web}\n"}});
  }

  Result<work::NextReconcile> sync() {
    const auto reporting = reporting_to(reach_, unreached_, *engines_.packages);
    return sync_repository(key_, {.registry = unreached_,
                                  .packages = *reporting,
                                  .drafts = *engines_.drafts,
                                  .repository_health = reach_,
                                  .clock = fleet_.clock});
  }
  Value status() const { return must(fleet_.registry->get(key_))["status"]; }
  std::string ready() const {
    for (const Value& each : status()["conditions"].items())
      if (each["type"].as_string() == "Ready") return std::string(each["status"].as_string());
    return "";
  }

  const krm::ObjectKey key_{drafts::kRepositoryType, drafts::Fleet::kNs, "edge"};
  drafts::Fleet fleet_;
  Unreached unreached_;
  drafts::Fleet::Engines engines_;
  RepositoryHealth reach_;
};

TEST_F(Unstored, IsNoNewsOfTheRepository) {
  const Value before = status();
  unreached_.error = unavailable("no answer to POST /apis").because(Reason::kTimeout);
  const auto done = sync();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  EXPECT_EQ(done.error().text(),
            "repository \"edge\": the record of its revisions: no answer to POST /apis");
  EXPECT_EQ(status(), before);
  EXPECT_TRUE(reach_.answers(drafts::Fleet::kNs, "edge"));

  unreached_.error.reset();
  EXPECT_TRUE(sync());
  EXPECT_EQ(status()["packageCount"].as_int(), 1) << "nothing is forgotten";
}

TEST_F(Unstored, IsSaidWhereSomebodyHasToDoSomething) {
  unreached_.error = unavailable("packagerevs is forbidden").because(Reason::kForbidden);
  EXPECT_FALSE(sync());
  EXPECT_EQ(ready(), "False");

  unreached_.error = invalid("the cluster's definition does not keep it");
  EXPECT_FALSE(sync());
  EXPECT_EQ(ready(), "False");
}

TEST_F(Unstored, IsNotWhatARepositorySaysItself) {
  std::filesystem::remove_all(fleet_.bare("edge"));
  EXPECT_FALSE(sync());
  EXPECT_EQ(ready(), "False");
}

}  // namespace
}  // namespace portico::controllers
