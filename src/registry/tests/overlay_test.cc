// What is written to an overlay is seen there and nowhere else.
#include "registry/overlay.h"

#include <gmock/gmock.h>

#include "store/tests/store_fixture.h"

namespace portico::registry {
namespace {

using json::Value;
using store::EmbeddedOptions;
using store::ManualClock;
using store::open_or_die;
using store::thing;
using store::thing_key;
using ::testing::ElementsAre;

class OverlayTest : public ::testing::Test {
 protected:
  OverlayTest() {
    EmbeddedOptions options;
    options.clock = &clock_;
    options.indexes = {{thing_key("").type, "n", {{"spec", "n"}}}};
    below_ = open_or_die(std::move(options));
    for (const char* name : {"a", "b"})
      EXPECT_TRUE(below_->commit({{Verb::kCreate, thing(name, 1)}}).ok());
    overlay_.emplace(*below_);
    version_ = below_->version();
  }
  ~OverlayTest() override { EXPECT_EQ(below_->version(), version_); }

  Result<Value> write(Verb verb, const Value& object) {
    auto written = overlay_->commit({{verb, object}});
    if (!written) return written.error();
    return written->front();
  }
  /// "a1 b1": names with spec.n, as the overlay lists them.
  std::vector<std::string> listed() const {
    std::vector<std::string> out;
    const Listing all = *overlay_->list({.type = thing_key("").type});
    for (const Value& each : all.objects)
      out.push_back(fmt::format("{}{}", krm::name_of(each), each["spec"]["n"].as_int()));
    return out;
  }

  ManualClock clock_;
  std::unique_ptr<Registry> below_;
  std::optional<Overlay> overlay_;
  ResourceVersion version_ = 0;
};

TEST_F(OverlayTest, ShowsWritesOverWhatIsBelow) {
  EXPECT_THAT(listed(), ElementsAre("a1", "b1"));
  const auto created = write(Verb::kCreate, thing("c", 3));
  ASSERT_TRUE(created.ok());
  EXPECT_EQ((*created)["metadata"]["uid"].as_string(), "planned-1");
  EXPECT_EQ(krm::generation_of(*created), 1);
  EXPECT_FALSE((*created)["metadata"].contains("creationTimestamp"));
  ASSERT_TRUE(write(Verb::kUpdate, thing("a", 2)).ok());
  ASSERT_TRUE(write(Verb::kDelete, thing("b")).ok());
  EXPECT_THAT(listed(), ElementsAre("a2", "c3"));
  const Value a = *overlay_->get(thing_key("a"));
  const Value before = *below_->get(thing_key("a"));
  EXPECT_EQ(krm::uid_of(a), krm::uid_of(before));
  EXPECT_EQ(krm::generation_of(a), krm::generation_of(before) + 1);
  EXPECT_EQ(overlay_->get(thing_key("b")).error().code, Code::kNotFound);
  EXPECT_EQ(overlay_->changes().size(), 3u);
}

TEST_F(OverlayTest, KeepsWhatAWriteDoesNotChange) {
  const Value before = *overlay_->get(thing_key("a"));
  EXPECT_EQ(*write(Verb::kUpdate, before), before);
  EXPECT_EQ(*write(Verb::kUpdateStatus, before.with("spec", 7)), before);
  EXPECT_TRUE(overlay_->changes().empty());
}

TEST_F(OverlayTest, RefusesWhatTheStoreRefuses) {
  const Value stale = thing("a", 2).with_at({"metadata", "resourceVersion"}, "999");
  const std::vector<Write> wrong{
      {Verb::kCreate, thing("a")},          {Verb::kUpdate, stale},
      {Verb::kUpdate, thing("missing")},    {Verb::kDelete, thing("missing")},
      {Verb::kCreate, thing("Not_A_Name")}, {Verb::kCreate, thing("c").without("kind")}};
  for (const Write& each : wrong) {
    const auto here = overlay_->commit({each}), there = below_->commit({each});
    ASSERT_TRUE(!here && !there);
    EXPECT_EQ(here.error().code, there.error().code);
    EXPECT_EQ(here.error().what, there.error().what);
  }
  EXPECT_THAT(listed(), ElementsAre("a1", "b1"));
}

TEST_F(OverlayTest, ListsByWhatItsOwnObjectsHave) {
  ASSERT_TRUE(write(Verb::kCreate, thing("c", 2)).ok());
  ASSERT_TRUE(write(Verb::kUpdate, thing("a", 2)).ok());
  const auto named = [&](Query query) {
    std::vector<std::string> out;
    query.type = thing_key("").type;
    const Listing all = *overlay_->list(query);
    for (const Value& each : all.objects) out.emplace_back(krm::name_of(each));
    return out;
  };
  EXPECT_THAT(named({.fields = {{"n", "2"}}}), ElementsAre("a", "c"));
  EXPECT_THAT(named({.fields = {{"n", "1"}}}), ElementsAre("b"));
  EXPECT_THAT(named({.fields = {{"n", "2", false}}}), ElementsAre("b"));
  EXPECT_THAT(named({.name = "c"}), ElementsAre("c"));
  EXPECT_FALSE(overlay_->list({.fields = {{"n", "1"}}}));
}

TEST_F(OverlayTest, DeletesAsTheStoreDoes) {
  ASSERT_TRUE(write(Verb::kDelete, thing("b")).ok());
  // What is gone can be made again.
  EXPECT_TRUE(write(Verb::kCreate, thing("b", 4)).ok());
  EXPECT_THAT(listed(), ElementsAre("a1", "b4"));

  const Value held =
      thing("c").with_at({"metadata", "finalizers"}, Value::array({Value("test/keep")}));
  ASSERT_TRUE(write(Verb::kCreate, held).ok());
  ASSERT_TRUE(write(Verb::kDelete, held).ok());
  const Value marked = *overlay_->get(thing_key("c"));
  EXPECT_TRUE(krm::is_deleting(marked));
  ASSERT_TRUE(write(Verb::kUpdate, krm::with_finalizers(marked, {})).ok());
  EXPECT_THAT(listed(), ElementsAre("a1", "b4"));
}

TEST_F(OverlayTest, TakesDependentsAlong) {
  const auto owned_by = [&](const Value& object, std::vector<const char*> owners) {
    std::vector<krm::OwnerReference> out;
    for (const char* name : owners) {
      const Value owner = *overlay_->get(thing_key(name));
      out.push_back({std::string(owner["apiVersion"].as_string()),
                     std::string(owner["kind"].as_string()), name, std::string(krm::uid_of(owner)),
                     false, false});
    }
    return krm::with_owners(object, out);
  };
  ASSERT_TRUE(write(Verb::kCreate, owned_by(thing("c", 3), {"a"})).ok());
  ASSERT_TRUE(write(Verb::kCreate, owned_by(thing("d", 4), {"c"})).ok());
  ASSERT_TRUE(write(Verb::kCreate, owned_by(thing("e", 5), {"a", "b"})).ok());
  (void)overlay_->take_events();
  ASSERT_TRUE(write(Verb::kDelete, thing("a")).ok());
  EXPECT_THAT(listed(), ElementsAre("b1", "e5"));
  EXPECT_EQ(krm::owners_of(*overlay_->get(thing_key("e"))).size(), 1u);
  std::vector<std::string> events;
  for (const Event& each : overlay_->take_events())
    events.push_back(fmt::format("{} {}", each.change == Change::kDeleted ? "-" : "~",
                                 krm::name_of(each.object)));
  EXPECT_THAT(events, ElementsAre("- a", "- c", "~ e", "- d"));
  EXPECT_TRUE(overlay_->take_events().empty());
}

}  // namespace
}  // namespace portico::registry
