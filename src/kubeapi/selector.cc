#include "kubeapi/selector.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/kinds.h"
#include "kubeapi/internal/label_parser.h"

namespace portico::kubeapi {

using json::Value;

namespace {

struct FieldTerm {
  std::string name, value;
  bool equal = true;
};

// Kubernetes escapes '\\', ',' and '=' in values with a backslash.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

std::vector<std::string_view> terms_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\') {
      ++i;
      continue;
    }
    if (i < text.size() && text[i] != ',') continue;
    if (i > start) out.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return out;
}

StatusOr<FieldTerm> parse_term(std::string_view text) {
  for (const auto& [mark, equal] :
       {std::pair{std::string_view("!="), false}, std::pair{std::string_view("=="), true},
        std::pair{std::string_view("="), true}}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    return FieldTerm{std::string(text.substr(0, at)), unescaped(text.substr(at + mark.size())),
                     equal};
  }
  return bad_request(fmt::format("invalid selector: '{}'; can't understand '{}'", text, text));
}

std::vector<std::string> split_path(std::string_view dotted) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t dot = dotted.find('.');
    out.emplace_back(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    dotted.remove_prefix(dot + 1);
  }
}

// Porch's fields of package revisions and their resources.
std::optional<std::vector<std::string>> package_field(const std::string& name) {
  for (const char* field : {"spec.packageName", "spec.repository", "spec.workspaceName",
                            "spec.revision", "spec.lifecycle"})
    if (name == field) return split_path(name);
  constexpr std::string_view kLabel = "spec.packageMetadata.labels[";
  if (!name.starts_with(kLabel) || !name.ends_with(']') || name.size() == kLabel.size() + 1)
    return std::nullopt;
  return std::vector<std::string>{"spec", "packageMetadata", "labels",
                                  name.substr(kLabel.size(), name.size() - kLabel.size() - 1)};
}

// Selectable fields of built-in kinds, and their paths.
std::optional<std::vector<std::string>> builtin_field(const ResourceType& type,
                                                      const std::string& name) {
  const std::string& kind = type.names.kind;
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (kind == "Namespace" && one_of({"status.phase"})) return split_path(name);
  if (kind == "Secret" && one_of({"type"})) return split_path(name);
  if (kind == api::kRevisionKind || kind == api::kResourcesKind) return package_field(name);
  if (kind == "Event") {
    if (one_of({"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
                "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
                "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"}))
      return name == "source" ? std::vector<std::string>{"source", "component"} : split_path(name);
    if (name.starts_with("regarding."))
      return std::vector<std::string>{"involvedObject", name.substr(10)};
  }
  return std::nullopt;
}

std::string text_at(const Value& object, const std::vector<std::string>& path) {
  const Value* at = &object;
  for (const std::string& part : path) at = &(*at)[part];
  if (at->is_bool()) return at->as_bool() ? "true" : "false";
  if (at->is_int()) return std::to_string(at->as_int());
  if (at->is_null() && path.back() == "revision") return "0";  // for a draft
  return std::string(at->as_string());
}

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// Whether the field has the value. For events about Portico's kinds, the version is ignored: the
// event names the version in which the object was written, and clients ask for the preferred one.
bool has_value(const Value& object, const std::vector<std::string>& path, std::string_view value) {
  const std::string found = text_at(object, path);
  const bool is_about = path.size() == 2 && path[0] == "involvedObject" && path[1] == "apiVersion";
  return is_about && group_of(value) == api::kConfigGroup ? group_of(found) == group_of(value)
                                                          : found == value;
}

StatusError unknown_field(const ResourceType& type, const std::string& name) {
  const std::string& kind = type.names.kind;
  if (name == "spec.packageMetadata.labels[]")
    return bad_request(fmt::format("label key cannot be empty in field selector \"{}\"", name));
  if (kind == api::kRevisionKind || kind == api::kResourcesKind)
    return bad_request(fmt::format("\"{}\" is not a known field selector", name));
  const bool has_own = type.origin == Origin::kDefinition || kind == "Event" ||
                       kind == "Namespace" || kind == "Secret";
  if (has_own) return bad_request(fmt::format("field label not supported: {}", name));
  return bad_request(
      fmt::format("\"{}\" is not a known field selector: only \"metadata.name\", "
                  "\"metadata.namespace\"",
                  name));
}

}  // namespace

StatusOr<Filter> Filter::parse(std::string_view labels, std::string_view fields,
                               const ResourceType& type, const Version& version) {
  using Operator = LabelRequirement::Operator;
  Filter out;
  PORTICO_TRY(const auto requirements, parse_label_selector(labels));
  std::vector<Value> expressions;
  for (const LabelRequirement& each : requirements) {
    if (each.op == Operator::kGreater || each.op == Operator::kLess) {
      Number number{each.key, 0, each.op == Operator::kGreater};
      const std::string& bound = each.values.front();
      std::from_chars(bound.data(), bound.data() + bound.size(), number.bound);
      out.numbers_.push_back(std::move(number));
      continue;
    }
    static constexpr const char* kNames[] = {"In", "NotIn", "Exists", "DoesNotExist"};
    Value one =
        Value::object({{"key", each.key}, {"operator", kNames[static_cast<std::size_t>(each.op)]}});
    if (!each.values.empty())
      one = one.with("values",
                     Value::array(std::vector<Value>(each.values.begin(), each.values.end())));
    expressions.push_back(std::move(one));
  }
  PORTICO_TRY(out.labels_, krm::LabelSelector::decode(Value::object(
                               {{"matchExpressions", Value::array(std::move(expressions))}})));

  for (const std::string_view text : terms_of(fields)) {
    PORTICO_TRY(FieldTerm term, parse_term(text));
    std::string* const place = term.name == "metadata.name"        ? &out.name_
                               : term.name == "metadata.namespace" ? &out.ns_
                                                                   : nullptr;
    if (place != nullptr) {
      if (term.equal && place->empty() && !term.value.empty())
        *place = std::move(term.value);
      else
        out.fields_.push_back({split_path(term.name), std::move(term.value), term.equal});
      continue;
    }
    std::optional<std::vector<std::string>> path;
    if (std::find(version.selectable_fields.begin(), version.selectable_fields.end(), term.name) !=
        version.selectable_fields.end())
      path = split_path(term.name);
    else
      path = builtin_field(type, term.name);
    if (!path) return unknown_field(type, term.name);
    out.fields_.push_back({std::move(*path), std::move(term.value), term.equal});
  }
  return out;
}

bool Filter::matches_rest(const Value& object) const {
  for (const Number& number : numbers_) {
    const std::string_view text = krm::label_of(object, number.key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return false;
    if (number.greater ? value <= number.bound : value >= number.bound) return false;
  }
  return std::all_of(fields_.begin(), fields_.end(), [&](const Field& field) {
    return has_value(object, field.path, field.value) == field.equal;
  });
}

}  // namespace portico::kubeapi
