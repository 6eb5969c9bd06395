#include "cli/migration.h"

#include <set>

#include "api/kinds.h"

namespace portico::cli {

using json::Value;

Value carried(const Value& object) {
  Value metadata = object["metadata"];
  for (const char* given :
       {"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
        "deletionGracePeriodSeconds", "selfLink", "ownerReferences", "finalizers", "managedFields"})
    metadata = metadata.without(given);
  return object.without("status").with("metadata", metadata);
}

Value at_rest(const Value& object) {
  return object.with_at({"metadata", "annotations", api::kSuspend}, "true");
}

Value awake(const Value& object) {
  const Value out = object.without_at({"metadata", "annotations", api::kSuspend});
  return out["metadata"]["annotations"].empty() ? out.without_at({"metadata", "annotations"}) : out;
}

Value owned_again(const Value& variant, const Value& carried, const SetUids& sets) {
  std::vector<krm::OwnerReference> owners;
  Value out = carried;
  for (krm::OwnerReference owner : krm::owners_of(variant)) {
    const auto at = sets.find({std::string(krm::namespace_of(variant)), owner.name});
    if (owner.kind != api::kVariantSetKind || at == sets.end()) continue;
    // A set finds its variants by a label with its uid.
    if (krm::label_of(variant, api::kVariantSetLabel) == owner.uid)
      out = out.with_at({"metadata", "labels", api::kVariantSetLabel}, at->second);
    owner.uid = at->second;
    owners.push_back(std::move(owner));
  }
  return owners.empty() ? out : krm::with_owners(out, owners);
}

RevisionPlace place_of(const Value& revision) {
  const Value& spec = revision["spec"];
  return {std::string(krm::namespace_of(revision)), std::string(spec["repository"].as_string()),
          std::string(spec["packageName"].as_string()),
          std::string(spec["workspaceName"].as_string())};
}

std::map<RevisionPlace, std::string> makers(const std::vector<Value>& revisions,
                                            const std::vector<Value>& variants) {
  std::map<std::string, std::string, std::less<>> by_uid;
  for (const Value& variant : variants)
    by_uid[std::string(krm::uid_of(variant))] =
        fmt::format("{}/{}", krm::namespace_of(variant), krm::name_of(variant));
  std::map<RevisionPlace, std::string> out;
  for (const Value& revision : revisions) {
    std::string maker(krm::annotation_of(revision, api::kVariantAnnotation));
    for (const krm::OwnerReference& owner : krm::owners_of(revision))
      if (const auto at = by_uid.find(owner.uid); at != by_uid.end()) maker = at->second;
    if (!maker.empty()) out[place_of(revision)] = maker;
  }
  return out;
}

std::vector<krm::ObjectKey> logins(const std::vector<Value>& repositories) {
  std::set<krm::ObjectKey> out;
  for (const Value& repository : repositories) {
    const std::string_view name = repository["spec"]["git"]["secretRef"]["name"].as_string();
    if (!name.empty())
      out.insert({{"", "Secret"}, std::string(krm::namespace_of(repository)), std::string(name)});
  }
  return {out.begin(), out.end()};
}

}  // namespace portico::cli
