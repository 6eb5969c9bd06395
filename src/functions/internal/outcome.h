// Builds the results and outcomes of built-in functions.
#pragma once

#include <string>
#include <utility>

#include "functions/function.h"

namespace portico::functions {

/// Fails like functions of kpt's Go SDK: one result, and a fixed line on stderr.
Outcome fail(krm::ResourceList list, std::string message, std::string severity = "error");
/// The same, with a result that refers to the function's config.
Outcome fail_at_config(krm::ResourceList list, std::string message);
/// Fails like functions of the kyaml framework: the result's text is also on stderr.
Outcome fail_framework(krm::ResourceList list, std::string message);

/// A result with the Go SDK's severity info.
krm::FunctionResult info(std::string message);
/// A result without severity, as in the kyaml framework.
krm::FunctionResult plain(std::string message);
/// The same, for a field of an item.
krm::FunctionResult plain_at(const krm::Item& item, std::string field_path, std::string message);

inline Outcome done(krm::ResourceList list) { return {std::move(list), "", 0}; }

}  // namespace portico::functions
