#include "functions/internal/fields.h"

#include "json/text.h"

namespace portico::functions {

namespace {

const json::Value kNull{};

}  // namespace

json::Value change_at(const json::Value& root, std::span<const std::string_view> path,
                      Missing missing,
                      const std::function<json::Value(const json::Value&)>& change) {
  if (path.empty()) return change(root);
  if (path.front() == "[]") {
    if (!root.is_array()) return root;
    json::Value result = root;
    const auto items = root.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      json::Value item = change_at(items[i], path.subspan(1), missing, change);
      if (!item.same_as(items[i])) result = result.with_item(i, std::move(item));
    }
    return result;
  }
  if (!root.is_object() && !(root.is_null() && missing == Missing::kCreate)) return root;
  const json::Value* member = root.find(path.front());
  if (member == nullptr && missing == Missing::kSkip) return root;
  const json::Value& at = member == nullptr ? kNull : *member;
  json::Value changed = change_at(at, path.subspan(1), missing, change);
  if (changed.same_as(at)) return root;
  return root.with(path.front(), std::move(changed));
}

const json::Value& value_at(const json::Value& root, std::span<const std::string_view> path) {
  const json::Value* at = &root;
  for (const std::string_view name : path) at = &(*at)[name];
  return *at;
}

std::string scalar_text(const json::Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_bool() || value.is_number()) return json::print(value);
  return "";
}

}  // namespace portico::functions
