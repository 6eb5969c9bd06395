// ../shared/conformance/kube-api/apply without a server: executes the requests of a case on objects
// in a map, with the functions that a server would call, and compares the results, including
// managedFields, with the recording.
#include <set>

#include "base/hash.h"
#include "base/time.h"
#include "conformance/internal/kube_api.h"
#include "conformance/support.h"
#include "fieldset/apply.h"
#include "fieldset/scale.h"
#include "json/patch.h"
#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "schema/schema.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;
using fieldset::Path;
using fieldset::Step;
using json::Value;

/// A kind that a case uses.
struct Kind {
  fieldset::Versions versions;
  std::map<std::string, schema::Schema, std::less<>> schemas;  // of custom resources, for defaults
  bool is_core = false;                                        // a Go struct in the real server
  bool has_status = false;
};

fieldset::ObjectType type_of(std::string_view schema) {
  return fieldset::ObjectType(*schema::parse(*json::parse(schema)));
}

Kind core_kind(std::string_view schema) {
  Kind kind;
  kind.is_core = true;
  kind.versions.types.emplace("v1", type_of(schema));
  return kind;
}

constexpr std::string_view kConfigMap = R"({"type":"object","properties":{
  "data":{"type":"object","additionalProperties":{"type":"string"}},
  "binaryData":{"type":"object","additionalProperties":{"type":"string"}},
  "immutable":{"type":"boolean"}}})";
constexpr std::string_view kSecret = R"({"type":"object","properties":{
  "data":{"type":"object","additionalProperties":{"type":"string"}},
  "stringData":{"type":"object","additionalProperties":{"type":"string"}},
  "immutable":{"type":"boolean"},"type":{"type":"string"}}})";
constexpr std::string_view kScale = R"({"type":"object","properties":{
  "spec":{"type":"object","properties":{"replicas":{"type":"integer"}}},
  "status":{"type":"object","properties":{"replicas":{"type":"integer"},
                                          "selector":{"type":"string"}}}}})";

/// The definitions were installed by a YAML 1.1 parser, which reads the key `n` as false.
Value with_boolean_keys(const Value& value) {
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(with_boolean_keys(item));
    return Value::array(std::move(items));
  }
  if (!value.is_object()) return value;
  std::vector<json::Member> members;
  for (const json::Member& member : value.members())
    members.push_back(
        {member.name() == "n" ? Value("false") : member.key, with_boolean_keys(member.value)});
  return Value::object(std::move(members));
}

/// In the order of the case files, which ignores times.
Value with_sorted_owners(const Value& object) {
  const Value& owners = object["metadata"]["managedFields"];
  if (!owners.is_array()) return object;
  std::vector<Value> entries(owners.items().begin(), owners.items().end());
  std::stable_sort(entries.begin(), entries.end(), [](const Value& a, const Value& b) {
    for (const char* field : {"operation", "manager", "apiVersion", "subresource"})
      if (a[field] != b[field]) return a[field].as_string() < b[field].as_string();
    return false;
  });
  return object.with_at({"metadata", "managedFields"}, Value::array(std::move(entries)));
}

Result<Kind> custom_kind(const fs::path& file) {
  PORTICO_TRY(const Value read, read_exchanges(file));
  const Value definition = with_boolean_keys(read);
  Kind kind;
  const Value& spec = definition["spec"];
  for (const Value& version : spec["versions"].items()) {
    const std::string name =
        fmt::format("{}/{}", spec["group"].as_string(), version["name"].as_string());
    PORTICO_TRY(schema::Schema schema, schema::parse(version["schema"]["openAPIV3Schema"]), name);
    kind.versions.types.emplace(name, fieldset::ObjectType(schema));
    kind.schemas.emplace(name, std::move(schema));
    kind.has_status |= version["subresources"].contains("status");
  }
  return kind;
}

/// Applies the defaults of a structural schema; a null that is not nullable is replaced by its
/// default.
Value with_defaults(const Value& value, const schema::Node& node) {
  if (value.is_array() && node.items) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(with_defaults(item, *node.items));
    return Value::array(std::move(items));
  }
  if (!value.is_object()) return value;
  Value out = value;
  for (const schema::Property& property : node.properties) {
    const auto& given = property.schema->default_value;
    const bool is_missing = !value.contains(property.name) ||
                            (value[property.name].is_null() && !property.schema->nullable);
    if (is_missing && given) out = out.with(property.name, *given);
  }
  for (const json::Member& member : out.members())
    if (const schema::Node* below = node.member(member.name()))
      if (Value filled = with_defaults(member.value, *below); filled != member.value)
        out = out.with(member.name(), std::move(filled));
  return out;
}

/// Omits empty members, as Go structs do.
Value without_blanks(Value object) {
  std::vector<json::Member> kept;
  for (const json::Member& member : object.members()) {
    const Value& value = member.value;
    if (value.is_null() || ((value.is_object() || value.is_array()) && value.empty())) continue;
    kept.push_back(member);
  }
  return Value::object(std::move(kept));
}

Value as_core(Value object) {
  if (!object["stringData"].empty())
    for (const json::Member& text : object["stringData"].members())
      object = object.with_at({"data", text.name()}, base64_encode(text.value.as_string()));
  object = object.without("stringData");
  for (const json::Member& one : object["data"].members())
    if (one.value.is_null()) object = object.with_at({"data", one.name()}, "");
  return without_blanks(std::move(object));
}

class ApplyReplay {
 public:
  Result<Done> define(const Value& one, const fs::path& crds) {
    kinds_.emplace("configmaps", core_kind(kConfigMap));
    kinds_.emplace("secrets", core_kind(kSecret));
    for (const Value& name : one["crds"].items()) {
      const std::string file(name.as_string());
      PORTICO_TRY(Kind kind, custom_kind(crds / (file + ".yaml")));
      kinds_.emplace(file.substr(file.find('_') + 1), std::move(kind));
    }
    return Done{};
  }

  /// "" if the response matches the recorded one.
  std::string run(const Value& step) {
    const Value& request = step["request"];
    const Value& want = step["response"]["body"];
    target_ = target_of(request["method"].as_string(), request["path"].as_string());
    const access::Request& what = target_.request;
    kind_ = &kinds_.at(what.resource);
    body_ = placeholders_.filled(request["body"]);
    type_ = header_of(request, "Content-Type");
    agent_ = request["headers"].contains("User-Agent") ? header_of(request, "User-Agent")
                                                       : "conformance";
    name_ = what.name.empty() ? std::string(krm::name_of(body_)) : what.name;
    version_ = what.group.empty() ? what.version : what.group + "/" + what.version;
    now_ += std::chrono::milliseconds(1);  // as fast as the recorder
    const auto found = objects_.find(what.resource + "/" + name_);
    live_ = found == objects_.end() ? Value() : in_version(found->second);
    refused_ = step["response"]["status"].as_int() >= 400;

    auto answer = carried_out();
    if (!answer) {
      Value status = with_sorted_causes(status_of(answer.error(), Value::object()));
      const Error& error = answer.error();
      // Kubernetes answers 500 for a type mismatch, although the request is at fault.
      if (error.code == Code::kInvalid && error.reason == Reason::kByCode && error.causes.empty())
        status = status.with("code", 500).without("reason");
      return placeholders_.difference(want.without("details"), status.without("details")) +
             placeholders_.difference(want["details"]["causes"], status["details"]["causes"]);
    }
    if (!refused_) return placeholders_.difference(want, with_sorted_owners(*answer));
    if (want["code"].as_int() == 404) return live_.is_null() ? "" : "there: " + json::print(live_);
    // Other refusals come from checks before or after, and change nothing.
    const std::string_view message = want["message"].as_string();
    if (message.starts_with("Apply failed") || message.starts_with("failed to create typed"))
      return "applied: want " + json::print(want) + "\n";
    return {};
  }

 private:
  fieldset::Writer writer() const {
    fieldset::Writer writer{.manager = "", .api_version = version_, .now = now_};
    writer.subresource = target_.request.subresource;
    const auto named = target_.query.find("fieldManager");
    if (named != target_.query.end() && !named->second.empty())
      writer.manager = named->second;
    else
      writer.manager = agent_.empty() ? "unknown" : agent_.substr(0, agent_.find('/'));
    if (kind_->has_status) {
      if (writer.subresource == "status")
        writer.ownable.only = {{"status"}};
      else
        writer.ownable.except = {{"status"}};
    }
    return writer;
  }

  Value in_version(const Value& object) const {
    return kind_->is_core ? object : object.with("apiVersion", version_);
  }

  Result<Value> carried_out() {
    const access::Request& what = target_.request;
    if (what.verb == "get") return live_;
    if (what.verb == "delete") return deleted();
    if (what.subresource == "scale") return scaled();
    if (type_ == "application/apply-patch+yaml") {
      const auto force = target_.query.find("force");
      PORTICO_TRY(
          const Value applied,
          fieldset::apply(live_, body_, force != target_.query.end() && force->second == "true",
                          kind_->versions, writer()));
      return stored(applied);
    }
    PORTICO_TRY(Value wanted, written());
    return stored(fieldset::track(live_, as_stored(wanted), kind_->versions, writer()));
  }

  /// The object that create, update or patch requests.
  Result<Value> written() const {
    if (type_ == "application/merge-patch+json") return json::with_merge_patch(live_, body_);
    if (type_ == "application/json-patch+json") {
      Value out = live_;
      for (const Value& change : body_.items()) {
        if (change["op"].as_string() != "replace" ||
            change["path"].as_string() != "/metadata/managedFields")
          return invalid("not one of the patches that this suite knows");
        out = out.with_at({"metadata", "managedFields"}, change["value"]);
      }
      return out;
    }
    if (live_.is_null()) return body_;
    // An update keeps the fields that the server sets.
    Value out = body_;
    for (const char* field : {"uid", "creationTimestamp", "resourceVersion", "generation"})
      if (const Value& own = live_["metadata"][field]; !own.is_null())
        out = out.with_at({"metadata", field}, own);
    return out.with_at({"metadata", "namespace"}, live_["metadata"]["namespace"]);
  }

  /// The object as it is stored: without ignored parts, and with defaults.
  Value as_stored(Value object) const {
    if (kind_->is_core) return as_core(std::move(object));
    if (kind_->has_status) {
      const bool to_status = target_.request.subresource == "status";
      const Value& status = to_status ? object["status"] : live_["status"];
      Value base = object;
      if (to_status) {
        base = live_;
        const Value& owners = object["metadata"]["managedFields"];
        base = owners.is_null() ? base.without_at({"metadata", "managedFields"})
                                : base.with_at({"metadata", "managedFields"}, owners);
      }
      object = status.is_null() ? base.without("status") : base.with("status", status);
    }
    return with_defaults(object, *kind_->schemas.at(version_));
  }

  Value stored(const Value& written) {
    Value object = as_stored(written);
    if (live_.is_null()) {
      object = object.with_at({"metadata", "uid"}, fmt::format("uid-{}", ++uids_))
                   .with_at({"metadata", "namespace"}, target_.request.ns)
                   .with_at({"metadata", "creationTimestamp"}, rfc3339(now_));
      if (!kind_->is_core) object = object.with_at({"metadata", "generation"}, 1);
    } else {
      object =
          object.with_at({"metadata", "resourceVersion"}, live_["metadata"]["resourceVersion"]);
      if (!kind_->is_core && object["spec"] != live_["spec"])
        object = object.with_at({"metadata", "generation"}, krm::generation_of(live_) + 1);
    }
    object = object.with("metadata", without_blanks(object["metadata"]));
    if (!live_.is_null()) object = fieldset::unless_only_times(live_, object);
    const bool is_gone = krm::is_deleting(object) && krm::finalizers_of(object).empty();
    if (object != live_ && !is_gone)
      object = object.with_at({"metadata", "resourceVersion"}, fmt::format("rv-{}", ++versions_));
    const auto dry = target_.query.find("dryRun");
    if (dry != target_.query.end()) {
      if (live_.is_null())
        object = object.without_at({"metadata", "resourceVersion"});
      else
        object =
            object.with_at({"metadata", "resourceVersion"}, live_["metadata"]["resourceVersion"]);
      return object;
    }
    if (refused_) return object;
    const std::string key = target_.request.resource + "/" + name_;
    if (is_gone)
      objects_.erase(key);
    else
      objects_[key] = object;
    return object;
  }

  Value deleted() {
    Value object = live_.with_at({"metadata", "deletionTimestamp"}, rfc3339(now_))
                       .with_at({"metadata", "deletionGracePeriodSeconds"}, 0)
                       .with_at({"metadata", "resourceVersion"}, fmt::format("rv-{}", ++versions_));
    objects_[target_.request.resource + "/" + name_] = object;
    return object;
  }

  Result<Value> scaled() {
    const std::string scale_version(fieldset::kScaleVersion);
    fieldset::Versions versions;
    versions.types.emplace(scale_version, type_of(kScale));
    fieldset::ReplicasPaths paths;
    for (const auto& [version, type] : kind_->versions.types)
      paths[version] = Path{Step::field("spec"), Step::field("replicas")};
    PORTICO_TRY(const auto owners, fieldset::parse_managers(live_["metadata"]["managedFields"]));
    Value scale = Value::object({{"apiVersion", scale_version}, {"kind", "Scale"}});
    for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
      scale = scale.with_at({"metadata", field}, live_["metadata"][field]);
    scale = scale.with_at({"spec", "replicas"}, live_["spec"]["replicas"])
                .with_at({"status", "replicas"}, 0);
    const Value before =
        scale.with_at({"metadata", "managedFields"},
                      fieldset::to_value(fieldset::owners_of_scale(owners, paths)));
    fieldset::Writer by = writer();
    by.api_version = scale_version;
    by.ownable = {};
    Value after;
    if (type_ == "application/apply-patch+yaml") {
      const bool force = target_.query.contains("force");
      PORTICO_TRY(after, fieldset::apply(before, body_, force, versions, by));
    } else {
      after = fieldset::track(before, before.with("spec", body_["spec"]), versions, by);
    }
    PORTICO_TRY(const auto changed, fieldset::parse_managers(after["metadata"]["managedFields"]));
    if (refused_) return after;
    const Value object = live_.with_at({"spec", "replicas"}, after["spec"]["replicas"])
                             .with_at({"metadata", "managedFields"},
                                      fieldset::to_value(fieldset::with_owners_of_scale(
                                          owners, changed, paths, version_)));
    const Value kept = stored(object);
    return scale.with("spec", after["spec"])
        .with_at({"metadata", "resourceVersion"}, kept["metadata"]["resourceVersion"]);
  }

  std::map<std::string, Kind> kinds_;
  std::map<std::string, Value> objects_;  // in their storage version
  Placeholders placeholders_;
  TimePoint now_ = *parse_rfc3339("2026-01-01T00:00:00Z");
  int uids_ = 0, versions_ = 0;

  // The current step.
  KubeTarget target_;
  const Kind* kind_ = nullptr;
  Value body_, live_;
  std::string type_, agent_, name_, version_;
  bool refused_ = false;
};

/// Cases whose response is decided before the object is looked at.
std::optional<std::string> reason_to_skip(std::string_view name) {
  constexpr std::pair<const char*, const char*> kReasons[] = {
      {"body-duplicate-keys", "how a body is decoded: needs the server"},
      {"force-needs-manager", "options of a request: needs the server"},
      {"generate-name", "the name in the path: needs the server"},
      {"wrong-identity", "the name and kind in the path: needs the server"},
  };
  for (const auto& [one, reason] : kReasons)
    if (name == one) return reason;
  return std::nullopt;
}

CaseResult run_case(const std::string& name, const fs::path& file) {
  if (const auto reason = reason_to_skip(name)) return skipped(name, *reason);
  const auto exchanges = read_exchanges(file);
  if (!exchanges) return failed(name, exchanges.error().text() + "\n");
  ApplyReplay replay;
  if (auto done = replay.define(*exchanges, file.parent_path().parent_path() / "crds"); !done)
    return failed(name, done.error().text() + "\n");
  int number = 0;
  for (const Value& step : (*exchanges)["steps"].items()) {
    ++number;
    if (!step.contains("request")) continue;
    if (const std::string text = replay.run(step); !text.empty())
      return failed(name, fmt::format("step {}: {}", number, text));
  }
  return passed(name);
}

}  // namespace

std::vector<CaseResult> run_kube_api_apply(const fs::path& data) {
  std::vector<CaseResult> results;
  for (const auto& file : files_with(data, ".yaml")) {
    const std::string name = file.stem().string();
    results.push_back(guarded(name, [&] { return run_case(name, file); }));
  }
  return results;
}

}  // namespace portico::conformance
