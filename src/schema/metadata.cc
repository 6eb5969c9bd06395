#include "schema/metadata.h"

#include <algorithm>

#include "schema/causes.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

constexpr std::size_t kLabelLength = 63;
constexpr std::size_t kNameLength = 253;
constexpr std::size_t kAnnotationsSize = 256 << 10;

bool is_small(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_word(char c) { return is_small(c) || (c >= 'A' && c <= 'Z'); }

bool is_label_text(std::string_view text) {
  return !text.empty() && is_word(text.front()) && is_word(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_word(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_dns_label(std::string_view text) {
  return !text.empty() && is_small(text.front()) && is_small(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_small(c) || c == '-'; });
}

bool is_letter_label(std::string_view text) {
  return is_dns_label(text) && (text.front() < '0' || text.front() > '9');
}

bool is_dns_subdomain(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

constexpr std::string_view kSubdomainText =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kDnsLabelText =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kQualifiedText =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueText =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kKindText =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

std::string too_many_characters(std::size_t most) {
  return fmt::format("must be no more than {} characters", most);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// What is wrong with "group/version" or "version"; "" if it is valid.
std::string api_version_fault(std::string_view text) {
  return std::count(text.begin(), text.end(), '/') > 1
             ? fmt::format("unexpected GroupVersion string: {}", text)
             : "";
}

class Check {
 public:
  explicit Check(std::string_view path) : path_(path) {}

  void metadata(const Value& meta, NameRule rule, bool namespaced, bool name_needed);
  void embedded(const Node& node, const Value& value, bool root);
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  std::string at(std::string_view child) {
    Path::Mark mark(path_);
    return path_.child(child).text();
  }
  void wrong(std::string_view child, const Value& value, std::string_view detail) {
    causes_.push_back(invalid_value(at(child), value, detail));
  }
  void names(const Value& meta, NameRule rule, bool namespaced, bool name_needed);
  void labels(const Value& labels);
  void annotations(const Value& annotations);
  void owners(const Value& owners);
  void resource(const Value& value);

  Path path_;
  std::vector<Cause> causes_;
};

void Check::names(const Value& meta, NameRule rule, bool namespaced, bool name_needed) {
  const std::string_view name = meta["name"].as_string(), ns = meta["namespace"].as_string();
  const std::string_view generate = meta["generateName"].as_string();
  if (!generate.empty()) {
    // The generated suffix ends with a letter or digit, so the prefix may end with a dash.
    std::string made(generate);
    if (rule != NameRule::kPathSegment && made.size() > 1 && made.back() == '-') made += 'a';
    const std::string fault = name_fault(made, rule);
    if (!fault.empty()) wrong("generateName", generate, fault);
  }
  if (name.empty()) {
    if (name_needed)
      causes_.push_back(required_value(at("name"), "name or generateName is required"));
  } else if (const std::string fault = name_fault(name, rule); !fault.empty()) {
    wrong("name", name, fault);
  }
  if (!namespaced) {
    if (!ns.empty())
      causes_.push_back(forbidden_value(at("namespace"), "not allowed on this type"));
  } else if (name_needed && ns.empty()) {
    causes_.push_back(required_value(at("namespace")));
  } else if (!ns.empty()) {
    if (const std::string fault = name_fault(ns, NameRule::kLabel); !fault.empty())
      wrong("namespace", ns, fault);
  }
}

void Check::labels(const Value& labels) {
  for (const Member& label : labels.members()) {
    for (const std::string& fault : qualified_name_faults(label.name()))
      wrong("labels", label.name(), fault);
    const std::string_view value = label.value.as_string();
    if (value.size() > kLabelLength) wrong("labels", value, too_many_characters(kLabelLength));
    if (!value.empty() && !is_label_text(value)) wrong("labels", value, kLabelValueText);
  }
}

void Check::annotations(const Value& annotations) {
  std::size_t size = 0;
  for (const Member& one : annotations.members()) {
    for (const std::string& fault : qualified_name_faults(lower(one.name())))
      wrong("annotations", one.name(), fault);
    size += one.name().size() + one.value.as_string().size();
  }
  if (size > kAnnotationsSize)
    causes_.push_back(too_long(at("annotations"), static_cast<std::int64_t>(kAnnotationsSize)));
}

void Check::owners(const Value& owners) {
  Path::Mark mark(path_);
  path_.child("ownerReferences");
  std::string controller;
  for (const Value& owner : owners.items()) {
    const std::string_view api_version = owner["apiVersion"].as_string();
    const std::string fault = api_version_fault(api_version);
    const std::size_t slash = api_version.find('/');
    if (!fault.empty()) {
      wrong("apiVersion", api_version, fault);
    } else if (api_version.substr(slash == std::string_view::npos ? 0 : slash + 1).empty()) {
      wrong("apiVersion", api_version, "version must not be empty");
    }
    for (const char* field : {"kind", "name", "uid"})
      if (owner[field].as_string().empty())
        wrong(field, owner[field].as_string(), "must not be empty");
    if (!owner["controller"].as_bool()) continue;
    const std::string_view name = owner["name"].as_string();
    if (!controller.empty())
      causes_.push_back(invalid_value(
          path_.text(), owners,
          fmt::format("Only one reference can have Controller set to true. Found \"true\" in "
                      "references for {} and {}",
                      controller, name)));
    controller = name;
  }
}

void Check::metadata(const Value& meta, NameRule rule, bool namespaced, bool name_needed) {
  names(meta, rule, namespaced, name_needed);
  if (meta["generation"].is_number() && meta["generation"].as_int() < 0)
    wrong("generation", meta["generation"], "must be greater than or equal to 0");
  labels(meta["labels"]);
  annotations(meta["annotations"]);
  owners(meta["ownerReferences"]);
  const Value& finalizers = meta["finalizers"];
  for (std::size_t i = 0; i < finalizers.size(); ++i)
    for (const std::string& fault : qualified_name_faults(finalizers[i].as_string()))
      wrong("finalizers", finalizers[i], fault);
}

void Check::resource(const Value& value) {
  if (!value.contains("apiVersion")) {
    causes_.push_back(required_value(at("apiVersion")));
  } else if (const std::string_view text = value["apiVersion"].as_string(); text.empty()) {
    wrong("apiVersion", text, "must not be empty");
  } else if (const std::string fault = api_version_fault(text); !fault.empty()) {
    wrong("apiVersion", text, fault);
  }
  if (!value.contains("kind")) {
    causes_.push_back(required_value(at("kind")));
  } else if (const std::string_view kind = value["kind"].as_string(); kind.empty()) {
    wrong("kind", kind, "must not be empty");
  } else {
    const std::string small = lower(kind);
    if (kind.size() > kLabelLength) wrong("kind", kind, too_many_characters(kLabelLength));
    if (!is_letter_label(small)) wrong("kind", kind, kKindText);
  }
  Path::Mark mark(path_);
  path_.child("metadata");
  metadata(value["metadata"], NameRule::kPathSegment, true, false);
}

void Check::embedded(const Node& node, const Value& value, bool root) {
  if (node.embedded_resource && !root && value.is_object()) resource(value);
  if (node.items)
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Path::Mark mark(path_);
      path_.index(i);
      embedded(*node.items, value[i], false);
    }
  for (const Member& member : value.members()) {
    if (!member.value.is_object() && !member.value.is_array()) continue;
    const Node* property = node.property(member.name());
    if (property == nullptr && !node.additional) continue;
    Path::Mark mark(path_);
    if (property != nullptr) {
      path_.child(member.name());
    } else {
      path_.key(member.name());
    }
    embedded(property != nullptr ? *property : *node.additional, member.value, false);
  }
}

}  // namespace

std::string name_fault(std::string_view name, NameRule rule) {
  if (rule == NameRule::kPathSegment) {
    if (name == "." || name == "..") return fmt::format("may not be '{}'", name);
    for (const char c : {'/', '%'})
      if (name.find(c) != std::string_view::npos) return fmt::format("may not contain '{}'", c);
    return "";
  }
  const std::size_t most = rule == NameRule::kSubdomain ? kNameLength : kLabelLength;
  if (name.size() > most) return too_many_characters(most);
  if (rule == NameRule::kLetterLabel) return is_letter_label(name) ? "" : std::string(kKindText);
  if (rule == NameRule::kLabel) return is_dns_label(name) ? "" : std::string(kDnsLabelText);
  return is_dns_subdomain(name) ? "" : std::string(kSubdomainText);
}

std::vector<std::string> qualified_name_faults(std::string_view text) {
  const auto slashes = std::count(text.begin(), text.end(), '/');
  if (slashes > 1)
    return {
        fmt::format("a qualified name {} with an optional DNS subdomain prefix and '/' (e.g. "
                    "'example.com/MyName')",
                    kQualifiedText)};
  std::vector<std::string> faults;
  std::string_view name = text;
  if (slashes == 1) {
    const std::string_view prefix = text.substr(0, text.find('/'));
    name.remove_prefix(prefix.size() + 1);
    if (prefix.empty()) {
      faults.emplace_back("prefix part must be non-empty");
    } else if (const std::string fault = name_fault(prefix, NameRule::kSubdomain); !fault.empty()) {
      faults.push_back("prefix part " + fault);
    }
  }
  if (name.empty()) {
    faults.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelLength) {
    faults.push_back("name part " + too_many_characters(kLabelLength));
  }
  if (!is_label_text(name)) faults.push_back(fmt::format("name part {}", kQualifiedText));
  return faults;
}

std::vector<Cause> metadata_causes(const Value& metadata, std::string_view path, NameRule rule,
                                   bool namespaced) {
  Check check(path);
  check.metadata(metadata, rule, namespaced, true);
  return check.take();
}

std::vector<Cause> embedded_causes(const Value& object, const Schema& schema) {
  Check check("");
  check.embedded(*schema, object, true);
  return check.take();
}

}  // namespace portico::schema
