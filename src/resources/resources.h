// How people write kinds on the command line, and what a table shows of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// Of "pv", "packagevariants", "PackageVariant", "packagevariants.config.porch.kpt.dev": the kind.
/// `present` are the kinds that the store holds, so that any object can be asked for by its kind.
/// kInvalid lists what there is.
Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present);

/// "packagevariants" of PackageVariant.
std::string plural(const krm::GroupKind& kind);

/// "packagevariant.config.porch.kpt.dev/web", as kubectl -o name.
std::string name_line(const json::Value& object);

/// One row of the table of an object's kind, after its head. `wide` adds columns; `now` for AGE.
std::vector<std::string> table_head(const krm::GroupKind& kind, bool wide);
std::vector<std::string> table_row(const json::Value& object, bool wide, std::string_view now);

/// The condition's status, "" where there is none.
std::string condition_status(const json::Value& object, std::string_view type);
/// Ready's state in one word and its message: what a person must know of the object first.
std::string state_of(const json::Value& object);

/// "5m", "3h12m", "41d" between two RFC 3339 times.
std::string age(std::string_view from, std::string_view to);

}  // namespace portico::resources
