#include "apiserver/owners.h"

#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "apiserver/internal/scale.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

namespace {

std::string api_version(const Call& call, std::string_view version) {
  return call.named().group.empty() ? std::string(version)
                                    : fmt::format("{}/{}", call.named().group, version);
}

}  // namespace

fieldset::Versions versions_of(const Call& call) {
  fieldset::Versions out;
  for (const kubeapi::Version& version : call.type->versions)
    out.types.emplace(api_version(call, version.name), version.type);
  if (call.named().group == api::kConfigGroup) out.convert = api::in_version;
  return out;
}

fieldset::Writer writer_of(const Call& call, std::string_view field_manager, TimePoint now) {
  fieldset::Writer out;
  out.manager = field_manager;
  if (out.manager.empty())
    out.manager = kubeapi::default_manager(call.request.headers.get("User-Agent"));
  if (out.manager.empty()) out.manager = "unknown";
  out.subresource = call.info.subresource;
  out.api_version = api_version(call, call.info.version);
  out.now = now;
  if (call.info.subresource == "scale") {
    out.ownable.only = {path_names(call.version->scale->spec_replicas)};
    return out;
  }
  if (!call.version->has_status) return out;
  // As in Kubernetes, writing the status of a custom resource also owns metadata fields, although
  // they are not stored.
  if (call.info.subresource != "status")
    out.ownable.except = {{"status"}};
  else if (call.type->origin == kubeapi::Origin::kDefinition)
    out.ownable.only = {{"metadata"}, {"status"}};
  else
    out.ownable.only = {{"status"}};
  return out;
}

}  // namespace portico::apiserver
