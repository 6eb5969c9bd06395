// Object metadata (metav1): its structure, and the rules for names, labels and owner references.
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
  std::vector<std::string> unknown;  // paths of unknown metadata fields, in order of the walk
};

/// `object` with its metadata, and those of embedded resources, in the form of metav1.ObjectMeta:
/// without unknown and without empty fields. kInvalid if a member's type differs from metav1's; the
/// message is that of a Status ("spec.template.metadata: Invalid value: ...").
Result<Coerced> coerce_metadata(const json::Value& object, const Schema& schema);

/// Which names an object may have.
enum class NameRule {
  kSubdomain,    // DNS subdomain: most kinds
  kLabel,        // DNS label: namespaces
  kLetterLabel,  // DNS-1035 label, which begins with a letter: definitions' names
  kPathSegment,  // anything that is valid in a URL path: RBAC, embedded resources
};

/// What is wrong with the name, with Kubernetes' message; "" if it is valid.
std::string name_fault(std::string_view name, NameRule rule);
/// What is wrong with "prefix/name", the form of label and annotation keys.
std::vector<std::string> qualified_name_faults(std::string_view name);

/// What is wrong with the metadata at `path`: name or generateName, namespace, labels, annotations,
/// owner references, finalizers. The namespace is checked if `namespaced`; otherwise it must not be
/// set.
std::vector<Cause> metadata_causes(const json::Value& metadata, std::string_view path,
                                   NameRule rule, bool namespaced);

/// The same for embedded resources in `object`, and for their apiVersion and kind.
std::vector<Cause> embedded_causes(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
