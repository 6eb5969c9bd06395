#include "cli/colours.h"

#include "resources/state.h"

namespace portico::cli {

using terminal::Colour;

Colour colour_of(api::Health health) {
  return health == api::Health::kHealthy   ? Colour::kGreen
         : health == api::Health::kWaiting ? Colour::kYellow
                                           : Colour::kRed;
}

Colour colour_of(std::optional<krm::Lifecycle> lifecycle) {
  if (lifecycle == krm::Lifecycle::kPublished) return Colour::kGreen;
  return lifecycle == krm::Lifecycle::kDeletionProposed ? Colour::kDim : Colour::kYellow;
}

Colour colour_of_cell(std::string_view column, std::string_view cell, const json::Value& object) {
  if (cell.empty() || cell == "-") return Colour::kPlain;
  if (column == "STATE") return colour_of(resources::health_of(object));
  if (column == "LIFECYCLE") return colour_of(krm::parse_lifecycle(cell));
  // READY may also hold a count, which has no color.
  if (column == "READY" && cell == "True") return Colour::kGreen;
  if (column == "READY" && cell == "False") return Colour::kRed;
  if (column == "TYPE" && cell == "Warning") return Colour::kYellow;
  return Colour::kPlain;
}

}  // namespace portico::cli
