// Modules for Starlark programs that need no network, files or clock.
#pragma once

#include <optional>
#include <string_view>

#include "starlark/program.h"

namespace portico::starlark_lib {

/// The members of a module; nullopt for an unknown name:
///
///   encoding/json.star    json.encode, decode, indent (go.starlark.net lib/json)
///   math.star             math.ceil, floor, sqrt, log, pi, ... (go.starlark.net lib/math)
///   re.star               re.compile, search, match, split, findall, sub (starlib v0.5.0); RE2
///   hash.star             hash.md5, sha1, sha256 (starlib)
///   encoding/base64.star  base64.encode, decode (starlib)
///   encoding/csv.star     csv.read_all, write_all (starlib)
///
/// Names, results and messages are those of the libraries named above.
std::optional<starlark::Members> find_module(starlark::Heap& heap, std::string_view name);

}  // namespace portico::starlark_lib
