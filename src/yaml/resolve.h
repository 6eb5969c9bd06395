// What a plain scalar means: go-yaml v3's types (YAML 1.2 core and some of 1.1), as kyaml has them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "yaml/document.h"

namespace portico::yaml {

enum class Type : std::uint8_t { kNull, kBool, kInt, kUint, kFloat, kString, kMerge };

struct Resolved {
  Type type = Type::kString;
  union {
    bool boolean;
    std::int64_t integer;
    std::uint64_t unsigned_integer;  // only beyond int64
    double number = 0;
  };
};

/// An untagged plain scalar. 0644, 0o644, 0x1F, 0b11 and 1_000 are integers, yes and on strings;
/// "<<" is kMerge. Timestamps are strings, as they are in JSON.
Resolved resolve_plain(std::string_view text);

/// A scalar node: quoted ones are strings, a standard tag wins over the look. kInvalid, with
/// "line:column", where the text is not what its tag says. A tag that is not YAML's own makes a
/// string.
Result<Resolved> resolve(const Document& document, NodeId id);

/// True where YAML 1.1 (which go-yaml v2 and many functions read) sees no string in the plain text:
/// resolve_plain's types and yes, on, y, 1:20, timestamps, 012 and so on.
bool looks_typed_in_yaml11(std::string_view text);

}  // namespace portico::yaml
