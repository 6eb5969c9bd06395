// A kubeconfig: clusters, users and contexts, read and written. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::kubeconfig {

/// Bytes that stand in the file, or in one of their own. At most one of them is set.
struct DataOrFile {
  std::string data = {};  // decoded
  std::string file = {};  // absolute, or relative to the working folder
  bool empty() const { return data.empty() && file.empty(); }
  bool operator==(const DataOrFile&) const = default;
};

struct Cluster {
  std::string server;
  DataOrFile ca = {};
  bool insecure = false;
  std::string tls_server_name = {}, proxy_url = {};
  bool operator==(const Cluster&) const = default;
};

/// A program that prints credentials (client.authentication.k8s.io).
struct Exec {
  std::string command, api_version;
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string install_hint = {}, interactive_mode = {};
  bool provide_cluster_info = false;
  bool operator==(const Exec&) const = default;
};

struct User {
  DataOrFile certificate = {}, key = {};
  std::string token = {}, token_file = {};  // the file counts where both are there
  std::string username = {}, password = {};
  std::optional<Exec> exec = {};
  std::string as = {}, as_uid = {};  // whom to act as
  std::vector<std::string> as_groups = {};
  bool operator==(const User&) const = default;
};

struct Context {
  std::string cluster, user, ns = {};
  bool operator==(const Context&) const = default;
};

struct Config {
  std::map<std::string, Cluster> clusters = {};
  std::map<std::string, User> users = {};
  std::map<std::string, Context> contexts = {};
  std::string current_context = {};
  bool operator==(const Config&) const = default;
};

/// One file, YAML or JSON. Paths in it that are relative are taken to be in `folder`. Members that
/// are not known are left out, as kubectl does; of names that are there twice the first one counts.
/// kInvalid with the place for values of a wrong kind, data that is not base64, and
/// auth-provider, which Kubernetes no longer has either.
Result<Config> parse_config(std::string_view text, const std::string& folder);

/// What `later` has and `first` has not is added, as for the files of $KUBECONFIG.
Config merged(Config first, const Config& later);

/// As YAML; parse_config(print_config(c), "") is c where its paths are absolute.
std::string print_config(const Config& config);

/// The context of that name, or the current one for "", with its cluster and user. kInvalid where
/// something is not there, with the names that are.
struct Chosen {
  std::string name;
  Context context;
  Cluster cluster;
  User user;
};
Result<Chosen> choose(const Config& config, const std::string& context);

}  // namespace portico::kubeconfig
