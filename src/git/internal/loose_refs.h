// Reads loose refs: one file per ref.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/refs.h"

namespace portico::git {

/// The content of a ref's file: an object id, or the name of another ref.
struct LooseRef {
  std::string name;
  Oid id;
  std::string target;  // of a symbolic ref, whose `id` is zero
  bool operator==(const LooseRef&) const = default;
};

/// nullopt if there is no such file; kInvalid if it holds neither an id nor a ref name.
Result<std::optional<LooseRef>> read_loose_ref(const std::string& folder, const std::string& name);

/// Every loose ref below "refs/", sorted; broken files are left out. `lock_file`, if given, is
/// called with every path (relative to `folder`) that ends in ".lock".
Result<std::vector<LooseRef>> list_loose_refs(
    const std::string& folder, const std::function<void(const std::string&)>& lock_file = {});

}  // namespace portico::git
