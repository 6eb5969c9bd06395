#include "kubeapi/openapi_protobuf.h"

#include <span>

#include "json/text.h"
#include "kubeapi/internal/wire_writer.h"

namespace portico::kubeapi {

using json::Value;

namespace {

// The protobuf encoding of a member of a JSON object.
enum class As {
  kText,
  kTexts,
  kBool,
  kInt,
  kReal,
  kAny,   // JSON text, which is also YAML
  kAnys,  // the same for each item
  kInfo,
  kOperation,
  kSchema,
  kSchemas,
  kTypes,       // "string" or ["string"]: a message of strings
  kItems,       // a schema in a message of schemas
  kAdditional,  // a schema or a boolean
  kProperties,  // name -> schema
  kPaths,       // path -> item
  kParameters,
  kResponses,     // code -> response
  kAnswerSchema,  // a schema, or a file schema, which does not occur
  kSecurity,
  kSecurityDefinitions,
};

struct Field {
  std::uint32_t number;
  std::string_view name;
  As as;
};

struct Message {
  std::span<const Field> fields;
  std::uint32_t extensions = 0;  // the field for members that begin with "x-"
};

constexpr Field kDocumentFields[] = {
    {1, "swagger", As::kText},       {2, "info", As::kInfo},
    {8, "paths", As::kPaths},        {9, "definitions", As::kProperties},
    {12, "security", As::kSecurity}, {13, "securityDefinitions", As::kSecurityDefinitions}};
constexpr Message kDocument{kDocumentFields, 16};

constexpr Field kInfoFields[] = {
    {1, "title", As::kText}, {2, "version", As::kText}, {3, "description", As::kText}};
constexpr Message kInfo{kInfoFields, 7};

constexpr Field kPathItemFields[] = {
    {2, "get", As::kOperation},   {3, "put", As::kOperation},
    {4, "post", As::kOperation},  {5, "delete", As::kOperation},
    {8, "patch", As::kOperation}, {9, "parameters", As::kParameters}};
constexpr Message kPathItem{kPathItemFields, 10};

constexpr Field kOperationFields[] = {{1, "tags", As::kTexts},
                                      {2, "summary", As::kText},
                                      {3, "description", As::kText},
                                      {5, "operationId", As::kText},
                                      {6, "produces", As::kTexts},
                                      {7, "consumes", As::kTexts},
                                      {8, "parameters", As::kParameters},
                                      {9, "responses", As::kResponses},
                                      {10, "schemes", As::kTexts},
                                      {11, "deprecated", As::kBool}};
constexpr Message kOperation{kOperationFields, 13};

constexpr Field kBodyFields[] = {{1, "description", As::kText},
                                 {2, "name", As::kText},
                                 {3, "in", As::kText},
                                 {4, "required", As::kBool},
                                 {5, "schema", As::kSchema}};
constexpr Message kBody{kBodyFields, 6};

constexpr Field kInPathFields[] = {{1, "required", As::kBool},    {2, "in", As::kText},
                                   {3, "description", As::kText}, {4, "name", As::kText},
                                   {5, "type", As::kText},        {19, "uniqueItems", As::kBool}};
constexpr Message kInPath{kInPathFields, 22};

constexpr Field kInQueryFields[] = {{1, "required", As::kBool},    {2, "in", As::kText},
                                    {3, "description", As::kText}, {4, "name", As::kText},
                                    {6, "type", As::kText},        {20, "uniqueItems", As::kBool}};
constexpr Message kInQuery{kInQueryFields, 23};

constexpr Field kResponseFields[] = {{1, "description", As::kText},
                                     {2, "schema", As::kAnswerSchema}};
constexpr Message kResponse{kResponseFields, 5};

constexpr Field kSchemaFields[] = {{1, "$ref", As::kText},
                                   {2, "format", As::kText},
                                   {3, "title", As::kText},
                                   {4, "description", As::kText},
                                   {5, "default", As::kAny},
                                   {6, "multipleOf", As::kReal},
                                   {7, "maximum", As::kReal},
                                   {8, "exclusiveMaximum", As::kBool},
                                   {9, "minimum", As::kReal},
                                   {10, "exclusiveMinimum", As::kBool},
                                   {11, "maxLength", As::kInt},
                                   {12, "minLength", As::kInt},
                                   {13, "pattern", As::kText},
                                   {14, "maxItems", As::kInt},
                                   {15, "minItems", As::kInt},
                                   {16, "uniqueItems", As::kBool},
                                   {17, "maxProperties", As::kInt},
                                   {18, "minProperties", As::kInt},
                                   {19, "required", As::kTexts},
                                   {20, "enum", As::kAnys},
                                   {21, "additionalProperties", As::kAdditional},
                                   {22, "type", As::kTypes},
                                   {23, "items", As::kItems},
                                   {24, "allOf", As::kSchemas},
                                   {25, "properties", As::kProperties},
                                   {30, "example", As::kAny}};
constexpr Message kSchema{kSchemaFields, 31};

constexpr Field kApiKeyFields[] = {{1, "type", As::kText},
                                   {2, "name", As::kText},
                                   {3, "in", As::kText},
                                   {4, "description", As::kText}};
constexpr Message kApiKey{kApiKeyFields, 5};

WireWriter written(const Message& message, const Value& value);

WireWriter any(const Value& value) {
  WireWriter out;
  out.text(2, json::print(value));
  return out;
}

// A message of a name and a value.
WireWriter named(std::string_view name, const WireWriter& value) {
  WireWriter out;
  out.text(1, name);
  out.message(2, value);
  return out;
}

// Wraps a message as one field of another.
WireWriter around(std::uint32_t field, const WireWriter& inner) {
  WireWriter out;
  out.message(field, inner);
  return out;
}

WireWriter named_schemas(const Value& schemas) {
  WireWriter out;
  for (const json::Member& member : schemas.members())
    out.message(1, named(member.name(), written(kSchema, member.value)));
  return out;
}

WireWriter texts(const Value& list) {
  WireWriter out;
  if (list.is_string()) out.text(1, list.as_string());
  for (const Value& each : list.items()) out.text(1, each.as_string());
  return out;
}

WireWriter parameter(const Value& value) {
  const std::string_view in = value["in"].as_string();
  if (in == "body") return around(1, around(1, written(kBody, value)));
  const WireWriter of_kind =
      in == "path" ? around(4, written(kInPath, value)) : around(3, written(kInQuery, value));
  return around(1, around(2, of_kind));
}

void put(WireWriter& out, const Field& field, const Value& value) {
  const std::uint32_t number = field.number;
  switch (field.as) {
    case As::kText:
      return out.text(number, value.as_string());
    case As::kTexts:
      for (const Value& each : value.items()) out.text(number, each.as_string());
      return;
    case As::kBool:
      return out.number(number, value.as_bool() ? 1 : 0);
    case As::kInt:
      return out.number(number, static_cast<std::uint64_t>(value.as_int()));
    case As::kReal:
      return out.real(number, value.as_double());
    case As::kAny:
      return out.message(number, any(value));
    case As::kAnys:
      for (const Value& each : value.items()) out.message(number, any(each));
      return;
    case As::kInfo:
      return out.message(number, written(kInfo, value));
    case As::kOperation:
      return out.message(number, written(kOperation, value));
    case As::kSchema:
      return out.message(number, written(kSchema, value));
    case As::kSchemas:
      for (const Value& each : value.items()) out.message(number, written(kSchema, each));
      return;
    case As::kTypes:
      return out.message(number, texts(value));
    case As::kItems:
    case As::kAnswerSchema:
      return out.message(number, around(1, written(kSchema, value)));
    case As::kAdditional: {
      WireWriter inner;
      if (value.is_object())
        inner.message(1, written(kSchema, value));
      else
        inner.number(2, value.as_bool() ? 1 : 0);
      return out.message(number, inner);
    }
    case As::kProperties:
      return out.message(number, named_schemas(value));
    case As::kPaths: {
      WireWriter inner;
      for (const json::Member& member : value.members())
        inner.message(2, named(member.name(), written(kPathItem, member.value)));
      return out.message(number, inner);
    }
    case As::kParameters:
      for (const Value& each : value.items()) out.message(number, parameter(each));
      return;
    case As::kResponses: {
      WireWriter inner;
      for (const json::Member& member : value.members())
        inner.message(1, named(member.name(), around(1, written(kResponse, member.value))));
      return out.message(number, inner);
    }
    case As::kSecurity:
      for (const Value& each : value.items()) {
        WireWriter inner;
        for (const json::Member& member : each.members())
          inner.message(1, named(member.name(), texts(member.value)));
        out.message(number, inner);
      }
      return;
    case As::kSecurityDefinitions: {
      WireWriter inner;
      for (const json::Member& member : value.members())
        inner.message(1, named(member.name(), around(2, written(kApiKey, member.value))));
      return out.message(number, inner);
    }
  }
}

WireWriter written(const Message& message, const Value& value) {
  WireWriter out;
  for (const Field& field : message.fields)
    if (const Value* member = value.find(field.name)) put(out, field, *member);
  for (const json::Member& member : value.members())
    if (member.name().starts_with("x-"))
      out.message(message.extensions, named(member.name(), any(member.value)));
  return out;
}

}  // namespace

std::string openapi_protobuf(const Value& document) { return written(kDocument, document).take(); }

}  // namespace portico::kubeapi
