#include "conformance/internal/porch_rules.h"

#include <algorithm>
#include <array>
#include <vector>

#include "api/kinds.h"
#include "krm/meta.h"
#include "krm/object.h"

namespace portico::conformance {
namespace {

using json::Value;

constexpr std::array kOwnStatus = {"ref",      "tree",     "base",      "drift",
                                   "pristine", "proposal", "rejection", "pin"};

bool is_kind(const Value& object, std::string_view kind) {
  return object["kind"].as_string() == kind;
}

template <class F>
Value each_item(const Value& list, const char* field, const F& change) {
  if (!list[field].is_array()) return list;
  std::vector<Value> items;
  for (const Value& item : list[field].items()) items.push_back(change(item));
  return list.with(field, Value::array(std::move(items)));
}

Value without_empty(Value object, std::initializer_list<const char*> fields) {
  for (const char* field : fields)
    if (const Value* value = object.find(field);
        value != nullptr && (value->is_null() || value->empty()))
      object = object.without(field);
  return object;
}

// For a PackageRevision or a Kptfile.
Value without_rendered(Value status) {
  std::vector<Value> conditions;
  for (const Value& each : status["conditions"].items())
    if (each["type"].as_string() != "Rendered") conditions.push_back(each);
  return conditions.empty() ? status.without("conditions")
                            : status.with("conditions", Value::array(std::move(conditions)));
}

Value plain_status(Value status, bool of_head) {
  for (const char* field : kOwnStatus) status = status.without(field);
  status = without_empty(status, {"upstreamLock"});
  if (of_head) {
    status = status.without("publishedBy").without("publishTimestamp");
    if (status["selfLock"]["git"].contains("commit"))
      status = status.without_at({"selfLock", "git", "commit"});
  }
  // The time of a recorded commit, for revisions tagged with plain git.
  if (status["publishTimestamp"].as_string().starts_with("2024-"))
    status = status.without("publishTimestamp").without("publishedBy");
  if (status["publishTimestamp"].is_null()) status = status.without("publishTimestamp");
  return without_rendered(status);
}

Value plain_spec(Value spec, bool of_head) {
  spec = without_empty(spec, {"packageMetadata"});
  if (of_head) spec = spec.without("tasks");
  return each_item(spec, "tasks", [](const Value& task) {
    const Value& git = task["clone"]["upstreamRef"]["git"];
    return git["secretRef"]["name"].as_string().empty() && git.contains("secretRef")
               ? task.without_at({"clone", "upstreamRef", "git", "secretRef"})
               : task;
  });
}

Value plain_files(Value files) {
  for (const json::Member& member : files.members())
    files = files.with(member.name(), PorchRules::file(member.name(), member.value));
  return files;
}

// A render status without any function is empty.
Value plain_target(const Value& target) {
  return target["renderStatus"]["result"]["items"].empty() ? target.without("renderStatus")
                                                           : target;
}

Value plain_metadata(Value metadata) {
  metadata = metadata.without("resourceVersion").without("managedFields");
  if (metadata["annotations"].contains(api::kVariantAnnotation))
    metadata =
        metadata.with("annotations", metadata["annotations"].without(api::kVariantAnnotation));
  return without_empty(metadata, {"annotations"});
}

Value plain(Value object) {
  if (!object.is_object()) return object;
  const std::string_view kind = object["kind"].as_string();
  if (kind.ends_with("List") || kind == "Table") {
    object = object.with("metadata", plain_metadata(object["metadata"]));
    object = each_item(object, "items", plain);
    if (kind != "Table") return object;
    if (object["rows"].is_null()) object = object.with("rows", Value::array());
    return each_item(object, "rows",
                     [](const Value& row) { return row.with("object", plain(row["object"])); });
  }
  if (kind != "PackageRevision" && kind != "PackageRevisionResources" && kind != "PorchPackage" &&
      kind != "PartialObjectMetadata" && kind != "Repository" &&
      !kind.starts_with("PackageVariant"))
    return object;
  object = object.with("metadata", plain_metadata(object["metadata"]));
  if (kind == "Repository") {
    object = object.without_at({"spec", "content"});
    object = object.with("metadata", object["metadata"].without("finalizers"));
    for (const char* field : {"nextFullSyncTime", "packageCount"})
      if (object["status"].contains(field)) object = object.without_at({"status", field});
  }
  if (object["status"].contains("downstreamTargets"))
    object = object.with("status", each_item(object["status"], "downstreamTargets", plain_target));
  if (kind == "PackageRevision") {
    const bool of_head = object["spec"]["revision"].as_int() == -1;
    object = object.with("spec", plain_spec(object["spec"], of_head))
                 .with("status", plain_status(object["status"], of_head));
  }
  if (kind == "PackageRevisionResources")
    object = object.with_at({"spec", "resources"}, plain_files(object["spec"]["resources"]));
  return object;
}

// For a kind of config.porch.kpt.dev: reduces the status in `have` to the fields in `want`.
Value as_much_as(const Value& want, const Value& have) {
  if (want.is_array() && have.is_array()) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < have.size(); ++i)
      items.push_back(i < want.size() ? as_much_as(want[i], have[i]) : have[i]);
    return Value::array(std::move(items));
  }
  if (!want.is_object() || !have.is_object()) return have;
  Value out = Value::object();
  for (const json::Member& member : want.members()) {
    const Value* own = have.find(member.name());
    if (own == nullptr) continue;
    if (member.name() != "conditions") {
      out = out.with(member.name(), as_much_as(member.value, *own));
      continue;
    }
    std::vector<Value> conditions;
    for (const Value& wanted : member.value.items())
      for (const Value& each : own->items())
        if (each["type"] == wanted["type"]) conditions.push_back(as_much_as(wanted, each));
    out = out.with("conditions", Value::array(std::move(conditions)));
  }
  return out;
}

Value with_status_of(const Value& want, const Value& have) {
  if (have.contains("items")) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < have["items"].size(); ++i)
      items.push_back(with_status_of(want["items"][i], have["items"][i]));
    return have.with("items", Value::array(std::move(items)));
  }
  const std::string_view version = have["apiVersion"].as_string();
  if (!version.starts_with("config.porch.kpt.dev/") || !have.contains("status")) return have;
  const Value status = as_much_as(want["status"], have["status"]);
  return status.empty() && !want.contains("status") ? have.without("status")
                                                    : have.with("status", status);
}

// `have` with the columns of `want`, in their order.
Value with_columns_of(const Value& want, const Value& have) {
  std::vector<std::size_t> places;
  std::vector<Value> columns;
  for (const Value& column : want["columnDefinitions"].items())
    for (std::size_t i = 0; i < have["columnDefinitions"].size(); ++i)
      if (have["columnDefinitions"][i]["name"] == column["name"]) {
        places.push_back(i);
        const bool number = column["type"].as_string() == "int";
        const Value own = have["columnDefinitions"][i].with("format", column["format"]);
        columns.push_back(number ? own.with("type", "int") : own);
      }
  return each_item(have.with("columnDefinitions", Value::array(std::move(columns))), "rows",
                   [&](const Value& row) {
                     std::vector<Value> cells;
                     for (const std::size_t place : places) cells.push_back(row["cells"][place]);
                     return row.with("cells", Value::array(std::move(cells)));
                   });
}

// The text that Porch wraps, without the parts that Portico does not repeat: output of kpt or git,
// or internals of Porch.
std::string_view refusal_text(std::string_view message) {
  constexpr std::string_view kInternal = "Internal error occurred: ";
  if (message.starts_with(kInternal)) message.remove_prefix(kInternal.size());
  for (const char* rest : {" Details:", "::", ": error cloning git repository",
                           "fn.render:", "package revision kubernetes resource name invalid",
                           ": cannot find repository", ": packagerevisions.porch.kpt.dev"})
    message = message.substr(0, message.find(rest));
  while (message.ends_with('\n') || message.ends_with(' ')) message.remove_suffix(1);
  return message;
}

}  // namespace

Value PorchRules::file(std::string_view path, const Value& text) {
  if (path != "Kptfile" && !path.ends_with("/Kptfile")) return text;
  const auto parsed = krm::Object::parse(text.as_string());
  if (!parsed) return text;
  Value kptfile = parsed->value();
  const Value status = without_rendered(kptfile["status"].without("renderStatus"));
  return status.empty() ? kptfile.without("status") : kptfile.with("status", status);
}

Value PorchRules::request(const Value& recorded) {
  const Value& metadata = recorded["body"]["metadata"];
  const auto known = versions_.find({std::string(metadata["name"].as_string()),
                                     std::string(metadata["resourceVersion"].as_string())});
  if (known == versions_.end()) return recorded;
  return recorded.with_at({"body", "metadata", "resourceVersion"}, known->second);
}

bool PorchRules::fits(const Value& want, int status, const Value& body) {
  constexpr std::array kFitting = {400, 403, 404, 409, 410, 422};
  if (std::find(kFitting.begin(), kFitting.end(), status) == kFitting.end()) return false;
  if (want["status"].as_int() == 503) return true;
  if (want["status"].as_int() != 500) return false;
  const std::string_view text = refusal_text(want["body"]["message"].as_string());
  return body["message"].as_string().find(text) != std::string_view::npos;
}

void PorchRules::learn_version(const Value& want, const Value& have) {
  for (std::size_t i = 0; i < std::min(want["items"].size(), have["items"].size()); ++i)
    learn_version(want["items"][i], have["items"][i]);
  const Value& version = want["metadata"]["resourceVersion"];
  if (version.is_string())
    versions_[{std::string(krm::name_of(want)), std::string(version.as_string())}] =
        have["metadata"]["resourceVersion"].as_string();
}

std::vector<Value> PorchRules::events(std::vector<Value> all) {
  std::vector<Value> out;
  std::map<std::string, std::size_t> last;  // by object: the index of its last event in `out`
  for (Value& event : all) {
    const Value& object = event["object"];
    const std::string name(krm::name_of(object));
    if (object["spec"]["revision"].as_int() == -1) continue;
    const auto known = last.find(name);
    const auto says_the_same = [&](const Value& other) {
      return event["type"].as_string() != "DELETED" && other["spec"] == object["spec"] &&
             other["metadata"]["labels"] == object["metadata"]["labels"];
    };
    if (known != last.end() && says_the_same(out[known->second]["object"])) {
      out[known->second] = out[known->second].with("object", object);
      continue;
    }
    if (known != last.end() && event["type"].as_string() == "ADDED")
      event = event.with("type", "MODIFIED");
    last[name] = out.size();
    out.push_back(std::move(event));
  }
  return out;
}

void PorchRules::adjust(Value& want, Value& have) {
  learn_version(want, have);
  if (is_kind(want, "Table") && is_kind(have, "Table")) have = with_columns_of(want, have);
  want = plain(want);
  have = with_status_of(want, plain(have));
}

}  // namespace portico::conformance
