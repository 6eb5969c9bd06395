#include "controllers/set_index.h"

#include "api/kinds.h"

namespace portico::controllers {

using json::Value;

namespace {

const krm::GroupKind kRepository{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)};

bool has_same_metadata(const Value& a, const Value& b) {
  const auto compared = [](const Value& object) {
    return object["metadata"]
        .without("resourceVersion")
        .without("generation")
        .without("managedFields");
  };
  return compared(a) == compared(b);
}

}  // namespace

SetIndex::Needs SetIndex::needs_of(const Value& set) {
  Needs needs;
  const auto decoded = api::decode<api::PackageVariantSet>(set);
  if (!decoded) return needs;
  const api::PackageVariantSetSpec& spec = decoded->spec;
  if (spec.upstream) {
    needs.upstream_repo = spec.upstream->repo;
    needs.upstream_package = spec.upstream->package;
  }
  // An invalid selector is reported by the validation; here it selects nothing.
  const auto select = [&](krm::GroupKind type, std::string name, const api::LabelSelector& labels) {
    if (auto selector = api::selector(labels))
      needs.selected.push_back({std::move(type), std::move(name), std::move(*selector)});
  };
  for (const api::Target& target : spec.target_list()) {
    if (target.repositories)
      for (const auto& each : *target.repositories) needs.repositories.insert(each.name);
    if (target.repository_selector) select(kRepository, "", target.repository_selector->labels);
    if (target.object_selector) {
      const krm::GroupVersion version = krm::group_version(target.object_selector->api_version);
      select({version.group, target.object_selector->kind}, target.object_selector->name,
             target.object_selector->labels);
      needs.any_repository = true;
    }
    if (target.tmpl && target.tmpl->downstream) {
      if (target.tmpl->downstream->repo) needs.repositories.insert(*target.tmpl->downstream->repo);
      if (target.tmpl->downstream->repo_expr) needs.any_repository = true;
    }
  }
  return needs;
}

void SetIndex::put(const krm::ObjectKey& key, const Value& set) {
  if (!set.is_null()) {
    by_namespace_[key.ns].insert_or_assign(key, needs_of(set));
    return;
  }
  const auto at = by_namespace_.find(key.ns);
  if (at == by_namespace_.end()) return;
  at->second.erase(key);
  if (at->second.empty()) by_namespace_.erase(at);
}

std::set<krm::ObjectKey> SetIndex::concerned(const Value& object, const Value& previous) const {
  std::set<krm::ObjectKey> out;
  const krm::ObjectKey key = krm::object_key(object);
  if (key.type.group == api::kConfigGroup && key.type.kind == api::kVariantSetKind) out.insert(key);
  const auto at = by_namespace_.find(key.ns);
  if (at == by_namespace_.end()) return out;

  const bool revision = key.type.group == api::kPorchGroup && key.type.kind == api::kRevisionKind;
  const std::string_view repo = object["spec"]["repository"].as_string(),
                         package = object["spec"]["packageName"].as_string();
  const bool same =
      key.type != kRepository && !previous.is_null() && has_same_metadata(object, previous);
  for (const auto& [set, needs] : at->second) {
    if (revision) {
      if (needs.upstream_repo == repo && needs.upstream_package == package) out.insert(set);
      continue;
    }
    if (key.type == kRepository && (needs.any_repository || needs.repositories.contains(key.name) ||
                                    needs.upstream_repo == key.name))
      out.insert(set);
    for (const Selected& each : needs.selected)
      if (each.type == key.type && !same && (each.name.empty() || each.name == key.name) &&
          (each.labels.matches_object(object) ||
           (!previous.is_null() && each.labels.matches_object(previous))))
        out.insert(set);
  }
  return out;
}

std::optional<krm::ObjectKey> SetIndex::owner_of(const Value& variant) {
  for (const krm::OwnerReference& owner : krm::owners_of(variant))
    if (owner.controller && owner.kind == api::kVariantSetKind)
      return krm::ObjectKey{{std::string(api::kConfigGroup), owner.kind},
                            std::string(krm::namespace_of(variant)),
                            owner.name};
  return std::nullopt;
}

}  // namespace portico::controllers
