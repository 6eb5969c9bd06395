#include "drafts/wire.h"

#include <gtest/gtest.h>

#include "json/text.h"

namespace portico::drafts {
namespace {

using json::Value;

// Requests are sent as text.
Value sent(const Value& value) { return *json::parse(json::print(value)); }

DraftRequest request(Source source) {
  DraftRequest out;
  out.ns = "default";
  out.repository = "edge";
  out.package = "web";
  out.workspace = "v2";
  out.source = std::move(source);
  out.draft = "edge.web.v2";
  out.resource_version = "17";
  out.strategy = "fast-forward";
  out.on_conflict = merge::OnConflict::kFail;
  out.render = false;
  out.only_if_changed = false;
  out.dry_run = true;
  return out;
}

krm::Package package() {
  krm::Package out;
  out.files.emplace("Kptfile", krm::File("kind: Kptfile\n"));
  out.files.emplace("logo", krm::File(std::string("\xff\xfe\0", 3)));
  out.files.emplace("run", krm::File("#!/bin/sh\n", krm::FileMode::kExecutable));
  out.files.emplace("link", krm::File("run", krm::FileMode::kSymlink));
  return out;
}

TEST(Wire, CarriesEverySource) {
  const Source sources[] = {
      InitSource{"a package", "https://example.com", {"web", "edge"}},
      CloneSource{"up.web.v1"},
      CopySource{"edge.web.v1"},
      UpgradeSource{"up.web.v1", "up.web.v2", "edge.web.v1"},
      ReplaceSource{package(), true},
      VariantSource{"up.web.v1", "edge.web.v1", false},
      RebaseSource{"edge.web.v1"},
      OriginSource{"edge.web.v1", "up.web.v1"},
      RollbackSource{"edge.web.v1", 1, "edge.web.v3", api::Pin{"a", "b", "v1"}}};
  for (const Source& each : sources) {
    const Value before = to_json(request(each));
    const auto come = request_from_json(sent(before));
    ASSERT_TRUE(come.ok()) << json::print(before);
    EXPECT_EQ(come->source.index(), each.index());
    EXPECT_EQ(to_json(*come), before);
  }
}

TEST(Wire, NamesInputsAndDoesNotSendThem) {
  DraftRequest wanted = request(VariantSource{"up.web.v1", "", true});
  Mutations mutations;
  mutations.variant = "web-edge";
  mutations.injectors.emplace_back();
  wanted.mutations = mutations;
  const auto come = request_from_json(sent(to_json(wanted)));
  ASSERT_TRUE(come.ok());
  ASSERT_TRUE(come->mutations);
  EXPECT_EQ(come->mutations->variant, "web-edge");
  EXPECT_TRUE(come->mutations->injectors.empty());
}

TEST(Wire, CarriesWhatWasBuilt) {
  Drafted drafted;
  drafted.object = Value::object({{"kind", "PackageRevision"}});
  drafted.built.content = package();
  merge::Conflict conflict;
  conflict.file = "a.yaml";
  conflict.object = {"apps", "Deployment", "default", "web"};
  conflict.field = "spec.replicas";
  conflict.ours = Value(2);
  conflict.rule = "both changed it";
  drafted.built.conflicts = {conflict};
  const auto come = drafted_from_json(sent(to_json(drafted)));
  ASSERT_TRUE(come.ok());
  EXPECT_EQ(come->built.content, drafted.built.content) << "bytes and modes";
  EXPECT_EQ(come->built.conflicts, drafted.built.conflicts);
  EXPECT_EQ(come->object, drafted.object);
}

TEST(Wire, RefusesWhatNobodySends) {
  const Value good = to_json(request(CloneSource{"up.web.v1"}));
  EXPECT_FALSE(request_from_json(good.without("source")).ok());
  EXPECT_FALSE(request_from_json(good.with("onConflict", "shrug")).ok());
  const Value files = Value::object({{"../etc", Value::object({{"text", "x"}})}});
  EXPECT_FALSE(
      request_from_json(
          good.with("source", Value::object({{"replace", Value::object({{"files", files}})}})))
          .ok());
}

}  // namespace
}  // namespace portico::drafts
