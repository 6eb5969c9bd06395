// Converts JSON values to the structs of this module and back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::api {

template <class T>
struct Decoded {
  T value;
  /// One line each, with the path: input that is accepted although it is not quite correct (a
  /// single object where a list is expected).
  std::vector<std::string> warnings;
  /// Fields that do not exist, each with the closest existing name: `unknown field "spec.upstrem";
  /// did you mean "spec.upstream"?`. At most 100.
  std::vector<Cause> unknown;
};

/// Reads a T: one of the kinds of this module, or one of their specs. Fields of the wrong type are
/// kInvalid, all together (refusal.h), each with its path: "spec.targets[0].template: must be an
/// object, found \"x\"". null is treated as absent. Neither fills in defaults nor validates: see
/// with_defaults() and validate() of each kind. A kind rejects an object of another kind. Links
/// only for the types that this module instantiates.
template <class T>
Result<Decoded<T>> decode_reporting(const json::Value& value);

/// The same without the warnings.
template <class T>
Result<T> decode(const json::Value& value) {
  auto decoded = decode_reporting<T>(value);
  if (!decoded) return std::move(decoded).error();
  return std::move(decoded->value);
}

/// The inverse: empty strings, lists and maps, false, 0 and absent optionals are left out, as with
/// Go's omitempty. Kinds include their apiVersion and kind.
template <class T>
json::Value encode(const T& value);

}  // namespace portico::api
