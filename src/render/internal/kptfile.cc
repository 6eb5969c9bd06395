#include "render/internal/kptfile.h"

#include <algorithm>
#include <array>

#include "api/decode.h"
#include "render/internal/paths.h"

namespace portico::render {

namespace {

constexpr std::array<std::string_view, 9> kFields{"apiVersion", "kind",         "metadata",
                                                  "upstream",   "upstreamLock", "info",
                                                  "pipeline",   "inventory",    "status"};

bool is_true(const krm::Object& object, std::string_view annotation) {
  const std::string text = object.annotation(annotation).value_or("");
  constexpr std::string_view kTrue = "true";
  return std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

/// The pipeline, with the scalars of each configMap as their source text: kpt reads them as
/// strings, so `tag: 1.10` is "1.10".
json::Value pipeline_of(const krm::Object& kptfile) {
  json::Value pipeline = kptfile.value()["pipeline"];
  if (!pipeline.is_object()) return pipeline;
  kptfile.visit_scalars([&](const krm::ScalarRef& scalar) {
    const krm::Path& path = scalar.path;
    if (path.size() != 5 || scalar.value.is_string()) return;
    const auto name = [&](std::size_t i) -> std::string_view {
      const auto* text = std::get_if<std::string>(&path[i]);
      return text == nullptr ? std::string_view() : *text;
    };
    const auto* index = std::get_if<std::size_t>(&path[2]);
    if (name(0) != "pipeline" || index == nullptr || name(3) != "configMap") return;
    const json::Value& list = pipeline[name(1)];
    const json::Value& function = list[*index];
    const json::Value text = scalar.value.is_null() ? json::Value("") : json::Value(scalar.source);
    pipeline = pipeline.with(
        name(1), list.with_item(*index, function.with("configMap",
                                                      function["configMap"].with(name(4), text))));
  });
  return pipeline;
}

Result<Done> check(const api::Function& function) {
  if (function.image.empty() == function.exec.empty()) {
    return function.image.empty()
               ? invalid("must specify one of `image` and `exec`")
               : invalid("must not specify both `image` and `exec` at the same time");
  }
  if (function.image.find_first_of(" \t\n\"'") != std::string::npos)
    return invalid("invalid image name \"{}\"", function.image).in("image");
  if (!function.config_map.empty() && !function.config_path.empty()) {
    return invalid(
        "functionConfig must not specify both `configMap` and `configPath` at the same time");
  }
  const std::string& path = function.config_path;
  if (path.empty()) return Done{};
  if (path.find_first_not_of(" \t") == std::string::npos)
    return invalid("path must not be blank").in("configPath");
  if (path.starts_with('/'))
    return invalid("path must be relative, not \"{}\"", path).in("configPath");
  if (clean_path(path).find("..") != std::string::npos)
    return invalid("path must not be outside the package: \"{}\"", path).in("configPath");
  return Done{};
}

Result<Done> check(const std::vector<api::Function>& functions, std::string_view list) {
  for (std::size_t i = 0; i < functions.size(); ++i)
    PORTICO_DO(check(functions[i]), fmt::format("pipeline.{}[{}]", list, i));
  return Done{};
}

}  // namespace

Result<Kptfile> read_kptfile(const krm::File& file) {
  PORTICO_TRY(krm::Object object, file.object());
  const json::Value& value = object.value();
  if (object.kind() == "Kptfile" &&
      (object.api_version() == "kpt.dev/v1alpha1" || object.api_version() == "kpt.dev/v1alpha2")) {
    return invalid(
        "has an old version (\"{}\") of the Kptfile schema; `kpt fn eval -i fix` updates it",
        object.api_version().substr(std::string_view("kpt.dev/").size()));
  }
  if (object.kind() != "Kptfile" || object.api_version() != "kpt.dev/v1") {
    return invalid("has an unknown resource type (\"{}, Kind={}\")", object.api_version(),
                   object.kind());
  }
  for (const json::Member& member : value.members())
    if (std::find(kFields.begin(), kFields.end(), member.name()) == kFields.end())
      return invalid("unknown field \"{}\"", member.name());

  json::Value pipeline = pipeline_of(object);
  if (pipeline.is_null()) pipeline = json::Value::object();
  PORTICO_TRY(auto decoded, api::decode_reporting<api::Pipeline>(pipeline), "pipeline");
  if (!decoded.unknown.empty())
    return invalid("{}", decoded.unknown.front().message).in("pipeline");
  if (!decoded.warnings.empty()) return invalid("{}", decoded.warnings.front()).in("pipeline");
  PORTICO_DO(check(decoded.value.mutators, "mutators"));
  PORTICO_DO(check(decoded.value.validators, "validators"));
  const bool breadth_first = is_true(object, "kpt.dev/bfs-rendering");
  const bool save = is_true(object, "kpt.dev/save-on-render-failure");
  return Kptfile{std::move(object), std::move(decoded.value), breadth_first, save};
}

}  // namespace portico::render
