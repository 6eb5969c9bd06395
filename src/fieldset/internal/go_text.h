// Values in the notation of Go's fmt, as used in Kubernetes' error messages.
#pragma once

#include <string>

#include "json/value.h"

namespace portico::fieldset::internal {

/// %q of a string, %v of other scalars; lists and maps in brackets.
std::string scalar_text(const json::Value& value);
/// %v of a decoded value: map[a:b], [x y], x, <nil>.
std::string plain_text(const json::Value& value);
/// %#v of a decoded value: map[string]interface {}{"a":"b"}, "x", 5.
std::string syntax_text(const json::Value& value);
/// The Go type that a value is decoded to: string, int64, map[string]interface {}, ...
std::string type_text(const json::Value& value);

}  // namespace portico::fieldset::internal
