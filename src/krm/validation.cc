// The rules of apimachinery's validation.go and objectmeta.go for names, labels and metadata.
#include <algorithm>
#include <cctype>

#include "krm/meta.h"
#include "krm/type_names.h"

namespace portico::krm {
namespace {

constexpr std::size_t kLabelLength = 63;
constexpr std::size_t kSubdomainLength = 253;
constexpr std::size_t kAnnotationsSize = 256 << 10;

bool lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool letter_or_digit(char c) { return lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

/// The name part of a qualified name, or a non-empty label value.
bool is_name_part(std::string_view text) {
  return !text.empty() && text.size() <= kLabelLength && letter_or_digit(text.front()) &&
         letter_or_digit(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return letter_or_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

Result<Done> check_labels(const json::Value& labels) {
  if (labels.is_null()) return Done{};
  if (!labels.is_object()) return invalid("must be a map of strings");
  for (const json::Member& label : labels.members()) {
    if (!is_label_key(label.name()))
      return invalid(
          "invalid label key \"{}\": [prefix/]name, the prefix a DNS subdomain, the name at "
          "most 63 letters, digits, '-', '_', '.'",
          label.name());
    if (!label.value.is_string())
      return invalid("the value of \"{}\" must be a string", label.name());
    if (!is_label_value(label.value.as_string()))
      return invalid(
                 "invalid label value \"{}\": at most 63 letters, digits, '-', '_', '.', with a "
                 "letter or digit at both ends",
                 label.value.as_string())
          .in(std::string(label.name()));
  }
  return Done{};
}

Result<Done> check_annotations(const json::Value& annotations) {
  if (annotations.is_null()) return Done{};
  if (!annotations.is_object()) return invalid("must be a map of strings");
  std::size_t size = 0;
  for (const json::Member& one : annotations.members()) {
    if (!is_label_key(lower(one.name())))
      return invalid(
          "invalid annotation key \"{}\": [prefix/]name, the prefix a DNS subdomain, the "
          "name at most 63 letters, digits, '-', '_', '.'",
          one.name());
    if (!one.value.is_string()) return invalid("the value of \"{}\" must be a string", one.name());
    size += one.name().size() + one.value.as_string().size();
  }
  if (size > kAnnotationsSize)
    return invalid("{} bytes of annotations, at most {} are allowed", size, kAnnotationsSize);
  return Done{};
}

Result<Done> check_owners(const json::Value& owners) {
  if (owners.is_null()) return Done{};
  if (!owners.is_array()) return invalid("must be a list");
  const json::Value* controller = nullptr;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const json::Value& owner = owners[i];
    for (const char* field : {"apiVersion", "kind", "name", "uid"})
      if (owner[field].as_string().empty())
        return invalid("must not be empty").in(field).in("[" + std::to_string(i) + "]");
    if (!owner["controller"].as_bool()) continue;
    if (controller != nullptr)
      return invalid("only one owner can be the controller, not both \"{}\" and \"{}\"",
                     (*controller)["name"].as_string(), owner["name"].as_string());
    controller = &owner;
  }
  return Done{};
}

Result<Done> check_finalizers(const json::Value& finalizers) {
  if (finalizers.is_null()) return Done{};
  if (!finalizers.is_array()) return invalid("must be a list of strings");
  for (const json::Value& one : finalizers.items())
    if (!is_label_key(one.as_string()))
      return invalid("invalid finalizer name \"{}\": it must be like example.com/name",
                     one.as_string());
  return Done{};
}

}  // namespace

bool is_dns1123_label(std::string_view text) {
  return !text.empty() && text.size() <= kLabelLength && lower_or_digit(text.front()) &&
         lower_or_digit(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return lower_or_digit(c) || c == '-';
         });
}

bool is_dns1123_subdomain(std::string_view text) {
  if (text.empty() || text.size() > kSubdomainLength) return false;
  for (std::size_t begin = 0;;) {
    // The parts of a subdomain have no separate length limit.
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (part.empty() || !lower_or_digit(part.front()) || !lower_or_digit(part.back()) ||
        !std::all_of(part.begin(), part.end(),
                     [](char c) { return lower_or_digit(c) || c == '-'; }))
      return false;
    if (end == text.size()) return true;
    begin = end + 1;
  }
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_name_part(text);
  return is_dns1123_subdomain(text.substr(0, slash)) && is_name_part(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_name_part(text); }

Result<Done> validate_type(const json::Value& object) {
  const std::string_view api_version = object["apiVersion"].as_string();
  const std::size_t slash = api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? "" : api_version.substr(0, slash);
  const std::string_view version =
      slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
  if (slash != std::string_view::npos && !is_dns1123_subdomain(group))
    return invalid(
               "invalid API group \"{}\": at most 253 lower case letters, digits, '-', '.', with a "
               "letter or digit at both ends",
               group)
        .in("apiVersion");
  if (!is_dns1123_label(version) || (version.front() >= '0' && version.front() <= '9'))
    return invalid(
               "invalid API version \"{}\": at most 63 lower case letters, digits, '-', beginning "
               "with a letter, such as \"v1\"",
               version)
        .in("apiVersion");
  const std::string_view kind = object["kind"].as_string();
  if (kind.empty() || kind.size() > kLabelLength || !letter_or_digit(kind.front()) ||
      (kind.front() >= '0' && kind.front() <= '9') ||
      !std::all_of(kind.begin(), kind.end(), letter_or_digit))
    return invalid("invalid kind \"{}\": at most 63 letters and digits, beginning with a letter",
                   kind)
        .in("kind");
  return Done{};
}

Result<Done> validate_metadata(const json::Value& object) {
  const json::Value& meta = object["metadata"];
  if (!meta.is_object()) return invalid("must be a map").in("metadata");
  for (const char* field : {"name", "generateName", "namespace", "uid", "resourceVersion"})
    if (const json::Value* value = meta.find(field);
        value && !value->is_string() && !value->is_null())
      return invalid("must be a string").in(field).in("metadata");

  const std::string_view name = name_of(object);
  if (name.empty() && meta["generateName"].as_string().empty())
    return invalid("a name or generateName is required").in("name").in("metadata");
  // Roles and bindings may have any name that is valid in a path ("system:discovery").
  const bool any_name =
      object["apiVersion"].as_string().starts_with("rbac.authorization.k8s.io/") &&
      name.find_first_of("/%") == std::string_view::npos && name != "." && name != "..";
  if (!name.empty() && !any_name && !is_dns1123_subdomain(name))
    return invalid(
               "invalid name \"{}\": at most 253 lower case letters, digits, '-', '.', with a "
               "letter or digit at both ends",
               name)
        .in("name")
        .in("metadata");
  const std::string_view ns = namespace_of(object);
  if (!ns.empty() && !is_dns1123_label(ns))
    return invalid(
               "invalid namespace \"{}\": at most 63 lower case letters, digits, '-', with a "
               "letter or digit at both ends",
               ns)
        .in("namespace")
        .in("metadata");
  if (meta["generation"].is_number() && meta["generation"].as_int() < 0)
    return invalid("must not be negative").in("generation").in("metadata");

  PORTICO_DO(check_labels(meta["labels"]), "metadata.labels");
  PORTICO_DO(check_annotations(meta["annotations"]), "metadata.annotations");
  PORTICO_DO(check_owners(meta["ownerReferences"]), "metadata.ownerReferences");
  PORTICO_DO(check_finalizers(meta["finalizers"]), "metadata.finalizers");
  return Done{};
}

}  // namespace portico::krm
