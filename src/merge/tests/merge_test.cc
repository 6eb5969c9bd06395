#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json/text.h"
#include "merge/internal/comment_text.h"
#include "merge/internal/pair_items.h"
#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/package.h"
#include "merge/schema.h"
#include "merge/strategy.h"
#include "merge/subpackages.h"
#include "merge/tree.h"

namespace portico::merge {
namespace {

using json::Value;
using Kind = ListRule::Kind;

Value parse(const std::string& text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : Value();
}

krm::Object object(const std::string& text) { return *krm::Object::parse(text); }

ListRule rule_at(const Schema& root, const std::vector<std::string>& path) {
  Schema schema = root;
  for (const std::string& name : path) schema = name == "[]" ? schema.item() : schema.field(name);
  return schema.list_rule();
}

TEST(Schema, KnowsKubernetesLists) {
  const Schema deployment = Schemas().of({"apps", "Deployment", "", ""}, "v1");
  const std::vector<std::string> pod = {"spec", "template", "spec"};
  const auto at = [&](std::vector<std::string> path) {
    path.insert(path.begin(), pod.begin(), pod.end());
    return rule_at(deployment, path);
  };
  EXPECT_EQ(at({"containers"}), (ListRule{Kind::kMap, {"name"}}));
  EXPECT_EQ(at({"initContainers", "[]", "volumeMounts"}), (ListRule{Kind::kMap, {"mountPath"}}));
  EXPECT_EQ(at({"containers", "[]", "ports"}),
            (ListRule{Kind::kMap, {"containerPort", "protocol"}}));
  EXPECT_EQ(at({"containers", "[]", "command"}), ListRule{});
  EXPECT_EQ(at({"tolerations"}), ListRule{});
  EXPECT_EQ(rule_at(deployment, {"metadata", "finalizers"}), (ListRule{Kind::kSet, {}}));
  EXPECT_TRUE(deployment.field("spec").field("replicas").known());
  EXPECT_EQ(rule_at(Schema::definition("io.k8s.api.core.v1.PodSpec"), {"volumes"}),
            (ListRule{Kind::kMap, {"name"}}));
}

TEST(Schema, KnowsOnlyMetadataOfOtherKinds) {
  const Schema other = Schemas().of({"example.com", "Deployment", "", ""}, "v1");
  EXPECT_FALSE(other.field("spec").known());
  EXPECT_EQ(rule_at(other, {"metadata", "ownerReferences"}), (ListRule{Kind::kMap, {"uid"}}));
}

TEST(Schema, ReadsCrds) {
  Schemas schemas;
  schemas.add_crd(parse(R"({"kind": "CustomResourceDefinition", "spec": {"group": "g",
    "names": {"kind": "K"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
      "properties": {"apiVersion": {}, "kind": {}, "metadata": {"type": "object"}, "spec": {
        "properties": {"list": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys":
          ["a", "b"], "items": {"properties": {"set": {"x-kubernetes-list-type": "set"}}}},
          "old": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "k"},
          "plain": {"type": "array"}}, "additionalProperties": {"properties": {"more":
          {"x-kubernetes-list-type": "set"}}}}}}}}]}})"));
  const krm::ResourceId id{"g", "K", "", ""};
  const Schema root = schemas.of(id, "v1");
  EXPECT_EQ(rule_at(root, {"spec", "list"}), (ListRule{Kind::kMap, {"a", "b"}}));
  EXPECT_EQ(rule_at(root, {"spec", "list", "[]", "set"}), (ListRule{Kind::kSet, {}}));
  EXPECT_EQ(rule_at(root, {"spec", "old"}), (ListRule{Kind::kMap, {"k"}}));
  EXPECT_EQ(rule_at(root, {"spec", "plain"}), ListRule{});
  EXPECT_EQ(rule_at(root, {"spec", "any", "more"}), (ListRule{Kind::kSet, {}}));
  EXPECT_EQ(rule_at(root, {"metadata", "finalizers"}), (ListRule{Kind::kSet, {}}));
  EXPECT_FALSE(schemas.of(id, "v2").field("spec").known());
}

TEST(Schema, InfersOnlyNames) {
  EXPECT_EQ(inferred_key(parse(R"([{"name": "a"}, {"name": 1}])")), "name");
  EXPECT_FALSE(inferred_key(parse(R"([{"name": "a"}, {"id": 1}])")));
  EXPECT_FALSE(inferred_key(parse("[]")));
  EXPECT_FALSE(inferred_key(parse(R"(["a"])")));
}

std::string pairs(const ListRule& rule, const char* base, const char* theirs, const char* ours) {
  const auto trios = internal::pair_items(rule, parse(base), parse(theirs), parse(ours));
  if (!trios) return "no";
  std::string text;
  const auto show = [](std::size_t index) {
    return index == internal::kNoItem ? std::string("-") : std::to_string(index);
  };
  for (const internal::ItemMatch& trio : *trios)
    text += show(trio.base) + show(trio.theirs) + show(trio.ours) + " ";
  return text;
}

TEST(PairItems, ByKeys) {
  const ListRule name{Kind::kMap, {"name"}};
  EXPECT_EQ(pairs(name, R"([{"name":"a"},{"name":"b"}])", R"([{"name":"c"},{"name":"a"}])",
                  R"([{"name":"d"},{"name":"a"}])"),
            "--0 011 -0- ");
  EXPECT_EQ(pairs(name, "[]", R"([{"name":"a"},{"name":"a"}])", "[]"), "no");
  EXPECT_EQ(pairs(name, "[]", R"([{"id":"a"}])", "[]"), "no");
  const ListRule port{Kind::kMap, {"port", "protocol"}};
  EXPECT_EQ(pairs(port, R"([{"port":1}])", R"([{"port":1,"protocol":"UDP"},{"port":1}])",
                  R"([{"port":1,"protocol":"TCP"},{"port":1,"protocol":"UDP"}])"),
            "010 -01 ")
      << "what leaves the protocol out is TCP where TCP is there";
  EXPECT_EQ(pairs(port, "[]", R"([{"port":1}])", R"([{"port":1,"protocol":"UDP"}])"), "-00 ");
}

TEST(PairItems, FunctionsByWhatTheyRun) {
  const auto identity = [](const char* text) { return internal::function_identity(parse(text)); };
  EXPECT_EQ(identity(R"({"image": "host:5000/fn/set:v1"})"), "host:5000/fn/set");
  EXPECT_EQ(identity(R"({"image": "set@sha256:12"})"), "set");
  EXPECT_EQ(identity(R"({"image": "set:v1"})"), "set");
  EXPECT_EQ(identity(R"({"exec": "./run.sh", "image": "x"})"), "./run.sh");
  EXPECT_EQ(identity("{}"), "");
}

TEST(CommentText, FindsCommentsAndSchemas) {
  EXPECT_EQ(internal::comment_lines("a: b#c # d\n# e\nf: '#'\n\t#g"),
            (std::vector<std::string_view>{"# d", "# e", "#g"}));
  EXPECT_TRUE(internal::schema_in_comment(R"(# {"$ref":"#/definitions/io.k8s.api.core.v1.Pod"})"));
  EXPECT_FALSE(internal::schema_in_comment(R"(# {"$openapi":"replicas"})"));
  EXPECT_FALSE(internal::schema_in_comment("# see {a}"));
}

TEST(MergeKey, NamesTheUpstreamResource) {
  const auto name = [](const char* metadata) {
    const auto id =
        upstream_identity(object(std::string("apiVersion: g/v1\nkind: K\n") + metadata));
    return id.group + "|" + id.kind + "|" + id.ns + "|" + id.name;
  };
  EXPECT_EQ(name("metadata: # kpt-merge: up/stream\n  name: here\n"), "g|K|up|stream");
  EXPECT_EQ(name("metadata: # kpt-merge: /stream\n  name: here\n  namespace: n\n"), "g|K||stream");
  EXPECT_EQ(name("metadata:\n  name: here\n  annotations:\n"
                 "    internal.kpt.dev/upstream-identifier: 'g|K|default|stream'\n"),
            "g|K||stream");
  EXPECT_EQ(name("metadata: # other\n  name: here\n  namespace: n\n"), "g|K|n|here");
  EXPECT_EQ(upstream_identity(object("a: 1\n")), krm::ResourceId{});
}

TEST(MergeKey, IsAddedOnce) {
  krm::Package package;
  const std::string other = "- a\n- b\n", broken = "a: [\n", text = "kind: not yaml\n";
  package.set("a.yaml", "apiVersion: v1\nkind: K\nmetadata: # mine\n  name: a\n");
  package.set("list.yaml", other);
  package.set("broken.yaml", broken);
  package.set("text.txt", text);
  const auto once = with_merge_keys(package);
  ASSERT_TRUE(once) << once.error().text();
  EXPECT_EQ(once->find("a.yaml")->text(),
            "apiVersion: v1\nkind: K\nmetadata: # mine\n  name: a\n  annotations:\n"
            "    internal.kpt.dev/upstream-identifier: '|K|default|a'\n");
  EXPECT_EQ(once->find("list.yaml")->text(), other);
  EXPECT_EQ(once->find("broken.yaml")->text(), broken);
  EXPECT_EQ(once->find("text.txt")->text(), text);
  const auto twice = with_merge_keys(*once);
  ASSERT_TRUE(twice);
  EXPECT_EQ(*twice, *once);
}

TEST(Kptfile, ForgetsARender) {
  krm::Object kptfile = object(
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\nstatus:\n  conditions:\n"
      "  - type: Rendered\n    status: \"True\"\n  - type: Other\n    status: \"True\"\n"
      "  renderStatus:\n    errorSummary: x\n");
  ASSERT_TRUE(clear_render_status(kptfile));
  EXPECT_EQ(json::print(kptfile.value()["status"]),
            R"({"conditions":[{"status":"True","type":"Other"}]})");
  krm::Object only = object("kind: Kptfile\nstatus:\n  conditions:\n  - type: Rendered\n");
  ASSERT_TRUE(clear_render_status(only));
  EXPECT_EQ(only.text(), "kind: Kptfile\n");
}

TEST(Kptfile, AnUpstreamChosenHereStays) {
  const auto at = [](const std::string& ref) {
    return object(
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: db\nupstream:\n"
        "  type: git\n  git:\n    repo: https://x\n    ref: " +
        ref + " # wanted\n");
  };
  const krm::Object v1 = at("v1"), v2 = at("v2"), mine = at("mine");
  const auto merged = [](const krm::Object& base, const krm::Object& theirs,
                         const krm::Object& ours, OnConflict on_conflict) {
    return *merge_kptfile(&base, &theirs, ours, {on_conflict, true});
  };
  const Merged untouched = merged(v1, v2, v1, OnConflict::kUpstream);
  EXPECT_EQ(untouched.object.text(), v2.text());
  EXPECT_TRUE(untouched.conflicts.empty());
  const Merged chosen = merged(v1, v1, mine, OnConflict::kUpstream);
  EXPECT_EQ(chosen.object.text(), mine.text());
  EXPECT_TRUE(chosen.conflicts.empty());
  const Merged both = merged(v1, v2, mine, OnConflict::kUpstream);
  EXPECT_EQ(both.object.text(), v2.text());
  ASSERT_EQ(both.conflicts.size(), 1);
  EXPECT_EQ(both.conflicts.front().field, "upstream");
  EXPECT_EQ(merged(v1, v2, mine, OnConflict::kLocal).object.text(), mine.text());
}

TEST(Subpackages, AreFoldersWithAKptfile) {
  krm::Package package;
  const std::string local = "apiVersion: kpt.dev/v1\nkind: Kptfile\n";
  const std::string remote = local + "upstream: {type: git}\n";
  for (const char* path : {"Kptfile", "a/Kptfile", "a/b/c/Kptfile", "d/Kptfile"})
    package.set(path, local);
  for (const char* path : {"r/Kptfile", "a/r/Kptfile"}) package.set(path, remote);
  package.set("r/in/Kptfile", local);
  package.set("a/x/y.txt", "y");
  package.set("ab/z.txt", "z");
  using List = std::vector<std::string>;
  EXPECT_EQ(local_subpackages(package, ""), (List{"a", "d", "a/b/c"}));
  EXPECT_EQ(remote_subpackages(package, ""), (List{"r", "a/r"}));
  EXPECT_EQ(direct_subpackages(package, ""), (List{"a", "d", "r"}));
  EXPECT_EQ(subpackages(package, "a"), (List{"a/r", "a/b/c"}));
  EXPECT_EQ(own_files(package, "a").files.size(), 2u);
  EXPECT_EQ(own_files(package, "").files.size(), 2u);
  EXPECT_NE(cut_out(package, "a").find("b/c/Kptfile"), nullptr);
}

TEST(PackageMerge, MergesTheModeAsAValue) {
  krm::Package base, theirs, ours;
  base.files["run.sh"] = krm::File("a\n");
  theirs.files["run.sh"] = krm::File("a\n", krm::FileMode::kExecutable);
  ours.files["run.sh"] = krm::File("a\n");
  ours.files["link"] = krm::File("a.yaml", krm::FileMode::kSymlink);
  const auto merged = resource_merge({base, theirs, ours}, {});
  ASSERT_TRUE(merged) << merged.error().text();
  EXPECT_EQ(merged->package.find("run.sh")->mode, krm::FileMode::kExecutable);
  EXPECT_EQ(*merged->package.find("link"), *ours.find("link"));
}

TEST(PackageMerge, KeepsBinaryFiles) {
  krm::Package base, theirs, ours;
  const std::string bytes("\0\xff\xfe\n\0", 5);
  theirs.set("new.bin", bytes);
  ours.set("old.bin", bytes);
  ours.set("odd.yaml", bytes);
  const auto merged = resource_merge({base, theirs, ours}, {});
  ASSERT_TRUE(merged) << merged.error().text();
  for (const char* path : {"new.bin", "old.bin", "odd.yaml"})
    EXPECT_EQ(merged->package.find(path)->text(), bytes);
}

TEST(Strategy, HasKptsNames) {
  for (const char* name :
       {"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"}) {
    const auto strategy = parse_strategy(name);
    ASSERT_TRUE(strategy);
    EXPECT_EQ(name_of(*strategy), name);
  }
  EXPECT_EQ(*parse_strategy(""), Strategy::kResourceMerge);
  EXPECT_EQ(parse_strategy("rebase").error().code, Code::kInvalid);
  EXPECT_EQ(parse_strategy("resource_merge").error().what,
            "unrecognized update strategy \"resource_merge\" (did you mean resource-merge?): must "
            "be resource-merge, fast-forward, force-delete-replace or copy-merge");
}

TEST(OnConflict, HasTheWordsOfTheApi) {
  for (const char* word : {"takeUpstream", "keepLocal", "fail"}) {
    const auto policy = parse_on_conflict(word);
    ASSERT_TRUE(policy);
    EXPECT_EQ(name_of(*policy), word);
  }
  EXPECT_EQ(*parse_on_conflict(""), OnConflict::kUpstream);
  EXPECT_EQ(
      parse_on_conflict("KeepLocale").error().what,
      "unknown conflict policy \"KeepLocale\" (did you mean keepLocal?): must be takeUpstream, "
      "keepLocal or fail");
  EXPECT_EQ(parse_on_conflict("upstream").error().code, Code::kInvalid);
}

// Properties, on objects with maps, keyed lists, sets and plain lists.

Value arbitrary_part(int depth) {
  static const std::vector<std::string> names = {"a", "b", "c", "long name", "x.y/z"};
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 4)) {
    case 0:
      return *rc::gen::inRange(-3, 3);
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::element<std::string>("", "text", "1", "true", "two\nlines\n", " x # y");
    case 3:
      return *rc::gen::element<std::string>("a", "b: c", "- d", "é", "{", "~");
    case 4: {
      std::vector<Value> items;
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) items.push_back(arbitrary_part(depth - 1));
      return Value::array(items);
    }
    default: {
      std::vector<json::Member> members;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
        members.push_back({*rc::gen::elementOf(names), arbitrary_part(depth - 1)});
      return Value::object(members);
    }
  }
}

Value arbitrary_items(const char* key) {
  std::vector<Value> items;
  for (const char* name : {"one", "two", "three", "four"})
    if (*rc::gen::arbitrary<bool>())
      items.push_back(Value::object({{key, name}, {"value", arbitrary_part(1)}}));
  return Value::array(items);
}

krm::Object arbitrary_object() {
  std::vector<Value> finalizers;
  for (const char* name : {"f", "g", "h"})
    if (*rc::gen::arbitrary<bool>()) finalizers.emplace_back(name);
  const Value container = Value::object({{"name", "main"}, {"env", arbitrary_items("name")}});
  Value value = Value::object({{"apiVersion", "v1"}, {"kind", "Pod"}, {"data", arbitrary_part(3)}});
  value = value.with_at({"metadata", "name"}, "p");
  if (*rc::gen::arbitrary<bool>())
    value = value.with_at({"metadata", "finalizers"}, Value::array(finalizers));
  if (*rc::gen::arbitrary<bool>())
    value = value.with_at({"spec", "volumes"}, arbitrary_items("name"));
  if (*rc::gen::arbitrary<bool>())
    value = value.with_at({"spec", "containers"}, Value::array({container}));
  return krm::Object::from_value(value);
}

TreeOptions pod_options() {
  TreeOptions options;
  options.schema = Schemas().of({"", "Pod", "", ""}, "v1");
  return options;
}

Merged merged(const krm::Object& base, const krm::Object& theirs, const krm::Object& ours) {
  auto result = merge_object(&base, theirs, ours, pod_options());
  if (!result) RC_FAIL(result.error().text() + "\n" + base.text() + theirs.text() + ours.text());
  return *std::move(result);
}

/// Items of keyed lists and of sets have no defined order: a merge keeps the local one.
Value sorted(const Value& value) {
  Value result = value;
  if (value.is_object()) {
    for (const json::Member& member : value.members())
      result = result.with(member.name(), sorted(member.value));
  } else if (value.is_array()) {
    std::vector<std::string> texts;
    for (const Value& item : value.items()) texts.push_back(json::print(sorted(item)));
    std::sort(texts.begin(), texts.end());
    std::vector<Value> items(texts.begin(), texts.end());
    result = Value::array(items);
  }
  return result;
}

RC_GTEST_PROP(Properties, UpstreamUnchangedKeepsOurs, ()) {
  const krm::Object x = arbitrary_object(), y = arbitrary_object();
  const Merged result = merged(x, x, y);
  RC_ASSERT(result.object.text() == y.text());
  RC_ASSERT(result.conflicts.empty());
}

RC_GTEST_PROP(Properties, OursUnchangedTakesTheirs, ()) {
  const krm::Object x = arbitrary_object(), y = arbitrary_object();
  const Merged result = merged(x, y, x);
  RC_ASSERT(sorted(result.object.value()) == sorted(y.value()));
  RC_ASSERT(result.conflicts.empty());
}

RC_GTEST_PROP(Properties, TheSameChangeOnBothSidesIsNoConflict, ()) {
  const krm::Object x = arbitrary_object(), y = arbitrary_object();
  const Merged result = merged(x, y, y);
  RC_ASSERT(result.object.text() == y.text());
  RC_ASSERT(result.conflicts.empty());
}

RC_GTEST_PROP(Properties, MergedAgainNothingChanges, ()) {
  const krm::Object x = arbitrary_object(), y = arbitrary_object(), z = arbitrary_object();
  const Merged once = merged(x, y, z);
  RC_ASSERT(merged(y, y, once.object).object.text() == once.object.text());
}

RC_GTEST_PROP(Properties, ChangesFarApartAreBothThere, ()) {
  const krm::Object x = arbitrary_object(), y = arbitrary_object();
  krm::Object ours = x;
  RC_ASSERT(ours.set({"metadata", "labels", "here"}, "yes"));
  RC_ASSERT(ours.set_line_comment({"metadata", "name"}, "# local"));
  const Merged result = merged(x, y, ours);
  RC_ASSERT(result.object.line_comment({"metadata", "name"}) == "# local");
  RC_ASSERT(sorted(result.object.value()) ==
            sorted(y.value().with_at({"metadata", "labels", "here"}, "yes")));
}

}  // namespace
}  // namespace portico::merge
