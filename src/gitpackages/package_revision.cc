#include "gitpackages/package_revision.h"

#include <map>

#include "api/package_revision.h"
#include "base/printable.h"
#include "base/time.h"
#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "packages/names.h"

namespace portico::gitpackages {
namespace {

using json::Member;
using json::Value;

Value lock_value(const repo::Repository::Lock& lock) {
  return Value::object({{"type", "git"},
                        {"git", Value::object({{"repo", lock.repo},
                                               {"directory", lock.directory},
                                               {"ref", lock.ref},
                                               {"commit", lock.commit}})}});
}

void add(std::vector<Member>& members, std::string_view key, const Value& value) {
  if (!value.is_null() && !((value.is_array() || value.is_object()) && value.empty()))
    members.push_back({Value(key), value});
}

// Keeps only string values: a Kptfile's labels and annotations may hold anything.
Value texts_of(const Value& map) {
  std::vector<Member> members;
  for (const Member& member : map.members())
    if (member.value.is_string()) members.push_back(member);
  return Value::object(std::move(members));
}

// The members of `object` with these names that are strings.
std::vector<Member> texts_of(const Value& object, std::initializer_list<const char*> names) {
  std::vector<Member> members;
  for (const char* name : names)
    if (const Value& value = object[name]; value.is_string()) members.push_back({name, value});
  return members;
}

// "Ann" from "Ann <ann@example.com>": publishedBy holds a name only.
std::string name_of(std::string_view author) {
  return std::string(author.substr(0, author.rfind(" <")));
}

Value upstream_lock_of(const Value& lock) {
  if (!lock["git"].is_object()) return Value();
  std::vector<Member> members = texts_of(lock, {"type"});
  members.push_back(
      {"git", Value::object(texts_of(lock["git"], {"repo", "directory", "ref", "commit"}))});
  return Value::object(std::move(members));
}

}  // namespace

KptfileFacts kptfile_facts(const krm::Package& package) {
  KptfileFacts facts;
  const krm::File* file = package.find("Kptfile");
  if (file == nullptr) return facts;
  const auto object = file->object();
  if (!object) return facts;
  const Value& kptfile = object->value();
  facts.upstream_lock = upstream_lock_of(kptfile["upstreamLock"]);

  std::vector<Value> gates;
  for (const Value& gate : kptfile["info"]["readinessGates"].items())
    if (auto gate_type = texts_of(gate, {"conditionType"}); !gate_type.empty())
      gates.push_back(Value::object(std::move(gate_type)));
  facts.readiness_gates = Value::array(std::move(gates));

  std::vector<Value> conditions;
  for (const Value& condition : kptfile["status"]["conditions"].items())
    if (condition["type"].is_string() && condition["status"].is_string())
      conditions.push_back(
          Value::object(texts_of(condition, {"type", "status", "reason", "message"})));
  facts.conditions = Value::array(std::move(conditions));

  std::vector<Member> metadata;
  add(metadata, "labels", texts_of(kptfile["metadata"]["labels"]));
  add(metadata, "annotations", texts_of(kptfile["metadata"]["annotations"]));
  facts.package_metadata = Value::object(std::move(metadata));
  return facts;
}

KptfileFacts unreadable(const Error& why) {
  KptfileFacts facts;
  facts.conditions = Value::array({Value::object({{"type", "Unreadable"},
                                                  {"status", "True"},
                                                  {"reason", "InvalidContent"},
                                                  {"message", printable(why.text())}})});
  return facts;
}

KptfileFacts facts_of(const Value& object) {
  return {object["status"]["upstreamLock"], object["spec"]["readinessGates"],
          object["status"]["conditions"], object["spec"]["packageMetadata"]};
}

Value to_object(const Home& home, const repo::Revision& revision,
                const repo::Repository::Lock& self, const KptfileFacts& facts, bool latest) {
  std::vector<Member> metadata{
      {"name", packages::object_name(home.repository, revision.package, revision.workspace)},
      {"namespace", home.ns}};
  if (latest)
    metadata.push_back({"labels", Value::object({{Value(api::kLatestRevisionLabel), "true"}})});
  if (!revision.variant.empty())
    metadata.push_back(
        {"annotations", Value::object({{Value(api::kVariantAnnotation), revision.variant}})});

  std::vector<Member> spec{{"lifecycle", name(revision.lifecycle)},
                           {"packageName", revision.package},
                           {"repository", home.repository},
                           {"workspaceName", revision.workspace}};
  if (revision.revision != 0) spec.push_back({"revision", revision.revision});
  add(spec, "readinessGates", facts.readiness_gates);
  add(spec, "packageMetadata", facts.package_metadata);

  std::vector<Member> status{
      {"selfLock", lock_value(self)}, {"ref", revision.ref}, {"tree", revision.tree}};
  add(status, "upstreamLock", facts.upstream_lock);
  add(status, "conditions", facts.conditions);
  if (revision.pristine)
    status.push_back({"pristine", Value::object({{"commit", revision.pristine->commit},
                                                 {"tree", revision.pristine->tree},
                                                 {"inputs", revision.pristine->inputs}})});
  if (!revision.pin.empty())
    if (auto pin = json::parse(revision.pin); pin && pin->is_object())
      status.push_back({"pin", Value::object(texts_of(*pin, {"upstream", "inputs", "to"}))});
  const bool open = revision.lifecycle == krm::Lifecycle::kDraft ||
                    revision.lifecycle == krm::Lifecycle::kProposed;
  if (open && !revision.base_commit.empty()) {
    std::vector<Member> base{{"commit", revision.base_commit}};
    if (!revision.base_tree.empty()) base.push_back({"tree", revision.base_tree});
    status.push_back({"base", Value::object(std::move(base))});
  }
  // For a tag pushed by others, its commit gives time and author; refreshed() keeps what Portico
  // recorded itself.
  if (revision.ref.starts_with("refs/tags/") && revision.committed.time_since_epoch().count() > 0) {
    status.push_back({"publishedBy", printable(name_of(revision.author))});
    status.push_back({"publishTimestamp", rfc3339(revision.committed)});
  }
  if (home.deployment) status.push_back({"deployment", true});

  return Value::object({{"apiVersion", Value(api::kPorchV1Alpha1)},
                        {"kind", Value(api::kRevisionKind)},
                        {"metadata", Value::object(std::move(metadata))},
                        {"spec", Value::object(std::move(spec))},
                        {"status", Value::object(std::move(status))}});
}

Value refreshed(const Value& stored, const Value& fresh) {
  Value out = stored;
  // Spec and status come from git, except for what git cannot hold.
  Value spec = fresh["spec"];
  for (const char* kept : {"tasks", "parent"})
    if (const Value* value = stored["spec"].find(kept)) spec = spec.with(kept, *value);
  Value status = fresh["status"];
  for (const char* kept : {"publishedBy", "publishTimestamp"})
    if (const Value* value = stored["status"].find(kept)) status = status.with(kept, *value);
  // It may be older than the history that was searched.
  if (const Value* pristine = stored["status"].find("pristine");
      pristine != nullptr && !status.contains("pristine"))
    status = status.with("pristine", *pristine);

  const std::string_view lifecycle = fresh["spec"]["lifecycle"].as_string();
  if (const Value* proposal = stored["status"].find("proposal");
      proposal != nullptr && lifecycle == api::kProposed)
    status = status.with("proposal", *proposal);
  if (const Value* rejection = stored["status"].find("rejection");
      rejection != nullptr && lifecycle == api::kDraft &&
      (*rejection)["tree"].as_string() == fresh["status"]["tree"].as_string())
    status = status.with("rejection", *rejection);
  out = out.with("spec", spec).with("status", status);

  const bool latest = fresh["metadata"]["labels"].contains(api::kLatestRevisionLabel);
  if (latest)
    out = out.with_at({"metadata", "labels", api::kLatestRevisionLabel}, "true");
  else if (out["metadata"]["labels"].contains(api::kLatestRevisionLabel))
    out = out["metadata"]["labels"].size() == 1
              ? out.without_at({"metadata", "labels"})
              : out.without_at({"metadata", "labels", api::kLatestRevisionLabel});
  // An empty annotation marks an orphan, which has no variant whatever its commits say; with an
  // owner, the annotation names the variant that adopted it.
  const Value* marked = out["metadata"]["annotations"].find(api::kVariantAnnotation);
  const bool decided = marked != nullptr && (marked->as_string().empty() ||
                                             !out["metadata"]["ownerReferences"].items().empty());
  if (const Value* variant = fresh["metadata"]["annotations"].find(api::kVariantAnnotation);
      variant != nullptr && !decided)
    out = out.with_at({"metadata", "annotations", api::kVariantAnnotation}, *variant);
  return out;
}

Result<repo::Revision> to_revision(const Value& object) {
  const Value &spec = object["spec"], &git = object["status"]["selfLock"]["git"];
  repo::Revision out;
  out.package = std::string(spec["packageName"].as_string());
  out.workspace = std::string(spec["workspaceName"].as_string());
  out.revision = static_cast<int>(spec["revision"].as_int());
  out.ref = std::string(object["status"]["ref"].as_string());
  out.commit = std::string(git["commit"].as_string());
  out.tree = std::string(object["status"]["tree"].as_string());
  const std::string_view lifecycle = spec["lifecycle"].as_string();
  const auto known = krm::parse_lifecycle(lifecycle);
  if (known) out.lifecycle = *known;
  if (!known || out.package.empty() || out.commit.empty() || out.ref.empty())
    return internal("PackageRevision \"{}\" has no location in git", krm::name_of(object));
  if (const auto variant = krm::annotation_of(object, api::kVariantAnnotation); !variant.empty())
    out.variant = std::string(variant);
  const Value &base = object["status"]["base"], &pristine = object["status"]["pristine"];
  out.base_commit = std::string(base["commit"].as_string());
  out.base_tree = std::string(base["tree"].as_string());
  if (pristine.is_object())
    out.pristine = repo::Pristine{std::string(pristine["commit"].as_string()),
                                  std::string(pristine["tree"].as_string()),
                                  std::string(pristine["inputs"].as_string())};
  if (const Value& pin = object["status"]["pin"]; pin.is_object()) out.pin = json::print(pin);
  return out;
}

std::vector<bool> latest_of_each(const std::vector<repo::Revision>& revisions) {
  std::map<std::string_view, std::size_t> best;
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const repo::Revision& each = revisions[i];
    if (each.revision < 1 || !krm::is_published(each.lifecycle)) continue;
    const auto [at, added] = best.emplace(each.package, i);
    if (!added && revisions[at->second].revision < each.revision) at->second = i;
  }
  std::vector<bool> out(revisions.size(), false);
  for (const auto& [package, index] : best) out[index] = true;
  return out;
}

}  // namespace portico::gitpackages
