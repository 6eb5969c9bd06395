// Refs that are files of their own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/refs.h"

namespace portico::git {

/// What the file of a ref holds: an object id, or the name of another ref.
struct LooseRef {
  std::string name;
  Oid id;
  std::string target;  // of a symbolic ref; then `id` is zero
  bool operator==(const LooseRef&) const = default;
};

/// nullopt where there is no such file; kInvalid where it holds neither an id nor a name.
Result<std::optional<LooseRef>> read_loose_ref(const std::string& folder, const std::string& name);

/// Every loose ref below "refs/", sorted; broken files are left out. `lock_file`, where given,
/// hears of every path (below `folder`) that ends in ".lock".
Result<std::vector<LooseRef>> list_loose_refs(
    const std::string& folder, const std::function<void(const std::string&)>& lock_file = {});

}  // namespace portico::git
