// What the structs of this module look like as JSON: the skeleton of a kind's definition.
#pragma once

#include "json/value.h"

namespace portico::api {

/// The fields of T, as decode() reads and encode() writes them, as an OpenAPI v3 schema: types,
/// properties and items alone. What may be anything has x-kubernetes-preserve-unknown-fields, what
/// is read from a number or a text x-kubernetes-int-or-string. Only the types that this module
/// instantiates link.
template <class T>
json::Value shape();

}  // namespace portico::api
