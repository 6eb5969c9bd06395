// A Repository is deleted and created again under its name while a reconcile still works on the old
// one.
#include <gtest/gtest.h>

#include "api/kinds.h"
#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

class Remade : public ::testing::Test {
 protected:
  Remade() {
    for (const char* name : {"old", "new"}) {
      fleet_.make_git(name);
      fleet_.commit(name, "main",
                    {{std::string("of-") + name + "/Kptfile",
                      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"}});
    }
    before_ = fleet_.store_new(fleet_.repository_object("repo", "old"));
    drafts::must(fleet_.packages->sync(before_));
    drafts::must(fleet_.registry->commit({{registry::Verb::kDelete, before_}}));
  }
  std::vector<std::string> packages() const {
    std::vector<std::string> out;
    for (const auto& each : fleet_.all(api::revision_kind()))
      out.emplace_back(each["spec"]["packageName"].as_string());
    return out;
  }

  drafts::Fleet fleet_;
  json::Value before_;
};

TEST_F(Remade, GetsNothingOfTheOneBefore) {
  drafts::must(fleet_.packages->forget("default", "repo"));
  EXPECT_TRUE(packages().empty());
  const auto gone = fleet_.packages->sync(before_);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Code::kConflict) << gone.error().text();
  EXPECT_TRUE(packages().empty());

  const auto now = fleet_.store_new(fleet_.repository_object("repo", "new"));
  const auto late = fleet_.packages->sync(before_);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kConflict) << late.error().text();
  EXPECT_TRUE(packages().empty());
  drafts::must(fleet_.packages->sync(now));
  EXPECT_EQ(packages(), std::vector<std::string>{"of-new"});
}

TEST_F(Remade, LosesNothingToWhoForgetsTheOneBefore) {
  drafts::must(fleet_.packages->sync(fleet_.store_new(fleet_.repository_object("repo", "new"))));
  drafts::must(fleet_.packages->forget("default", "repo"));
  EXPECT_EQ(packages(), std::vector<std::string>{"of-new"});
}

}  // namespace
}  // namespace portico::controllers
