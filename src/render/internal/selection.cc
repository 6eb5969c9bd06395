#include "render/internal/selection.h"

#include <algorithm>

namespace portico::render {

namespace {

bool has_all(const json::Value& have, const api::StringMap& want) {
  return std::all_of(want.begin(), want.end(), [&](const auto& entry) {
    const json::Value* value = have.find(entry.first);
    return value != nullptr && value->is_string() && value->as_string() == entry.second;
  });
}

bool matches(const api::Selector& selector, const krm::Object& object) {
  const auto is = [](const std::string& want, std::string_view have) {
    return want.empty() || want == have;
  };
  const json::Value& meta = object.value()["metadata"];
  return is(selector.api_version, object.api_version()) && is(selector.kind, object.kind()) &&
         is(selector.name, object.name()) && is(selector.ns, object.ns()) &&
         has_all(meta["labels"], selector.labels) &&
         has_all(meta["annotations"], selector.annotations);
}

}  // namespace

bool has_selection(const api::Function& function) {
  return !function.selectors.empty() || !function.exclude.empty();
}

bool is_selected(const api::Function& function, const krm::Object& object) {
  const auto match = [&](const api::Selector& selector) { return matches(selector, object); };
  const auto exclusion = [&](const api::Selector& selector) {
    return selector != api::Selector{} && matches(selector, object);
  };
  return (function.selectors.empty() ||
          std::any_of(function.selectors.begin(), function.selectors.end(), match)) &&
         std::none_of(function.exclude.begin(), function.exclude.end(), exclusion);
}

}  // namespace portico::render
