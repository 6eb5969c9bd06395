#include "controllers/rollback.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "api/kinds.h"
#include "controllers/decoded.h"
#include "controllers/variant_observe.h"
#include "controllers/variant_request.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "variants/decide.h"
#include "variants/naming.h"
#include "variants/upstream.h"

namespace portico::controllers {

using json::Value;

namespace {

Result<Value> version_meant(const packages::NamedPackage& package,
                            const std::vector<Value>& revisions, const std::string& to) {
  std::vector<std::int64_t> numbers;
  for (const Value& each : revisions) {
    const std::int64_t number = each["spec"]["revision"].as_int();
    if (number <= 0) continue;
    numbers.push_back(number);
    if (to == krm::name_of(each) || to == fmt::format("v{}", number) ||
        to == std::to_string(number))
      return each;
  }
  std::sort(numbers.begin(), numbers.end());
  return not_found(
      "package \"{}\" in repository \"{}\" has no published revision \"{}\"; it has {}",
      package.name, package.repository, to,
      numbers.empty() ? std::string("none") : fmt::format("v{}", fmt::join(numbers, ", v")));
}

std::string free_workspace(const std::vector<Value>& revisions, int version) {
  for (int i = 1;; ++i) {
    std::string name =
        fmt::format("rollback-to-v{}{}", version, i == 1 ? "" : fmt::format("-{}", i));
    if (std::none_of(revisions.begin(), revisions.end(), [&](const Value& each) {
          return each["spec"]["workspaceName"].as_string() == name;
        }))
      return name;
  }
}

// Makes the variant own the draft, and keeps the variant from undoing it.
Result<Done> own_and_pin(const registry::Registry& registry, const std::string& ns,
                         const std::string& variant, const std::string& to,
                         api::PackageRevision& draft, Rollback& out) {
  Caches caches;
  const krm::ObjectKey key{api::variant_kind(), ns, variant};
  PORTICO_TRY(const auto snapshot, observe_variant(key, registry, caches));
  if (!snapshot || snapshot->variant->metadata.deleting() || !snapshot->variant->spec.upstream)
    return Done{};
  PORTICO_TRY(const variants::Revision upstream,
              variants::resolve_upstream(*snapshot->variant->spec.upstream, snapshot->upstreams),
              fmt::format("PackageVariant \"{}\"", variant));
  drafts::DraftRequest& request = out.request;
  drafts::DraftRequest like = request_of(*snapshot->variant, request.actor);
  request.variant = std::move(like.variant);
  request.variant_set = std::move(like.variant_set);
  std::get<drafts::RollbackSource>(request.source).pin =
      api::Pin{variants::upstream_hash(upstream),
               variants::inputs_hash(*snapshot->variant, upstream, snapshot->injected), to};
  draft = variants::adopted(std::move(draft), *snapshot->variant);
  out.variant = variant;
  return Done{};
}

}  // namespace

Result<Rollback> rollback(const registry::Registry& registry, const std::string& ns,
                          const std::string& name, const std::string& to,
                          const std::string& workspace, const packages::Actor& actor) {
  PORTICO_TRY(const packages::NamedPackage package, packages::package_named(registry, ns, name));
  PORTICO_TRY(const auto revisions,
              packages::revisions_of(registry, ns, package.repository, package.name));
  PORTICO_TRY(const Value version, version_meant(package, revisions, to), "--to");
  const std::string source(krm::name_of(version));
  const Value& current = packages::current(revisions);
  if (version["status"]["tree"].as_string().empty())
    return invalid(
        "cannot roll back to {}: the server of porch.kpt.dev, like Porch, offers nothing for it; "
        "if a PackageVariant owns the package, set its spec.upstream.revision to the revision that "
        "{} was made from",
        source, source);
  if (current["status"]["tree"] == version["status"]["tree"])
    return invalid("nothing to roll back: {} is published, and has the content of {}",
                   krm::name_of(current), source);
  const int number = static_cast<int>(version["spec"]["revision"].as_int());

  Rollback out;
  out.to = source;
  drafts::DraftRequest& request = out.request;
  request.ns = ns;
  request.repository = package.repository;
  request.package = package.name;
  request.workspace = workspace.empty() ? free_workspace(revisions, number) : workspace;
  request.source = drafts::RollbackSource{source, number, std::string(krm::name_of(current)), {}};
  request.actor = actor;
  request.render = false;  // the content is already rendered
  request.only_if_changed = false;

  api::PackageRevision draft;
  draft.metadata.ns = ns;
  draft.spec.repository = package.repository;
  draft.spec.package_name = package.name;
  draft.spec.workspace_name = request.workspace;
  draft.spec.lifecycle = krm::name(krm::Lifecycle::kDraft);
  api::Task task;
  task.type = "edit";
  task.edit = api::EditTask{api::RevisionRef{source}};
  draft.spec.tasks = {std::move(task)};
  if (const std::string variant = packages::variant_of(revisions); !variant.empty())
    PORTICO_DO(own_and_pin(registry, ns, variant, fmt::format("v{}", number), draft, out));
  request.object = api::encode(draft);
  return out;
}

}  // namespace portico::controllers
