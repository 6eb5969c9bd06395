#include "merge/internal/pair_items.h"

#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "json/text.h"

namespace portico::merge::internal {
namespace {

/// The key values of one item, as text; "" for a missing key.
using Identity = std::vector<std::string>;

std::string scalar_text(const json::Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  return value.is_null() ? std::string() : json::print(value);
}

Identity identity(const ListRule& rule, const json::Value& item) {
  Identity values;
  for (const std::string& key : rule.keys) values.push_back(scalar_text(item[key]));
  return values;
}

/// What unnamed functions run, if some version runs it more than once.
std::set<std::string> ambiguous_functions(std::initializer_list<const json::Value*> versions) {
  std::set<std::string> ambiguous;
  for (const json::Value* list : versions) {
    std::set<std::string> seen;
    for (const json::Value& function : list->items())
      if (scalar_text(function["name"]).empty()) {
        std::string runs = function_identity(function);
        if (!seen.insert(runs).second) ambiguous.insert(std::move(runs));
      }
  }
  return ambiguous;
}

/// The number of values differs by kind of identity, so the kinds never compare equal.
Identity identity(const json::Value& function, const std::set<std::string>& ambiguous) {
  std::string name = scalar_text(function["name"]);
  if (!name.empty()) return {std::move(name)};
  std::string runs = function_identity(function);
  if (ambiguous.contains(runs)) return {std::move(runs), json::print(function), ""};
  return {std::move(runs), ""};
}

/// nullopt if the items cannot be told apart.
std::optional<std::vector<Identity>> identities(const ListRule& rule, const json::Value& list,
                                                const std::set<std::string>& ambiguous) {
  std::vector<Identity> all;
  std::set<Identity> seen;
  for (const json::Value& item : list.items()) {
    Identity own =
        rule.kind == ListRule::Kind::kFunctions ? identity(item, ambiguous) : identity(rule, item);
    if (own.empty() || own.front().empty() || !seen.insert(own).second) return {};
    all.push_back(std::move(own));
  }
  return all;
}

enum class Strictness { kExact, kDefaults, kWildcard };

bool agree(const ListRule& rule, const Identity& a, const Identity& b, Strictness strictness) {
  if (strictness == Strictness::kExact) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!a[i].empty() && !b[i].empty()) return false;
    const std::string& given = a[i].empty() ? b[i] : a[i];
    const bool is_default = rule.keys[i] == "protocol" && given == "TCP";
    if (strictness == Strictness::kDefaults && !is_default) return false;
  }
  return true;
}

struct Pairing {
  const ListRule& rule;
  std::vector<ItemMatch> trios;
  std::vector<Identity> names;  // of the trios

  /// Assigns each unassigned item to the first trio that matches and has no item on this side.
  void assign(std::size_t ItemMatch::*side, const std::vector<Identity>& items,
              std::vector<bool>& taken, Strictness strictness) {
    std::map<Identity, std::size_t> by_name;
    if (strictness == Strictness::kExact)
      for (std::size_t i = 0; i < trios.size(); ++i) by_name.emplace(names[i], i);
    for (std::size_t item = 0; item < items.size(); ++item) {
      if (taken[item]) continue;
      std::size_t match = kNoItem;
      if (strictness == Strictness::kExact) {
        const auto at = by_name.find(items[item]);
        if (at != by_name.end()) match = at->second;
      } else {
        for (std::size_t i = 0; i < trios.size() && match == kNoItem; ++i)
          if (trios[i].*side == kNoItem && agree(rule, names[i], items[item], strictness))
            match = i;
      }
      if (match == kNoItem || trios[match].*side != kNoItem) continue;
      trios[match].*side = item;
      taken[item] = true;
    }
  }

  void assign_all(std::size_t ItemMatch::*side, const std::vector<Identity>& items,
                  std::vector<bool>& taken) {
    assign(side, items, taken, Strictness::kExact);
    if (rule.keys.size() < 2) return;
    assign(side, items, taken, Strictness::kDefaults);
    assign(side, items, taken, Strictness::kWildcard);
  }
};

}  // namespace

std::optional<std::vector<ItemMatch>> pair_items(const ListRule& rule, const json::Value& base,
                                                 const json::Value& theirs,
                                                 const json::Value& ours) {
  std::set<std::string> ambiguous;
  if (rule.kind == ListRule::Kind::kFunctions)
    ambiguous = ambiguous_functions({&base, &theirs, &ours});
  const auto base_names = identities(rule, base, ambiguous);
  const auto their_names = identities(rule, theirs, ambiguous);
  const auto our_names = identities(rule, ours, ambiguous);
  if (!base_names || !their_names || !our_names) return {};

  Pairing pairing{rule, {}, *our_names};
  for (std::size_t i = 0; i < our_names->size(); ++i)
    pairing.trios.push_back({kNoItem, kNoItem, i});
  std::vector<bool> theirs_taken(their_names->size()), base_taken(base_names->size());
  pairing.assign_all(&ItemMatch::theirs, *their_names, theirs_taken);
  for (std::size_t i = 0; i < their_names->size(); ++i) {
    if (theirs_taken[i]) continue;
    pairing.trios.push_back({kNoItem, i, kNoItem});
    pairing.names.push_back((*their_names)[i]);
  }
  pairing.assign_all(&ItemMatch::base, *base_names, base_taken);
  return std::move(pairing.trios);
}

std::string item_label(const ListRule& rule, const json::Value& item) {
  if (rule.kind == ListRule::Kind::kFunctions) {
    const std::string name = scalar_text(item["name"]);
    return name.empty() ? function_identity(item) : "name=" + name;
  }
  std::string label;
  for (const std::string& key : rule.keys) {
    const std::string value = scalar_text(item[key]);
    if (value.empty()) continue;
    if (!label.empty()) label += ',';
    label += key + "=" + value;
  }
  return label;
}

std::string function_identity(const json::Value& function) {
  const std::string_view program = function["exec"].as_string();
  if (!program.empty()) return std::string(program);
  std::string_view image = function["image"].as_string();
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.find(':', slash == std::string_view::npos ? 0 : slash);
  return std::string(image.substr(0, colon));
}

}  // namespace portico::merge::internal
