#include "fieldset/scale.h"

namespace portico::fieldset {
namespace {

Path replicas_of_scale() { return {Step::field("spec"), Step::field("replicas")}; }

Set set_of(const Path& path) {
  Set set;
  set.insert(path);
  return set;
}

/// The id of an object's owner in its Scale, where updates use the Scale's version.
ManagerId in_scale(ManagerId id) {
  if (!id.applies) id.api_version = kScaleVersion;
  return id;
}

}  // namespace

Managers owners_of_scale(const Managers& owners, const ReplicasPaths& paths) {
  Managers out;
  for (const Manager& owner : owners.all()) {
    const auto path = paths.find(owner.api_version);
    if (path == paths.end() || !owner.fields.set().has(path->second)) continue;
    out.put(
        {in_scale(owner.id), std::string(kScaleVersion), set_of(replicas_of_scale()), owner.time});
  }
  return out;
}

Managers with_owners_of_scale(const Managers& owners, const Managers& scale,
                              const ReplicasPaths& paths, std::string_view api_version) {
  Managers out;
  Managers fresh = scale;
  for (Manager owner : owners.all()) {
    const auto path = paths.find(owner.api_version);
    if (path == paths.end()) continue;
    if (owner.fields.set().has(path->second)) {
      const ManagerId id = in_scale(owner.id);
      if (fresh.find(id) != nullptr)
        fresh.remove(id);
      else
        owner.fields = difference(owner.fields.set(), set_of(path->second));
    }
    out.put(std::move(owner));
  }
  const auto path = paths.find(api_version);
  for (const Manager& one : fresh.all()) {
    if (path == paths.end() || !one.fields.set().has(replicas_of_scale())) continue;
    ManagerId id = one.id;
    if (!id.applies) id.api_version = api_version;
    const Manager* earlier = out.find(id);
    Set set = set_of(path->second);
    if (earlier != nullptr) set = union_of(set, earlier->fields.set());
    out.put({std::move(id), std::string(api_version), std::move(set),
             earlier != nullptr ? earlier->time : std::nullopt});
  }
  out.remove_empty();
  return out;
}

}  // namespace portico::fieldset
