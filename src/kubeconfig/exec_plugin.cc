#include "kubeconfig/exec_plugin.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/printable.h"
#include "base/secrets.h"
#include "base/world_error.h"
#include "json/text.h"
#include "json/value.h"
#include "process/process.h"

namespace portico::kubeconfig {
namespace {

using json::Value;

constexpr std::size_t kMostBytes = 1u << 20;
constexpr auto kTime = std::chrono::minutes(1);

std::string exec_info(const Exec& exec, const Cluster& cluster, std::string_view ca) {
  std::vector<json::Member> spec{{"interactive", false}};
  if (exec.provide_cluster_info) {
    std::vector<json::Member> members{{"server", cluster.server}};
    if (!ca.empty()) members.push_back({"certificate-authority-data", base64_encode(ca)});
    if (cluster.insecure) members.push_back({"insecure-skip-tls-verify", true});
    if (!cluster.tls_server_name.empty())
      members.push_back({"tls-server-name", cluster.tls_server_name});
    if (!cluster.proxy_url.empty()) members.push_back({"proxy-url", cluster.proxy_url});
    spec.push_back({"cluster", Value::object(std::move(members))});
  }
  return json::print(Value::object({{"apiVersion", exec.api_version},
                                    {"kind", "ExecCredential"},
                                    {"spec", Value::object(std::move(spec))}}));
}

void set_variable(std::vector<std::string>& environment, const std::string& name,
                  const std::string& value) {
  const std::string begin = name + "=";
  std::erase_if(environment, [&](const std::string& one) { return one.starts_with(begin); });
  environment.push_back(begin + value);
}

}  // namespace

Result<ExecCredential> parse_exec_credential(std::string_view output,
                                             const std::string& api_version) {
  const auto value = json::parse(output, {.bytes = kMostBytes, .depth = 32});
  if (!value || (*value)["kind"].as_string() != "ExecCredential")
    return invalid("its output is not an ExecCredential");
  if ((*value)["apiVersion"].as_string() != api_version)
    return invalid("the apiVersion of its output is not \"{}\"", api_version);
  const Value& status = (*value)["status"];
  ExecCredential found{.token = std::string(status["token"].as_string()),
                       .certificate = std::string(status["clientCertificateData"].as_string()),
                       .key = std::string(status["clientKeyData"].as_string()),
                       .expires = {}};
  if (found.certificate.empty() != found.key.empty())
    return invalid("it printed a certificate without its key, or a key alone");
  if (found.token.empty() && found.certificate.empty())
    return invalid("it printed neither a token nor a certificate");
  if (status.contains("expirationTimestamp")) {
    PORTICO_TRY(found.expires, parse_rfc3339(status["expirationTimestamp"].as_string()),
                "expirationTimestamp");
  }
  return found;
}

Result<ExecCredential> run_exec(const Exec& exec, const Cluster& cluster, std::string_view ca) {
  const std::string place = "exec plug-in " + exec.command;
  if (exec.api_version != "client.authentication.k8s.io/v1" &&
      exec.api_version != "client.authentication.k8s.io/v1beta1")
    return invalid(
               "unsupported apiVersion \"{}\": use client.authentication.k8s.io/v1 or "
               "client.authentication.k8s.io/v1beta1",
               exec.api_version)
        .in(place);
  if (exec.interactive_mode == "Always")
    return invalid("it needs a terminal (interactiveMode: Always)").in(place);
  process::Command command{
      .argv = {exec.command}, .environment = process::own_environment(), .input = {}};
  command.argv.insert(command.argv.end(), exec.args.begin(), exec.args.end());
  for (const auto& [name, value] : exec.env) set_variable(command.environment, name, value);
  set_variable(command.environment, "KUBERNETES_EXEC_INFO", exec_info(exec, cluster, ca));
  process::Limits limits{.time = kTime, .output_bytes = kMostBytes};
  auto finished = process::run(command, limits);
  if (!finished) {
    Error error = refused("{}", finished.error().what).in(place);
    if (!exec.install_hint.empty()) error.what += ": " + printable(exec.install_hint);
    return error;
  }
  if (finished->end != process::End::kItself)
    return unavailable("it did not finish within its limits").in(place);
  if (finished->exit_code != 0) {
    std::string_view said = finished->stderr_text;
    constexpr std::size_t kShown = 500;
    if (said.size() > kShown) said = said.substr(said.size() - kShown);
    std::string line = printable(without_secrets(said));
    std::replace(line.begin(), line.end(), '\n', ' ');
    return refused("it failed with status {}: {}", finished->exit_code, line).in(place);
  }
  auto found = parse_exec_credential(finished->output, exec.api_version);
  if (!found) return refused("{}", found.error().text()).in(place);
  return found;
}

}  // namespace portico::kubeconfig
