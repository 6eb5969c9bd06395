#include "functions/internal/starlark_modules.h"

#include <array>

#include "functions/internal/kubernetes_schema.h"
#include "functions/internal/starlark_resources.h"
#include "krm/object.h"
#include "starlark/call.h"
#include "starlark_lib/modules.h"

namespace portico::functions {

using starlark::Call;
using starlark::Heap;
using starlark::Type;
using starlark::Value;

namespace {

using Fields = std::vector<std::pair<std::string, Value>>;

// krmfn.star

/// The resource that a krmfn function is called with; also checks the number of arguments.
Result<Value> resource(Call& call, std::size_t arguments) {
  PORTICO_DO(call.bind_positional(arguments, arguments));
  if (!call[0].is(Type::kDict))
    return call.fail("for parameter 1: got {}, want a resource", call[0].type_name());
  return call[0];
}

bool has_text(const Value& dict, std::string_view key, std::string_view wanted) {
  const auto value = dict.find(key);
  return value && value->is(Type::kString) ? value->text() == wanted : wanted.empty();
}

Result<Value> match_gvk(Call& call) {
  PORTICO_TRY(const Value object, resource(call, 3));
  PORTICO_TRY(const auto api_version, call.text(1));
  PORTICO_TRY(const auto kind, call.text(2));
  return Value(has_text(object, "apiVersion", api_version) && has_text(object, "kind", kind));
}

Result<Value> match_metadata(Call& call, std::string_view field) {
  PORTICO_TRY(const Value object, resource(call, 2));
  PORTICO_TRY(const auto wanted, call.text(1));
  const Value metadata = object.find("metadata").value_or(Value());
  return Value(has_text(metadata, field, wanted));
}

Result<Value> match_name(Call& call) { return match_metadata(call, "name"); }
Result<Value> match_namespace(Call& call) { return match_metadata(call, "namespace"); }

Value krmfn_module(Heap& heap) {
  return heap.module("krmfn",
                     {{"match_gvk", heap.builtin("match_gvk", match_gvk)},
                      {"match_name", heap.builtin("match_name", match_name)},
                      {"match_namespace", heap.builtin("match_namespace", match_namespace)}});
}

// encoding/yaml.star

Result<Value> loads(Call& call) {
  PORTICO_DO(call.bind({"source"}));
  PORTICO_TRY(const auto source, call.text(0));
  if (!call.heap.spend(source.size() / 4)) return invalid("{}", call.heap.exhausted());
  PORTICO_TRY(const auto documents, krm::Object::parse_file(source), "yaml");
  return documents.empty() ? Value() : to_starlark(call.heap, documents.front().value());
}

Result<Value> dumps(Call& call) {
  PORTICO_DO(call.bind({"source"}));
  PORTICO_TRY(const json::Value value, from_starlark(call[0]));
  const std::string text = krm::Object::from_value(value).text();
  if (!call.heap.spend(text.size() / 4)) return invalid("{}", call.heap.exhausted());
  return call.heap.string(text);
}

Value yaml_module(Heap& heap) {
  return heap.module(
      "yaml", {{"dumps", heap.builtin("dumps", dumps)}, {"loads", heap.builtin("loads", loads)}});
}

// Stubs.

Result<Value> unavailable(Call& call) {
  return call.fail(
      "not available: built-in functions have no access to the network, files, the clock or this "
      "library");
}

struct Shell {
  std::string_view module, name;
  std::array<std::string_view, 7> functions;  // none: the name itself is a function
};

constexpr Shell kShells[] = {
    {"bsoup.star", "bsoup", {"parseHtml"}},
    {"geo.star",
     "geo",
     {"Point", "Line", "Polygon", "MultiPolygon", "within", "intersects", "parseGeoJSON"}},
    {"html.star", "html", {}},
    {"http.star", "http", {"get", "put", "post", "delete", "patch", "options"}},
    {"time.star",
     "time",
     {"from_timestamp", "is_valid_timezone", "now", "parse_duration", "parse_time", "time"}},
    {"xlsx.star", "xlsx", {"get_url"}},
    {"zipfile.star", "ZipFile", {}},
};

Value shell_value(Heap& heap, const Shell& shell) {
  if (shell.functions[0].empty()) return heap.builtin(shell.name, unavailable);
  Fields members;
  for (const std::string_view name : shell.functions)
    if (!name.empty())
      members.emplace_back(
          name, heap.builtin(std::string(shell.name) + "." + std::string(name), unavailable));
  return heap.module(shell.name, std::move(members));
}

// open_api

/// "rbac.authorization.k8s.io" -> "rbac", "" -> "core": as in definition names.
std::string package_of(std::string_view group, std::string_view version) {
  const std::string short_group(group.empty() ? "core" : group.substr(0, group.find('.')));
  const std::string tail = short_group + "." + std::string(version) + ".";
  if (group == "apiextensions.k8s.io") return "io.k8s.apiextensions-apiserver.pkg.apis." + tail;
  if (group == "apiregistration.k8s.io") return "io.k8s.kube-aggregator.pkg.apis." + tail;
  return "io.k8s.api." + tail;
}

/// Sets a member of a dict that nothing else refers to. It fails only if the heap is full, which
/// the following run reports.
void put(Heap& heap, Value dict, std::string_view key, Value value) {
  static_cast<void>(heap.set(dict, heap.string(key), value).ok());
}

}  // namespace

Result<starlark::Members> load_starlark_module(Heap& heap, std::string_view name) {
  if (name == "krmfn.star") return starlark::Members{{"krmfn", krmfn_module(heap)}};
  if (name == "encoding/yaml.star") return starlark::Members{{"yaml", yaml_module(heap)}};
  if (auto members = starlark_lib::find_module(heap, name)) return *std::move(members);
  for (const Shell& shell : kShells)
    if (shell.module == name)
      return starlark::Members{{std::string(shell.name), shell_value(heap, shell)}};
  return starlark::Members{};
}

Value open_api(Heap& heap) {
  const Value definitions = heap.dict();
  for (const SchemaKind& one : kubernetes_schema_table().kinds) {
    const std::size_t slash = one.api_version.find('/');
    const bool core = slash == std::string_view::npos;
    const std::string_view group = core ? "" : one.api_version.substr(0, slash);
    const std::string_view version = core ? one.api_version : one.api_version.substr(slash + 1);
    const Value kind = heap.dict();
    put(heap, kind, "group", heap.string(group));
    put(heap, kind, "kind", heap.string(one.kind));
    put(heap, kind, "version", heap.string(version));
    const Value definition = heap.dict();
    put(heap, definition, "type", heap.string("object"));
    put(heap, definition, "x-kubernetes-group-version-kind", heap.list({kind}));
    put(heap, definitions, package_of(group, version) + std::string(one.kind), definition);
  }
  Value document = heap.dict();
  put(heap, document, "definitions", definitions);
  return document;
}

}  // namespace portico::functions
