// Which items of three versions of a list are the same item.
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
struct Trio {
  std::size_t base = kNoItem, theirs = kNoItem, ours = kNoItem;
};

/// The items by the keys of `rule` (kMap or kFunctions): those of `ours` in their order, then those
/// that only `theirs` has (beside perhaps `base`) in theirs. What only `base` has is left out.
/// Functions are paired by name, those without one by what they run; where one version runs one
/// thing twice without names, by all that they say.
/// A secondary key that one item lacks agrees with every value, as in kyaml; exact agreement and
/// the default protocol TCP come first. Nothing where an item lacks the primary key, or two items
/// of one version have the same: then the list can only be taken as a whole.
std::optional<std::vector<Trio>> pair_items(const ListRule& rule, const json::Value& base,
                                            const json::Value& theirs, const json::Value& ours);

/// How people name an item: "name=web"; several keys with ',' between.
std::string item_label(const ListRule& rule, const json::Value& item);

/// What tells a function of a pipeline apart when it has no name: the image without its tag or
/// digest, or the program. "" where there is neither.
std::string function_identity(const json::Value& function);

}  // namespace portico::merge::internal
