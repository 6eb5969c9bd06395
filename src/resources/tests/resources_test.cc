#include "resources/resources.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "api/kinds.h"
#include "json/text.h"
#include "jsonpath/path.h"
#include "krm/object.h"
#include "resources/awaited.h"
#include "resources/state.h"
#include "resources/table.h"
#include "testing/cases.h"

namespace portico::resources {
namespace {

using ::testing::TestWithParam;
using ::testing::ValuesIn;

class Table : public TestWithParam<portico::testing::Case> {};

/// Header and row, one line per column; with the columns of the definition if there is one.
std::string shown(const json::Value& object, const json::Value& definition, bool wide) {
  const std::string version = krm::group_version(object["apiVersion"].as_string()).version;
  const auto columns = definition.is_null() ? table_columns(krm::group_kind(object))
                                            : table_columns(definition, version);
  const auto head = table_head(columns, wide);
  const auto row = table_row(columns, object, wide, "2024-05-01T12:00:00Z");
  if (head.size() != row.size()) return "head and row differ\n";
  std::string out;
  for (std::size_t i = 0; i < head.size(); ++i) out += fmt::format("{}: {}\n", head[i], row[i]);
  return out;
}

TEST_P(Table, MatchesItsFile) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  json::Value definition(nullptr);
  if (GetParam().has("definition")) {
    const auto parsed = krm::Object::parse_file(GetParam()["definition"]);
    ASSERT_TRUE(parsed.ok()) << parsed.error().text();
    definition = parsed->front().value();
  }
  std::string narrow, wide;
  for (const krm::Object& object : *objects) {
    narrow += name_line(object.value()) + "\n" + shown(object.value(), definition, false);
    wide += name_line(object.value()) + "\n" + shown(object.value(), definition, true);
  }
  GetParam().expect("narrow", narrow);
  GetParam().expect("wide", wide);
}

INSTANTIATE_TEST_SUITE_P(Data, Table,
                         ValuesIn(portico::testing::cases("resources/tests/data/table")),
                         portico::testing::case_name);

class AwaitedIs : public TestWithParam<portico::testing::Case> {};

TEST_P(AwaitedIs, AsItsFileSays) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  std::string out;
  std::istringstream asked(GetParam()["asked"]);
  for (std::string written; std::getline(asked, written);) {
    const auto awaited = Awaited::parse(written);
    out += written + ":";
    if (!awaited) {
      out += " error: " + awaited.error().text() + "\n";
      continue;
    }
    for (const krm::Object& object : *objects)
      if (awaited->met(object.value())) out += " " + std::string(object.name());
    out += awaited->met(json::Value()) ? " -\n" : "\n";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, AwaitedIs,
                         ValuesIn(portico::testing::cases("resources/tests/data/awaited")),
                         portico::testing::case_name);

class FindKind : public TestWithParam<portico::testing::Case> {};

TEST_P(FindKind, MatchesItsFile) {
  std::vector<krm::GroupKind> present;
  std::istringstream kinds(GetParam()["present"]);
  for (krm::GroupKind kind; kinds >> kind.kind >> kind.group;) {
    if (kind.group == "-") kind.group.clear();
    present.push_back(kind);
  }
  std::string out;
  std::istringstream asked(GetParam()["asked"]);
  for (std::string written; std::getline(asked, written);) {
    const auto found = find_kind(written, present);
    out += written + " -> ";
    out += found ? found->kind + (found->group.empty() ? "" : "." + found->group)
                 : found.error().text();
    out += "\n";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, FindKind,
                         ValuesIn(portico::testing::cases("resources/tests/data/find_kind")),
                         portico::testing::case_name);

TEST(Resources, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Resource& each : all()) {
    EXPECT_TRUE(names.insert(each.plural).second) << each.plural;
    if (each.singular != each.plural) {
      EXPECT_TRUE(names.insert(each.singular).second) << each.singular;
    }
    for (const std::string_view name : each.short_names)
      EXPECT_TRUE(names.insert(std::string(name)).second) << name;
    EXPECT_FALSE(each.versions.empty()) << each.plural;
    EXPECT_EQ(find(each.kind), &each);
  }
  EXPECT_EQ(find({"", "ConfigMap"}), nullptr);
}

TEST(Resources, AreFoundByTheNamesOfTheirDefinitions) {
  const json::Value definition = *json::parse(
      R"({"spec": {"group": "farm.example.com",
                   "names": {"kind": "Goose", "plural": "geese", "singular": "goose",
                             "shortNames": ["gs"]}}})");
  const krm::GroupKind goose{"farm.example.com", "Goose"};
  for (const char* name : {"geese", "Goose", "gs", "geese.farm.example.com", "gs.farm.example.com"})
    EXPECT_EQ(defined_kind(name, {definition}), goose) << name;
  EXPECT_EQ(defined_kind("gooses", {definition}), std::nullopt);
  EXPECT_EQ(defined_kind("geese", {}), std::nullopt);
}

TEST(Resources, AreDefinedOpenly) {
  const krm::GroupKind kind{"farm.example.com", "Policy"};
  EXPECT_FALSE(is_always_there(kind));
  EXPECT_TRUE(is_always_there(api::variant_kind()));
  EXPECT_TRUE(is_always_there({"", "ConfigMap"}));
  const json::Value made = open_definition(kind, "v1beta1");
  EXPECT_EQ(krm::name_of(made), "policies.farm.example.com");
  EXPECT_EQ(made["spec"]["versions"][std::size_t{0}]["name"].as_string(), "v1beta1");
  EXPECT_EQ(defined_kind("policy", {made}), kind);
}

TEST(Resources, AreThoseOfAll) {
  std::string out;
  for (const krm::GroupKind& kind : kinds_of_all()) out += plural(kind) + " ";
  EXPECT_EQ(out, "repositories packagevariants packagevariantsets packagerevisions ");
}

// Clusters support only paths: each must give the cell's value, or have its own column name.
TEST(Resources, HavePathsThatSayWhatTheirCellsDo) {
  const json::Value object = *json::parse(
      R"({"metadata": {"creationTimestamp": "2026-11-22T14:00:00Z"},
          "spec": {"type": "git", "deployment": true, "image": "set-labels:v1",
                   "git": {"repo": "/srv/a.git", "branch": "trunk", "directory": "x"},
                   "sync": {"schedule": "0 * * * *"}},
          "status": {"packageCount": 3, "conditions": [{"type": "Ready", "status": "True"}],
                     "targets": {"desired": 4, "ready": 1, "waiting": 2, "failed": 1}}})");
  for (const Resource& each : all())
    for (const Column& column : each.columns) {
      if (column.path.empty() || !column.path_name.empty()) continue;
      const auto path = jsonpath::Path::parse(std::string(column.path));
      ASSERT_TRUE(path) << column.path;
      const auto found = path->evaluate(object, 2);
      ASSERT_EQ(found.size(), 1u) << column.path;
      EXPECT_EQ(found.front(), column.cell(object)) << each.plural << " " << column.name;
    }
}

TEST(Resources, HaveColumnsThatKubernetesKnows) {
  const std::set<std::string_view> types{"string", "integer", "boolean", "date"};
  for (const Resource& each : all()) {
    ASSERT_GE(each.columns.size(), 2u);
    EXPECT_EQ(each.columns.front().name, "Name");
    EXPECT_EQ(each.columns.back().name, "Age");
    const json::Value nothing = json::Value::object();
    for (const Column& column : each.columns) {
      EXPECT_TRUE(types.contains(column.type)) << each.plural << " " << column.name;
      EXPECT_FALSE(column.description.empty()) << each.plural << " " << column.name;
      const json::Value cell = column.cell(nothing);
      EXPECT_TRUE(cell.is_null() || (column.type == "integer" && cell.is_int()) ||
                  (column.type == "boolean" && cell.is_bool()) ||
                  (column.type == "string" && cell.is_string()))
          << each.plural << " " << column.name;
    }
  }
}

const char* shown(api::Health health) {
  return health == api::Health::kHealthy   ? "healthy"
         : health == api::Health::kWaiting ? "waiting"
                                           : "failing";
}

class HealthOf : public TestWithParam<portico::testing::Case> {};

TEST_P(HealthOf, MatchesItsFile) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  std::string out;
  for (const krm::Object& object : *objects)
    out += fmt::format("{} {}, {}\n", krm::name_of(object.value()),
                       shown(health_of(object.value())), state_of(object.value()));
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, HealthOf,
                         ValuesIn(portico::testing::cases("resources/tests/data/health")),
                         portico::testing::case_name);

class TriesOf : public TestWithParam<portico::testing::Case> {};

TEST_P(TriesOf, MatchesItsFile) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  std::string out;
  for (const krm::Object& object : *objects) {
    const std::string tries = tries_of(object.value(), "2024-05-01T12:00:00Z");
    out += fmt::format("{}: {}\n", krm::name_of(object.value()), tries.empty() ? "-" : tries);
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, TriesOf,
                         ValuesIn(portico::testing::cases("resources/tests/data/tries")),
                         portico::testing::case_name);

TEST(Age, IsWhatKubectlWouldSay) {
  const auto since = [](const char* from) { return age(from, "2024-05-03T12:00:00Z"); };
  EXPECT_EQ(since("2024-05-03T11:58:01Z"), "119s");
  EXPECT_EQ(since("2024-05-03T11:58:00Z"), "2m");
  EXPECT_EQ(since("2024-05-03T10:00:01Z"), "119m");
  EXPECT_EQ(since("2024-05-03T08:48:00Z"), "3h12m");
  EXPECT_EQ(since("2024-05-01T12:00:00Z"), "2d");
  EXPECT_EQ(since("2024-05-04T12:00:00Z"), "0s") << "clocks differ";
  EXPECT_EQ(since("yesterday"), "");
}

}  // namespace
}  // namespace portico::resources
