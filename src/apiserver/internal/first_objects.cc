#include "apiserver/internal/first_objects.h"

#include <set>
#include <string>
#include <vector>

#include "access/builtin.h"
#include "access/reconcile.h"
#include "krm/meta.h"

namespace portico::apiserver {

using json::Value;
using registry::Verb;

namespace {

Value namespace_object(const std::string& name) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Namespace"},
       {"metadata",
        Value::object(
            {{"name", name}, {"labels", Value::object({{"kubernetes.io/metadata.name", name}})}})},
       {"spec", Value::object({{"finalizers", Value::array({"kubernetes"})}})},
       {"status", Value::object({{"phase", "Active"}})}});
}

}  // namespace

Result<Done> ensure_objects(registry::Registry& registry) {
  std::set<std::string> namespaces = {"default", "kube-system", "kube-public"};
  for (const krm::GroupKind& kind : registry.kinds()) {
    PORTICO_TRY(const registry::Listing all, registry.list({.type = kind}));
    for (const Value& object : all.objects)
      if (const std::string_view ns = krm::namespace_of(object); !ns.empty())
        namespaces.emplace(ns);
  }
  std::vector<registry::Write> writes;
  for (const std::string& name : namespaces)
    writes.push_back({Verb::kCreate, namespace_object(name)});
  for (const Value& builtin : access::builtin_objects()) {
    const auto stored = registry.get(krm::object_key(builtin));
    if (!stored && stored.error().code != Code::kNotFound) return stored.error();
    if (!stored) {
      writes.push_back({Verb::kCreate, builtin});
      continue;
    }
    auto wanted = access::reconciled(builtin, *stored);
    if (!wanted) continue;
    if (wanted->anew) writes.push_back({Verb::kDelete, *stored});
    writes.push_back({wanted->anew ? Verb::kCreate : Verb::kUpdate, std::move(wanted->object)});
  }
  for (const auto& done : registry.commit_each(writes))
    if (!done && done.error().code != Code::kConflict) return done.error();
  return Done{};
}

}  // namespace portico::apiserver
