// Validation and defaults of definitions, protobuf bodies, and OpenAPI documents.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "json/text.h"
#include "krm/object.h"
#include "kubeapi/common_fields.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/definition_rules.h"
#include "kubeapi/openapi.h"
#include "kubeapi/protobuf.h"
#include "schema/causes.h"
#include "testing/cases.h"

namespace portico::kubeapi {
namespace {

using json::Value;

Value object_of(const std::string& text) {
  const auto parsed = krm::Object::parse(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed ? parsed->value() : Value();
}

class Definitions : public ::testing::TestWithParam<testing::Case> {};

// -- definition --, -- old -- (the one it replaces) and -- others -- of its group.
TEST_P(Definitions, AreCheckedAndCompleted) {
  const testing::Case& one = GetParam();
  const TakenDefinition taken = take_in_schemas(object_of(one["definition"]));
  const Value definition = with_definition_defaults(taken.object);
  std::string out;
  for (const std::string& path : taken.unknown) out += "unknown: " + path + "\n";
  const Value old = one.has("old") ? with_definition_defaults(object_of(one["old"])) : Value();
  for (const Cause& cause : definition_causes(definition, old)) out += schema::line(cause) + "\n";
  std::vector<Value> others;
  if (one.has("others")) others.push_back(object_of(one["others"]));
  if (out.empty())
    out = krm::Object::from_value(
              with_accepted_names(definition, others, "2026-01-02T03:04:05Z")["status"])
              .text();
  one.expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Definitions,
                         ::testing::ValuesIn(testing::cases("kubeapi/tests/data/definitions")),
                         testing::case_name);

class Protobuf : public ::testing::TestWithParam<testing::Case> {};

// -- body -- is a base64-encoded object of -- kind -- ("GROUP KIND", "core" for the group "").
TEST_P(Protobuf, IsRead) {
  const testing::Case& one = GetParam();
  std::string text = one["body"], body;
  std::erase(text, '\n');
  ASSERT_TRUE(base64_decode(text, body));
  const auto envelope = open_envelope(body);
  if (!envelope) return one.expect("want", envelope.error().text() + "\n");
  const std::string& names = one["kind"];
  const std::size_t blank = names.find(' ');
  const std::string group = names.substr(0, blank);
  const auto object =
      decode_protobuf(group == "core" ? "" : group,
                      names.substr(blank + 1, names.find('\n') - blank - 1), envelope->object);
  one.expect("want", fmt::format("{} {}\n{}", envelope->api_version, envelope->kind,
                                 object ? json::print_pretty(*object, 2) : object.error().text()) +
                         "\n");
}

INSTANTIATE_TEST_SUITE_P(Data, Protobuf,
                         ::testing::ValuesIn(testing::cases("kubeapi/tests/data/protobuf")),
                         testing::case_name);

// What kubectl looks up: whether the server validates, and the schema of the kind.
TEST(OpenApi, TellsOfEveryKindThatIsServed) {
  const Catalog catalog = builtin_catalog();
  const Value whole = openapi_v2(catalog);
  for (const std::string& group : catalog.groups())
    for (const std::string& version : catalog.versions(group)) {
      const Value document = openapi_v3(catalog, group, version);
      const Value& schemas = document["components"]["schemas"];
      for (const Catalog::Type& type : catalog.resources(group)) {
        if (type->version(version) == nullptr) continue;
        const std::string name = openapi_name(group, version, type->names.kind);
        EXPECT_EQ(schemas[name]["x-kubernetes-group-version-kind"][std::size_t{0}]["kind"],
                  Value(type->names.kind));
        EXPECT_TRUE(schemas[name]["properties"].contains("metadata")) << name;
        EXPECT_TRUE(whole["definitions"].contains(name)) << name;
      }
      for (const json::Member& path : document["paths"].members()) {
        const Value& post = path.value["post"];
        if (post.is_null()) continue;
        const auto parameters = post["parameters"].items();
        EXPECT_TRUE(std::any_of(parameters.begin(), parameters.end(), [](const Value& one) {
          return one["name"].as_string() == "fieldValidation";
        })) << path.name();
      }
    }
}

// Every reference must resolve to a schema of the same document.
void check_references(const Value& value, const Value& schemas, std::string_view root) {
  if (const Value* target = value.find("$ref"); target != nullptr && target->is_string()) {
    const std::string_view text = target->as_string();
    ASSERT_TRUE(text.starts_with(root)) << text;
    EXPECT_TRUE(schemas.contains(text.substr(root.size()))) << text;
  }
  for (const json::Member& member : value.members()) check_references(member.value, schemas, root);
  for (const Value& item : value.items()) check_references(item, schemas, root);
}

TEST(OpenApi, NamesNothingThatIsNotThere) {
  const Catalog catalog = builtin_catalog();
  const Value whole = openapi_v2(catalog);
  check_references(whole, whole["definitions"], "#/definitions/");
  for (const std::string& group : catalog.groups())
    for (const std::string& version : catalog.versions(group)) {
      const Value document = openapi_v3(catalog, group, version);
      check_references(document, document["components"]["schemas"], "#/components/schemas/");
    }
}

// A description of a nonexistent field would create that field, without a type.
void check_described(const Value& schema, const std::string& place) {
  for (const json::Member& field : schema["properties"].members()) {
    const std::string here = place + "." + std::string(field.name());
    EXPECT_TRUE(field.value["type"].is_string() || field.value.contains("allOf")) << here;
    if (place.find('.') == std::string::npos || place.ends_with(".spec")) {
      EXPECT_FALSE(field.value["description"].as_string().empty()) << here;
    }
    check_described(field.value["items"].is_object() ? field.value["items"] : field.value, here);
  }
}

TEST(CoreSchemas, SayWhatTheirFieldsAreFor) {
  for (const auto& [group, kind] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "ConfigMap"},
           {"", "Secret"},
           {"", "Namespace"},
           {"", "ServiceAccount"},
           {"", "Event"},
           {"events.k8s.io", "Event"},
           {"coordination.k8s.io", "Lease"},
           {"apiextensions.k8s.io", "CustomResourceDefinition"},
           {"rbac.authorization.k8s.io", "ClusterRole"},
           {"rbac.authorization.k8s.io", "RoleBinding"},
           {"rbac.authorization.k8s.io", "ClusterRoleBinding"}}) {
    const Value schema = core_schema(group, kind)->source;
    EXPECT_FALSE(schema["description"].as_string().empty()) << kind;
    check_described(schema, kind);
    const Value whole = with_common_fields(schema);
    EXPECT_EQ(whole["properties"]["metadata"]["properties"]["ownerReferences"]["items"]
                   ["properties"]["uid"]["type"],
              Value("string"))
        << kind;
  }
}

}  // namespace
}  // namespace portico::kubeapi
