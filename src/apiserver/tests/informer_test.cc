// Following, over an in-memory store with a short event history.
#include "apiserver/informer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "json/value.h"
#include "store/embedded.h"

namespace portico::apiserver {
namespace {

using json::Value;

Value object(const char* kind, const std::string& name, const std::string& value) {
  return Value::object({{"apiVersion", "v1"}, {"kind", kind}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "namespace"}, "default")
      .with_at({"data", "value"}, value);
}

class FollowingTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kWindow = 4;

  FollowingTest() : registry_(std::move(*store::open_embedded({.watch_window = kWindow}))) {
    following_ = std::move(*Informer::open(*registry_, {{"", "ConfigMap"}},
                                           {.put =
                                                [this](const Value& one) {
                                                  kept_[std::string(krm::name_of(one))] =
                                                      one["data"]["value"].as_string();
                                                  least_ = std::min(least_, kept_.size());
                                                },
                                            .remove =
                                                [this](const Value& one) {
                                                  kept_.erase(std::string(krm::name_of(one)));
                                                  least_ = std::min(least_, kept_.size());
                                                },
                                            .told = [this] { shown_ = kept_; }}));
  }

  void write(registry::Verb verb, const Value& one) {
    ASSERT_TRUE(registry_->commit({{verb, one}}));
  }
  /// Enough writes that earlier events are no longer available.
  void write_others() {
    for (std::size_t i = 0; i < 2 * kWindow; ++i)
      write(registry::Verb::kCreate, object("Secret", "s" + std::to_string(others_++), ""));
  }

  using Kept = std::map<std::string, std::string>;
  std::unique_ptr<registry::Registry> registry_;
  Kept kept_, shown_;
  std::size_t least_ = 0;
  int others_ = 0;
  std::unique_ptr<Informer> following_;
};

TEST_F(FollowingTest, TellsWhatWasWrittenBeforeTheCall) {
  write(registry::Verb::kCreate, object("ConfigMap", "one", "a"));
  write(registry::Verb::kCreate, object("ConfigMap", "two", "b"));
  EXPECT_EQ(shown_, Kept());
  ASSERT_TRUE(following_->catch_up());
  EXPECT_EQ(shown_, (Kept{{"one", "a"}, {"two", "b"}}));
  write(registry::Verb::kUpdate, object("ConfigMap", "one", "c"));
  write(registry::Verb::kDelete, object("ConfigMap", "two", ""));
  ASSERT_TRUE(following_->catch_up());
  EXPECT_EQ(shown_, (Kept{{"one", "c"}}));
}

TEST_F(FollowingTest, GoesOnAfterEventsThatAreNoLongerKept) {
  for (const char* round : {"1", "2", "3"}) {
    write(registry::Verb::kCreate, object("ConfigMap", std::string("lost-") + round, round));
    write_others();
    ASSERT_TRUE(following_->catch_up());
    EXPECT_EQ(shown_.count(std::string("lost-") + round), 1u);
    write(registry::Verb::kCreate, object("ConfigMap", std::string("seen-") + round, round));
    ASSERT_TRUE(following_->catch_up());
    EXPECT_EQ(shown_.count(std::string("seen-") + round), 1u) << "after it was listed again";
  }
  EXPECT_EQ(shown_.size(), 6u);
}

TEST_F(FollowingTest, RemovesWhatWentWhileItWasBehindAndNothingElse) {
  for (const char* name : {"one", "two", "three"})
    write(registry::Verb::kCreate, object("ConfigMap", name, "a"));
  ASSERT_TRUE(following_->catch_up());
  write(registry::Verb::kDelete, object("ConfigMap", "two", ""));
  write_others();
  least_ = kept_.size();
  ASSERT_TRUE(following_->catch_up());
  EXPECT_EQ(shown_, (Kept{{"one", "a"}, {"three", "a"}}));
  EXPECT_EQ(least_, 2u) << "what stays is there all the time";
}

}  // namespace
}  // namespace portico::apiserver
