#include "json/patch.h"
#include "patch/patch.h"

namespace portico::patch {
namespace {

using json::Member;
using json::Value;

/// Go's name of a JSON type.
std::string_view type_of(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "array";
  return value.is_object() ? "object" : "number";
}

Error bad(std::string text) {
  return invalid("error decoding patch: {}", text).because(Reason::kBadRequest);
}

Error not_go(const Value& value, std::string_view type) {
  return bad(
      fmt::format("json: cannot unmarshal {} into Go value of type {}", type_of(value), type));
}

Result<Value> read_map(const Value& body) {
  if (body.is_null()) return invalid("Invalid JSON Patch").because(Reason::kBadRequest);
  if (!body.is_object()) return not_go(body, "map[string]interface {}");
  return body;
}

}  // namespace

Result<JsonPatch> read_json_patch(const Value& body) {
  JsonPatch out;
  if (body.is_null()) return out;
  if (!body.is_array()) return not_go(body, "[]handlers.jsonPatchOp");
  if (body.size() > kMostOperations)
    return invalid("The allowed maximum operations in a JSON patch is {}, got {}", kMostOperations,
                   body.size())
        .because(Reason::kTooLarge);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!body[i].is_object()) return not_go(body[i], "handlers.jsonPatchOp");
    Operation operation;
    for (const Member& member : body[i].members()) {
      std::string* text = member.name() == "op"     ? &operation.op
                          : member.name() == "path" ? &operation.path
                          : member.name() == "from" ? &operation.from
                                                    : nullptr;
      if (member.name() == "value") {
        operation.value = member.value;
      } else if (text == nullptr) {
        out.unknown.push_back(fmt::format("[{}].{}", i, member.name()));
      } else if (member.value.is_string()) {
        *text = member.value.as_string();
      } else if (!member.value.is_null()) {
        return bad(
            fmt::format("json: cannot unmarshal {} into Go struct field jsonPatchOp.{} of "
                        "type string",
                        type_of(member.value), member.name()));
      }
    }
    out.operations.push_back(std::move(operation));
  }
  return out;
}

Result<Value> read_merge_patch(const Value& body) { return read_map(body); }

Result<Value> read_strategic_patch(const Value& body) { return read_map(body); }

Value apply_merge_patch(const Value& target, const Value& patch) {
  return json::with_merge_patch(target, patch);
}

}  // namespace portico::patch
