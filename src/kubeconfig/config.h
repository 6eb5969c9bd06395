// A kubeconfig: clusters, users and contexts; parsing and printing. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::kubeconfig {

/// Data that is either inline or in a separate file. At most one of the two is set.
struct DataOrFile {
  std::string data = {};  // decoded
  std::string file = {};  // absolute, or relative to the working directory
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

/// A credential plug-in (client.authentication.k8s.io).
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
  std::string token = {}, token_file = {};  // token_file takes precedence
  std::string username = {}, password = {};
  std::optional<Exec> exec = {};
  std::string as = {}, as_uid = {};  // impersonation
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

/// Parses one file, YAML or JSON. Relative paths in it are resolved against `folder`. Unknown
/// members are ignored, as by kubectl; of entries with the same name the first one wins. Returns
/// kInvalid with the place for values of the wrong type, data that is not base64, and
/// auth-provider, which Kubernetes has removed too.
Result<Config> parse_config(std::string_view text, const std::string& folder);

/// Adds the entries of `later` that `first` does not have, as for the files of $KUBECONFIG.
Config merged(Config first, const Config& later);

/// Prints YAML; parse_config(print_config(c), "") equals c if the paths in c are absolute.
std::string print_config(const Config& config);

/// The named context, or the current one for "", with its cluster and user. Returns kInvalid if one
/// of them is missing, with the names that exist.
struct Chosen {
  std::string name;
  Context context;
  Cluster cluster;
  User user;
};
Result<Chosen> choose(const Config& config, const std::string& context);

}  // namespace portico::kubeconfig
