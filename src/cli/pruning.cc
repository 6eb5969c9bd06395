#include "cli/pruning.h"

namespace portico::cli {

using json::Value;

namespace {

Result<Value> stored_or_null(const registry::Registry& registry, const krm::ObjectKey& key) {
  auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound) return Value();
  return stored;
}

Result<Done> store_parent(registry::Registry& registry, const apply::ApplysetParent& parent,
                          const std::set<krm::GroupKind>& kinds) {
  PORTICO_TRY(const Value stored, stored_or_null(registry, parent.key()));
  PORTICO_TRY(const Value wanted, apply::parent_object(parent, stored, kinds), "--applyset");
  PORTICO_DO(registry.commit(
      {{stored.is_null() ? registry::Verb::kCreate : registry::Verb::kUpdate, wanted}}));
  return Done{};
}

}  // namespace

Result<Pruning> Pruning::begin(registry::Registry& registry, const std::string& applyset,
                               const std::string& ns, std::vector<engine::Wanted>& wanted) {
  Pruning out;
  PORTICO_TRY(out.parent_, apply::parse_applyset(applyset, ns), "--applyset");
  PORTICO_TRY(const Value parent, stored_or_null(registry, out.parent_.key()));
  out.before_ = apply::kinds_of(parent);
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
  PORTICO_DO(store_parent(registry, out.parent_, all));
  return out;
}

Result<std::vector<Value>> Pruning::finish(registry::Registry& registry) {
  PORTICO_TRY(const auto members, krm::LabelSelector::parse(fmt::format(
                                      "{}={}", apply::kPartOf, apply::applyset_id(parent_))));
  std::set<krm::GroupKind> all = kinds_;
  all.insert(before_.begin(), before_.end());
  std::vector<Value> out;
  for (const krm::GroupKind& kind : all)
    for (const std::string& ns : namespaces_) {
      PORTICO_TRY(const registry::Listing found,
                  registry.list({.type = kind, .ns = ns, .labels = members}));
      for (const Value& object : found.objects) {
        if (wanted_.contains(krm::object_key(object)) || krm::is_deleting(object)) continue;
        PORTICO_DO(registry.commit(
            {{registry::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}}));
        out.push_back(object);
      }
    }
  PORTICO_DO(store_parent(registry, parent_, kinds_));
  return out;
}

}  // namespace portico::cli
