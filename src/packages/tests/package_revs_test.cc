// Package revisions stored as PackageRevs: reads, writes and watches.
#include "packages/package_revs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds.h"
#include "packages/lineage.h"
#include "packages/package_store.h"
#include "registry/forwarding_registry.h"
#include "store/embedded.h"

namespace portico::packages {
namespace {

using json::Value;
using registry::Verb;
using ::testing::ElementsAre;

Value revision(const std::string& name, const std::string& repository = "edge") {
  return Value::object({{"apiVersion", api::kPorchV1Alpha1}, {"kind", "PackageRevision"}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "namespace"}, "team")
      .with_at({"metadata", "labels", "a"}, "b")
      .with_at({"spec", "repository"}, repository)
      .with_at({"spec", "packageName"}, "web")
      .with_at({"spec", "lifecycle"}, "Draft")
      .with_at({"status", "tree"}, "1234");
}

/// A cluster where PackageRevs have the status subresource: a create ignores the status.
class StatusApart : public registry::ForwardingRegistry {
 public:
  explicit StatusApart(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    std::vector<registry::Write> kept = writes;
    for (registry::Write& write : kept)
      if (write.verb == Verb::kCreate) write.object = write.object.without("status");
    return below_.commit(kept);
  }

 private:
  registry::Registry& below_;
};

/// A cluster with only Porch's definition, which preserves nothing of the status.
class NothingKept : public registry::ForwardingRegistry {
 public:
  explicit NothingKept(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    std::vector<registry::Write> kept = writes;
    for (registry::Write& write : kept) write.object = write.object.with("status", Value::object());
    return below_.commit(kept);
  }

 private:
  registry::Registry& below_;
};

class PackageRevs : public ::testing::Test {
 protected:
  static std::unique_ptr<registry::Registry> store() {
    store::EmbeddedOptions options;
    options.indexes = over_package_revs(indexes());
    options.owners_elsewhere = true;
    return *store::open_in_memory(std::move(options), {}, 1);
  }
  std::vector<std::string> names(const registry::Query& query) const {
    std::vector<std::string> out;
    const auto all = shown_->list(query);
    EXPECT_TRUE(all) << all.error().text();
    for (const Value& each : all->objects) {
      EXPECT_EQ(each["kind"].as_string(), "PackageRevision");
      out.emplace_back(krm::name_of(each));
    }
    return out;
  }
  Value created(const Value& object) {
    auto done = shown_->commit({{Verb::kCreate, object}});
    EXPECT_TRUE(done) << done.error().text();
    return done->front();
  }

  std::unique_ptr<registry::Registry> below_ = store();
  std::unique_ptr<registry::Registry> shown_ = revisions_over_package_revs(*below_, indexes());
};

TEST_F(PackageRevs, WhatIsWrittenIsKeptAsOneAndShownAsTheOther) {
  const Value made = created(revision("edge.web.v1"));
  EXPECT_EQ(made["spec"], revision("")["spec"]);
  EXPECT_EQ(made["status"], revision("")["status"]);
  EXPECT_FALSE(krm::uid_of(made).empty());
  const auto kept = below_->list({});
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->objects.size(), 1u);
  EXPECT_EQ(krm::object_key(kept->objects[0]).type, package_rev_kind());
  EXPECT_EQ(revision_kept_in(kept->objects[0]), made);
  EXPECT_EQ(*shown_->get(revision_key("team", "edge.web.v1")), made);
  EXPECT_THAT(shown_->kinds(), ElementsAre(api::revision_kind()));
}

TEST_F(PackageRevs, QueriesNameFieldsOfTheRevision) {
  created(revision("edge.web.v1"));
  created(revision("core.web.v1", "core"));
  EXPECT_THAT(names({.type = api::revision_kind(), .fields = {{kByRepository, "core"}}}),
              ElementsAre("core.web.v1"));
  EXPECT_THAT(names({}), ElementsAre("core.web.v1", "edge.web.v1"));
  const auto web = revisions_of(*shown_, "team", "edge", "web");
  ASSERT_TRUE(web);
  EXPECT_EQ(web->size(), 1u);
}

TEST_F(PackageRevs, EachVerbWritesItsPart) {
  const Value made = created(revision("edge.web.v1"));
  const Value changed =
      made.with_at({"spec", "lifecycle"}, "Proposed").with_at({"status", "tree"}, "5678");
  auto done = shown_->commit({{Verb::kUpdate, changed}});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->front()["spec"]["lifecycle"].as_string(), "Proposed");
  EXPECT_EQ(done->front()["status"]["tree"].as_string(), "1234") << "kUpdate leaves the status";
  done =
      shown_->commit({{Verb::kUpdateStatus, changed.without_at({"metadata", "resourceVersion"})}});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->front()["status"]["tree"].as_string(), "5678");
  EXPECT_EQ(done->front()["spec"]["lifecycle"].as_string(), "Proposed");
  done = shown_->commit({{Verb::kUpdate, made.with_at({"spec", "lifecycle"}, "Draft")}});
  ASSERT_FALSE(done) << "what it was read at is no longer so";
  EXPECT_EQ(done.error().code, Code::kConflict);
  ASSERT_TRUE(shown_->commit({{Verb::kDelete, made.without_at({"metadata", "resourceVersion"})}}));
  const auto gone = shown_->get(revision_key("team", "edge.web.v1"));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Code::kNotFound);
  EXPECT_NE(gone.error().text().find("PackageRevision"), std::string::npos);
}

TEST_F(PackageRevs, ARevisionAndItsStatusAreOneWrite) {
  const Value made = created(revision("edge.web.v1"));
  const auto before = below_->version();
  const auto done = shown_->commit(
      {{Verb::kUpdate, made.with_at({"spec", "lifecycle"}, "Proposed")},
       {Verb::kUpdateStatus,
        made.with_at({"status", "tree"}, "5678").without_at({"metadata", "resourceVersion"})}});
  ASSERT_TRUE(done) << done.error().text();
  ASSERT_EQ(done->size(), 2u);
  EXPECT_EQ(below_->version(), before + 1);
  EXPECT_EQ(done->back()["spec"]["lifecycle"].as_string(), "Proposed");
  EXPECT_EQ(done->back()["status"]["tree"].as_string(), "5678");
}

TEST_F(PackageRevs, WhatSaysNothingOfARevisionIsNotThere) {
  const auto watch = shown_->watch({.type = api::revision_kind()}, shown_->version());
  const Value porchs = kept_as_package_rev(revision("edge.web.v1")).without("status");
  const auto made = below_->commit({{Verb::kCreate, porchs}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(names({}).empty());
  EXPECT_FALSE(shown_->get(revision_key("team", "edge.web.v1")));
  EXPECT_TRUE(watch->next(std::chrono::milliseconds(0))->empty());
  // After the second write it is visible.
  const Value whole = made->front().with("status", kept_as_package_rev(revision(""))["status"]);
  ASSERT_TRUE(below_->commit({{Verb::kUpdateStatus, whole}}));
  const auto told = watch->next(std::chrono::milliseconds(0));
  ASSERT_TRUE(told);
  ASSERT_EQ(told->size(), 1u);
  EXPECT_EQ(told->front().change, registry::Change::kAdded);
  EXPECT_EQ(told->front().object["kind"].as_string(), "PackageRevision");
}

TEST_F(PackageRevs, OverADefinitionWithAStatusOfItsOwn) {
  StatusApart apart(*below_);
  shown_ = revisions_over_package_revs(apart, indexes());
  const auto watch = shown_->watch({.type = api::revision_kind()}, shown_->version());
  const Value made = created(revision("edge.web.v1"));
  EXPECT_EQ(made["status"]["tree"].as_string(), "1234");
  const auto told = watch->next(std::chrono::milliseconds(0));
  ASSERT_TRUE(told);
  ASSERT_EQ(told->size(), 1u) << "it is told of once, whole";
  EXPECT_EQ(told->front().object, made);
}

TEST_F(PackageRevs, OverADefinitionThatKeepsNothing) {
  NothingKept older(*below_);
  const auto over = revisions_over_package_revs(older, indexes());
  const registry::Write write{Verb::kCreate, revision("edge.web.v1")};
  for (int i = 0; i < 2; ++i) {  // also on a retry
    const auto refused = over->commit({write});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kInvalid);
    EXPECT_THAT(refused.error().text(), ::testing::HasSubstr("portico install"));
  }
  EXPECT_THAT(names({.type = api::revision_kind()}), ElementsAre());
  // After a new definition is applied, the incomplete one is completed and reported.
  const auto watch = shown_->watch({.type = api::revision_kind()}, shown_->version());
  const Value made = created(write.object.with_at({"metadata", "labels", "a"}, "c"));
  EXPECT_EQ(made["status"]["tree"].as_string(), "1234");
  EXPECT_EQ(made["metadata"]["labels"]["a"].as_string(), "c");
  EXPECT_THAT(names({.type = api::revision_kind()}), ElementsAre("edge.web.v1"));
  const auto told = watch->next(std::chrono::milliseconds(0));
  ASSERT_TRUE(told);
  ASSERT_EQ(told->size(), 1u);
  EXPECT_EQ(told->front().change, registry::Change::kAdded);
  const auto again = shown_->commit({write});
  ASSERT_FALSE(again) << "one that is whole is there already";
  EXPECT_EQ(again.error().reason, Reason::kAlreadyExists);
}

TEST_F(PackageRevs, WhatPorchLeftKeepsWhoseItIs) {
  const krm::OwnerReference variant{.api_version = "config.porch.kpt.dev/v1alpha1",
                                    .kind = "PackageVariant",
                                    .name = "web",
                                    .uid = "1-2-3",
                                    .controller = true};
  const krm::OwnerReference repository{.api_version = "config.porch.kpt.dev/v1alpha1",
                                       .kind = "Repository",
                                       .name = "edge",
                                       .uid = "4-5-6"};
  Value porchs = kept_as_package_rev(revision("edge.web.v1"))
                     .without("status")
                     .with_at({"metadata", "labels", kPorchRepositoryLabel}, "edge")
                     .with_at({"metadata", "labels", "by"}, "ada")
                     .with_at({"metadata", "labels", "a"}, "as-porch-had-it")
                     .with_at({"metadata", "annotations", "approved"}, "yes");
  porchs = krm::with_owners(porchs, {repository, variant});
  porchs = krm::with_finalizers(
      porchs, {"internal.porch.kpt.dev/packagerevision", "example.com/looks-after-it"});
  ASSERT_TRUE(left_by_porch(porchs));
  const auto left = below_->commit({{Verb::kCreate, porchs}});
  ASSERT_TRUE(left) << left.error().text();
  const Value made = created(revision("edge.web.v1"));
  EXPECT_EQ(made["status"]["tree"].as_string(), "1234");
  EXPECT_EQ(krm::string_map(made["metadata"]["labels"]),
            (std::map<std::string, std::string>{{"a", "b"}, {"by", "ada"}}));
  EXPECT_EQ(krm::annotation_of(made, "approved"), "yes");
  EXPECT_THAT(krm::owners_of(made), ElementsAre(variant));
  EXPECT_THAT(krm::finalizers_of(made), ElementsAre("example.com/looks-after-it"));
  EXPECT_FALSE(left_by_porch(*below_->get({package_rev_kind(), "team", "edge.web.v1"})));
}

TEST_F(PackageRevs, AForkKnowsNothingOfWhatComesLater) {
  created(revision("edge.web.v1"));
  const auto fork = shown_->fork();
  ASSERT_TRUE(fork) << fork.error().text();
  created(revision("edge.web.v2"));
  const auto all = (*fork)->list({.type = api::revision_kind()});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->objects.size(), 1u);
  EXPECT_EQ(krm::name_of(all->objects[0]), "edge.web.v1");
}

}  // namespace
}  // namespace portico::packages
