#include "apiserver/internal/core_rules.h"

#include <algorithm>
#include <optional>

#include "admission/secret_type.h"
#include "base/hash.h"
#include "kubeapi/definition_rules.h"
#include "schema/causes.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

constexpr const char* kNamespaceFinalizer = "kubernetes";
constexpr std::size_t kMostData = 1u << 20;  // bytes of all values of a ConfigMap or Secret

kubeapi::StatusError unreadable(const Call& call, std::string_view why) {
  return kubeapi::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                          call.named().kind, call.info.version, call.named().kind,
                                          why));
}

const char* go_type(const Value& value) {
  if (value.is_bool()) return "bool";
  if (value.is_number()) return "number";
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  return "object";
}

// The position at which Go's decoder reports invalid base64; nullopt if the text is valid.
std::optional<std::size_t> base64_fault(std::string_view text) {
  std::string bytes;
  if (base64_decode(text, bytes)) return std::nullopt;
  const auto is_digit = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '/';
  };
  std::size_t at = 0;
  while (at < text.size() && is_digit(static_cast<unsigned char>(text[at]))) ++at;
  if (at == text.size()) at = text.size() / 4 * 4;  // a group of four is incomplete
  return at;
}

StatusOr<Done> check_map(const Call& call, const Value& object, const char* field, bool bytes) {
  const Value& map = object[field];
  if (!map.is_null() && !map.is_object())
    return unreadable(
        call, fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of "
                          "type map[string]{}",
                          go_type(map), call.named().kind, field, bytes ? "[]uint8" : "string"));
  for (const json::Member& member : map.members()) {
    if (member.value.is_null()) continue;
    if (!member.value.is_string())
      return unreadable(call, fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of "
                                          "type {}",
                                          go_type(member.value), call.named().kind, field,
                                          bytes ? "[]uint8" : "string"));
    if (!bytes) continue;
    if (const auto at = base64_fault(member.value.as_string()))
      return unreadable(call, fmt::format("illegal base64 data at input byte {}", *at));
  }
  return Done{};
}

// `map` with nulls decoded as empty strings.
Value without_nulls(const Value& map) {
  Value out = map;
  for (const json::Member& member : map.members())
    if (member.value.is_null()) out = out.with(member.name(), "");
  return out;
}

StatusOr<Value> prepare_config_map(const Call& call, Value object) {
  PORTICO_DO(check_map(call, object, "data", false));
  PORTICO_DO(check_map(call, object, "binaryData", true));
  for (const char* field : {"data", "binaryData"}) {
    if (object[field].empty())
      object = object.without(field);
    else
      object = object.with(field, without_nulls(object[field]));
  }
  return object;
}

StatusOr<Value> prepare_secret(const Call& call, Value object) {
  PORTICO_DO(check_map(call, object, "data", true));
  PORTICO_DO(check_map(call, object, "stringData", false));
  Value data = object["data"];
  for (const json::Member& member : object["stringData"].members())
    data = data.with(member.name(), base64_encode(member.value.as_string()));
  object = data.empty() ? object.without("data") : object.with("data", without_nulls(data));
  object = object.without("stringData");
  if (object["type"].as_string().empty()) object = object.with("type", "Opaque");
  return object;
}

Value with_name_label(const Value& object) {
  return object.with_at({"metadata", "labels", "kubernetes.io/metadata.name"},
                        krm::name_of(object));
}

Value prepare_namespace(Value object) {
  const std::string name(krm::name_of(object));
  if (object["spec"]["finalizers"].empty())
    object = object["spec"].is_object() ? object.without_at({"spec", "finalizers"}) : object;
  // A generated name does not exist yet when the object is decoded.
  const bool generated = !object["metadata"]["generateName"].as_string().empty() &&
                         object["metadata"]["uid"].is_null();
  return name.empty() || generated ? object : with_name_label(object);
}

void check_keys(const Value& object, const char* field, std::vector<Cause>& causes) {
  for (const json::Member& member : object[field].members()) {
    const std::string_view key = member.name();
    const auto say = [&](std::string_view why) {
      causes.push_back(
          schema::invalid_value(fmt::format("{}[{}]", field, member.name()), Value(key), why));
    };
    constexpr std::size_t kLongest = 253;
    if (key.size() > kLongest) say("must be no more than 253 characters");
    if (key.empty() || !std::all_of(key.begin(), key.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
        }))
      say("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
          "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
          "'[-._a-zA-Z0-9]+')");
    if (key == ".")
      say("must not be '.'");
    else if (key == "..")
      say("must not be '..'");
    else if (key.starts_with(".."))
      say("must not start with '..'");
  }
}

std::size_t bytes_of(const Value& map, bool base64) {
  std::size_t out = 0;
  for (const json::Member& member : map.members()) {
    const std::size_t size = member.value.as_string().size();
    out += base64 ? size / 4 * 3 : size;
  }
  return out;
}

void check_immutable(const Value& object, const Value& old,
                     std::initializer_list<const char*> fields, std::vector<Cause>& causes) {
  if (!old["immutable"].as_bool()) return;
  constexpr std::string_view kWhy = "field is immutable when `immutable` is set";
  if (!object["immutable"].as_bool()) causes.push_back(schema::forbidden_value("immutable", kWhy));
  for (const char* field : fields)
    if (object[field] != old[field]) causes.push_back(schema::forbidden_value(field, kWhy));
}

// Checks what the Secret's type requires.
void check_type(const Value& secret, std::vector<Cause>& causes) {
  for (const admission::SecretFault& fault : admission::secret_faults(secret))
    causes.push_back(fault.why.empty() ? schema::required_value(fault.field)
                                       : schema::invalid_value(
                                             fault.field, "<secret contents redacted>", fault.why));
}

}  // namespace

namespace {

bool is_role(const Call& call) {
  return call.named().group == "rbac.authorization.k8s.io" && call.named().kind.ends_with("Role");
}

}  // namespace

std::vector<std::string> namespace_finalizers(const Value& ns) {
  const Value* list = ns["spec"].find("finalizers");
  if (list == nullptr) return {kNamespaceFinalizer};
  std::vector<std::string> out;
  for (const Value& one : list->items()) out.emplace_back(one.as_string());
  return out;
}

Value namespace_seen(const Value& ns) {
  if (!krm::is_deleting(ns)) return ns;
  auto finalizers = krm::finalizers_of(ns);
  std::erase(finalizers, kNamespaceFinalizer);
  return krm::with_finalizers(ns, finalizers)
      .without_at({"metadata", "deletionGracePeriodSeconds"});
}

Value namespace_kept(const Value& ns) {
  Value out = namespace_seen(ns);
  if (!krm::is_deleting(ns) || namespace_finalizers(ns).empty()) return out;
  auto finalizers = krm::finalizers_of(out);
  finalizers.emplace_back(kNamespaceFinalizer);
  return krm::with_finalizers(out, finalizers);
}

bool is_definition(const Call& call) {
  return call.named().group == "apiextensions.k8s.io" &&
         call.named().kind == "CustomResourceDefinition";
}

bool is_namespace(const Call& call) { return call.type->kind() == krm::GroupKind{"", "Namespace"}; }

StatusOr<Value> core_prepare(const Call& call, const Value& object) {
  if (is_definition(call)) return kubeapi::with_definition_defaults(object);
  // Kubernetes' role types serialize missing rules as null.
  if (is_role(call) && object["rules"].empty()) return object.with("rules", Value());
  if (!call.named().group.empty()) return object;
  const std::string& kind = call.named().kind;
  if (kind == "ConfigMap") return prepare_config_map(call, object);
  if (kind == "Secret") return prepare_secret(call, object);
  if (kind == "Namespace") return prepare_namespace(object);
  return object;
}

namespace {

void check_lease(const Value& lease, std::vector<Cause>& causes) {
  const Value& spec = lease["spec"];
  if (const Value* lasts = spec.find("leaseDurationSeconds"); lasts != nullptr)
    if (!lasts->is_null() && lasts->as_int() <= 0)
      causes.push_back(
          schema::invalid_value("spec.leaseDurationSeconds", *lasts, "must be greater than 0"));
  if (const Value* moves = spec.find("leaseTransitions"); moves != nullptr)
    if (!moves->is_null() && moves->as_int() < 0)
      causes.push_back(schema::invalid_value("spec.leaseTransitions", *moves,
                                             "must be greater than or equal to 0"));
}

}  // namespace

void core_causes(const Call& call, const Value& object, const Value& old,
                 std::vector<Cause>& causes) {
  if (is_definition(call)) {
    std::vector<Cause> more = kubeapi::definition_causes(object, old);
    causes.insert(causes.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
    return;
  }
  if (call.type->kind() == krm::GroupKind{"coordination.k8s.io", "Lease"})
    return check_lease(object, causes);
  if (!call.named().group.empty()) return;
  const std::string& kind = call.named().kind;
  if (kind == "ConfigMap") {
    check_keys(object, "data", causes);
    check_keys(object, "binaryData", causes);
    for (const json::Member& member : object["data"].members())
      if (object["binaryData"].contains(member.name()))
        causes.push_back(schema::invalid_value(fmt::format("data[{}]", member.name()), member.key,
                                               "duplicate of key present in binaryData"));
    if (bytes_of(object["data"], false) + bytes_of(object["binaryData"], true) > kMostData)
      causes.push_back(schema::too_long("", static_cast<std::int64_t>(kMostData)));
    check_immutable(object, old, {"data", "binaryData"}, causes);
  }
  if (kind == "Secret") {
    check_keys(object, "data", causes);
    if (bytes_of(object["data"], true) > kMostData)
      causes.push_back(schema::too_long("data", static_cast<std::int64_t>(kMostData)));
    if (!old.is_null() && object["type"] != old["type"])
      causes.push_back(schema::invalid_value("type", object["type"], "field is immutable"));
    check_immutable(object, old, {"data"}, causes);
    check_type(object, causes);
  }
}

Value always_said(const kubeapi::ResourceType& type) {
  static const Value kCoreEvent = Value::object({{"eventTime", Value()},
                                                 {"firstTimestamp", Value()},
                                                 {"involvedObject", Value::object()},
                                                 {"lastTimestamp", Value()},
                                                 {"reportingComponent", ""},
                                                 {"reportingInstance", ""},
                                                 {"source", Value::object()}});
  static const Value kEvent = Value::object({{"deprecatedFirstTimestamp", Value()},
                                             {"deprecatedLastTimestamp", Value()},
                                             {"deprecatedSource", Value::object()},
                                             {"eventTime", Value()},
                                             {"regarding", Value::object()}});
  if (type.names.kind != "Event") return {};
  return type.names.group.empty() ? kCoreEvent : kEvent;
}

Value empty_object(const Call& call) {
  const Value head = Value::object(
      {{"apiVersion", call.named().group.empty()
                          ? call.info.version
                          : fmt::format("{}/{}", call.named().group, call.info.version)},
       {"kind", call.named().kind}});
  if (is_definition(call)) {
    const Value empty = kubeapi::empty_definition();
    return head.with("spec", empty["spec"]).with("status", empty["status"]);
  }
  if (is_namespace(call)) return head.with("spec", Value::object()).with("status", Value::object());
  if (call.type->kind() == krm::GroupKind{"coordination.k8s.io", "Lease"})
    return head.with("spec", Value::object());
  if (const Value always = always_said(*call.type); !always.is_null()) {
    Value out = head;
    for (const json::Member& member : always.members()) out = out.with(member.name(), member.value);
    return out;
  }
  return {};
}

Value filled_in(const Call& call, const Value& object, const Value& old) {
  if (!is_namespace(call)) return object;
  if (call.info.subresource == "finalize") return object;
  if (!old.is_null()) {
    const Value* spec = old.find("spec");
    return spec != nullptr ? object.with("spec", *spec) : object.without("spec");
  }
  const Value& finalizers = object["spec"]["finalizers"];
  const auto items = finalizers.items();
  const Value own(kNamespaceFinalizer);
  const Value out = std::find(items.begin(), items.end(), own) != items.end()
                        ? object
                        : object.with_at({"spec", "finalizers"}, finalizers.is_array()
                                                                     ? finalizers.with_appended(own)
                                                                     : Value::array({own}));
  return with_name_label(out.with_at({"status", "phase"}, "Active"));
}

}  // namespace portico::apiserver
