#include "packages/wire.h"

namespace portico::packages {

using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

}  // namespace

Value to_json(const std::vector<Change>& changes) {
  std::vector<Value> out;
  out.reserve(changes.size());
  for (const Change& each : changes)
    out.push_back(Value::object(
        {{"commit", each.commit},
         {"author", each.author},
         {"when", each.when},
         {"subject", each.subject},
         {"pristine", each.pristine},
         {"workspace", each.workspace},
         {"revision", each.revision},
         {"variant", each.variant},
         {"decisions",
          Value::array(std::vector<Value>(each.decisions.begin(), each.decisions.end()))}}));
  return Value::array(std::move(out));
}

Result<std::vector<Change>> changes_from_json(const Value& value) {
  if (!value.is_array()) return invalid("changes must be a list");
  std::vector<Change> out;
  for (const Value& each : value.items()) {
    Change one{.commit = text(each["commit"]),
               .author = text(each["author"]),
               .when = text(each["when"]),
               .subject = text(each["subject"]),
               .pristine = each["pristine"].as_bool(),
               .workspace = text(each["workspace"]),
               .revision = static_cast<int>(each["revision"].as_int()),
               .variant = text(each["variant"]),
               .decisions = {}};
    for (const Value& decision : each["decisions"].items()) one.decisions.push_back(text(decision));
    out.push_back(std::move(one));
  }
  return out;
}

Value to_json(const std::optional<Pristine>& pristine) {
  if (!pristine) return Value::object();
  return Value::object(
      {{"commit", pristine->commit}, {"tree", pristine->tree}, {"inputs", pristine->inputs}});
}

std::optional<Pristine> pristine_from_json(const Value& value) {
  if (!value.contains("commit")) return std::nullopt;
  return Pristine{text(value["commit"]), text(value["tree"]), text(value["inputs"])};
}

Value to_json(const Synced& synced) {
  return Value::object({{"packages", static_cast<std::uint64_t>(synced.packages)},
                        {"revisions", static_cast<std::uint64_t>(synced.revisions)},
                        {"written", static_cast<std::uint64_t>(synced.written)},
                        {"head", synced.head}});
}

Synced synced_from_json(const Value& value) {
  return {static_cast<std::size_t>(value["packages"].as_uint()),
          static_cast<std::size_t>(value["revisions"].as_uint()),
          static_cast<std::size_t>(value["written"].as_uint()), text(value["head"])};
}

}  // namespace portico::packages
