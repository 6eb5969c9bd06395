// Types of plain scalars, as in go-yaml v3 (YAML 1.2 core and parts of 1.1) and kyaml.
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
    std::uint64_t unsigned_integer;  // only above the int64 range
    double number = 0;
  };
};

/// Resolves an untagged plain scalar. 0644, 0o644, 0x1F, 0b11 and 1_000 are integers; yes and on
/// are strings; "<<" is kMerge. Timestamps are strings, as in JSON.
Resolved resolve_plain(std::string_view text);

/// Resolves a scalar node. Quoted scalars are strings; a standard tag overrides the look of the
/// text. kInvalid, with "line:column", if the text does not match its tag. A tag outside YAML's own
/// makes the scalar a string.
Result<Resolved> resolve(const Document& document, NodeId id);

/// True if YAML 1.1 (read by go-yaml v2 and many functions) does not read the plain text as a
/// string: resolve_plain's types, and yes, on, y, 1:20, timestamps, 012 and so on.
bool looks_typed_in_yaml11(std::string_view text);

}  // namespace portico::yaml
