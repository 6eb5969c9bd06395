#include <fmt/format.h>

#include <algorithm>

#include "api/decode.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "api/package_variant_set.h"
#include "json/text.h"

namespace portico::api {

namespace {

using json::Value;

Error no_place(std::string path) {
  return invalid("is not supported in {}; read the set as {}", kConfigV1Alpha1, kConfigV1Alpha2)
      .in(std::move(path));
}

Value text_value(std::string_view text) { return Value::object({{"value", text}}); }
Value from_field(std::string_view field) { return Value::object({{"fromField", field}}); }

Value string_map(const StringMap& map) {
  std::vector<json::Member> out;
  for (const auto& [key, value] : map) out.push_back({key, value});
  return Value::object(std::move(out));
}

/// The value of a CEL string literal, if it is also a JSON literal or is in single quotes without
/// escapes.
std::optional<std::string> literal(std::string_view source) {
  if (source.size() >= 2 && source.front() == '\'' && source.back() == '\'') {
    const std::string_view inside = source.substr(1, source.size() - 2);
    if (inside.find_first_of("'\\\n") != std::string_view::npos) return std::nullopt;
    return std::string(inside);
  }
  if (!source.starts_with('"')) return std::nullopt;
  const auto text = json::parse(source);
  if (!text || !text->is_string()) return std::nullopt;
  return std::string(text->as_string());
}

/// One operand of a sum: a literal, `packageDefault`, or a field of the target. nullopt for
/// anything else.
std::optional<Value> operand(std::string_view source) {
  while (source.starts_with(' ')) source.remove_prefix(1);
  while (source.ends_with(' ')) source.remove_suffix(1);
  if (source == "packageDefault") return Value();
  if (source == "target.name") return from_field("metadata.name");
  if (source == "target.namespace") return from_field("metadata.namespace");
  for (const std::string_view map : {"labels", "annotations"}) {
    const std::string before = fmt::format("target.{}[", map);
    if (!source.starts_with(before) || !source.ends_with(']')) continue;
    const auto key = literal(source.substr(before.size(), source.size() - before.size() - 1));
    if (!key || key->empty() || key->find_first_of("]\"'") != std::string::npos)
      return std::nullopt;
    return from_field(fmt::format("metadata.{}[{}]", map, *key));
  }
  const auto text = literal(source);
  if (!text) return std::nullopt;
  return text_value(*text);
}

/// The operands of "a + b + c"; nullopt if any of them is something else.
std::optional<std::vector<Value>> operands(std::string_view source) {
  std::vector<Value> out;
  for (;;) {
    std::size_t end = 0;
    char quote = 0;
    for (; end < source.size(); ++end) {
      const char c = source[end];
      if (quote != 0 && c == '\\') {
        ++end;
      } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? '\0' : c;
      } else if (quote == 0 && source.substr(end).starts_with(" + ")) {
        break;
      }
    }
    auto one = operand(source.substr(0, std::min(end, source.size())));
    if (!one) return std::nullopt;
    out.push_back(*std::move(one));
    if (end >= source.size()) return out;
    source.remove_prefix(end + 3);
  }
}

/// The `packageName` of a target: prefix, base, suffix. The default base is packageDefault.
std::optional<Value> package_name(std::string_view expression) {
  const auto parts = operands(expression);
  if (!parts) return std::nullopt;
  const auto is_default = [](const Value& part) { return part.is_null(); };
  const auto base = std::find_if(parts->begin(), parts->end(), is_default);
  const std::size_t at = base != parts->end() ? static_cast<std::size_t>(base - parts->begin())
                         : parts->size() == 1 ? 0
                                              : 1;
  if (at > 1 || parts->size() > at + 2) return std::nullopt;
  Value out = Value::object();
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Value& part = (*parts)[i];
    if (i == at && !part.is_null()) out = out.with("baseName", part);
    if (i != at && part.is_null()) return std::nullopt;
    if (i != at) out = out.with(i < at ? "namePrefix" : "nameSuffix", part);
  }
  return out;
}

class Down {
 public:
  explicit Down(std::string_view ns) : ns_(ns) {}

  Result<Value> spec(const PackageVariantSetSpec& set) {
    if (!set.deletion_guard.empty()) return no_place("spec.deletionGuard");
    Value out = Value::object();
    if (set.upstream) {
      PORTICO_TRY(const Value written, upstream(*set.upstream));
      out = out.with("upstream", written);
    }
    if (!set.targets) return out;
    PORTICO_TRY(const VariantTemplate common, common_of(set.target_list()));
    if (common.adoption_policy) out = out.with("adoptionPolicy", *common.adoption_policy);
    if (common.deletion_policy) out = out.with("deletionPolicy", *common.deletion_policy);
    if (!common.labels.empty()) out = out.with("labels", string_map(common.labels));
    if (!common.annotations.empty()) out = out.with("annotations", string_map(common.annotations));
    for (std::size_t i = 0; i < set.targets->size(); ++i)
      PORTICO_DO(add((*set.targets)[i], fmt::format("spec.targets[{}]", i)));
    return out.with("targets", Value::array(std::move(targets_)));
  }

 private:
  static Result<Value> upstream(const Upstream& from) {
    if (!from.workspace_name.empty()) return no_place("spec.upstream.workspaceName");
    if (!from.constraint.empty()) return no_place("spec.upstream.constraint");
    Value out = Value::object();
    Value package = Value::object();
    if (!from.repo.empty()) package = package.with("repo", from.repo);
    if (!from.package.empty()) package = package.with("name", from.package);
    if (!package.empty()) out = out.with("package", package);
    if (from.revision)
      out = *from.revision > 0 ? out.with("revision", fmt::format("v{}", *from.revision))
                               : out.with("revision", *from.revision);
    if (!from.tag.empty()) out = out.with("ref", from.tag);
    return out;
  }

  /// The fields that v1alpha1 has once for all targets.
  static Result<VariantTemplate> common_of(std::span<const Target> targets) {
    VariantTemplate common;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const VariantTemplate tmpl = targets[i].tmpl.value_or(VariantTemplate{});
      const std::string path = fmt::format("spec.targets[{}].template", i);
      if (!tmpl.label_exprs.empty()) return no_place(path + ".labelExprs");
      if (!tmpl.annotation_exprs.empty()) return no_place(path + ".annotationExprs");
      if (tmpl.package_context) return no_place(path + ".packageContext");
      if (tmpl.pipeline) return no_place(path + ".pipeline");
      if (!tmpl.injectors.empty()) return no_place(path + ".injectors");
      if (tmpl.upgrade_strategy) return no_place(path + ".upgradeStrategy");
      if (tmpl.on_conflict) return no_place(path + ".onConflict");
      if (tmpl.approval) return no_place(path + ".approval");
      if (i == 0) common = tmpl;
      const auto differs = [&](std::string_view field) {
        return invalid(
                   "differs from spec.targets[0], but {} has a single value for all targets; read "
                   "the set as {}",
                   kConfigV1Alpha1, kConfigV1Alpha2)
            .in(fmt::format("{}.{}", path, field));
      };
      if (tmpl.adoption_policy != common.adoption_policy) return differs("adoptionPolicy");
      if (tmpl.deletion_policy != common.deletion_policy) return differs("deletionPolicy");
      if (tmpl.labels != common.labels) return differs("labels");
      if (tmpl.annotations != common.annotations) return differs("annotations");
    }
    return common;
  }

  Result<Done> add(const Target& target, const std::string& path) {
    const DownstreamTemplate downstream =
        target.tmpl && target.tmpl->downstream ? *target.tmpl->downstream : DownstreamTemplate{};
    const std::string place = path + ".template.downstream";
    if (target.repositories) return add_repositories(target, downstream, path);
    Value out = Value::object();
    if (target.object_selector) {
      const ObjectSelector& selector = *target.object_selector;
      if (!package_names(target, selector.package_names).empty())
        return no_place(path + ".objectSelector.packageNames");
      PORTICO_TRY(const Value repo, repo_name(downstream, place));
      Value written = Value::object(
          {{"apiVersion", selector.api_version}, {"kind", selector.kind}, {"namespace", ns_}});
      if (!selector.name.empty()) written = written.with("name", selector.name);
      if (!selector.labels.empty())
        written = written.with("labelSelector", encode(selector.labels));
      out = out.with("objects",
                     Value::object({{"selectors", Value::array({written})}, {"repoName", repo}}));
    } else if (target.repository_selector) {
      if (!package_names(target, target.repository_selector->package_names).empty())
        return no_place(path + ".repositorySelector.packageNames");
      if (downstream.repo) return no_place(place + ".repo");
      if (downstream.repo_expr) return no_place(place + ".repoExpr");
      out = out.with("repositories", encode(target.repository_selector->labels));
    }
    if (downstream.package) {
      out = out.with("packageName", Value::object({{"baseName", text_value(*downstream.package)}}));
    } else if (downstream.package_expr) {
      const auto name = package_name(*downstream.package_expr);
      if (!name) return no_place(place + ".packageExpr");
      out = out.with("packageName", *name);
    }
    targets_.push_back(std::move(out));
    return Done{};
  }

  /// One v1alpha1 target for each repository and package name.
  Result<Done> add_repositories(const Target& target, const DownstreamTemplate& downstream,
                                const std::string& path) {
    if (downstream != DownstreamTemplate{}) return no_place(path + ".template.downstream");
    for (const RepositoryTarget& repository : *target.repositories) {
      const Value package = Value::object({{"repo", repository.name}});
      const std::vector<std::string>& names = package_names(target, repository.package_names);
      if (names.empty()) targets_.push_back(Value::object({{"package", package}}));
      for (const std::string& name : names)
        targets_.push_back(Value::object({{"package", package.with("name", name)}}));
    }
    return Done{};
  }

  /// Which repository an object stands for; by default the one with its name.
  static Result<Value> repo_name(const DownstreamTemplate& downstream, const std::string& place) {
    if (downstream.repo) return text_value(*downstream.repo);
    const auto one = operand(downstream.repo_expr.value_or("target.name"));
    if (!one || one->is_null()) return no_place(place + ".repoExpr");
    return *one;
  }

  std::string_view ns_;  // of the set
  std::vector<Value> targets_;
};

}  // namespace

Result<Value> old_form_of_set(const Value& set) {
  Value out = set.with("apiVersion", kConfigV1Alpha1);
  if (set["spec"].is_null()) return out;
  PORTICO_TRY(const auto decoded, decode_reporting<PackageVariantSet>(set));
  for (const Cause& cause : decoded.unknown)
    if (cause.field.starts_with("spec.")) return no_place(cause.field);
  PORTICO_TRY(Value spec, Down(set["metadata"]["namespace"].as_string()).spec(decoded.value.spec));
  return out.with("spec", std::move(spec));
}

Result<Value> in_version(const Value& object, std::string_view api_version) {
  const std::string_view now = object["apiVersion"].as_string();
  if (now == api_version) return object;
  if (object["kind"].as_string() == kVariantSetKind) {
    if (now == kConfigV1Alpha2 && api_version == kConfigV1Alpha1) return old_form_of_set(object);
    if (now == kConfigV1Alpha1 && api_version == kConfigV1Alpha2) {
      PORTICO_TRY(ConvertedSet converted, convert_old_set(object));
      return std::move(converted.object);
    }
  }
  return object.with("apiVersion", api_version);
}

}  // namespace portico::api
