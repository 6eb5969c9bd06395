#include "fieldset/apply.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "fieldset/managers.h"
#include "fieldset/tests/support.h"
#include "fieldset/typed.h"
#include "testing/cases.h"

namespace portico::fieldset {
namespace {

using json::Value;
using portico::testing::Case;
using portico::testing::case_name;
using portico::testing::cases;

const TimePoint kStart = *parse_rfc3339("2026-01-01T00:00:00Z");

std::string shown(const Value& object) {
  std::string out = json::print(object.without_at({"metadata", "managedFields"})) + "\n";
  for (const Value& entry : object["metadata"]["managedFields"].items()) {
    out += fmt::format("  {} {} {}", entry["manager"].as_string(), entry["operation"].as_string(),
                       entry["apiVersion"].as_string());
    if (const auto sub = entry["subresource"].as_string(); !sub.empty())
      out += fmt::format(" /{}", sub);
    const std::string_view time = entry["time"].as_string();
    out += fmt::format(" {} {}\n", time.empty() ? "-" : time.substr(11, 8),
                       json::print(entry["fieldsV1"]));
  }
  return out;
}

std::string shown(const Error& error) {
  std::string out = fmt::format("{}: {}\n", name(error.reason, error.code), error.text());
  for (const Cause& cause : error.causes)
    out += fmt::format("  {}: {}: {}\n", cause.field, cause.reason, cause.message);
  return out;
}

class Apply : public ::testing::TestWithParam<Case> {};

/// `steps`: "@ apply MANAGER [force] [/SUBRESOURCE] [VERSION]" and the YAML to apply; "@ update
/// ..." and the YAML of the whole written object (managedFields and uid are kept unless it sets
/// them); "@ create MANAGER". Each step takes one second. `schema` is the schema of v1; with a
/// section `v2`, there is also a version v2.
TEST_P(Apply, MatchesItsFile) {
  const Case& one = GetParam();
  Versions versions;
  versions.types.emplace("v1", type_of(one["schema"]));
  if (one.has("v2")) versions.types.emplace("v2", type_of(one["v2"]));
  Value object;
  std::string out;
  TimePoint now = kStart;

  const auto carry_out = [&](const std::string& head, const std::string& body) {
    const std::vector<std::string> words = words_of(head);
    now += std::chrono::seconds(1);
    Writer writer{.manager = words.at(1), .api_version = "v1", .now = now};
    bool force = false;
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "force")
        force = true;
      else if (words[i][0] == '/')
        writer.subresource = words[i].substr(1);
      else
        writer.api_version = words[i];
    }
    if (writer.subresource == "status") writer.ownable.only = {{"status"}};
    if (writer.subresource.empty() && one.has("status")) writer.ownable.except = {{"status"}};
    const Value live = object.is_null() ? object : object.with("apiVersion", writer.api_version);
    Value given = read(body);
    if (words[0] == "apply") {
      const auto applied = apply(live, given, force, versions, writer);
      if (applied) {
        object = *applied;
        writer.now += std::chrono::hours(1);
        const auto again = apply(object, given, force, versions, writer);
        EXPECT_TRUE(again && *again == object) << "applied twice: " << head << "\n" << body;
      }
      out += "@ " + head + "\n" + (applied ? shown(object) : shown(applied.error()));
      return;
    }
    if (!live.is_null()) {
      if (!given["metadata"].contains("managedFields") &&
          live["metadata"].contains("managedFields"))
        given = given.with_at({"metadata", "managedFields"}, live["metadata"]["managedFields"]);
      given = given.with_at({"metadata", "uid"}, live["metadata"]["uid"]);
    }
    object = track(live, given, versions, writer);
    if (object["metadata"]["uid"].is_null()) object = object.with_at({"metadata", "uid"}, "1");
    out += "@ " + head + "\n" + shown(object);
  };

  std::istringstream in(one["steps"]);
  std::string head, body;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("@ ")) {
      if (!head.empty()) carry_out(head, body);
      head = line.substr(2);
      body.clear();
    } else {
      body += line + "\n";
    }
  }
  carry_out(head, body);
  one.expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Apply, ::testing::ValuesIn(cases("fieldset/tests/data/apply")),
                         case_name);

TEST(Versions, AreConverted) {
  Versions versions;
  versions.types.emplace("v1", ObjectType());
  versions.types.emplace("v2", ObjectType());
  // v2 calls the size "length".
  versions.convert = [](const Value& object, std::string_view to) -> Result<Value> {
    const char* from_name = to == "v2" ? "size" : "length";
    const char* to_name = to == "v2" ? "length" : "size";
    Value out = object.with("apiVersion", to);
    const Value& size = object["spec"][from_name];
    if (size.is_null()) return out;
    return out.without_at({"spec", from_name}).with_at({"spec", to_name}, size);
  };
  const Value first =
      *apply({}, read("{apiVersion: v1, kind: T, metadata: {name: a}, spec: {size: 1}}"), false,
             versions, {.manager = "alice", .api_version = "v1", .now = kStart});
  const Value other = read("{apiVersion: v2, kind: T, metadata: {name: a}, spec: {length: 2}}");
  const Writer bob{.manager = "bob", .api_version = "v2", .now = kStart};
  const auto conflict = apply(*versions.convert(first, "v2"), other, false, versions, bob);
  ASSERT_FALSE(conflict);
  EXPECT_EQ(conflict.error().what,
            "Apply failed with 1 conflict: conflict with \"alice\": .spec.size");
  const auto forced = apply(*versions.convert(first, "v2"), other, true, versions, bob);
  ASSERT_TRUE(forced);
  EXPECT_EQ((*forced)["spec"]["length"], Value(2));
  const auto owners = parse_managers((*forced)["metadata"]["managedFields"]);
  ASSERT_TRUE(owners);
  EXPECT_EQ(owners->find({.manager = "alice", .applies = true})->fields.set().text(), ".spec\n");

  // Alice gives up her field in the other version.
  const Writer alice{.manager = "alice", .api_version = "v2", .now = kStart};
  const auto given_up = apply(*versions.convert(first, "v2"),
                              read("{apiVersion: v2, kind: T, metadata: {name: a}, spec: {}}"),
                              false, versions, alice);
  ASSERT_TRUE(given_up);
  EXPECT_FALSE((*given_up)["spec"].contains("length"));
}

TEST(Versions, OwnersInVersionsThatAreGoneAreDropped) {
  Versions both, one;
  for (const char* version : {"v1", "v2"}) both.types.emplace(version, ObjectType());
  one.types.emplace("v2", ObjectType());
  const Value first =
      *apply({}, read("{apiVersion: v1, kind: T, metadata: {name: a}, spec: {size: 1}}"), false,
             both, {.manager = "alice", .api_version = "v1", .now = kStart});
  const auto second = apply(first.with("apiVersion", "v2"),
                            read("{apiVersion: v2, kind: T, metadata: {name: a}, spec: {size: 2}}"),
                            false, one, {.manager = "bob", .api_version = "v2", .now = kStart});
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_EQ((*second)["metadata"]["managedFields"].size(), 1u);
}

TEST(UnlessOnlyTimes, TimesAloneAreNothing) {
  const Value before =
      read("{metadata: {managedFields: [{manager: a, time: '1', fieldsV1: {}}]}, spec: {a: 1}}");
  const Value later =
      read("{metadata: {managedFields: [{manager: a, time: '2', fieldsV1: {}}]}, spec: {a: 1}}");
  EXPECT_TRUE(unless_only_times(before, later).same_as(before));
  const Value other = later.with_at({"spec", "a"}, 2);
  EXPECT_TRUE(unless_only_times(before, other).same_as(other));
}

constexpr const char* kSchema = R"(
type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}
      title: {type: string}
      any: {x-kubernetes-preserve-unknown-fields: true}
      notes: {type: object, additionalProperties: {type: string}}
      unit: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: integer}}}
      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      atoms: {type: array, items: {type: string}}
      parts:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name, kind]
        items:
          type: object
          properties:
            name: {type: string}
            kind: {type: string, default: plain}
            count: {type: integer}
            marks: {type: array, x-kubernetes-list-type: set, items: {type: string}}
)";

/// A partial object that uses only the given letters for names, items and scalar fields.
Value some_part(const std::vector<std::string>& letters, bool scalars) {
  const auto one_in = [](int n) { return *rc::gen::inRange(0, n) == 0; };
  Value spec = Value::object();
  const auto texts = [&] {
    std::set<std::string> out;
    for (const std::string& letter : letters)
      if (one_in(2)) out.insert(letter);
    return std::vector<Value>(out.begin(), out.end());
  };
  if (scalars && one_in(2)) spec = spec.with("size", *rc::gen::inRange(0, 3));
  if (scalars && one_in(2)) spec = spec.with("title", some(letters));
  if (scalars && one_in(3))
    spec = spec.with("unit", Value::object({{"a", *rc::gen::inRange(0, 3)}}));
  if (scalars && one_in(3)) spec = spec.with("atoms", Value::array(texts()));
  for (const std::string& letter : letters) {
    if (one_in(3)) spec = spec.with_at({"notes", letter}, some(letters));
    if (one_in(3)) spec = spec.with_at({"any", letter, "x"}, *rc::gen::inRange(0, 3));
  }
  if (one_in(2))
    if (auto tags = texts(); !tags.empty()) spec = spec.with("tags", Value::array(tags));
  std::vector<Value> parts;
  for (const std::string& letter : letters) {
    if (!one_in(2)) continue;
    Value part = Value::object({{"name", letter}});
    if (one_in(3)) part = part.with("kind", some<std::string>({"plain", "other"}));
    if (one_in(2)) part = part.with("count", *rc::gen::inRange(0, 3));
    if (one_in(3))
      if (auto marks = texts(); !marks.empty()) part = part.with("marks", Value::array(marks));
    parts.push_back(std::move(part));
  }
  if (one_in(3)) std::reverse(parts.begin(), parts.end());
  if (!parts.empty()) spec = spec.with("parts", Value::array(std::move(parts)));
  return Value::object({{"apiVersion", "v1"}, {"kind", "T"}})
      .with_at({"metadata", "name"}, "a")
      .with("spec", std::move(spec));
}

const Versions& versions() {
  static const Versions kVersions = [] {
    Versions all;
    all.types.emplace("v1", type_of(kSchema));
    return all;
  }();
  return kVersions;
}

Writer by(const char* manager, int second = 0) {
  return {.manager = manager, .api_version = "v1", .now = kStart + std::chrono::seconds(second)};
}

/// A second version that differs only in its name, so that owners are compared in both.
const Versions& two_versions() {
  static const Versions kVersions = [] {
    Versions all = versions();
    all.types.emplace("v2", type_of(kSchema));
    return all;
  }();
  return kVersions;
}

/// `object` with an owner in v2 of a field that no other manager owns.
Value with_other_version(const Value& object) {
  auto managers = *parse_managers(object["metadata"]["managedFields"]);
  Set set;
  set.insert(Path{Step::field("metadata"), Step::field("labels"), Step::field("v2")});
  managers.put({.id = {.manager = "other", .applies = true},
                .api_version = "v2",
                .fields = std::move(set),
                .time = std::nullopt});
  return object.with_at({"metadata", "managedFields"}, to_value(managers))
      .with_at({"metadata", "labels", "v2"}, "x");
}

/// Sorts items of sets and keyed lists, because their order depends on the order of applies, and
/// removes times, because only managers that change a value get one.
Value with_sorted_lists(Value object) {
  std::vector<Value> entries;
  for (const Value& entry : object["metadata"]["managedFields"].items())
    entries.push_back(entry.without("time"));
  std::sort(entries.begin(), entries.end(),
            [](const Value& a, const Value& b) { return json::print(a) < json::print(b); });
  object = object.with_at({"metadata", "managedFields"}, Value::array(std::move(entries)));
  for (const char* field : {"tags", "parts"}) {
    const Value& list = object["spec"][field];
    if (!list.is_array()) continue;
    std::vector<Value> items(list.items().begin(), list.items().end());
    std::sort(items.begin(), items.end(),
              [](const Value& a, const Value& b) { return json::print(a) < json::print(b); });
    object = object.with_at({"spec", field}, Value::array(std::move(items)));
  }
  return object;
}

RC_GTEST_PROP(ApplyProperty, TwiceChangesNothing, ()) {
  Value live;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    auto next = apply(live, some_part({"a", "b", "c"}, true), true, versions(),
                      by(some<const char*>({"alice", "bob"}), i));
    if (next) live = *next;
  }
  const Value part = some_part({"a", "b", "c"}, true);
  const auto once = apply(live, part, true, versions(), by("alice", 10));
  RC_ASSERT(once);
  const auto twice = apply(*once, part, true, versions(), by("alice", 20));
  RC_ASSERT(twice);
  RC_ASSERT(*twice == *once);
}

RC_GTEST_PROP(ApplyProperty, OneVersionIsASpecialCaseOfSeveral, ()) {
  Value one, several;
  for (int i = 0; i < 4; ++i) {
    const Value part = some_part({"a", "b", "c"}, true);
    const Writer writer = by(some<const char*>({"alice", "bob"}), i);
    if (*rc::gen::inRange(0, 3) == 0 && !one.is_null()) {
      const auto update = [&](const Value& live, const Versions& all) {
        const Value wanted = live.with("spec", part["spec"]);
        return track(live, wanted, all, writer);
      };
      one = update(one, versions());
      several = update(several, two_versions());
      continue;
    }
    const auto next = apply(one, part, true, versions(), writer);
    const auto other = apply(several, part, true, two_versions(), writer);
    RC_ASSERT(next);
    RC_ASSERT(other);
    one = *next;
    several = i == 0 ? with_other_version(*other) : *other;
    RC_ASSERT(one["spec"] == several["spec"]);
  }
}

RC_GTEST_PROP(ApplyProperty, TwoWithoutOverlapCommute, ()) {
  const Value a = some_part({"a", "b"}, true), b = some_part({"x", "y"}, false);
  const auto alice = apply({}, a, false, versions(), by("alice"));
  const auto bob = apply({}, b, false, versions(), by("bob"));
  RC_ASSERT(alice);
  RC_ASSERT(bob);
  const auto first = apply(*alice, b, false, versions(), by("bob"));
  const auto second = apply(*bob, a, false, versions(), by("alice"));
  RC_ASSERT(first);
  RC_ASSERT(second);
  RC_ASSERT(with_sorted_lists(*first) == with_sorted_lists(*second));
}

bool is_there(const Value& value, const Type& type, std::span<const Step> path) {
  if (path.empty()) return true;
  const auto rest = path.subspan(1);
  if (path.front().kind == Step::Kind::kField) {
    const std::string_view name = path.front().value.as_string();
    const Type* below = type.member(name);
    return value.contains(name) && is_there(value[name], below ? *below : free_type(), rest);
  }
  for (std::size_t i = 0; i < value.items().size(); ++i)
    if (const auto step = step_to_item(type, value.items()[i], i); step && *step == path.front())
      return is_there(value.items()[i], *type.items, rest);
  return false;
}

RC_GTEST_PROP(ApplyProperty, WhatIsAppliedIsThere, ()) {
  Value live;
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    if (auto next = apply(live, some_part({"a", "b", "c"}, true), true, versions(), by("bob")))
      live = *next;
  const Value part = some_part({"a", "b", "c"}, true);
  const auto applied = apply(live, part, true, versions(), by("alice"));
  RC_ASSERT(applied);
  const Type& type = versions().types.find("v1")->second.root();
  const Changes lost = changes(part, *applied, type);
  RC_ASSERT(lost.removed.empty());
  RC_ASSERT(lost.modified.empty());
  fields_of(part, type).visit([&](const Path& path) { RC_ASSERT(is_there(*applied, type, path)); });
}

RC_GTEST_PROP(TrackProperty, OwnersOwnWhatIsThere, ()) {
  Value live;
  for (int i = 0; i < 4; ++i) {
    const Value part = some_part({"a", "b", "c"}, true);
    if (*rc::gen::inRange(0, 2) == 0) {
      if (auto next = apply(live, part, true, versions(), by("alice", i))) live = *next;
    } else {
      Value wanted = part.with_at({"metadata", "uid"}, "1");
      if (!live.is_null())
        wanted = wanted.with_at({"metadata", "managedFields"}, live["metadata"]["managedFields"]);
      live = track(live, wanted, versions(), by("bob", i));
    }
  }
  const Type& type = versions().types.find("v1")->second.root();
  const auto owners = parse_managers(live["metadata"]["managedFields"]);
  RC_ASSERT(owners);
  for (const Manager& manager : owners->all()) {
    RC_ASSERT(!manager.fields.empty());
    manager.fields.set().visit([&](const Path& path) {
      if (!is_there(live, type, path))
        RC_FAIL(manager.id.text() + " owns " + text_of(path) + " of " + json::print(live));
    });
  }
}

}  // namespace
}  // namespace portico::fieldset
