// Object metadata as metav1 has them: their shape, and the rules of names, labels and owners.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

struct Coerced {
  json::Value object;
  std::vector<std::string> unknown;  // paths of what metadata do not have, in order of the walk
};

/// `object` with its metadata, and those of embedded resources, as metav1.ObjectMeta holds them:
/// without what it does not have and without what is empty. kInvalid where a member has another
/// type than metav1's; the text is that of a Status ("spec.template.metadata: Invalid value: ...").
Result<Coerced> coerce_metadata(const json::Value& object, const Schema& schema);

/// Which names an object may have.
enum class NameRule {
  kSubdomain,    // DNS subdomain: most kinds
  kLabel,        // DNS label: namespaces
  kLetterLabel,  // DNS-1035 label, which begins with a letter: what definitions name
  kPathSegment,  // anything that fits into a URL's path: RBAC, embedded resources
};

/// What is wrong with the name, "" where nothing is: Kubernetes' texts.
std::string name_fault(std::string_view name, NameRule rule);
/// The faults of "prefix/name", as keys of labels and annotations are.
std::vector<std::string> qualified_name_faults(std::string_view name);

/// What the metadata of an object may not say: name or generateName, namespace, labels,
/// annotations, owners, finalizers. `path` is where the metadata stand. The namespace is looked at
/// where `namespaced`; it may not be set elsewhere.
std::vector<Cause> metadata_causes(const json::Value& metadata, std::string_view path,
                                   NameRule rule, bool namespaced);

/// The same for embedded resources in `object`, with their apiVersion and kind.
std::vector<Cause> embedded_causes(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
