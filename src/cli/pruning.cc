#include "cli/pruning.h"

#include <algorithm>

namespace portico::cli {

using json::Value;

namespace {

Result<Value> stored_or_null(const registry::Registry& registry, const krm::ObjectKey& key) {
  auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound) return Value();
  return stored;
}

// KEP-3659: the namespaces of members other than the parent's.
constexpr std::string_view kNamespaces = "applyset.kubernetes.io/additional-namespaces";

std::set<std::string> namespaces_of(const Value& parent) {
  std::set<std::string> out;
  std::string_view left = parent["metadata"]["annotations"][kNamespaces].as_string();
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(','), left.size());
    if (end > 0) out.emplace(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return out;
}

Value with_namespaces(const Value& parent, const std::set<std::string>& namespaces) {
  std::string text;
  for (const std::string& ns : namespaces)
    if (ns != krm::namespace_of(parent)) text += (text.empty() ? "" : ",") + ns;
  if (!text.empty()) return parent.with_at({"metadata", "annotations", kNamespaces}, text);
  return parent.without_at({"metadata", "annotations", kNamespaces});
}

std::set<std::string> both(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> out = a;
  out.insert(b.begin(), b.end());
  return out;
}

}  // namespace

Result<Done> Pruning::store_parent(registry::Registry& registry,
                                   const std::set<krm::GroupKind>& kinds,
                                   const std::set<std::string>& namespaces) const {
  PORTICO_TRY(const Value stored, stored_or_null(registry, parent_.key()));
  PORTICO_TRY(const Value wanted, apply::parent_object(parent_, stored, kinds), "--applyset");
  if (trial_ == engine::Trial::kYes) return Done{};
  PORTICO_DO(registry.commit({{stored.is_null() ? registry::Verb::kCreate : registry::Verb::kUpdate,
                               with_namespaces(wanted, namespaces)}}));
  return Done{};
}

Result<Pruning> Pruning::begin(registry::Registry& registry, const std::string& applyset,
                               const std::string& ns, std::vector<engine::Wanted>& wanted,
                               engine::Trial trial) {
  Pruning out;
  out.trial_ = trial;
  PORTICO_TRY(out.parent_, apply::parse_applyset(applyset, ns), "--applyset");
  PORTICO_TRY(const Value parent, stored_or_null(registry, out.parent_.key()));
  out.before_ = apply::kinds_of(parent);
  out.namespaces_before_ = namespaces_of(parent);
  out.namespaces_.insert(ns);
  for (engine::Wanted& one : wanted) {
    const krm::ObjectKey key = krm::object_key(one.object);
    if (key == out.parent_.key())
      return invalid("{} is the parent of the apply set, and cannot be one of its members",
                     key.text());
    PORTICO_TRY(const Value stored, stored_or_null(registry, key));
    PORTICO_TRY(one.object, apply::as_member(one.object, stored, apply::applyset_id(out.parent_)),
                one.source);
    out.kinds_.insert(key.type);
    out.namespaces_.insert(key.ns);
    out.wanted_.insert(key);
  }
  std::set<krm::GroupKind> all = out.kinds_;
  all.insert(out.before_.begin(), out.before_.end());
  PORTICO_DO(out.store_parent(registry, all, both(out.namespaces_, out.namespaces_before_)));
  return out;
}

Result<std::vector<Value>> Pruning::finish(registry::Registry& registry) {
  PORTICO_TRY(const auto members, krm::LabelSelector::parse(fmt::format(
                                      "{}={}", apply::kPartOf, apply::applyset_id(parent_))));
  std::set<krm::GroupKind> all = kinds_;
  all.insert(before_.begin(), before_.end());
  std::vector<Value> out;
  for (const krm::GroupKind& kind : all)
    for (const std::string& ns : both(namespaces_, namespaces_before_)) {
      PORTICO_TRY(const registry::Listing found,
                  registry.list({.type = kind, .ns = ns, .labels = members}));
      for (const Value& object : found.objects) {
        if (wanted_.contains(krm::object_key(object)) || krm::is_deleting(object)) continue;
        const std::vector<registry::Write> write{
            {registry::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}};
        if (trial_ == engine::Trial::kYes)
          PORTICO_DO(registry.dry_run(write));
        else
          PORTICO_DO(registry.commit(write));
        out.push_back(object);
      }
    }
  PORTICO_DO(store_parent(registry, kinds_, namespaces_));
  return out;
}

}  // namespace portico::cli
