#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "gitpackages/package_revision.h"
#include "gitpackages/sync_plan.h"
#include "json/text.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::gitpackages {
namespace {

using json::Value;
using portico::testing::Case;

Value from_yaml(const std::string& text) {
  if (text.find_first_not_of(" \n") == std::string::npos) return Value();
  const auto object = krm::Object::parse(text);
  if (!object) throw std::runtime_error(object.error().text());
  return object->value();
}

std::vector<Value> list_from(const std::string& text) {
  const Value list = from_yaml(text);
  return {list.items().begin(), list.items().end()};
}

// From git to objects and back.

repo::Revision arbitrary_revision() {
  const auto word = [] {
    return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  };
  repo::Revision out;
  out.package = word();
  if (*rc::gen::arbitrary<bool>()) out.package += "/" + word();
  out.workspace = word();
  out.lifecycle = *rc::gen::element(krm::Lifecycle::kDraft, krm::Lifecycle::kProposed,
                                    krm::Lifecycle::kPublished, krm::Lifecycle::kDeletionProposed);
  const bool published = out.lifecycle == krm::Lifecycle::kPublished ||
                         out.lifecycle == krm::Lifecycle::kDeletionProposed;
  out.revision = published ? *rc::gen::element(-1, 1, 2, 10) : 0;
  out.ref = "refs/tags/" + out.package + "/" + out.workspace;
  out.commit = std::string(40, *rc::gen::inRange('a', 'f'));
  out.tree = std::string(40, *rc::gen::inRange('0', '9'));
  if (*rc::gen::arbitrary<bool>()) out.variant = "default/" + word();
  return out;
}

repo::Revision small_revision(std::string package) {
  repo::Revision out;
  out.package = std::move(package);
  out.workspace = "v1";
  out.ref = "r";
  out.commit = "c";
  return out;
}

Value object_of(const repo::Revision& revision, bool latest = false) {
  return to_object({"default", "edge", "main", true}, revision,
                   {"/git/edge", revision.package, "some/ref", revision.commit}, {}, latest);
}

RC_GTEST_PROP(PackageRevision, SurvivesTheWayThroughTheStore, ()) {
  repo::Revision revision = arbitrary_revision();
  const Value object = object_of(revision);
  const auto back = to_revision(*json::parse(json::print(object)));
  RC_ASSERT(back.ok());
  // Not stored in the object.
  revision.committed = {};
  revision.author.clear();
  revision.variant_set.clear();
  RC_ASSERT(*back == revision);
}

RC_GTEST_PROP(PackageRevision, RefreshedKeepsWhatGitDoesNotKnow, ()) {
  const repo::Revision one = arbitrary_revision();
  repo::Revision two = arbitrary_revision();
  two.package = one.package;
  two.workspace = one.workspace;
  const bool was = *rc::gen::arbitrary<bool>(), is = *rc::gen::arbitrary<bool>();
  const Value stored = object_of(one, was)
                           .with_at({"metadata", "uid"}, "u")
                           .with_at({"metadata", "resourceVersion"}, "7")
                           .with_at({"metadata", "labels", "mine"}, "yes")
                           .with_at({"metadata", "annotations", "mine"}, "yes")
                           .with_at({"spec", "tasks"}, Value::array({"t"}))
                           .with_at({"status", "publishedBy"}, "Ada");
  const Value fresh = object_of(two, is);
  const Value out = refreshed(stored, fresh);
  RC_ASSERT(refreshed(out, fresh) == out);
  RC_ASSERT(refreshed(stored, object_of(one, was)) == stored);
  const auto back = to_revision(out);
  RC_ASSERT(back.ok());
  RC_ASSERT(back->commit == two.commit);
  RC_ASSERT(back->lifecycle == two.lifecycle);
  RC_ASSERT(out["metadata"]["labels"].contains(api::kLatestRevisionLabel) == is);
  RC_ASSERT(out["metadata"]["labels"]["mine"].as_string() == "yes");
  RC_ASSERT(out["metadata"]["annotations"]["mine"].as_string() == "yes");
  RC_ASSERT(out["metadata"]["uid"].as_string() == "u");
  RC_ASSERT(out["spec"]["tasks"].size() == 1U);
  RC_ASSERT(out["status"]["publishedBy"].as_string() == "Ada");
}

TEST(PackageRevision, OfATagSaysWhoSetItAndWhen) {
  repo::Revision revision = small_revision("web");
  revision.author = "Ann Lee <ann@example.com>";
  revision.committed = std::chrono::sys_seconds(std::chrono::seconds(1'700'000'000));
  revision.ref = "refs/tags/web/v1";
  const Value tag = object_of(revision);
  EXPECT_EQ(tag["status"]["publishedBy"].as_string(), "Ann Lee");
  EXPECT_EQ(tag["status"]["publishTimestamp"].as_string(), "2023-11-14T22:13:20Z");
  revision.ref = "refs/heads/main";
  EXPECT_FALSE(object_of(revision)["status"].contains("publishedBy"));
}

TEST(PackageRevision, OfAnotherMakerHasNoPlaceInGit) {
  const Value whole = object_of(small_revision("web"));
  ASSERT_TRUE(to_revision(whole));
  for (const Value& broken :
       {Value(), Value::object(), whole.without("status"), whole.without("spec"),
        whole.with_at({"spec", "lifecycle"}, "Odd"), whole.without_at({"status", "ref"}),
        whole.without_at({"status", "selfLock"}), whole.without_at({"spec", "packageName"})}) {
    const auto revision = to_revision(broken);
    ASSERT_FALSE(revision) << json::print(broken);
    EXPECT_EQ(revision.error().code, Code::kInternal);
  }
}

RC_GTEST_PROP(PackageRevision, OneLatestForEachPackageWithANumber, ()) {
  std::vector<repo::Revision> all;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    all.push_back(arbitrary_revision());
    all.back().package = *rc::gen::element<std::string>("a", "b", "a/b");
  }
  const std::vector<bool> latest = latest_of_each(all);
  RC_ASSERT(latest.size() == all.size());
  std::map<std::string, int> highest;
  for (const auto& each : all)
    if (each.revision > 0) highest[each.package] = std::max(highest[each.package], each.revision);
  std::map<std::string, int> marked;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (latest[i]) {
      RC_ASSERT(all[i].revision == highest[all[i].package]);
      ++marked[all[i].package];
    }
  RC_ASSERT(marked.size() == highest.size());
  for (const auto& [package, count] : marked) RC_ASSERT(count == 1);
}

class KptfileFactsOf : public ::testing::TestWithParam<Case> {};
TEST_P(KptfileFactsOf, MatchItsFile) {
  krm::Package package;
  if (GetParam().has("kptfile")) package.set("Kptfile", GetParam()["kptfile"]);
  const KptfileFacts facts = kptfile_facts(package);
  const auto line = [](const char* what, const Value& value) {
    return std::string(what) + " " + json::print(value) + "\n";
  };
  GetParam().expect("want", line("upstreamLock", facts.upstream_lock) +
                                line("readinessGates", facts.readiness_gates) +
                                line("conditions", facts.conditions) +
                                line("packageMetadata", facts.package_metadata));
  // A round trip through the object preserves them.
  const Home home{"default", "edge"};
  const Value object = to_object(home, small_revision("web"), {}, facts, false);
  EXPECT_EQ(to_object(home, small_revision("web"), {}, facts_of(object), false), object);
}
INSTANTIATE_TEST_SUITE_P(
    Data, KptfileFactsOf,
    ::testing::ValuesIn(portico::testing::cases("gitpackages/tests/data/kptfile_facts")),
    portico::testing::case_name);

// What a sync writes.

class SyncPlan : public ::testing::TestWithParam<Case> {};
TEST_P(SyncPlan, MatchesItsFile) {
  const std::vector<Value> stored = list_from(GetParam()["stored"]),
                           fresh = list_from(GetParam()["fresh"]);
  std::string out;
  for (const registry::Write& write : sync_plan(stored, fresh)) {
    const char* verb = write.verb == registry::Verb::kCreate         ? "create"
                       : write.verb == registry::Verb::kUpdate       ? "update"
                       : write.verb == registry::Verb::kUpdateStatus ? "update status"
                                                                     : "delete";
    out += fmt::format("{} {} {}\n", verb, krm::name_of(write.object),
                       json::print(write.verb == registry::Verb::kDelete
                                       ? write.object["metadata"]["resourceVersion"]
                                       : write.object));
  }
  GetParam().expect("want", out);
  EXPECT_TRUE(sync_plan(fresh, fresh).empty());
}
INSTANTIATE_TEST_SUITE_P(
    Data, SyncPlan,
    ::testing::ValuesIn(portico::testing::cases("gitpackages/tests/data/sync_plan")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::gitpackages
