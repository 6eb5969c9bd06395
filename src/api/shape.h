// The JSON structure of this module's structs: the skeleton of a CRD schema.
#pragma once

#include "json/value.h"

namespace portico::api {

/// The fields of T, as read by decode() and written by encode(), as an OpenAPI v3 schema with only
/// types, properties and items. Values of any type get x-kubernetes-preserve-unknown-fields, values
/// read from a number or a string get x-kubernetes-int-or-string. Links only for the types that
/// this module instantiates.
template <class T>
json::Value shape();

}  // namespace portico::api
