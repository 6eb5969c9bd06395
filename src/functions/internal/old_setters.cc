#include "functions/internal/old_setters.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "functions/internal/fields.h"
#include "functions/internal/lists.h"
#include "json/text.h"

namespace portico::functions {

namespace {

constexpr std::string_view kDefinitions = "#/definitions/";
constexpr std::string_view kCli = "io.k8s.cli.";
constexpr std::string_view kSetters = "io.k8s.cli.setters.";
constexpr std::string_view kSubstitutions = "io.k8s.cli.substitutions.";
constexpr int kDeepest = 32;

std::optional<std::string> behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return std::string(text.substr(prefix.size()));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

}  // namespace

Result<OldSetters> OldSetters::read(const json::Value& open_api) {
  OldSetters result;
  for (const json::Member& member : open_api["definitions"].members()) {
    const json::Value& cli = member.value["x-k8s-cli"];
    if (const auto name = behind(member.name(), kSubstitutions))
      result.substitutions_.emplace(*name, cli["substitution"]);
    const auto key = behind(member.name(), kSetters);
    if (!key) continue;
    const json::Value& setter = cli["setter"];
    if (!setter.is_object()) return invalid("missing x-k8s-cli.setter for {}", member.name());
    const std::string name = scalar_text(setter["name"]);
    result.setters_.emplace(*key, setter);
    result.values_[name.empty() ? *key : name] =
        setter["listValues"].empty() ? scalar_text(setter["value"])
                                     : krm::Object::from_value(setter["listValues"]).text();
  }
  return result;
}

Result<std::string> OldSetters::pattern(const std::string& substitution, int depth) const {
  if (depth > kDeepest) return invalid("cyclic substitution detected with name {}", substitution);
  const json::Value& definition = substitutions_.at(substitution);
  std::string text = scalar_text(definition["pattern"]);
  for (const json::Value& value : definition["values"].items()) {
    const std::string_view marker = value["marker"].as_string();
    const auto ref = behind(value["ref"].as_string(), kDefinitions);
    if (!ref) return invalid("missing reference on substitution {}", substitution);
    const auto inner = behind(*ref, kSubstitutions);
    if (inner && substitutions_.contains(*inner)) {
      PORTICO_TRY(const std::string below, pattern(*inner, depth + 1));
      text = replaced(std::move(text), marker, below);
      continue;
    }
    const auto name = behind(*ref, kSetters);
    const auto setter = name ? setters_.find(*name) : setters_.end();
    if (setter == setters_.end())
      return invalid("substitution {} names \"{}\", which is not defined", substitution, *ref);
    // A setter with an enum value is written as that value; it is no longer a setter.
    const json::Value* fixed =
        setter->second["enumValues"].find(scalar_text(setter->second["value"]));
    text = replaced(std::move(text), marker,
                    fixed != nullptr ? scalar_text(*fixed) : fmt::format("${{{}}}", *name));
    if (text.size() > 65536) return invalid("substitution {} is too long", substitution);
  }
  return text;
}

Result<std::string> OldSetters::comment(std::string_view old, bool on_list) const {
  const std::string none;
  const std::size_t brace = old.find('{');
  if (brace == std::string_view::npos) return none;
  const auto parsed = json::parse(old.substr(brace));
  if (!parsed) return none;
  std::string name = scalar_text((*parsed)["$kpt-set"]);
  bool setter = setters_.contains(name), substitution = substitutions_.contains(name);
  if (const auto ref = behind((*parsed)["$ref"].as_string(), kDefinitions); ref && name.empty()) {
    if (const auto of_setter = behind(*ref, kSetters)) {
      name = *of_setter;
      setter = setters_.contains(name);
    } else if (const auto of_substitution = behind(*ref, kSubstitutions)) {
      name = *of_substitution;
      substitution = substitutions_.contains(name);
    } else if (const auto other = behind(*ref, kCli)) {
      name = *other;
    }
  }
  if (name.empty()) return none;
  if (setter || on_list) return fmt::format("# kpt-set: ${{{}}}", name);
  if (!substitution) return none;
  PORTICO_TRY(const std::string text, pattern(name, 0));
  return "# kpt-set: " + text;
}

Result<Done> OldSetters::rewrite_comments(krm::Object& object) const {
  std::vector<std::pair<krm::Path, std::string>> changes;
  Result<Done> done = Done{};
  const auto look = [&](const krm::Path& path, std::string_view old, bool on_list) {
    if (old.empty() || !done) return;
    auto now = comment(old, on_list);
    if (!now) {
      done = std::move(now).error().in(krm::path_text(path));
    } else if (!now->empty()) {
      changes.emplace_back(path, *std::move(now));
    }
  };
  object.visit_scalars(
      [&](const krm::ScalarRef& scalar) { look(scalar.path, scalar.line_comment, false); });
  visit_lists(object, [&](const krm::Path& path, const json::Value&, const std::string& old) {
    look(path, old, true);
  });
  PORTICO_DO(std::move(done));
  for (const auto& [path, text] : changes) PORTICO_DO(object.set_line_comment(path, text));
  return Done{};
}

}  // namespace portico::functions
