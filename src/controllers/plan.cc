#include "controllers/plan.h"

#include <algorithm>

namespace portico::controllers {

namespace {

const char* word_of(variants::Farewell farewell) {
  switch (farewell) {
    case variants::Farewell::kNone:
      return "keep";
    case variants::Farewell::kDelete:
      return "remove";
    case variants::Farewell::kProposeDeletion:
    case variants::Farewell::kProposeAndRelease:
      return "proposeDeletion";
    case variants::Farewell::kRelease:
      return "orphan";
  }
  return "keep";
}

}  // namespace

std::vector<Fate> fates_of(const variants::Step& step) {
  std::vector<Fate> out;
  if (const auto* let_go = std::get_if<variants::LetGo>(&step))
    for (const auto& [revision, farewell] : let_go->revisions)
      out.push_back({revision.name(), word_of(farewell)});
  if (const auto* propose = std::get_if<variants::Propose>(&step))
    out.push_back({propose->draft.name(), "propose"});
  if (const auto* back = std::get_if<variants::TakeBack>(&step))
    out.push_back({back->proposed.name(), "takeBack"});
  if (const auto* approve = std::get_if<variants::Approve>(&step))
    out.push_back({approve->proposed.name(), "publish"});
  if (const auto* drop = std::get_if<variants::DropDraft>(&step))
    out.push_back({drop->draft.name(), "remove"});
  if (const auto* restore = std::get_if<variants::Restore>(&step))
    for (const variants::Revision& each : restore->revisions)
      out.push_back({each.name(), "restore"});
  if (const auto* adopt = std::get_if<variants::Adopt>(&step))
    for (const variants::Revision& each : adopt->revisions) out.push_back({each.name(), "adopt"});
  return out;
}

bool Plan::changes() const {
  return std::any_of(sets.begin(), sets.end(),
                     [](const PlannedSet& set) { return !set.actions.empty(); }) ||
         std::any_of(variants.begin(), variants.end(),
                     [](const PlannedVariant& step) { return step.changes(); });
}

bool Plan::failed() const {
  return std::any_of(errors.begin(), errors.end(),
                     [](const PlannedError& error) { return error.asked || !error.before; });
}

}  // namespace portico::controllers
