// Pairs the items of three versions of a list.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "merge/schema.h"

namespace portico::merge::internal {

inline constexpr std::size_t kNoItem = static_cast<std::size_t>(-1);

/// Indices of one item in the three versions; kNoItem where a version does not have it.
struct ItemMatch {
  std::size_t base = kNoItem, theirs = kNoItem, ours = kNoItem;
};

/// Pairs items by the keys of `rule` (kMap or kFunctions). The items of `ours` come first, in their
/// order; then the items of `theirs` that `ours` lacks, in their order. Items only in `base` are
/// omitted. Functions are paired by name, functions without a name by what they run; where one
/// version runs the same thing twice without names, by their whole content. A secondary key that
/// one item lacks matches every value, as in kyaml; exact matches and the default protocol TCP take
/// precedence. nullopt if an item lacks the primary key or two items of one version have the same
/// keys: the list can then only be taken as a whole.
std::optional<std::vector<ItemMatch>> pair_items(const ListRule& rule, const json::Value& base,
                                                 const json::Value& theirs,
                                                 const json::Value& ours);

/// Readable identity of an item: "name=web"; several keys are separated by ','.
std::string item_label(const ListRule& rule, const json::Value& item);

/// Identifies a pipeline function that has no name: the image without its tag or digest, or the
/// executable. "" where there is neither.
std::string function_identity(const json::Value& function);

}  // namespace portico::merge::internal
