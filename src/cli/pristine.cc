#include "cli/pristine.h"

#include "api/kinds.h"
#include "api/package_variant.h"
#include "cli/revisions.h"
#include "controllers/variant_request.h"
#include "packages/lineage.h"

namespace portico::cli {

using json::Value;

Result<Inputs> inputs_of(engine::Engine& engine, const Value& revision) {
  Inputs out;
  PORTICO_TRY(out.upstream, packages::upstream_of(engine.registry(), revision));
  const std::string ns(krm::namespace_of(revision));
  for (const krm::OwnerReference& owner : krm::owners_of(revision)) {
    if (owner.kind != api::kVariantKind) continue;
    const auto stored = engine.registry().get({api::variant_kind(), ns, owner.name});
    if (!stored) continue;
    PORTICO_TRY(const auto variant, api::decode<api::PackageVariant>(*stored));
    out.request = controllers::request_of(variant, engine::current_actor());
    return out;
  }
  out.request = sibling_of(revision, "");
  return out;
}

Result<PristineContent> pristine_of(engine::Engine& engine, const Value& revision) {
  PORTICO_TRY(const auto recorded, engine.packages().pristine_of(revision));
  const std::string ns(krm::namespace_of(revision));
  if (recorded) {
    auto content = engine.packages().read_at(
        ns, std::string(revision["spec"]["repository"].as_string()),
        std::string(revision["spec"]["packageName"].as_string()), recorded->commit);
    if (content)
      return PristineContent{*std::move(content), "commit " + recorded->commit.substr(0, 8), true};
    if (content.error().code != Code::kNotFound) return std::move(content).error();
  }
  PORTICO_TRY(const Inputs inputs, inputs_of(engine, revision));
  const std::string upstream(krm::name_of(inputs.upstream));
  PORTICO_TRY(const auto steps, engine.drafts().build_steps(inputs.request, upstream));
  return PristineContent{steps.back().content,
                         fmt::format("build of {} from current inputs", upstream), false};
}

}  // namespace portico::cli
