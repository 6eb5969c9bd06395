#include "functions/set_namespace.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"
#include "functions/internal/scope.h"
#include "json/text.h"

namespace portico::functions {

namespace {

constexpr std::string_view kOriginAnnotation = "internal.kpt.dev/upstream-identifier";
constexpr std::string_view kDependsOn = "config.kubernetes.io/depends-on";
constexpr std::string_view kUnknownNamespace = "~C";
constexpr std::string_view kPackageContext = "kptfile.kpt.dev";

enum class Version { kCurrent, kV041 };

std::string quoted(std::string_view text) {
  std::string result;
  json::append_quoted(result, text);
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

struct Config {
  std::string ns, matcher;
};

Result<Config> read_config(const std::optional<krm::Object>& config) {
  if (!config) {
    return invalid(
        "FunctionConfig is missing. Expect `ConfigMap.v1` or `SetNamespace.v1alpha1.fn.kpt.dev`");
  }
  if (is_config_map(*config)) {
    auto data = texts(*config, "data");
    if (!data["namespace"].empty()) return Config{data["namespace"], data["namespaceMatcher"]};
    if (config->name() != kPackageContext) return invalid("`data.namespace` should not be empty");
    if (data["name"].empty()) return invalid("`data.name` should not be empty");
    return Config{data["name"], data["namespaceMatcher"]};
  }
  if (config->api_version() != "fn.kpt.dev/v1alpha1" || config->kind() != "SetNamespace") {
    return invalid(
        "unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap.v1` or "
        "`SetNamespace.v1alpha1.fn.kpt.dev`",
        config->kind(), config->api_version());
  }
  Config result{scalar_text(config->value()["namespace"]),
                scalar_text(config->value()["namespaceMatcher"])};
  if (result.ns.empty()) return invalid("`namespace` should not be empty");
  return result;
}

bool is_namespaced(const krm::Object& object) {
  const Scope scope = scope_of(object.api_version(), object.kind());
  return scope == Scope::kUnknown ? !object.ns().empty() : scope == Scope::kNamespaced;
}

std::string_view or_default(std::string_view ns) { return ns.empty() ? "default" : ns; }

/// The namespace and name of a resource in its upstream package; its own without a (readable)
/// annotation.
struct Origin {
  std::string ns, name;
  bool from_upstream = false;
};

Origin origin_of(const krm::Object& object) {
  const std::string_view text =
      object.value()["metadata"]["annotations"][kOriginAnnotation].as_string();
  auto parts = split(text, '|');
  if (parts.size() == 4) return {std::string(or_default(parts[2])), parts[3], true};
  return {std::string(is_namespaced(object) ? or_default(object.ns()) : kUnknownNamespace),
          std::string(object.name()), false};
}

/// group/namespaces/NS/KIND/NAME, the depends-on format for a namespaced resource.
std::string dependency_id(const krm::Object& object) {
  return fmt::format("{}/namespaces/{}/{}/{}", group_of(object), or_default(object.ns()),
                     object.kind(), object.name());
}

class Pass {
 public:
  Pass(Config config, Version version) : config_(std::move(config)), version_(version) {}

  json::Value changed(const krm::Object& object) {
    const json::Value& value = object.value();
    const Origin origin = origin_of(object);
    if (is_namespaced(object)) {
      json::Value result = at(value, {"metadata"}, "namespace", origin.ns);
      if (version_ == Version::kV041 && object.kind() == "RoleBinding") result = subjects(result);
      return result;
    }
    if (is_gvk(object, "", "v1", "Namespace")) return at(value, {"metadata"}, "name", origin.name);
    if (is_gvk(object, "apiextensions.k8s.io", "v1", "CustomResourceDefinition"))
      return at(value, {"spec", "conversion", "webhook", "clientConfig", "service"}, "namespace",
                "");
    if (is_gvk(object, "apiregistration.k8s.io", "v1", "APIService"))
      return at(value, {"spec", "service"}, "namespace", "");
    if (object.kind() == "ClusterRoleBinding" || object.kind() == "RoleBinding")
      return subjects(value);
    return value;
  }

  /// Sets the new namespace in the depends-on annotation if that refers to one of `known`.
  json::Value with_dependency(const json::Value& value, const std::set<std::string>& known) {
    const FieldPath path{"metadata", "annotations", kDependsOn};
    return change_at(value, path, Missing::kSkip, [&](const json::Value& old) -> json::Value {
      auto parts = split(old.as_string(), '/');
      if (parts.size() != 5 || parts[1] != "namespaces" || parts[2] == config_.ns) return old;
      if (!known.contains(std::string(old.as_string()))) return old;
      if (!config_.matcher.empty() && parts[2] != config_.matcher) return old;
      old_dependencies_.insert(parts[2]);
      ++dependency_count_;
      parts[2] = config_.ns;
      return fmt::format("{}", fmt::join(parts, "/"));
    });
  }

  void summarize(std::vector<krm::FunctionResult>& results) const {
    const std::string ns = quoted(config_.ns);
    if (version_ == Version::kV041) {
      std::vector<std::string> old;
      for (const std::string& name : old_) old.push_back(quoted(name));
      results.push_back(
          info(count_ == 0 ? fmt::format("all namespaces are already {}. no value changed", ns)
                           : fmt::format("namespace {} updated to {}, {} value(s) changed",
                                         fmt::join(old, ","), ns, count_)));
      return;
    }
    results.push_back(info(
        count_ == 0 ? fmt::format("all matching namespaces are already {}. no value changed", ns)
                    : fmt::format("namespace [{}] updated to {}, {} value(s) changed",
                                  fmt::join(old_, " "), ns, count_)));
    results.push_back(
        info(dependency_count_ == 0
                 ? "all `depends-on` annotations are up-to-date. no `namespace` changed"
                 : fmt::format(
                       "`depends-on` annotation namespace [{}] updated to {}, {} value(s) changed",
                       fmt::join(old_dependencies_, " "), ns, dependency_count_)));
  }

 private:
  std::string replacement(std::string_view current, std::string_view origin) {
    if (origin == kUnknownNamespace) return std::string(current);
    std::string now(or_default(current));
    const std::string& matcher = config_.matcher;
    if (now == config_.ns) return now;
    if (!matcher.empty() && matcher != now && matcher != origin) return now;
    old_.insert(std::move(now));
    ++count_;
    return config_.ns;
  }

  json::Value at(const json::Value& root, const FieldPath& map, std::string_view field,
                 std::string_view origin) {
    return change_at(root, map, Missing::kSkip, [&](const json::Value& have) {
      if (!have.is_object()) return have;
      const std::string old = scalar_text(have[field]);
      const std::string now = replacement(old, origin);
      return now == old ? have : have.with(field, now);
    });
  }

  json::Value subjects(const json::Value& root) {
    const FieldPath path{"subjects", "[]", "namespace"};
    return change_at(root, path, Missing::kSkip, [&](const json::Value& have) -> json::Value {
      if (!have.is_string()) return have;
      return replacement(have.as_string(), "");
    });
  }

  const Config config_;
  const Version version_;
  std::set<std::string> old_, old_dependencies_;
  std::size_t count_ = 0, dependency_count_ = 0;
};

/// Without a matcher everything moves to one namespace. That is only right if all moved resources
/// came from one namespace or are in one now; the latter allows the function to run again.
Result<Done> check_origins(const std::vector<krm::Item*>& items, const Config& config) {
  std::set<std::string> origins;
  std::set<std::string_view> now;
  for (const krm::Item* item : items) {
    const Origin origin = origin_of(item->object);
    const std::string_view ns = or_default(item->object.ns());
    if (!is_namespaced(item->object) || ns == config.ns) continue;
    now.insert(ns);
    if (!origin.from_upstream) continue;
    if (origin.ns == kUnknownNamespace) {
      return invalid("{} {}/{} is namespaced, but annotation {} names no namespace",
                     item->object.kind(), item->object.ns(), item->object.name(),
                     kOriginAnnotation);
    }
    origins.insert(origin.ns);
  }
  if (!config.matcher.empty() || origins.size() < 2 || now.size() < 2) return Done{};
  return invalid(
      "unable to use origin `namespace` to match. expect a single upstream namespace, found [{}]. "
      "please switch to use `namespaceMatcher`to specify the namespace value you want to change",
      fmt::join(origins, " "));
}

std::optional<std::string> duplicate(const std::vector<krm::Item*>& items) {
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const krm::Item* item : items) {
    const krm::Object& object = item->object;
    if (!seen.emplace(object.api_version(), object.kind(), object.ns(), object.name()).second) {
      return fmt::format("found duplicate resources: {} {} {}/{}", object.api_version(),
                         object.kind(), object.ns(), object.name());
    }
  }
  return std::nullopt;
}

Outcome run(krm::ResourceList list, Version version) {
  auto config = read_config(list.function_config);
  if (!config) return fail_at_config(std::move(list), config.error().what);
  std::vector<krm::Item*> items;
  for (krm::Item& item : list.items)
    if (!is_local_config(item.object)) items.push_back(&item);
  if (version == Version::kV041) {
    config->matcher.clear();
    if (const auto text = duplicate(items)) {
      Outcome outcome = fail(std::move(list), *text);
      return done(std::move(outcome.list));
    }
  } else if (auto checked = check_origins(items, *config); !checked) {
    return fail(std::move(list), checked.error().what);
  }

  std::set<std::string> known;
  for (const krm::Item* item : items)
    if (is_namespaced(item->object)) known.insert(dependency_id(item->object));
  Pass pass(*std::move(config), version);
  for (krm::Item* item : items) {
    const json::Value value = pass.with_dependency(pass.changed(item->object), known);
    if (value.same_as(item->object.value())) continue;
    if (auto updated = item->object.update(value); !updated)
      return fail(std::move(list), updated.error().text());
  }
  pass.summarize(list.results);
  return done(std::move(list));
}

}  // namespace

Outcome set_namespace(krm::ResourceList list) { return run(std::move(list), Version::kCurrent); }

Outcome set_namespace_v0_4_1(krm::ResourceList list) {
  return run(std::move(list), Version::kV041);
}

}  // namespace portico::functions
