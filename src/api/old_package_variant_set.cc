#include "api/old_package_variant_set.h"

#include <fmt/format.h>

#include "api/internal/variant_fields.h"
#include "api/kinds.h"
#include "api/package_variant_set.h"
#include "api/refusal.h"
#include "json/text.h"

namespace portico::api::internal {

namespace {

struct OldPackage {
  std::string repo, name;
};
struct OldUpstream {
  std::optional<OldPackage> package;
  std::optional<std::int64_t> revision;
  std::string tag;
};
struct OldValue {
  std::string value, from_field;
};
struct OldSelector {
  std::string api_version, kind, name, ns;
  LabelSelector labels;
  StringMap annotations;
};
struct OldObjects {
  std::vector<OldSelector> selectors;
  std::optional<OldValue> repo_name;
};
struct OldPackageName {
  std::optional<OldValue> base, suffix, prefix;
};
struct OldTarget {
  std::optional<OldPackage> package;
  std::optional<LabelSelector> repositories;
  std::optional<OldObjects> objects;
  std::optional<OldPackageName> package_name;
};
struct OldSpec {
  std::optional<OldUpstream> upstream;
  std::optional<std::vector<OldTarget>> targets;
  std::string adoption_policy, deletion_policy;
  StringMap labels, annotations;
};

}  // namespace

PORTICO_API_TABLE(OldPackage, field("repo", &OldPackage::repo), field("name", &OldPackage::name));
PORTICO_API_TABLE(OldUpstream, field("package", &OldUpstream::package),
                  revision("revision", &OldUpstream::revision), field("ref", &OldUpstream::tag));
PORTICO_API_TABLE(OldValue, field("value", &OldValue::value),
                  field("fromField", &OldValue::from_field));
PORTICO_API_TABLE(OldSelector, field("apiVersion", &OldSelector::api_version),
                  field("kind", &OldSelector::kind), field("name", &OldSelector::name),
                  field("namespace", &OldSelector::ns),
                  field("labelSelector", &OldSelector::labels),
                  field("annotations", &OldSelector::annotations));
PORTICO_API_TABLE(OldObjects, field("selectors", &OldObjects::selectors),
                  field("repoName", &OldObjects::repo_name));
PORTICO_API_TABLE(OldPackageName, field("baseName", &OldPackageName::base),
                  field("nameSuffix", &OldPackageName::suffix),
                  field("namePrefix", &OldPackageName::prefix));
PORTICO_API_TABLE(OldTarget, field("package", &OldTarget::package),
                  field("repositories", &OldTarget::repositories),
                  field("objects", &OldTarget::objects),
                  field("packageName", &OldTarget::package_name));
PORTICO_API_TABLE(OldSpec, field("upstream", &OldSpec::upstream),
                  field("targets", &OldSpec::targets),
                  field("adoptionPolicy", &OldSpec::adoption_policy),
                  field("deletionPolicy", &OldSpec::deletion_policy),
                  field("labels", &OldSpec::labels), field("annotations", &OldSpec::annotations));

namespace {

using json::Value;

/// Early v1alpha1 had plain maps in place of label selectors: {env: prod} for {matchLabels: {env:
/// prod}}.
Value as_label_selector(const Value& written) {
  if (!written.is_object() || written.empty() || written.contains("matchLabels") ||
      written.contains("matchExpressions"))
    return written;
  return Value::object({{"matchLabels", written}});
}

Value with_label_selectors(const Value& spec) {
  if (!spec["targets"].is_array()) return spec;
  std::vector<Value> targets;
  for (const Value& one : spec["targets"].items()) {
    Value target = one;
    if (target["repositories"].is_object())
      target = target.with("repositories", as_label_selector(target["repositories"]));
    if (target["objects"]["selectors"].is_array()) {
      std::vector<Value> selectors;
      for (const Value& selector : target["objects"]["selectors"].items())
        selectors.push_back(selector.contains("labels") && !selector.contains("labelSelector")
                                ? selector.without("labels").with(
                                      "labelSelector", as_label_selector(selector["labels"]))
                                : selector);
      target = target.with("objects",
                           target["objects"].with("selectors", Value::array(std::move(selectors))));
    }
    targets.push_back(std::move(target));
  }
  return spec.with("targets", Value::array(std::move(targets)));
}

/// "metadata.labels[a.b/c]", "metadata.labels.a\.b/c" -> metadata, labels, a.b/c.
std::vector<std::string> elements(std::string_view path) {
  std::vector<std::string> out;
  if (path.starts_with('.')) path.remove_prefix(1);
  std::string one;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '\\' && i + 1 < path.size() && path[i + 1] == '.') {
      one += path[++i];
    } else if (c == '.') {
      out.push_back(std::move(one));
      one.clear();
    } else if (c == '[' && path.find(']', i) != std::string_view::npos) {
      if (i > 0 && path[i - 1] != '.') {
        out.push_back(std::move(one));
        one.clear();
      }
      const std::size_t end = path.find(']', i);
      std::string_view key = path.substr(i + 1, end - i - 1);
      if (key.size() >= 2 && (key.front() == '\'' || key.front() == '"') &&
          key.back() == key.front())
        key = key.substr(1, key.size() - 2);
      one += key;
      i = end;
    } else {
      one += c;
    }
  }
  out.push_back(std::move(one));
  return out;
}

/// A part of a name: constant text or an expression.
struct Part {
  std::string text;
  bool is_expression = false;
};

class Conversion {
 public:
  explicit Conversion(std::string_view ns) : ns_(ns) {}

  Result<PackageVariantSetSpec> spec(const OldSpec& old) {
    PackageVariantSetSpec out;
    if (old.upstream) {
      Upstream& upstream = out.upstream.emplace();
      if (old.upstream->package) {
        upstream.repo = old.upstream->package->repo;
        upstream.package = old.upstream->package->name;
      }
      upstream.revision = old.upstream->revision;
      upstream.tag = old.upstream->tag;
    }
    common_.labels = old.labels;
    common_.annotations = old.annotations;
    if (!old.adoption_policy.empty()) common_.adoption_policy = old.adoption_policy;
    if (!old.deletion_policy.empty()) common_.deletion_policy = old.deletion_policy;
    for (const StringMap* map : {&old.labels, &old.annotations})
      for (const auto& [key, value] : *map) common_bytes_ += key.size() + value.size();
    if (!old.targets) return out;
    std::vector<Target>& targets = out.targets.emplace();
    for (std::size_t i = 0; i < old.targets->size(); ++i)
      PORTICO_DO(add((*old.targets)[i], fmt::format("spec.targets[{}]", i), targets));
    return out;
  }

  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  Result<Done> add(const OldTarget& old, const std::string& path, std::vector<Target>& out) {
    const int ways = (old.package ? 1 : 0) + (old.repositories ? 1 : 0) + (old.objects ? 1 : 0);
    if (ways != 1)
      return invalid("must specify one of `package`, `repositories`, or `objects`").in(path);
    if (old.objects) return add_objects(old, path, out);
    if (old.package) {
      if (old.package_name)
        return invalid("must not be specified together with `package`; use `package.name`")
            .in(path + ".packageName");
      if (old.package->repo.empty())
        return invalid("must specify the repository to write to").in(path + ".package.repo");
      RepositoryTarget repository{old.package->repo, {}};
      if (!old.package->name.empty()) repository.package_names.push_back(old.package->name);
      Target target;
      target.repositories = {std::move(repository)};
      return put(std::move(target), {}, path, out);
    }
    Target target;
    target.repository_selector = {*old.repositories, {}};
    const Origin origin{kConfigV1Alpha1, kRepositoryKind};
    PORTICO_TRY(DownstreamTemplate downstream, package_of(old, path, origin));
    return put(std::move(target), std::move(downstream), path, out);
  }

  /// Adds one target for each selector.
  Result<Done> add_objects(const OldTarget& old, const std::string& path,
                           std::vector<Target>& out) {
    const OldObjects& objects = *old.objects;
    if (objects.selectors.empty())
      return invalid("must have at least one selector").in(path + ".objects.selectors");
    if (!objects.repo_name)
      return invalid("must specify the repository of an object, such as {}",
                     "{fromField: metadata.name}")
          .in(path + ".objects.repoName");
    for (std::size_t i = 0; i < objects.selectors.size(); ++i) {
      const OldSelector& selector = objects.selectors[i];
      PORTICO_DO(check(selector, fmt::format("{}.objects.selectors[{}]", path, i)));
      const Origin origin{selector.api_version, selector.kind};
      PORTICO_TRY(DownstreamTemplate downstream, package_of(old, path, origin));
      const std::string place = path + ".objects.repoName";
      PORTICO_TRY(const auto repo, part(*objects.repo_name, place, origin));
      if (!repo) return invalid("must have a `value` or a `fromField`").in(place);
      (repo->is_expression ? downstream.repo_expr : downstream.repo) = repo->text;
      Target target;
      target.object_selector =
          ObjectSelector{selector.api_version, selector.kind, selector.name, selector.labels, {}};
      PORTICO_DO(put(std::move(target), std::move(downstream), path, out));
    }
    return Done{};
  }

  Result<Done> check(const OldSelector& selector, const std::string& path) {
    if (selector.api_version.empty())
      return invalid("must specify the apiVersion of the objects").in(path + ".apiVersion");
    if (selector.kind.empty())
      return invalid("must specify the kind of the objects").in(path + ".kind");
    if (!selector.annotations.empty())
      return invalid(
                 "annotation selectors are not supported in v1alpha2; label the objects and use a "
                 "label selector")
          .in(path + ".annotations");
    if (selector.ns.empty()) {
      warnings_.push_back(path + ": selects only objects in the namespace of the set");
    } else if (selector.ns != ns_) {
      return invalid(
                 "\"{}\" is not the set's namespace \"{}\", and v1alpha2 selects only objects in "
                 "the namespace of the set; create a set in \"{}\"",
                 selector.ns, ns_, selector.ns)
          .in(path + ".namespace");
    }
    return Done{};
  }

  struct Origin {  // of the object that fields are read from
    std::string_view api_version, kind;
  };

  Result<DownstreamTemplate> package_of(const OldTarget& old, const std::string& path,
                                        const Origin& origin) {
    DownstreamTemplate out;
    if (!old.package_name) return out;
    const OldPackageName& name = *old.package_name;
    std::vector<Part> parts;
    const auto add = [&](const std::optional<OldValue>& from, std::string_view field,
                         std::string_view otherwise) -> Result<Done> {
      std::optional<Part> one;
      if (from) {
        PORTICO_TRY(one, part(*from, fmt::format("{}.packageName.{}", path, field), origin));
      }
      if (!one && !otherwise.empty()) one = Part{std::string(otherwise), true};
      if (!one) return Done{};
      if (!parts.empty() && !parts.back().is_expression && !one->is_expression)
        parts.back().text += one->text;
      else
        parts.push_back(*std::move(one));
      return Done{};
    };
    PORTICO_DO(add(name.prefix, "namePrefix", ""));
    PORTICO_DO(add(name.base, "baseName", "packageDefault"));
    PORTICO_DO(add(name.suffix, "nameSuffix", ""));
    if (parts.size() == 1 && !parts[0].is_expression) {
      out.package = parts[0].text;
    } else if (parts.size() > 1 || parts[0].text != "packageDefault") {
      std::vector<std::string> texts;
      texts.reserve(parts.size());
      for (const Part& one : parts)
        texts.push_back(one.is_expression ? one.text : json::print(Value(one.text)));
      out.package_expr = fmt::format("{}", fmt::join(texts, " + "));
    }
    return out;
  }

  /// nullopt for an empty value. `value` takes precedence, as in v1alpha1.
  Result<std::optional<Part>> part(const OldValue& from, const std::string& path,
                                   const Origin& origin) {
    if (!from.value.empty()) {
      if (!from.from_field.empty())
        warnings_.push_back(path + ".fromField: ignored because `value` is specified");
      return std::optional(Part{from.value});
    }
    if (from.from_field.empty()) return std::optional<Part>();
    const std::vector<std::string> field = elements(from.from_field);
    const auto is = [&](const std::vector<std::string_view>& names) {
      return std::equal(field.begin(), field.end(), names.begin(), names.end());
    };
    if (is({"apiVersion"})) return std::optional(Part{std::string(origin.api_version)});
    if (is({"kind"})) return std::optional(Part{std::string(origin.kind)});
    if (is({"metadata", "name"})) return std::optional(Part{"target.name", true});
    if (is({"metadata", "namespace"})) return std::optional(Part{"target.namespace", true});
    if (field.size() == 3 && field[0] == "metadata" && !field[2].empty() &&
        (field[1] == "labels" || field[1] == "annotations"))
      return std::optional(
          Part{fmt::format("target.{}[{}]", field[1], json::print(Value(field[2]))), true});
    return invalid(
               "\"{}\" is not supported in v1alpha2: expressions can use name, namespace, labels "
               "and annotations of an object; copy it to a label or an annotation",
               from.from_field)
        .in(path + ".fromField");
  }

  /// Adds a target with its own copy of what the old set specified once.
  Result<Done> put(Target target, DownstreamTemplate downstream, const std::string& path,
                   std::vector<Target>& out) {
    copied_ += common_bytes_;
    for (const auto* text :
         {&downstream.repo, &downstream.repo_expr, &downstream.package, &downstream.package_expr})
      copied_ += *text ? (*text)->size() : 0;
    if (copied_ > kMostCopied)
      return invalid("labels, annotations and names of all targets exceed {} bytes; split the set",
                     kMostCopied)
          .in(path);
    VariantTemplate tmpl = common_;
    if (downstream != DownstreamTemplate{}) tmpl.downstream = std::move(downstream);
    if (tmpl != VariantTemplate{}) target.tmpl = std::move(tmpl);
    out.push_back(std::move(target));
    return Done{};
  }

  static constexpr std::size_t kMostCopied = 64u << 20;  // bytes

  std::string_view ns_;  // of the set
  VariantTemplate common_;
  std::size_t common_bytes_ = 0;  // of its labels and annotations
  std::size_t copied_ = 0;
  std::vector<std::string> warnings_;
};

/// Here an unknown field is always an error, because it cannot be kept.
Result<Done> refuse_unknown(std::vector<Cause> unknown) {
  if (unknown.empty()) return Done{};
  for (Cause& cause : unknown)
    cause.message += fmt::format(
        "; it would be lost in the conversion: remove it, or use {} if it is a field of that "
        "version",
        kConfigV1Alpha2);
  return refusal(std::move(unknown));
}

}  // namespace

}  // namespace portico::api::internal

namespace portico::api {

bool is_old_set(const json::Value& object) {
  return object["apiVersion"].as_string() == kConfigV1Alpha1 &&
         object["kind"].as_string() == kVariantSetKind;
}

Result<ConvertedSet> convert_old_set(const json::Value& old) {
  PORTICO_DO(internal::check_kind(old, kVariantSetKind));
  ConvertedSet out{old.with("apiVersion", kConfigV1Alpha2), {}};
  out.warnings.push_back(
      fmt::format("apiVersion: {} is converted to {}", kConfigV1Alpha1, kConfigV1Alpha2));
  const json::Value& spec = old["spec"];
  if (spec.is_null()) return out;
  internal::Reader reader("spec");
  internal::OldSpec decoded;
  reader.read(internal::with_label_selectors(spec), decoded);
  if (reader.failed()) return std::move(reader).error();
  const std::vector<std::string> forms = reader.take_warnings();
  PORTICO_DO(internal::refuse_unknown(reader.take_unknown()));
  internal::Conversion conversion(old["metadata"]["namespace"].as_string());
  PORTICO_TRY(const PackageVariantSetSpec converted, conversion.spec(decoded));
  out.object = out.object.with("spec", encode(converted));
  out.warnings.insert(out.warnings.end(), forms.begin(), forms.end());
  const std::vector<std::string> said = conversion.take_warnings();
  out.warnings.insert(out.warnings.end(), said.begin(), said.end());
  return out;
}

}  // namespace portico::api
