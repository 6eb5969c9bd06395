// The colours of what people look at: how an object fares, where a revision is in its life.
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

/// Of a cell of an object's table, by the name of its column in capitals.
terminal::Colour colour_of_cell(std::string_view column, std::string_view cell,
                                const json::Value& object);

}  // namespace portico::cli
