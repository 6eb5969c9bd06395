#include "krm/kptfile.h"

#include <algorithm>

#include "json/text.h"

namespace portico::krm {
namespace {

/// Reads the value of a Kptfile and keeps the first error.
class Reader {
 public:
  explicit Reader(const Object& object) {
    // Numbers and booleans in place of strings are read as their source text.
    object.visit_scalars([&](const ScalarRef& scalar) {
      if (!scalar.value.is_string() && !scalar.value.is_null())
        sources_.emplace(path_text(scalar.path), std::string(scalar.source));
    });
  }

  std::optional<Error>& error() { return error_; }
  std::vector<std::string>& unknown() { return unknown_; }

  /// The members of a map; records those not in `known`. nullptr if it is absent.
  const json::Value* map(const json::Value& parent, const std::string& path,
                         std::initializer_list<std::string_view> known) {
    if (parent.is_null()) return nullptr;
    if (!parent.is_object()) return fail(path, "must be a map"), nullptr;
    for (const json::Member& member : parent.members())
      if (std::find(known.begin(), known.end(), member.name()) == known.end())
        unknown_.push_back(join(path, member.name()));
    return &parent;
  }

  std::string string(const json::Value& map, const std::string& path, std::string_view name) {
    return text(map[name], join(path, name));
  }

  std::map<std::string, std::string> strings(const json::Value& map, const std::string& path,
                                             std::string_view name) {
    std::map<std::string, std::string> out;
    const std::string here = join(path, name);
    const json::Value& value = map[name];
    if (!value.is_null() && !value.is_object()) fail(here, "must be a map of strings");
    for (const json::Member& member : value.members())
      out.emplace(member.name(), text(member.value, join(here, member.name())));
    return out;
  }

  template <class Read>
  void list(const json::Value& map, const std::string& path, std::string_view name, Read read) {
    const json::Value& value = map[name];
    const std::string here = join(path, name);
    if (!value.is_null() && !value.is_array()) fail(here, "must be a list");
    for (std::size_t i = 0; i < value.items().size(); ++i)
      read(value[i], here + "[" + std::to_string(i) + "]");
  }

  std::string text(const json::Value& value, const std::string& path) {
    if (value.is_string()) return std::string(value.as_string());
    if (value.is_null()) return "";
    if (value.is_array() || value.is_object()) return fail(path, "must be a string"), "";
    const auto source = sources_.find(path);
    return source == sources_.end() ? json::print(value) : source->second;
  }

  void fail(const std::string& path, std::string what) {
    if (!error_) error_ = invalid("{}", what).in(path);
  }

  static std::string join(const std::string& path, std::string_view name) {
    const std::string step = path_text({std::string(name)});
    return path.empty() || step.starts_with('[') ? path + step : path + "." + step;
  }

 private:
  std::map<std::string, std::string> sources_;
  std::optional<Error> error_;
  std::vector<std::string> unknown_;
};

std::optional<Upstream> read_upstream(Reader& read, const json::Value& value,
                                      const std::string& path, bool lock) {
  const json::Value* map = lock ? read.map(value, path, {"type", "git"})
                                : read.map(value, path, {"type", "git", "updateStrategy"});
  if (map == nullptr) return std::nullopt;
  Upstream out;
  out.type = read.string(*map, path, "type");
  if (!lock) out.update_strategy = read.string(*map, path, "updateStrategy");
  const std::string git_path = path + ".git";
  const json::Value* git =
      lock ? read.map((*map)["git"], git_path, {"repo", "directory", "ref", "commit"})
           : read.map((*map)["git"], git_path, {"repo", "directory", "ref"});
  if (git == nullptr) return out;
  out.git.repo = read.string(*git, git_path, "repo");
  out.git.directory = read.string(*git, git_path, "directory");
  out.git.ref = read.string(*git, git_path, "ref");
  if (lock) out.git.commit = read.string(*git, git_path, "commit");
  return out;
}

FunctionSelector read_selector(Reader& read, const json::Value& value, const std::string& path) {
  FunctionSelector out;
  const json::Value* map =
      read.map(value, path, {"apiVersion", "kind", "name", "namespace", "labels", "annotations"});
  if (map == nullptr) return out;
  out.api_version = read.string(*map, path, "apiVersion");
  out.kind = read.string(*map, path, "kind");
  out.name = read.string(*map, path, "name");
  out.ns = read.string(*map, path, "namespace");
  out.labels = read.strings(*map, path, "labels");
  out.annotations = read.strings(*map, path, "annotations");
  return out;
}

std::vector<PipelineFunction> read_functions(Reader& read, const json::Value& pipeline,
                                             std::string_view name) {
  std::vector<PipelineFunction> out;
  read.list(pipeline, "pipeline", name, [&](const json::Value& value, const std::string& path) {
    if (!value.is_object()) return read.fail(path, "must be a map");
    read.map(value, path,
             {"image", "exec", "tag", "name", "configPath", "configMap", "selectors", "exclude"});
    PipelineFunction one;
    one.image = read.string(value, path, "image");
    one.exec = read.string(value, path, "exec");
    one.tag = read.string(value, path, "tag");
    one.name = read.string(value, path, "name");
    one.config_path = read.string(value, path, "configPath");
    if (!value["configMap"].is_null()) one.config_map = read.strings(value, path, "configMap");
    const auto selectors = [&](std::string_view field, std::vector<FunctionSelector>& into) {
      read.list(value, path, field, [&](const json::Value& item, const std::string& where) {
        into.push_back(read_selector(read, item, where));
      });
    };
    selectors("selectors", one.selectors);
    selectors("exclude", one.exclude);
    out.push_back(std::move(one));
  });
  return out;
}

PackageInfo read_info(Reader& read, const json::Value& value) {
  PackageInfo out;
  const json::Value* map = read.map(value, "info",
                                    {"site", "licenseFile", "description", "man", "emails",
                                     "keywords", "documents", "readinessGates"});
  if (map == nullptr) return out;
  out.site = read.string(*map, "info", "site");
  out.license_file = read.string(*map, "info", "licenseFile");
  out.description = read.string(*map, "info", "description");
  out.man = read.string(*map, "info", "man");
  const auto texts = [&](std::string_view name, std::vector<std::string>& into) {
    read.list(*map, "info", name, [&](const json::Value& item, const std::string& path) {
      into.push_back(read.text(item, path));
    });
  };
  texts("emails", out.emails);
  texts("keywords", out.keywords);
  read.list(*map, "info", "readinessGates", [&](const json::Value& item, const std::string& path) {
    if (const json::Value* gate = read.map(item, path, {"conditionType"}))
      out.readiness_gates.push_back(read.string(*gate, path, "conditionType"));
  });
  return out;
}

std::optional<Inventory> read_inventory(Reader& read, const json::Value& value) {
  const json::Value* map =
      read.map(value, "inventory", {"namespace", "name", "inventoryID", "labels", "annotations"});
  if (map == nullptr) return std::nullopt;
  Inventory out;
  out.ns = read.string(*map, "inventory", "namespace");
  out.name = read.string(*map, "inventory", "name");
  out.id = read.string(*map, "inventory", "inventoryID");
  out.labels = read.strings(*map, "inventory", "labels");
  out.annotations = read.strings(*map, "inventory", "annotations");
  return out;
}

json::Value upstream_value(const Upstream& upstream) {
  const auto put = [](json::Value map, std::string_view name, const std::string& text) {
    return text.empty() ? map : map.with(name, text);
  };
  json::Value git = json::Value::object();
  git = put(git, "repo", upstream.git.repo);
  git = put(git, "directory", upstream.git.directory);
  git = put(git, "ref", upstream.git.ref);
  git = put(git, "commit", upstream.git.commit);
  json::Value out = put(json::Value::object(), "type", upstream.type);
  out = put(out, "updateStrategy", upstream.update_strategy);
  return git.empty() ? out : out.with("git", git);
}

/// `now` with the fields of `before` that are not in `known`.
json::Value with_unknown(const json::Value& before, json::Value now,
                         std::initializer_list<std::string_view> known) {
  for (const json::Member& member : before.members())
    if (std::find(known.begin(), known.end(), member.name()) == known.end())
      now = now.with(member.name(), member.value);
  return now;
}

Result<Done> set_location(Object& kptfile, const char* field,
                          const std::optional<Upstream>& upstream) {
  if (!upstream) return kptfile.remove({field});
  const json::Value& before = kptfile.value()[field];
  json::Value now = upstream_value(*upstream);
  now = with_unknown(before, now, {"type", "git", "updateStrategy"});
  if (now.contains("git"))
    now = now.with("git",
                   with_unknown(before["git"], now["git"], {"repo", "directory", "ref", "commit"}));
  Edit edit;
  edit.path = {field};
  edit.value = now;
  edit.key_order = {"type", "git", "repo", "directory", "ref", "commit", "updateStrategy"};
  return kptfile.edit({edit});
}

/// Sets a list two levels down; an empty one is removed, along with the parent if that becomes
/// empty.
Result<Done> set_list(Object& kptfile, const char* parent, const char* field,
                      std::vector<json::Value> items) {
  if (!items.empty()) {
    Edit edit;
    edit.path = {parent, field};
    edit.value = json::Value::array(std::move(items));
    edit.key_order = {"type", "status", "reason", "message"};
    return kptfile.edit({edit});
  }
  const json::Value& holder = kptfile.value()[parent];
  if (holder.size() == 1 && holder.contains(field)) return kptfile.remove({parent});
  return kptfile.remove({parent, field});
}

}  // namespace

Result<Kptfile> Kptfile::decode(const Object& object) {
  const json::Value& value = object.value();
  if (!value.is_object() || object.kind() != "Kptfile")
    return invalid("must be \"Kptfile\", found \"{}\"", object.kind()).in("kind");
  if (object.api_version() != "kpt.dev/v1")
    return invalid(
               "must be \"kpt.dev/v1\", found \"{}\"; `kpt fn eval -i fix` brings an older "
               "Kptfile up to date",
               object.api_version())
        .in("apiVersion");
  Reader read(object);
  read.map(value, "",
           {"apiVersion", "kind", "metadata", "upstream", "upstreamLock", "info", "pipeline",
            "inventory", "status"});
  Kptfile out;
  if (!value["metadata"].is_null() && !value["metadata"].is_object())
    return invalid("must be a map").in("metadata");
  const json::Value& metadata = value["metadata"];
  out.name = read.string(metadata, "metadata", "name");
  out.ns = read.string(metadata, "metadata", "namespace");
  out.labels = read.strings(metadata, "metadata", "labels");
  out.annotations = read.strings(metadata, "metadata", "annotations");
  out.upstream = read_upstream(read, value["upstream"], "upstream", false);
  out.upstream_lock = read_upstream(read, value["upstreamLock"], "upstreamLock", true);
  out.info = read_info(read, value["info"]);
  if (const json::Value* pipeline =
          read.map(value["pipeline"], "pipeline", {"mutators", "validators"})) {
    out.mutators = read_functions(read, *pipeline, "mutators");
    out.validators = read_functions(read, *pipeline, "validators");
  }
  out.inventory = read_inventory(read, value["inventory"]);
  if (const json::Value* status =
          read.map(value["status"], "status", {"conditions", "renderStatus"})) {
    read.list(
        *status, "status", "conditions", [&](const json::Value& item, const std::string& path) {
          const json::Value* one = read.map(item, path, {"type", "status", "reason", "message"});
          if (one == nullptr) return;
          out.conditions.push_back(
              {read.string(*one, path, "type"), read.string(*one, path, "status"),
               read.string(*one, path, "reason"), read.string(*one, path, "message")});
        });
  }
  if (read.error()) return *std::move(read.error());
  out.unknown_fields = std::move(read.unknown());
  return out;
}

Object new_kptfile(std::string_view name) {
  return Object::from_value(
      json::Value::object({{"apiVersion", "kpt.dev/v1"},
                           {"kind", "Kptfile"},
                           {"metadata", json::Value::object({{"name", json::Value(name)}})}}));
}

Result<Done> set_package_name(Object& kptfile, std::string_view name) {
  return kptfile.set({"metadata", "name"}, json::Value(name));
}

Result<Done> set_upstream(Object& kptfile, const std::optional<Upstream>& upstream) {
  return set_location(kptfile, "upstream", upstream);
}

Result<Done> set_upstream_lock(Object& kptfile, const std::optional<Upstream>& lock) {
  return set_location(kptfile, "upstreamLock", lock);
}

Result<Done> set_readiness_gates(Object& kptfile, const std::vector<std::string>& types) {
  std::vector<json::Value> items;
  for (const std::string& type : types)
    items.push_back(json::Value::object({{"conditionType", json::Value(type)}}));
  return set_list(kptfile, "info", "readinessGates", std::move(items));
}

Result<Done> set_conditions(Object& kptfile, const std::vector<PackageCondition>& conditions) {
  std::vector<json::Value> items;
  for (const PackageCondition& one : conditions) {
    json::Value item = json::Value::object({{"type", one.type}, {"status", one.status}});
    if (!one.reason.empty()) item = item.with("reason", one.reason);
    if (!one.message.empty()) item = item.with("message", one.message);
    items.push_back(std::move(item));
  }
  return set_list(kptfile, "status", "conditions", std::move(items));
}

}  // namespace portico::krm
