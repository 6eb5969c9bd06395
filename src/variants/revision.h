// A package revision as the input of decisions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/package_revision.h"

namespace portico::variants {

/// A PackageRevision with additional facts about it. Copies share the object.
struct Revision {
  std::shared_ptr<const api::PackageRevision> object;  // never null
  std::string tree;     // of the package's content: equal content, equal tree; "" if unknown
  std::string variant;  // "namespace/name" of the variant that its newest commit names; or ""

  const api::PackageRevisionSpec& spec() const { return object->spec; }
  const std::string& name() const { return object->metadata.name; }
  bool is(krm::Lifecycle lifecycle) const {
    return krm::parse_lifecycle(object->spec.lifecycle) == lifecycle;
  }
  /// Published, or Published and proposed for deletion.
  bool published() const {
    const auto lifecycle = krm::parse_lifecycle(object->spec.lifecycle);
    return lifecycle && krm::is_published(*lifecycle);
  }

  bool operator==(const Revision& other) const {
    return (object == other.object || *object == *other.object) && tree == other.tree &&
           variant == other.variant;
  }
};

/// The last segment of the revision's git ref: "v3", "v2.1.0", "main"; its workspace name if the
/// ref is unknown.
std::string_view ref_tail(const Revision& revision);

/// Whether it is the head of the repository's branch, which Porch shows as a revision with number
/// -1 and the branch's name as workspace. Other revisions with -1 are tags that are not numbers.
bool is_branch_head(const Revision& revision);

}  // namespace portico::variants
