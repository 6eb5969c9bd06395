#include "apply/applyset.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/hash.h"

namespace portico::apply {
namespace {

using json::Value;

// Tools do not modify each other's apply sets.
constexpr std::string_view kTool = "portico", kTooling = "portico/v1";

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  }
  return out;
}

// "PackageVariant.config.porch.kpt.dev", "Secret".
std::string kind_text(const krm::GroupKind& kind) {
  return kind.group.empty() ? kind.kind : kind.kind + "." + kind.group;
}

}  // namespace

Result<ApplysetParent> parse_applyset(std::string_view text, const std::string& ns) {
  ApplysetParent out{"Secret", ns, std::string(text)};
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view kind = text.substr(0, slash);
    if (kind != "secret" && kind != "secrets" && kind != "configmap" && kind != "configmaps")
      return invalid(
          "invalid ApplySet parent \"{}\": must be NAME, secrets/NAME or configmaps/NAME", text);
    out.kind = kind.starts_with("secret") ? "Secret" : "ConfigMap";
    out.name = text.substr(slash + 1);
  }
  if (!krm::is_dns1123_subdomain(out.name)) return invalid("invalid object name \"{}\"", out.name);
  return out;
}

std::string applyset_id(const ApplysetParent& parent) {
  std::string text = base64_encode(
      bytes_of(sha256_hex(fmt::format("{}.{}.{}.", parent.name, parent.ns, parent.kind))));
  std::erase(text, '=');
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return "applyset-" + text + "-v1";
}

Result<Value> parent_object(const ApplysetParent& parent, const Value& stored,
                            const std::set<krm::GroupKind>& kinds) {
  Value out = stored;
  if (stored.is_null()) {
    out = Value::object({{"apiVersion", "v1"}, {"kind", parent.kind}})
              .with_at({"metadata", "name"}, parent.name)
              .with_at({"metadata", "namespace"}, parent.ns);
  } else {
    const std::string_view id = krm::label_of(stored, kApplysetId);
    const std::string_view tooling = krm::annotation_of(stored, kApplysetTooling);
    if (id.empty())
      return invalid("{} is not an ApplySet parent: it has no label \"{}\"; use another name",
                     parent.key().text(), kApplysetId);
    if (id != applyset_id(parent))
      return invalid("{} is the parent of another ApplySet: its label \"{}\" is \"{}\", not \"{}\"",
                     parent.key().text(), kApplysetId, id, applyset_id(parent));
    if (tooling.substr(0, tooling.find('/')) != kTool)
      return invalid("{} is an ApplySet parent managed by another tool, \"{}\"",
                     parent.key().text(), tooling);
  }
  std::vector<std::string> names;
  for (const krm::GroupKind& kind : kinds) names.push_back(kind_text(kind));
  std::sort(names.begin(), names.end());
  return out.with_at({"metadata", "labels", kApplysetId}, applyset_id(parent))
      .with_at({"metadata", "annotations", kApplysetTooling}, kTooling)
      .with_at({"metadata", "annotations", kApplysetKinds},
               fmt::format("{}", fmt::join(names, ",")));
}

std::set<krm::GroupKind> kinds_of(const Value& parent) {
  std::set<krm::GroupKind> out;
  std::string_view rest = krm::annotation_of(parent, kApplysetKinds);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = rest.substr(0, comma);
    const std::size_t dot = std::min(one.find('.'), one.size());
    out.insert({std::string(dot == one.size() ? "" : one.substr(dot + 1)),
                std::string(one.substr(0, dot))});
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

Result<Value> as_member(const Value& wanted, const Value& stored, const std::string& id) {
  const std::string_view of = krm::label_of(stored, kPartOf);
  if (!of.empty() && of != id)
    return invalid("{} is part of another ApplySet: its label \"{}\" is \"{}\"",
                   krm::object_key(wanted).text(), kPartOf, of);
  return wanted.with_at({"metadata", "labels", kPartOf}, id);
}

}  // namespace portico::apply
