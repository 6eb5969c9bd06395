// JSON encoding of PackageStore results, between a Portico client and server. Pure.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "packages/package_store.h"

namespace portico::packages {

json::Value to_json(const std::vector<Change>& changes);
Result<std::vector<Change>> changes_from_json(const json::Value& value);

/// {} if there is none.
json::Value to_json(const std::optional<Pristine>& pristine);
std::optional<Pristine> pristine_from_json(const json::Value& value);

json::Value to_json(const Synced& synced);
Synced synced_from_json(const json::Value& value);

}  // namespace portico::packages
