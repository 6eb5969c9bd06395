// Snapshots for tests, from short YAML.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "krm/object.h"
#include "variants/variant_snapshot.h"

namespace portico::variants {

inline json::Value from_yaml(const std::string& text) {
  if (text.find_first_not_of(" \n") == std::string::npos) return {};
  auto object = krm::Object::parse(text);
  if (!object) throw std::runtime_error(object.error().text());
  return object->value();
}

inline std::string text_of(const json::Value& value, std::string_view key, std::string fallback) {
  return value.contains(key) ? std::string(value[key].as_string()) : std::move(fallback);
}

/// {package, workspace, revision, lifecycle, ref, commit, tree, lock: {ref, commit}, base, drift,
/// pristine, owner, variant, letGo}, all optional: `owner` is a uid, `base` the tree that a draft
/// was started from, `pristine` the digest of the inputs of its pristine build, whose tree is
/// `pristineTree`. Also annotations, created, gates: [type], conditions: {type: status}, `rejected`
/// (the tree at the rejection), and `proposed by policy` (no user proposed it).
inline Revision revision_from(const json::Value& value, const std::string& repo,
                              const std::string& package) {
  auto object = std::make_shared<api::PackageRevision>();
  object->spec.repository = text_of(value, "repo", repo);
  object->spec.package_name = text_of(value, "package", package);
  object->spec.revision = value["revision"].as_int();
  object->spec.workspace_name =
      text_of(value, "workspace", "v" + std::to_string(object->spec.revision));
  object->spec.lifecycle =
      text_of(value, "lifecycle", object->spec.revision != 0 ? "Published" : "Draft");
  object->metadata.name =
      object->spec.repository + "." + object->spec.package_name + "." + object->spec.workspace_name;
  const auto lock = [&](const json::Value& from, const std::string& of_repo,
                        const std::string& of_package) {
    api::Locator locator{"git",
                         api::GitLock{"/git/" + of_repo, of_package, text_of(from, "ref", ""),
                                      text_of(from, "commit", "")}};
    return locator;
  };
  object->status.self_lock = lock(value, object->spec.repository, object->spec.package_name);
  if (object->status.self_lock->git->ref.empty())
    object->status.self_lock->git->ref =
        object->spec.lifecycle == "Draft"
            ? "drafts/" + object->spec.package_name + "/" + object->spec.workspace_name
            : object->spec.package_name + "/" + object->spec.workspace_name;
  if (const json::Value& from = value["lock"]; from.is_object())
    object->status.upstream_lock =
        lock(from, text_of(from, "repo", "up"), text_of(from, "package", "foo"));
  if (value.contains("owner")) {
    krm::OwnerReference owner;
    owner.kind = "PackageVariant";
    owner.name = owner.uid = value["owner"].as_string();
    owner.controller = true;
    object->metadata.owners = {owner};
  }
  if (value.contains("base")) object->status.base = api::DraftBase{"b", text_of(value, "base", "")};
  if (value.contains("pristine"))
    object->status.pristine =
        api::PristineBuild{"p", text_of(value, "pristineTree", ""), text_of(value, "pristine", "")};
  object->metadata.creation_timestamp = text_of(value, "created", "");
  for (const json::Member& each : value["annotations"].members())
    object->metadata.annotations.emplace(each.name(), each.value.as_string());
  for (const json::Member& each : value["conditions"].members())
    object->status.conditions.push_back({.type = std::string(each.name()),
                                         .status = std::string(each.value.as_string()),
                                         .last_transition_time = "",
                                         .reason = "",
                                         .message = ""});
  for (const json::Value& each : value["gates"].items())
    object->spec.readiness_gates.push_back({std::string(each.as_string())});
  if (value.contains("proposed by policy"))
    object->status.proposal = api::Proposal{"Portico", "", "Propose: policy always"};
  if (value.contains("rejected"))
    object->status.rejection = api::Rejection{"Ann", "", text_of(value, "rejected", "")};
  if (value.contains("drift"))
    object->status.drift = api::Drift{"", {text_of(value, "drift", "")}, {"web.yaml"}};
  if (value.contains("letGo"))
    object->metadata.annotations[std::string(api::kLetGoAnnotation)] = text_of(value, "letGo", "");
  Revision revision;
  revision.object = std::move(object);
  revision.tree = text_of(value, "tree", "");
  revision.variant = text_of(value, "variant", "");
  return revision;
}

inline std::vector<Revision> revisions_from(const json::Value& list, const std::string& repo,
                                            const std::string& package) {
  std::vector<Revision> out;
  for (const json::Value& one : list.items()) out.push_back(revision_from(one, repo, package));
  return out;
}

}  // namespace portico::variants
