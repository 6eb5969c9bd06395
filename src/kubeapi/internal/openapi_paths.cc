#include "kubeapi/internal/openapi_paths.h"

#include <algorithm>
#include <span>
#include <vector>

#include "kubeapi/openapi.h"

namespace portico::kubeapi {

using json::Value;

namespace {

struct Parameter {
  std::string_view name, type, text;
};

constexpr Parameter kPretty{"pretty", "string", "If true, the output is pretty printed."};
constexpr Parameter kNamespace{"namespace", "string", "Namespace of the object."};
constexpr Parameter kName{"name", "string", "Name of the object."};

constexpr Parameter kDryRun{"dryRun", "string",
                            "When present, indicates that modifications should not be persisted. "
                            "The only valid value is All."};
constexpr Parameter kManager{
    "fieldManager", "string",
    "Name of the actor or entity that makes these changes and owns the written fields."};
constexpr Parameter kValidation{
    "fieldValidation", "string",
    "How to handle unknown and duplicate fields: Ignore, Warn (the default) or Strict."};
constexpr Parameter kForce{
    "force", "boolean",
    "For apply requests: take over conflicting fields that other managers own."};
constexpr Parameter kContinue{"continue", "string",
                              "Continue token of the previous page of a list."};
constexpr Parameter kFieldSelector{"fieldSelector", "string",
                                   "Restricts the list of returned objects by their fields."};
constexpr Parameter kGrace{"gracePeriodSeconds", "integer",
                           "Seconds before the object is deleted."};
constexpr Parameter kLabelSelector{"labelSelector", "string",
                                   "Restricts the list of returned objects by their labels."};
constexpr Parameter kLimit{"limit", "integer", "Maximum number of objects to return."};
constexpr Parameter kOrphan{"orphanDependents", "boolean", "Deprecated: use propagationPolicy."};
constexpr Parameter kPropagation{
    "propagationPolicy", "string",
    "Whether and how dependent objects are deleted: Orphan, Background or Foreground."};
constexpr Parameter kVersion{"resourceVersion", "string",
                             "Resource version constraint of the request."};
constexpr Parameter kMatch{"resourceVersionMatch", "string", "How resourceVersion is applied."};
constexpr Parameter kInitial{
    "sendInitialEvents", "boolean",
    "If true, a watch starts with synthetic events for the existing objects."};
constexpr Parameter kTimeout{"timeoutSeconds", "integer", "Timeout of the list or watch call."};

constexpr Parameter kListing[] = {
    {"allowWatchBookmarks", "boolean", "Requests watch events of type BOOKMARK."},
    kContinue,
    kFieldSelector,
    kLabelSelector,
    kLimit,
    kVersion,
    kMatch,
    kInitial,
    kTimeout,
    {"watch", "boolean", "Watch for changes instead of listing the objects."}};
constexpr Parameter kWriting[] = {kDryRun, kManager, kValidation};
constexpr Parameter kPatching[] = {kDryRun, kManager, kValidation, kForce};
constexpr Parameter kDeleting[] = {kDryRun, kGrace, kOrphan, kPropagation};
constexpr Parameter kDeletingMany[] = {kContinue,      kDryRun, kFieldSelector, kGrace,
                                       kLabelSelector, kLimit,  kOrphan,        kPropagation,
                                       kVersion,       kMatch,  kInitial,       kTimeout};
constexpr Parameter kReading[] = {kVersion};

struct Operation {
  std::string_view method, action, verb;  // "get", "list", "list"
  std::string text;
  std::span<const Parameter> parameters;
  std::string body;    // a schema name; "": none
  std::string answer;  // a schema name
  std::vector<int> codes;
  bool body_needed = true;
  bool streams = false;
};

std::string_view code_text(int code) {
  switch (code) {
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 401:
      return "Unauthorized";
    default:
      return "OK";
  }
}

Value parameter(const Parameter& one, bool in_path, OpenApi form) {
  Value out = Value::object(
      {{"name", one.name}, {"in", in_path ? "path" : "query"}, {"description", one.text}});
  if (in_path) out = out.with("required", true);
  if (form == OpenApi::kV2) return out.with("type", one.type).with("uniqueItems", true);
  return out.with("schema", Value::object({{"type", one.type}, {"uniqueItems", true}}));
}

// "rbac.authorization.k8s.io" -> "RbacAuthorization", "" -> "Core".
std::string title(std::string_view group) {
  if (group.empty()) return "Core";
  if (group.ends_with(".k8s.io")) group.remove_suffix(std::string_view(".k8s.io").size());
  std::string out;
  bool begins = true;
  for (const char c : group) {
    if (c == '.' || c == '-') {
      begins = true;
      continue;
    }
    out += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
  return out;
}

std::string with_capital(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

class Paths {
 public:
  Paths(const ResourceType& type, const Version& version, OpenApi form)
      : type_(type),
        version_(version),
        form_(form),
        kind_(openapi_name(type.names.group, version.name, type.names.kind)),
        list_(openapi_name(type.names.group, version.name, type.list_kind)) {}

  Value add(Value paths) const {
    const std::string root = type_.names.group.empty()
                                 ? fmt::format("/api/{}/", version_.name)
                                 : fmt::format("/apis/{}/{}/", type_.names.group, version_.name);
    const std::string base =
        (type_.namespaced ? root + "namespaces/{namespace}/" : root) + type_.names.plural;
    paths = paths.with(base, item(collection(), false, type_.namespaced, ""));
    if (!type_.can("list")) return paths;
    paths = paths.with(base + "/{name}", item(object(), true, type_.namespaced, ""));
    if (version_.has_status)
      paths = paths.with(base + "/{name}/status",
                         item(subresource("status", kind_), true, type_.namespaced, "Status"));
    if (version_.scale)
      paths = paths.with(base + "/{name}/scale", item(subresource("scale", meta_name("Scale")),
                                                      true, type_.namespaced, "Scale"));
    if (type_.namespaced)
      paths = paths.with(root + type_.names.plural,
                         item({collection().front()}, false, false, "ForAllNamespaces"));
    return paths;
  }

 private:
  std::vector<Operation> collection() const {
    const std::string& kind = type_.names.kind;
    std::vector<Operation> out;
    if (type_.can("list"))
      out.push_back({"get",
                     "list",
                     "list",
                     fmt::format("list objects of kind {}", kind),
                     kListing,
                     "",
                     list_,
                     {200},
                     false,
                     true});
    if (type_.can("create"))
      out.push_back({"post",
                     "post",
                     "create",
                     fmt::format("create a {}", kind),
                     kWriting,
                     kind_,
                     kind_,
                     {200, 201, 202}});
    if (type_.can("deletecollection"))
      out.push_back({"delete",
                     "deletecollection",
                     "deleteCollection",
                     fmt::format("delete objects of kind {}", kind),
                     kDeletingMany,
                     meta_name("DeleteOptions"),
                     meta_name("Status"),
                     {200},
                     false});
    return out;
  }

  std::vector<Operation> object() const {
    const std::string& kind = type_.names.kind;
    std::vector<Operation> out;
    out.push_back({"get",
                   "get",
                   "read",
                   fmt::format("read the {}", kind),
                   type_.origin == Origin::kDefinition ? std::span<const Parameter>(kReading)
                                                       : std::span<const Parameter>(),
                   "",
                   kind_,
                   {200},
                   false});
    if (type_.can("update"))
      out.push_back({"put",
                     "put",
                     "replace",
                     fmt::format("replace the {}", kind),
                     kWriting,
                     kind_,
                     kind_,
                     {200, 201}});
    if (type_.can("delete"))
      out.push_back({"delete",
                     "delete",
                     "delete",
                     fmt::format("delete a {}", kind),
                     kDeleting,
                     meta_name("DeleteOptions"),
                     meta_name("Status"),
                     {200, 202},
                     false});
    if (type_.can("patch"))
      out.push_back({"patch",
                     "patch",
                     "patch",
                     fmt::format("partially update the {}", kind),
                     kPatching,
                     meta_name("Patch"),
                     kind_,
                     {200, 201}});
    return out;
  }

  std::vector<Operation> subresource(std::string_view name, const std::string& schema) const {
    const std::string& kind = type_.names.kind;
    std::vector<Operation> out;
    out.push_back({"get",
                   "get",
                   "read",
                   fmt::format("read {} of the {}", name, kind),
                   type_.origin == Origin::kDefinition ? std::span<const Parameter>(kReading)
                                                       : std::span<const Parameter>(),
                   "",
                   schema,
                   {200},
                   false});
    out.push_back({"put",
                   "put",
                   "replace",
                   fmt::format("replace {} of the {}", name, kind),
                   kWriting,
                   schema,
                   schema,
                   {200, 201}});
    out.push_back({"patch",
                   "patch",
                   "patch",
                   fmt::format("partially update {} of the {}", name, kind),
                   kPatching,
                   meta_name("Patch"),
                   schema,
                   {200, 201}});
    return out;
  }

  Value item(const std::vector<Operation>& operations, bool named, bool in_namespace,
             std::string_view suffix) const {
    Value out = Value::object();
    for (const Operation& one : operations)
      out = out.with(one.method, operation(one, in_namespace, suffix));
    std::vector<Value> parameters;
    if (named) parameters.push_back(parameter(kName, true, form_));
    if (in_namespace) parameters.push_back(parameter(kNamespace, true, form_));
    parameters.push_back(parameter(kPretty, false, form_));
    return out.with("parameters", Value::array(std::move(parameters)));
  }

  Value operation(const Operation& one, bool in_namespace, std::string_view suffix) const {
    const bool many = one.action == "deletecollection";
    const std::string group = title(type_.names.group), version = with_capital(version_.name);
    std::string tag = group;
    tag[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(tag[0])));
    Value out = Value::object(
        {{"tags", Value::array({fmt::format("{}_{}", tag, version_.name)})},
         {"description", one.text},
         {"operationId", fmt::format("{}{}{}{}{}{}{}", many ? "delete" : one.verb, group, version,
                                     many ? "Collection" : "", in_namespace ? "Namespaced" : "",
                                     type_.names.kind, suffix)},
         {"x-kubernetes-action", one.action},
         {"x-kubernetes-group-version-kind", Value::object({{"group", type_.names.group},
                                                            {"version", version_.name},
                                                            {"kind", type_.names.kind}})}});
    std::vector<Value> parameters;
    if (form_ == OpenApi::kV2 && !one.body.empty()) parameters.push_back(body_parameter(one));
    for (const Parameter& each : one.parameters)
      parameters.push_back(parameter(each, false, form_));
    if (!parameters.empty()) out = out.with("parameters", Value::array(std::move(parameters)));
    if (form_ == OpenApi::kV2)
      out = out.with("schemes", Value::array({"https"}))
                .with("consumes", texts(body_types(one)))
                .with("produces", texts(answer_types(one.streams)));
    else if (!one.body.empty())
      out = out.with("requestBody", body(one));
    return out.with("responses", responses(one));
  }

  Value reference(const std::string& name) const {
    return Value::object({{"$ref", schema_reference(form_, name)}});
  }

  static Value texts(const std::vector<std::string_view>& list) {
    return Value::array(std::vector<Value>(list.begin(), list.end()));
  }

  std::vector<std::string_view> body_types(const Operation& one) const {
    if (one.action != "patch") return {"application/json", "application/yaml"};
    std::vector<std::string_view> out = {"application/apply-patch+yaml",
                                         "application/json-patch+json",
                                         "application/merge-patch+json"};
    if (type_.origin != Origin::kDefinition)
      out.emplace_back("application/strategic-merge-patch+json");
    return out;
  }

  std::vector<std::string_view> answer_types(bool streams) const {
    std::vector<std::string_view> out = {"application/json", "application/yaml"};
    if (streams && form_ == OpenApi::kV3 && type_.origin != Origin::kDefinition)
      out.emplace_back("application/json;stream=watch");
    return out;
  }

  Value body_parameter(const Operation& one) const {
    Value out = Value::object({{"name", "body"}, {"in", "body"}, {"schema", reference(one.body)}});
    return one.body_needed ? out.with("required", true) : out;
  }

  Value content(const std::vector<std::string_view>& types, const std::string& name) const {
    Value out = Value::object();
    for (const std::string_view type : types)
      out = out.with(type, Value::object({{"schema", reference(name)}}));
    return out;
  }

  Value body(const Operation& one) const {
    const std::vector<std::string_view> any = {"*/*"};
    // Custom resources list the media types that they accept.
    const bool listed = one.action == "patch" || type_.origin == Origin::kDefinition;
    Value out = Value::object({{"content", content(listed ? body_types(one) : any, one.body)}});
    return one.body_needed ? out.with("required", true) : out;
  }

  Value responses(const Operation& one) const {
    Value out = Value::object({{"401", Value::object({{"description", code_text(401)}})}});
    for (const int code : one.codes) {
      const Value text = Value::object({{"description", code_text(code)}});
      out = out.with(std::to_string(code),
                     form_ == OpenApi::kV2
                         ? text.with("schema", reference(one.answer))
                         : text.with("content", content(answer_types(one.streams), one.answer)));
    }
    return out;
  }

  const ResourceType& type_;
  const Version& version_;
  OpenApi form_;
  std::string kind_, list_;
};

}  // namespace

Value with_resource_paths(const Value& paths, const ResourceType& type, const Version& version,
                          OpenApi form) {
  return Paths(type, version, form).add(paths);
}

Value plain_path(std::string_view path, OpenApi form) {
  const Value text = Value::object({{"description", "OK"}});
  Value get = Value::object(
      {{"description", fmt::format("get {}", path)},
       {"responses",
        Value::object({{"200", text}, {"401", text.with("description", code_text(401))}})}});
  if (form == OpenApi::kV2)
    get = get.with("produces", Value::array({"application/json", "application/yaml"}));
  return Value::object({{"get", std::move(get)}});
}

}  // namespace portico::kubeapi
