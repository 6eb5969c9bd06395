#include "engine/cluster_authorities.h"

#include <chrono>
#include <string>
#include <utility>

#include "json/text.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr std::chrono::seconds kPause{10};

}  // namespace

Result<ApiServer::Authorities> cluster_authorities(const registry::Registry& cluster) {
  PORTICO_TRY(const Value map,
              cluster.get({{"", "ConfigMap"}, "kube-system", "extension-apiserver-authentication"}),
              "reading the cluster's client CAs");
  const Value& data = map["data"];
  ApiServer::Authorities out{
      .clients = std::string(data["client-ca-file"].as_string()),
      .front_proxy = std::string(data["requestheader-client-ca-file"].as_string()),
      .front_proxy_names = {}};
  if (out.front_proxy.empty())
    return invalid(
        "ConfigMap kube-system/extension-apiserver-authentication has no "
        "requestheader-client-ca-file: the cluster's API server has no aggregation layer");
  if (const auto names = json::parse(data["requestheader-allowed-names"].as_string()); names)
    for (const Value& name : names->items()) out.front_proxy_names.emplace_back(name.as_string());
  return out;
}

FollowedAuthorities::FollowedAuthorities(const registry::Registry& cluster, ApiServer& server,
                                         ApiServer::Authorities known, Log& log)
    : cluster_(cluster), server_(server), log_(log) {
  thread_ = std::jthread([this, known = std::move(known)](const std::stop_token& stop) mutable {
    run(std::move(known), stop);
  });
}

void FollowedAuthorities::run(ApiServer::Authorities known, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { ends_.change([](bool& ends) { ends = true; }); });
  std::string told;
  while (!stop.stop_requested()) {
    ends_.wait_until(
        std::chrono::steady_clock::now() + kPause, [](bool ends) { return ends; }, [](bool) {});
    if (stop.stop_requested()) return;
    auto now = cluster_authorities(cluster_);
    std::string problem;
    if (!now) {
      problem = now.error().text();
    } else if (*now != known) {
      if (const auto done = server_.set_authorities(*now); !done) problem = done.error().text();
      if (problem.empty()) log_.info("the cluster's client CAs have changed", {});
      known = *std::move(now);  // an invalid one is reported once
    }
    if (!problem.empty() && problem != told)
      log_.warning("cannot read the cluster's client CAs; using the previous ones",
                   {{"error", problem}});
    told = std::move(problem);
  }
}

}  // namespace portico::engine
