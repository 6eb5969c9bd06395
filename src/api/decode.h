// From JSON values to the structs of this module and back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::api {

template <class T>
struct Decoded {
  T value;
  /// One line each, with the path: forms that are taken though they are not quite right (one object
  /// where a list is expected).
  std::vector<std::string> warnings;
  /// Fields that there are not, with the nearest that there is: `unknown field "spec.upstrem"; did
  /// you mean "spec.upstream"?`. The first hundred.
  std::vector<Cause> unknown;
};

/// Reads a T: one of the kinds of this module, or one of their specs. Fields of the wrong type are
/// kInvalid with their paths, all of them together (refusal.h): "spec.targets[0].template: must be
/// an object, found \"x\"". null is the same as absent. Nothing is filled in and nothing is
/// judged: see with_defaults() and validate() of each kind.
/// Only the types that this module instantiates link; a kind refuses an object of another kind.
template <class T>
Result<Decoded<T>> decode_reporting(const json::Value& value);

/// The same without the warnings.
template <class T>
Result<T> decode(const json::Value& value) {
  auto decoded = decode_reporting<T>(value);
  if (!decoded) return std::move(decoded).error();
  return std::move(decoded->value);
}

/// The inverse: empty strings, lists and maps, false, 0 and absent optionals are left out, as Go's
/// omitempty does. Kinds carry their apiVersion and kind.
template <class T>
json::Value encode(const T& value);

}  // namespace portico::api
