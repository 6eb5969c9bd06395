#include "apiserver/internal/request_measures.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "apiserver/internal/request_span.h"
#include "apiserver/portico_paths.h"

namespace portico::apiserver {
namespace {

constexpr const char* kOther = "other";

bool has_subresource(const kubeapi::Version& version, std::string_view name) {
  if (name == "status") return version.has_status;
  if (name == "approval") return version.has_approval;
  if (name == "scale") return version.scale.has_value();
  return std::any_of(version.subresources.begin(), version.subresources.end(),
                     [&](const kubeapi::Subresource& one) { return one.name == name; });
}

std::string verb_label(const std::string& verb) {
  constexpr std::array<std::string_view, 12> kVerbs{
      "get",  "list",    "watch", "create", "update", "patch", "delete", "deletecollection",
      "head", "options", "post",  "put"};
  return std::find(kVerbs.begin(), kVerbs.end(), verb) != kVerbs.end() ? verb : kOther;
}

std::string resource_label(const kubeapi::RequestInfo& info, const kubeapi::Catalog& catalog) {
  if (!info.is_resource) return "";
  const std::string resource = resource_text(info);
  if (info.group == PorticoPaths::kGroup)
    return PorticoPaths::is_resource(resource) ? resource : kOther;
  const kubeapi::Catalog::Type type = catalog.find(info.group, info.version, info.resource);
  if (type == nullptr) return kOther;
  return info.subresource.empty() || has_subresource(*type->version(info.version), info.subresource)
             ? resource
             : kOther;
}

}  // namespace

void measure_request(Meter* meter, const http::Request& request, const kubeapi::RequestInfo& info,
                     const kubeapi::Catalog& catalog, const http::Answer& answer,
                     std::chrono::duration<double> took) {
  if (meter == nullptr || is_polled(request.path())) return;
  const auto* const stream = std::get_if<http::Streaming>(&answer);
  const int status = stream ? stream->head.status : std::get<http::Response>(answer).status;
  Labels labels{{"verb", verb_label(info.verb)}, {"resource", resource_label(info, catalog)}};
  if (stream == nullptr)
    meter->took("portico_api_request_duration_seconds",
                "Duration of requests to the API, without watches and other streams.", labels,
                took.count());
  labels.emplace("code", std::to_string(status));
  meter->count("portico_api_requests_total", "Requests to the API, by HTTP status code.", labels,
               1);
}

}  // namespace portico::apiserver
