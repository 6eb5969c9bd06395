#include "apiserver/owners.h"

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
  if (!call.version->has_status) return out;
  if (call.info.subresource == "status")
    out.ownable.only = {{"status"}};
  else
    out.ownable.except = {{"status"}};
  return out;
}

}  // namespace portico::apiserver
