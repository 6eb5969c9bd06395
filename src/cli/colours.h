// Colors for output: the health of an object, the lifecycle of a revision.
#pragma once

#include <optional>
#include <string_view>

#include "api/health.h"
#include "json/value.h"
#include "krm/lifecycle.h"
#include "terminal/terminal.h"

namespace portico::cli {

terminal::Colour colour_of(api::Health health);
terminal::Colour colour_of(std::optional<krm::Lifecycle> lifecycle);

/// The color of a table cell; `column` is the column's name in capitals.
terminal::Colour colour_of_cell(std::string_view column, std::string_view cell,
                                const json::Value& object);

}  // namespace portico::cli
