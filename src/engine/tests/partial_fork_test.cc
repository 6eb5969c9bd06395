#include "engine/partial_fork.h"

#include <gtest/gtest.h>

#include "krm/meta.h"
#include "store/embedded.h"

namespace portico::engine {
namespace {

using json::Value;
using registry::Verb;

const krm::GroupKind kHeld{"config.porch.kpt.dev", "Repository"}, kOther{"", "ConfigMap"};

Value object(const krm::GroupKind& type, const std::string& name, const std::string& says) {
  return Value::object({{"apiVersion", type.group.empty() ? "v1" : type.group + "/v1alpha1"},
                        {"kind", type.kind},
                        {"metadata", Value::object({{"name", name},
                                                    {"namespace", "default"},
                                                    {"uid", "uid-of-" + name},
                                                    {"resourceVersion", "7"}})},
                        {"data", Value::object({{"says", says}})}});
}

krm::ObjectKey key_of(const krm::GroupKind& type, const std::string& name) {
  return {type, "default", name};
}

/// A cluster with objects of two kinds; the fork holds one of them.
class PartialForkTest : public ::testing::Test {
 protected:
  PartialForkTest() {
    below_ = *store::open_in_memory({}, {object(kOther, "there", "first")}, 7);
    fork_ = make_partial_fork({.fork = *store::open_in_memory({}, {object(kHeld, "up", "git")}, 7),
                               .held = {kHeld},
                               .below = *below_,
                               .read = [this](const krm::ObjectKey& key) {
                                 ++reads_;
                                 return below_->get(key);
                               }});
  }

  std::string says(const krm::ObjectKey& key) const {
    const auto found = fork_->get(key);
    if (!found) return found.error().code == Code::kNotFound ? "nothing" : found.error().text();
    return std::string((*found)["data"]["says"].as_string());
  }

  std::unique_ptr<registry::Registry> below_, fork_;
  int reads_ = 0;
};

TEST_F(PartialForkTest, ReadsWhatItHoldsWithoutAskingBelow) {
  EXPECT_EQ(says(key_of(kHeld, "up")), "git");
  EXPECT_EQ(says(key_of(kHeld, "elsewhere")), "nothing");
  EXPECT_EQ(reads_, 0);
  EXPECT_EQ(says(key_of(kOther, "there")), "first");
  EXPECT_EQ(says(key_of(kOther, "elsewhere")), "nothing");
  EXPECT_EQ(reads_, 2);
}

TEST_F(PartialForkTest, KeepsWhatIsWrittenToItself) {
  ASSERT_TRUE(fork_->commit({{Verb::kCreate, object(kOther, "new", "made")
                                                 .without_at({"metadata", "uid"})
                                                 .without_at({"metadata", "resourceVersion"})}}));
  EXPECT_EQ(says(key_of(kOther, "new")), "made");
  EXPECT_EQ(below_->get(key_of(kOther, "new")).error().code, Code::kNotFound);

  const auto there = fork_->get(key_of(kOther, "there"));
  ASSERT_TRUE(there);
  ASSERT_TRUE(fork_->commit({{Verb::kUpdate, there->with_at({"data", "says"}, "second")}}));
  EXPECT_EQ(says(key_of(kOther, "there")), "second");
  EXPECT_EQ((*below_->get(key_of(kOther, "there")))["data"]["says"].as_string(), "first");

  ASSERT_TRUE(fork_->commit({{Verb::kDelete, *fork_->get(key_of(kOther, "there"))}}));
  EXPECT_EQ(says(key_of(kOther, "there")), "nothing");
  EXPECT_TRUE(below_->get(key_of(kOther, "there")));
}

TEST_F(PartialForkTest, DeletesWhatItNeverRead) {
  ASSERT_TRUE(fork_->commit({{Verb::kDelete, object(kOther, "there", "first")}}));
  EXPECT_EQ(says(key_of(kOther, "there")), "nothing");
  EXPECT_TRUE(below_->get(key_of(kOther, "there")));
}

TEST_F(PartialForkTest, SaysOfEachOfSeveralWritesWhatCameOfIt) {
  const auto written = fork_->commit_each({{Verb::kCreate, object(kOther, "there", "again")},
                                           {Verb::kUpdate, object(kHeld, "up", "moved")}});
  ASSERT_EQ(written.size(), 2u);
  ASSERT_FALSE(written[0]);
  EXPECT_EQ(written[0].error().reason, Reason::kAlreadyExists);
  EXPECT_TRUE(written[1]);
  EXPECT_EQ(says(key_of(kHeld, "up")), "moved");
}

TEST_F(PartialForkTest, DoesNotTakeForGoneWhatCannotBeRead) {
  const auto deaf = make_partial_fork(
      {.fork = *store::open_in_memory({}, {}, 1),
       .held = {},
       .below = *below_,
       .read = [](const krm::ObjectKey&) -> Result<Value> { return unavailable("no answer"); }});
  EXPECT_EQ(deaf->commit({{Verb::kUpdate, object(kOther, "there", "x")}}).error().code,
            Code::kUnavailable);
}

}  // namespace
}  // namespace portico::engine
