#include "kubeconfig/config.h"

#include <fmt/ranges.h>

#include <functional>

#include "base/hash.h"
#include "json/value.h"
#include "krm/object.h"

namespace portico::kubeconfig {
namespace {

using json::Value;

constexpr std::size_t kMostBytes = 8u << 20;

// Reads the members of one object; reports the first member of the wrong type.
class Reader {
 public:
  explicit Reader(const Value& from) : from_(from) {}

  std::string text(const char* name) {
    const Value& value = from_[name];
    if (!value.is_null() && !value.is_string()) fail(name, "is not a string");
    return std::string(value.as_string());
  }
  bool flag(const char* name) {
    const Value& value = from_[name];
    if (!value.is_null() && !value.is_bool()) fail(name, "is not a boolean");
    return value.as_bool();
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> all;
    for (const Value& one : list(name)) {
      if (!one.is_string()) fail(name, "is not a list of strings");
      all.emplace_back(one.as_string());
    }
    return all;
  }
  std::span<const Value> list(const char* name) {
    const Value& value = from_[name];
    if (!value.is_null() && !value.is_array()) fail(name, "is not a list");
    return value.items();
  }
  std::string path(const char* name, const std::string& folder) {
    std::string path = text(name);
    const bool is_relative = !path.empty() && path[0] != '/';
    return is_relative && !folder.empty() ? folder + "/" + path : path;
  }
  // Inline data takes precedence over a file.
  DataOrFile data_or_file(const char* data, const char* file, const std::string& folder) {
    DataOrFile found;
    std::string packed = text(data);
    std::erase_if(packed, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
    if (!base64_decode(packed, found.data)) fail(data, "is not base64");
    if (packed.empty()) found.file = path(file, folder);
    return found;
  }
  void fail(const char* name, std::string_view why) {
    if (!error_) error_ = invalid("{} {}", name, why);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const Value& from_;
  std::optional<Error> error_;
};

Cluster read_cluster(Reader& reader, const std::string& folder) {
  return {.server = reader.text("server"),
          .ca = reader.data_or_file("certificate-authority-data", "certificate-authority", folder),
          .insecure = reader.flag("insecure-skip-tls-verify"),
          .tls_server_name = reader.text("tls-server-name"),
          .proxy_url = reader.text("proxy-url")};
}

Context read_context(Reader& reader) {
  return {.cluster = reader.text("cluster"),
          .user = reader.text("user"),
          .ns = reader.text("namespace")};
}

Result<Exec> read_exec(const Value& value, const std::string& folder) {
  Reader reader(value);
  Exec exec{.command = reader.text("command"),
            .api_version = reader.text("apiVersion"),
            .args = reader.texts("args"),
            .install_hint = reader.text("installHint"),
            .interactive_mode = reader.text("interactiveMode"),
            .provide_cluster_info = reader.flag("provideClusterInfo")};
  // A bare name is looked up in PATH; "./plugin" is relative to the kubeconfig's folder.
  if (exec.command.find('/') != std::string::npos) exec.command = reader.path("command", folder);
  for (const Value& one : reader.list("env")) {
    Reader pair(one);
    exec.env.emplace_back(pair.text("name"), pair.text("value"));
    if (pair.error()) return *pair.error();
  }
  if (exec.command.empty()) reader.fail("command", "is missing");
  if (reader.error()) return *reader.error();
  return exec;
}

Result<User> read_user(Reader& reader, const Value& value, const std::string& folder) {
  if (!value["auth-provider"].is_null())
    return invalid("auth-provider is no longer supported: use an exec plug-in");
  User user{
      .certificate = reader.data_or_file("client-certificate-data", "client-certificate", folder),
      .key = reader.data_or_file("client-key-data", "client-key", folder),
      .token = reader.text("token"),
      .token_file = reader.path("tokenFile", folder),
      .username = reader.text("username"),
      .password = reader.text("password"),
      .as = reader.text("as"),
      .as_uid = reader.text("as-uid"),
      .as_groups = reader.texts("as-groups")};
  if (!value["exec"].is_null()) {
    PORTICO_TRY(user.exec, read_exec(value["exec"], folder), "exec");
  }
  return user;
}

// The entries of one of the three lists: {name: N, <member>: {...}}.
template <class T, class Read>
Result<Done> read_entries(const Value& config, const char* list, const char* member,
                          std::map<std::string, T>& to, Read&& read) {
  if (!config[list].is_null() && !config[list].is_array()) return invalid("{} is not a list", list);
  for (const Value& entry : config[list].items()) {
    if (!entry["name"].is_string() || entry["name"].as_string().empty())
      return invalid("an entry has no name").in(list);
    const std::string name(entry["name"].as_string());
    const std::string place = fmt::format("{}[{}]", list, name);
    if (!entry[member].is_null() && !entry[member].is_object())
      return invalid("{} is not a map", member).in(place);
    Reader reader(entry[member]);
    PORTICO_TRY(T value, read(reader, entry[member]), place);
    if (reader.error()) return reader.error()->in(place);
    to.emplace(name, std::move(value));
  }
  return Done{};
}

void put(std::vector<json::Member>& members, const char* name, const std::string& text) {
  if (!text.empty()) members.push_back({name, text});
}

void put(std::vector<json::Member>& members, const char* data, const char* file,
         const DataOrFile& value) {
  put(members, data, base64_encode(value.data));
  put(members, file, value.file);
}

Value texts(const std::vector<std::string>& all) { return Value::array({all.begin(), all.end()}); }

Value print(const Cluster& cluster) {
  std::vector<json::Member> members;
  put(members, "server", cluster.server);
  put(members, "certificate-authority-data", "certificate-authority", cluster.ca);
  if (cluster.insecure) members.push_back({"insecure-skip-tls-verify", true});
  put(members, "tls-server-name", cluster.tls_server_name);
  put(members, "proxy-url", cluster.proxy_url);
  return Value::object(std::move(members));
}

Value print(const Context& context) {
  std::vector<json::Member> members{{"cluster", context.cluster}, {"user", context.user}};
  put(members, "namespace", context.ns);
  return Value::object(std::move(members));
}

Value print(const Exec& exec) {
  std::vector<json::Member> members;
  put(members, "apiVersion", exec.api_version);
  put(members, "command", exec.command);
  if (!exec.args.empty()) members.push_back({"args", texts(exec.args)});
  std::vector<Value> env;
  for (const auto& [name, value] : exec.env)
    env.push_back(Value::object({{"name", name}, {"value", value}}));
  if (!env.empty()) members.push_back({"env", Value::array(std::move(env))});
  put(members, "installHint", exec.install_hint);
  put(members, "interactiveMode", exec.interactive_mode);
  if (exec.provide_cluster_info) members.push_back({"provideClusterInfo", true});
  return Value::object(std::move(members));
}

Value print(const User& user) {
  std::vector<json::Member> members;
  put(members, "client-certificate-data", "client-certificate", user.certificate);
  put(members, "client-key-data", "client-key", user.key);
  put(members, "token", user.token);
  put(members, "tokenFile", user.token_file);
  put(members, "username", user.username);
  put(members, "password", user.password);
  if (user.exec) members.push_back({"exec", print(*user.exec)});
  put(members, "as", user.as);
  put(members, "as-uid", user.as_uid);
  if (!user.as_groups.empty()) members.push_back({"as-groups", texts(user.as_groups)});
  return Value::object(std::move(members));
}

template <class T>
Value print_entries(const std::map<std::string, T>& entries, const char* member) {
  std::vector<Value> list;
  for (const auto& [name, value] : entries)
    list.push_back(Value::object({{"name", name}, {member, print(value)}}));
  return Value::array(std::move(list));
}

template <class T>
Result<T> find(const std::map<std::string, T>& entries, const std::string& name,
               std::string_view kind) {
  if (const auto at = entries.find(name); at != entries.end()) return at->second;
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.first);
  return invalid("{} \"{}\" does not exist in the kubeconfig; it has: {}", kind, name,
                 fmt::join(names, ", "));
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& folder) {
  Config config;
  if (text.size() > kMostBytes)
    return invalid("the kubeconfig is larger than {} bytes", kMostBytes);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return config;
  PORTICO_TRY(const krm::Object object, krm::Object::parse(text));
  const Value& value = object.value();
  if (!value.is_object()) return invalid("not a kubeconfig");
  if (!value["kind"].is_null() && value["kind"].as_string() != "Config")
    return invalid("not a kubeconfig: its kind is \"{}\"", value["kind"].as_string());
  PORTICO_DO(read_entries(value, "clusters", "cluster", config.clusters,
                          [&](Reader& reader, const Value&) -> Result<Cluster> {
                            return read_cluster(reader, folder);
                          }));
  PORTICO_DO(read_entries(
      value, "contexts", "context", config.contexts,
      [](Reader& reader, const Value&) -> Result<Context> { return read_context(reader); }));
  PORTICO_DO(read_entries(
      value, "users", "user", config.users,
      [&](Reader& reader, const Value& user) { return read_user(reader, user, folder); }));
  Reader reader(value);
  config.current_context = reader.text("current-context");
  if (reader.error()) return *reader.error();
  return config;
}

Config merged(Config first, const Config& later) {
  first.clusters.insert(later.clusters.begin(), later.clusters.end());
  first.users.insert(later.users.begin(), later.users.end());
  first.contexts.insert(later.contexts.begin(), later.contexts.end());
  if (first.current_context.empty()) first.current_context = later.current_context;
  return first;
}

std::string print_config(const Config& config) {
  return krm::Object::from_value(
             Value::object({{"apiVersion", "v1"},
                            {"kind", "Config"},
                            {"clusters", print_entries(config.clusters, "cluster")},
                            {"contexts", print_entries(config.contexts, "context")},
                            {"current-context", config.current_context},
                            {"users", print_entries(config.users, "user")}}))
      .text();
}

Result<Chosen> choose(const Config& config, const std::string& context) {
  Chosen chosen;
  chosen.name = context.empty() ? config.current_context : context;
  if (chosen.name.empty())
    return invalid("current-context is not set in the kubeconfig: specify one of its contexts");
  PORTICO_TRY(chosen.context, find(config.contexts, chosen.name, "context"));
  const std::string place = "context " + chosen.name;
  PORTICO_TRY(chosen.cluster, find(config.clusters, chosen.context.cluster, "cluster"), place);
  if (!chosen.context.user.empty()) {
    PORTICO_TRY(chosen.user, find(config.users, chosen.context.user, "user"), place);
  }
  if (chosen.cluster.server.empty())
    return invalid("the cluster \"{}\" has no server", chosen.context.cluster).in(place);
  return chosen;
}

}  // namespace portico::kubeconfig
