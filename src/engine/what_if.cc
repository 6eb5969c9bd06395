#include "engine/what_if.h"

#include <algorithm>
#include <charconv>

#include "admission/admission.h"
#include "api/kinds.h"
#include "engine/label_changes.h"
#include "resources/resources.h"

namespace portico::engine {

using json::Value;

namespace {

// 3 for "3" and "v3".
std::optional<std::int64_t> revision_number(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

bool owned_by_set(const Value& variant) {
  for (const krm::OwnerReference& owner : krm::owners_of(variant))
    if (owner.controller && owner.kind == api::kVariantSetKind) return true;
  return false;
}

Result<Value> stored(registry::Registry& registry, const Value& before, const Value& object) {
  const std::string place = resources::name_line(object);
  PORTICO_TRY(const admission::Admitted admitted, admission::admit(object), place);
  PORTICO_DO(admission::judge(before, admitted.object), place);
  PORTICO_TRY(auto written, registry.commit({{registry::Verb::kUpdate, admitted.object}}));
  return std::move(written.front());
}

}  // namespace

Result<std::vector<Value>> move_upstream(registry::Registry& registry, const std::string& ns,
                                         const std::string& upstream, const std::string& to) {
  const std::size_t slash = upstream.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == upstream.size())
    return invalid("--upstream: \"{}\" is not REPO/PACKAGE", upstream);
  const std::string repo = upstream.substr(0, slash), package = upstream.substr(slash + 1);
  std::vector<Value> out;
  for (const krm::GroupKind& type : {api::variant_set_kind(), api::variant_kind()}) {
    PORTICO_TRY(const registry::Listing all, registry.list({.type = type, .ns = ns}));
    for (const Value& object : all.objects) {
      Value asked = object["spec"]["upstream"];
      if (asked["repo"].as_string() != repo || asked["package"].as_string() != package ||
          owned_by_set(object))
        continue;
      for (const char* way : {"revision", "workspaceName", "tag", "constraint"})
        asked = asked.without(way);
      const auto number = revision_number(to);
      asked = number ? asked.with("revision", *number) : asked.with("workspaceName", to);
      PORTICO_TRY(Value moved,
                  stored(registry, object, object.with_at({"spec", "upstream"}, asked)));
      out.push_back(std::move(moved));
    }
  }
  if (out.empty())
    return not_found("--upstream: no PackageVariantSet or PackageVariant has the upstream \"{}\"",
                     upstream);
  return out;
}

Result<Value> set_label(registry::Registry& registry, const krm::ObjectKey& object,
                        const std::string& label) {
  PORTICO_TRY(const Value was, registry.get(object), "--label");
  LabelChanges changes;
  PORTICO_DO(add_label_change(label, changes), "--label");
  PORTICO_TRY(const Value labelled, with_label_changes(was, "labels", changes, true), "--label");
  return stored(registry, was, labelled);
}

}  // namespace portico::engine
