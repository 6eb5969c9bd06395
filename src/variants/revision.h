// A package revision as decisions see it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/package_revision.h"

namespace portico::variants {

/// A PackageRevision and what is known of it besides. Copies share the object.
struct Revision {
  std::shared_ptr<const api::PackageRevision> object;  // never null
  std::string tree;     // of the package's content: equal content, equal tree; "" where not known
  std::string variant;  // "namespace/name" of the variant its newest commit names; or ""

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

/// The last segment of the ref a revision lies at: "v3", "v2.1.0", "main"; its workspace name where
/// the ref is not known.
std::string_view ref_tail(const Revision& revision);

/// The head of the repository's branch, which Porch shows as a revision with number -1 and the
/// branch's name as workspace. Other revisions with -1 lie at tags that are no numbers.
bool is_branch_head(const Revision& revision);

}  // namespace portico::variants
