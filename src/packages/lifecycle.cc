#include "packages/lifecycle.h"

namespace portico::packages {

const char* name(Transition transition) {
  switch (transition) {
    case Transition::kPropose:
      return "propose";
    case Transition::kApprove:
      return "approve";
    case Transition::kReject:
      return "reject";
    case Transition::kProposeDeletion:
      return "propose-delete";
    case Transition::kDelete:
      return "delete";
  }
  return "";
}

Result<Outcome> outcome(Transition transition, std::string_view lifecycle, std::int64_t revision) {
  const bool draft = lifecycle == "Draft", proposed = lifecycle == "Proposed",
             published = lifecycle == "Published", going = lifecycle == "DeletionProposed";
  if (!draft && !proposed && !published && !going)
    return invalid("unknown lifecycle \"{}\"", lifecycle);

  switch (transition) {
    case Transition::kPropose:
      if (draft) return Outcome::kProposed;
      if (proposed) return Outcome::kNothing;
      return invalid(
          "cannot propose a package revision with lifecycle {}; only a Draft can be proposed",
          lifecycle);
    case Transition::kApprove:
      if (proposed) return Outcome::kPublished;
      if (going)
        return invalid(
            "deletion is proposed; delete it to approve the deletion, or reject it to keep it");
      return invalid(
          "cannot approve package with {} lifecycle value; only Proposed packages can be approved",
          lifecycle);
    case Transition::kReject:
      if (proposed) return Outcome::kDraft;
      if (going) return Outcome::kRestored;
      return invalid(
          "cannot reject package revision with lifecycle {}; it is not proposed for approval or "
          "deletion",
          lifecycle);
    case Transition::kProposeDeletion:
      if (published && revision >= 0) return Outcome::kDeletionProposed;
      if (published)
        return invalid(
            "this is the head of the branch, not a published revision; delete the published "
            "revisions of the package instead");
      if (going) return Outcome::kNothing;
      return invalid("cannot propose deletion with lifecycle {}; delete it instead", lifecycle);
    case Transition::kDelete:
      if (published && revision >= 0)
        return invalid(
            "published PackageRevisions must be proposed for deletion by setting spec.lifecycle to "
            "'DeletionProposed' prior to deletion");
      return Outcome::kGone;
  }
  return internal("unknown transition");
}

std::vector<std::string> unmet_gates(const json::Value& package_revision) {
  std::vector<std::string> unmet;
  for (const json::Value& gate : package_revision["spec"]["readinessGates"].items()) {
    const std::string_view type = gate["conditionType"].as_string();
    bool met = false;
    for (const json::Value& condition : package_revision["status"]["conditions"].items())
      met = met ||
            (condition["type"].as_string() == type && condition["status"].as_string() == "True");
    if (!met) unmet.emplace_back(type);
  }
  return unmet;
}

}  // namespace portico::packages
