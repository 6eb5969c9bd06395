// How the built-in functions end: with results, well or badly.
#pragma once

#include <string>
#include <utility>

#include "functions/function.h"

namespace portico::functions {

/// Fails as functions of kpt's Go SDK do: one result, and a fixed line on stderr.
Outcome fail(krm::ResourceList list, std::string message, std::string severity = "error");
/// The same, the result pointing at the function's config.
Outcome fail_at_config(krm::ResourceList list, std::string message);
/// Fails as functions of the kyaml framework do: the result's text is on stderr too.
Outcome fail_framework(krm::ResourceList list, std::string message);

/// A result with severity info of the Go SDK.
krm::FunctionResult info(std::string message);
/// A result without severity, as the kyaml framework writes them.
krm::FunctionResult plain(std::string message);
/// The same about a field of an item.
krm::FunctionResult plain_at(const krm::Item& item, std::string field_path, std::string message);

inline Outcome done(krm::ResourceList list) { return {std::move(list), "", 0}; }

}  // namespace portico::functions
