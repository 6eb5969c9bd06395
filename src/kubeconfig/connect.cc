#include "kubeconfig/connect.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/guarded.h"
#include "base/hash.h"
#include "base/secret_file.h"
#include "kubeconfig/exec_plugin.h"

namespace portico::kubeconfig {
namespace {

constexpr std::size_t kMostBytes = 8u << 20;
// Tokens count as expired this long before they do, so that none expires in transit.
constexpr auto kBefore = std::chrono::seconds(10);

Result<std::string> read_file(const std::string& path) { return read_small_file(path, kMostBytes); }

Result<std::string> bytes_of(const DataOrFile& from) {
  if (from.file.empty()) return from.data;
  return read_file(from.file);
}

Result<http::ClientTls> tls_of(const Cluster& cluster, const User& user) {
  http::ClientTls out{.insecure = cluster.insecure};
  PORTICO_TRY(out.ca, bytes_of(cluster.ca));
  out.server_name = cluster.tls_server_name;
  PORTICO_TRY(out.certificate, bytes_of(user.certificate));
  PORTICO_TRY(out.key, bytes_of(user.key));
  return out;
}

Result<std::string> token_of_file(const std::string& path) {
  PORTICO_TRY(std::string token, read_file(path));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' '))
    token.pop_back();
  if (token.empty()) return invalid("the token file {} is empty", path);
  return token;
}

// The token of a plug-in, which runs again once the last token has expired or is refused.
class ExecToken {
 public:
  ExecToken(Exec exec, Cluster cluster, std::string ca, ExecCredential first, const Clock& clock)
      : exec_(std::move(exec)),
        cluster_(std::move(cluster)),
        ca_(std::move(ca)),
        clock_(clock),
        last_(std::move(first)) {}

  Result<std::string> token(bool again) {
    const ExecCredential last = last_.with([](const ExecCredential& is) { return is; });
    const bool is_over = last.expires && clock_.now() + kBefore >= *last.expires;
    if (!again && !is_over) return last.token;
    PORTICO_TRY(ExecCredential fresh, run_exec(exec_, cluster_, ca_));
    last_.with([&](ExecCredential& is) { is = fresh; });
    return fresh.token;
  }

 private:
  Exec exec_;
  Cluster cluster_;
  std::string ca_;
  const Clock& clock_;
  Guarded<ExecCredential> last_;
};

void add_impersonation(const User& user, http::Headers& headers) {
  if (!user.as.empty()) headers.add("Impersonate-User", user.as);
  if (!user.as_uid.empty()) headers.add("Impersonate-Uid", user.as_uid);
  for (const std::string& group : user.as_groups) headers.add("Impersonate-Group", group);
}

}  // namespace

Result<Config> load(const std::vector<std::string>& files) {
  Config config;
  for (const std::string& file : files) {
    if (file.empty()) continue;
    const auto text = read_file(file);
    if (!text && text.error().code == Code::kNotFound) continue;
    if (!text) return text.error();
    const std::string folder = std::filesystem::absolute(file).parent_path().string();
    PORTICO_TRY(const Config one, parse_config(*text, folder), file);
    config = merged(std::move(config), one);
  }
  return config;
}

Result<Target> connect(const Chosen& chosen, const Clock& clock) {
  const Cluster& cluster = chosen.cluster;
  const User& user = chosen.user;
  const std::string place = "context " + chosen.name;
  Target target{.client = {.server = cluster.server},
                .ns = chosen.context.ns.empty() ? "default" : chosen.context.ns};
  http::ClientOptions& client = target.client;
  PORTICO_TRY(client.tls, tls_of(cluster, user), place);
  if (!cluster.proxy_url.empty()) client.proxy = cluster.proxy_url;
  // Credentials that a plug-in prints are not in files.
  const bool exec_counts = user.exec && client.tls.certificate.empty();
  if (!exec_counts &&
      !(cluster.ca.file.empty() && user.certificate.file.empty() && user.key.file.empty()))
    client.tls_now = [cluster, user] { return tls_of(cluster, user); };
  add_impersonation(user, client.headers);
  if (!user.token_file.empty()) {
    client.token = [path = user.token_file](bool) { return token_of_file(path); };
  } else if (!user.token.empty()) {
    client.token = [token = user.token](bool) -> Result<std::string> { return token; };
  } else if (!user.username.empty()) {
    client.headers.add("Authorization",
                       "Basic " + base64_encode(user.username + ":" + user.password));
  } else if (user.exec && client.tls.certificate.empty()) {
    PORTICO_TRY(ExecCredential first, run_exec(*user.exec, cluster, client.tls.ca), place);
    client.tls.certificate = first.certificate;
    client.tls.key = first.key;
    const auto tokens =
        std::make_shared<ExecToken>(*user.exec, cluster, client.tls.ca, std::move(first), clock);
    client.token = [tokens](bool again) { return tokens->token(again); };
  }
  return target;
}

Result<Target> connect_in_cluster(const std::string& host, const std::string& port,
                                  const std::string& folder) {
  if (host.empty() || port.empty())
    return invalid(
        "not running in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not "
        "set");
  const bool is_v6 = host.find(':') != std::string::npos;
  Target target{.client = {.server = fmt::format("https://{}{}{}:{}", is_v6 ? "[" : "", host,
                                                 is_v6 ? "]" : "", port)},
                .ns = "default"};
  PORTICO_TRY(target.client.tls.ca, read_file(folder + "/ca.crt"));
  target.client.tls_now = [folder]() -> Result<http::ClientTls> {
    PORTICO_TRY(std::string ca, read_file(folder + "/ca.crt"));
    http::ClientTls now;
    now.ca = std::move(ca);
    return now;
  };
  PORTICO_TRY(const std::string first, token_of_file(folder + "/token"));
  target.client.token = [path = folder + "/token"](bool) { return token_of_file(path); };
  if (auto ns = read_file(folder + "/namespace"); ns && !ns->empty()) target.ns = *ns;
  return target;
}

Result<Done> write_config(const std::string& path, const Config& config) {
  return write_secret_file(path, print_config(config));
}

}  // namespace portico::kubeconfig
