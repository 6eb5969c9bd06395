#include "krm/lifecycle.h"

namespace portico::krm {

const char* name(Lifecycle lifecycle) {
  switch (lifecycle) {
    case Lifecycle::kDraft:
      return "Draft";
    case Lifecycle::kProposed:
      return "Proposed";
    case Lifecycle::kPublished:
      return "Published";
    case Lifecycle::kDeletionProposed:
      return "DeletionProposed";
  }
  return "Draft";
}

std::optional<Lifecycle> parse_lifecycle(std::string_view text) {
  for (const Lifecycle each : {Lifecycle::kDraft, Lifecycle::kProposed, Lifecycle::kPublished,
                               Lifecycle::kDeletionProposed})
    if (text == name(each)) return each;
  return std::nullopt;
}

}  // namespace portico::krm
