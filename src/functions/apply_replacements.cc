#include "functions/apply_replacements.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"
#include "functions/internal/plain_text.h"
#include "functions/internal/replacement_path.h"
#include "krm/meta.h"

namespace portico::functions {

namespace {

struct Selector {
  std::string group, version, kind, name, ns;
  std::optional<krm::LabelSelector> labels, annotations;

  bool names_nothing() const {
    return group.empty() && version.empty() && kind.empty() && name.empty() && ns.empty();
  }
  /// kustomize's ResId, for messages.
  std::string text() const {
    const auto or_none = [](const std::string& part, const char* none) {
      return part.empty() ? std::string(none) : part;
    };
    return fmt::format("{}.{}.{}/{}.{}", or_none(kind, "[noKind]"), or_none(version, "[noVer]"),
                       or_none(group, "[noGrp]"), or_none(name, "[noName]"), or_none(ns, "[noNs]"));
  }
};

struct Options {
  std::string delimiter;
  std::int64_t index = 0;
  bool create = false;
};

struct Target {
  Selector select;
  std::vector<Selector> reject;
  std::vector<std::string> field_paths;
  Options options;
};

struct Replacement {
  Selector source;
  std::string field_path;
  Options source_options;
  std::vector<Target> targets;
};

Result<Selector> read_selector(const json::Value& value) {
  Selector result{scalar_text(value["group"]),
                  scalar_text(value["version"]),
                  scalar_text(value["kind"]),
                  scalar_text(value["name"]),
                  scalar_text(value["namespace"]),
                  {},
                  {}};
  const std::string labels = scalar_text(value["labelSelector"]);
  const std::string annotations = scalar_text(value["annotationSelector"]);
  if (!labels.empty()) {
    PORTICO_TRY(result.labels, krm::LabelSelector::parse(labels), "labelSelector");
  }
  if (!annotations.empty()) {
    PORTICO_TRY(result.annotations, krm::LabelSelector::parse(annotations), "annotationSelector");
  }
  return result;
}

Options read_options(const json::Value& value) {
  return {scalar_text(value["delimiter"]), value["index"].as_int(), value["create"].as_bool()};
}

Result<Target> read_target(const json::Value& value) {
  if (!value["select"].is_object()) return invalid("target must specify resources to select");
  Target target;
  PORTICO_TRY(target.select, read_selector(value["select"]), "select");
  for (const json::Value& reject : value["reject"].items()) {
    PORTICO_TRY(Selector one, read_selector(reject), "reject");
    target.reject.push_back(std::move(one));
  }
  for (const json::Value& path : value["fieldPaths"].items())
    target.field_paths.push_back(scalar_text(path));
  if (target.field_paths.empty()) target.field_paths.emplace_back("metadata.name");
  target.options = read_options(value["options"]);
  return target;
}

Result<Replacement> read_replacement(const json::Value& value) {
  if (!value["source"].is_object() || value["targets"].empty())
    return invalid("replacements must specify a source and at least one target");
  Replacement result;
  PORTICO_TRY(result.source, read_selector(value["source"]), "source");
  result.field_path = scalar_text(value["source"]["fieldPath"]);
  if (result.field_path.empty()) result.field_path = "metadata.name";
  result.source_options = read_options(value["source"]["options"]);
  for (const json::Value& target : value["targets"].items()) {
    PORTICO_TRY(Target one, read_target(target));
    result.targets.push_back(std::move(one));
  }
  return result;
}

Result<std::vector<Replacement>> read_config(const std::optional<krm::Object>& config) {
  if (!config) return invalid("FunctionConfig is missing. Expect `ApplyReplacements`");
  if (config->kind() != "ApplyReplacements" || config->api_version() != "fn.kpt.dev/v1alpha1") {
    return invalid(
        "received functionConfig of kind {} and apiVersion {}, only functionConfig of kind "
        "ApplyReplacements and apiVersion fn.kpt.dev/v1alpha1 is supported",
        config->kind(), config->api_version());
  }
  std::vector<Replacement> result;
  for (const json::Value& entry : config->value()["replacements"].items()) {
    PORTICO_TRY(Replacement one, read_replacement(entry));
    result.push_back(std::move(one));
  }
  return result;
}

/// The identity of a resource, now or before kustomize renamed it.
struct Identity {
  std::string kind, name, ns;
};

std::vector<std::string> annotation_list(const krm::Object& object, std::string_view key) {
  std::vector<std::string> parts;
  const auto text = object.annotation(key);
  if (!text) return parts;
  parts.emplace_back();
  for (const char c : *text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<Identity> identities(const krm::Object& object) {
  std::vector<Identity> result{
      {std::string(object.kind()), std::string(object.name()), std::string(object.ns())}};
  if (!object.value()["metadata"]["annotations"].contains(
          "internal.config.kubernetes.io/previousNames"))
    return result;
  const auto kinds = annotation_list(object, "internal.config.kubernetes.io/previousKinds");
  const auto names = annotation_list(object, "internal.config.kubernetes.io/previousNames");
  const auto spaces = annotation_list(object, "internal.config.kubernetes.io/previousNamespaces");
  for (std::size_t i = 0; i < names.size() && i < kinds.size() && i < spaces.size(); ++i)
    result.push_back({kinds[i], names[i], spaces[i]});
  return result;
}

bool selected(const Selector& selector, const krm::Object& object) {
  const auto is = [](const std::string& want, std::string_view have) {
    return want.empty() || want == have;
  };
  const auto space = [](std::string_view ns) { return ns.empty() ? "default" : ns; };
  if (!is(selector.group, group_of(object)) || !is(selector.version, version_of(object)))
    return false;
  const std::vector<Identity> ids = identities(object);
  return std::any_of(ids.begin(), ids.end(), [&](const Identity& id) {
    return is(selector.kind, id.kind) && is(selector.name, id.name) &&
           (selector.ns.empty() || space(selector.ns) == space(id.ns));
  });
}

bool labels_match(const Selector& selector, const krm::Object& object) {
  const json::Value& meta = object.value()["metadata"];
  return (!selector.labels || selector.labels->matches(krm::string_map(meta["labels"]))) &&
         (!selector.annotations ||
          selector.annotations->matches(krm::string_map(meta["annotations"])));
}

bool is_target(const Target& target, const krm::Object& object) {
  if (!labels_match(target.select, object) || !selected(target.select, object)) return false;
  return std::none_of(target.reject.begin(), target.reject.end(), [&](const Selector& reject) {
    const bool by_label = (reject.labels || reject.annotations) && labels_match(reject, object);
    return by_label || (!reject.names_nothing() && selected(reject, object));
  });
}

struct Source {
  json::Value value;
  std::string text;  // the text of a scalar
  bool is_scalar() const { return !value.is_object() && !value.is_array(); }
};

std::vector<std::string> split(const std::string& text, const std::string& delimiter) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(delimiter, from)) != std::string::npos;
       from = at + delimiter.size())
    parts.push_back(text.substr(from, at - from));
  parts.push_back(text.substr(from));
  return parts;
}

constexpr const char* kOnlyScalars = "delimiter option can only be used with scalar nodes";

Result<Source> read_source(const Replacement& replacement, const std::vector<krm::Item>& items) {
  const krm::Object* found = nullptr;
  std::string shown = replacement.source.text() + ":" + replacement.field_path;
  for (const krm::Item& item : items) {
    if (!selected(replacement.source, item.object)) continue;
    if (found != nullptr) return invalid("multiple matches for selector {}", shown);
    found = &item.object;
  }
  if (found == nullptr) return invalid("nothing selected by {}", shown);
  Error missing = invalid("fieldPath `{}` is missing for replacement source {}",
                          replacement.field_path, replacement.source.text());
  auto path = locate(found->value(), split_field_path(replacement.field_path));
  if (!path) return path.error().code == Code::kNotFound ? missing : std::move(path).error();
  Source source{value_at(found->value(), *path), ""};
  const json::Value& value = source.value;
  if (value.is_null() || ((value.is_object() || value.is_array()) && value.empty())) return missing;
  if (source.is_scalar()) source.text = text_at(*found, *path).value_or(scalar_text(value));
  const Options& options = replacement.source_options;
  if (options.delimiter.empty()) return source;
  if (!source.is_scalar()) return invalid("{}", kOnlyScalars);
  const auto parts = split(source.text, options.delimiter);
  if (options.index < 0 || options.index >= static_cast<std::int64_t>(parts.size())) {
    return invalid("options.index {} is out of bounds for value {}", options.index, source.text);
  }
  source.text = parts[static_cast<std::size_t>(options.index)];
  return source;
}

std::string join_piece(const std::string& have, const std::string& piece, const Options& options) {
  auto parts = split(have, options.delimiter);
  if (options.index < 0) {
    parts.insert(parts.begin(), piece);
  } else if (options.index >= static_cast<std::int64_t>(parts.size())) {
    parts.push_back(piece);
  } else {
    parts[static_cast<std::size_t>(options.index)] = piece;
  }
  return fmt::format("{}", fmt::join(parts, options.delimiter));
}

CreateAs create_as(const Source& source, const Options& options) {
  if (!options.create) return CreateAs::kNothing;
  if (source.value.is_object()) return CreateAs::kMap;
  return source.value.is_array() ? CreateAs::kList : CreateAs::kScalar;
}

/// The meaning of a target without the field.
enum class NoMatch { kFails, kIsPassedOver };

Result<Done> write(krm::Object& object, const std::string& field_path, const Options& options,
                   const Source& source, NoMatch no_match) {
  const krm::Object before = object;
  TextEdits texts(before);
  const ReplaceAt replace = [&](const krm::Path& at, const json::Value& have,
                                bool made) -> Result<json::Value> {
    const bool scalar = !have.is_object() && !have.is_array();
    std::string text = source.text;
    if (!options.delimiter.empty()) {
      if (!scalar || !source.is_scalar()) return invalid("{}", kOnlyScalars);
      text = join_piece(made ? "" : text_at(object, at).value_or(""), text, options);
    }
    if (!scalar || !source.is_scalar()) return source.value;
    if (have.is_string()) return json::Value(text);
    // A number or boolean, or a new value: its type follows from the text.
    json::Value value = resolved(text);
    if (!value.is_string()) texts.set_text(at, text);
    return value;
  };
  std::size_t matches = 0;
  const CreateAs create = create_as(source, options);
  const std::string failed =
      fmt::format("unable to find{} field \"{}\" in replacement target",
                  create == CreateAs::kNothing ? "" : " or create", field_path);
  const auto steps = split_field_path(field_path);
  auto value = replace_matches(object.value(), steps, create, replace, matches);
  if (!value) {
    if (value.error().what == kOnlyScalars) return std::move(value).error();
    return invalid("{}: {}", failed, value.error().what);
  }
  if (matches == 0 && no_match == NoMatch::kFails) return invalid("{}", failed);
  if (*value == object.value()) return Done{};
  PORTICO_DO(object.update(*value));
  return texts.empty() ? Result<Done>(Done{}) : texts.apply(object);
}

Result<Done> replace_all(const std::vector<Replacement>& replacements,
                         std::vector<krm::Item>& items, NoMatch no_match) {
  for (const Replacement& replacement : replacements) {
    PORTICO_TRY(const Source source, read_source(replacement, items));
    for (const Target& target : replacement.targets) {
      for (krm::Item& item : items) {
        if (!is_target(target, item.object)) continue;
        for (const std::string& path : target.field_paths)
          PORTICO_DO(write(item.object, path, target.options, source, no_match));
      }
    }
  }
  return Done{};
}

Outcome run(krm::ResourceList list, NoMatch no_match) {
  const auto replacements = read_config(list.function_config);
  if (!replacements) return fail(std::move(list), replacements.error().text());
  if (auto replaced = replace_all(*replacements, list.items, no_match); !replaced)
    return fail(std::move(list), replaced.error().text());
  return done(std::move(list));
}

}  // namespace

Outcome apply_replacements(krm::ResourceList list) { return run(std::move(list), NoMatch::kFails); }

Outcome apply_replacements_v0_1_1(krm::ResourceList list) {
  return run(std::move(list), NoMatch::kIsPassedOver);
}

}  // namespace portico::functions
