#include "krm/internal/to_tree.h"

#include <algorithm>
#include <cmath>

#include "json/text.h"

namespace portico::krm {
namespace {

std::string number_text(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number < 0 ? "-.inf" : ".inf";
  return json::print(json::Value(number));
}

}  // namespace

std::vector<std::string> root_key_order() { return {"apiVersion", "kind", "metadata"}; }

void sort_keys(std::vector<std::string>& names, const std::vector<std::string>& key_order) {
  const auto rank = [&](const std::string& name) {
    return std::find(key_order.begin(), key_order.end(), name) - key_order.begin();
  };
  std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    const auto rank_a = rank(a), rank_b = rank(b);
    return rank_a != rank_b ? rank_a < rank_b : a < b;
  });
}

yaml::Tree to_tree(const json::Value& value, const std::vector<std::string>& key_order) {
  using Type = json::Value::Type;
  switch (value.type()) {
    case Type::kString:
      return yaml::Tree::string(std::string(value.as_string()));
    case Type::kDouble:
      return yaml::Tree::plain(number_text(value.as_double()));
    case Type::kArray: {
      yaml::Tree out = yaml::Tree::list();
      for (const json::Value& item : value.items()) out.items.push_back(to_tree(item, key_order));
      return out;
    }
    case Type::kObject: {
      yaml::Tree out = yaml::Tree::map();
      std::vector<std::string> names;
      for (const json::Member& member : value.members()) names.emplace_back(member.name());
      sort_keys(names, key_order);
      for (std::string& name : names) {
        yaml::Tree member = to_tree(value[name], key_order);
        out.add(std::move(name), std::move(member));
      }
      return out;
    }
    default:
      return yaml::Tree::plain(json::print(value));
  }
}

bool same_value(const json::Value& a, const json::Value& b) {
  if (a.same_as(b) || a == b) return true;
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.type() == json::Value::Type::kDouble)
    return std::isnan(a.as_double()) && std::isnan(b.as_double());
  if (a.empty()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.is_array() && !same_value(a[i], b[i])) return false;
    if (a.is_object() && (a.members()[i].key != b.members()[i].key ||
                          !same_value(a.members()[i].value, b.members()[i].value)))
      return false;
  }
  return true;
}

}  // namespace portico::krm
