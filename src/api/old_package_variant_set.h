// Converts v1alpha1 PackageVariantSets (config.porch.kpt.dev) to v1alpha2 and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::api {

/// Whether `object` is a PackageVariantSet with apiVersion v1alpha1.
bool is_old_set(const json::Value& object);

struct ConvertedSet {
  json::Value object;  // v1alpha2; metadata and all members besides spec are unchanged
  std::vector<std::string> warnings;
};

/// The v1alpha2 object that describes the same variants:
///
///   v1alpha1                                v1alpha2
///   upstream.package.repo, .name            upstream.repo, .package
///   upstream.revision, .ref                 upstream.revision, .tag
///   targets[].package                       repositories, with one package name
///   targets[].repositories                  repositorySelector; {a: b} is matchLabels {a: b}
///   targets[].objects.selectors[]           objectSelector, one target for each
///   targets[].objects.repoName              template.downstream.repo or repoExpr
///   targets[].packageName                   template.downstream.package or packageExpr
///   adoptionPolicy, deletionPolicy,         the same in every target's template
///   labels, annotations
///
/// kInvalid, with the path of the field and what to write instead, if there is no such object: for
/// a fromField other than apiVersion, kind, metadata.name, metadata.namespace, a label or an
/// annotation; for annotations or another namespace in an object selector; and for a field that
/// v1alpha1 does not have, because it would be lost. A set that is invalid in v1alpha1 is also
/// kInvalid if it could be misinterpreted.
Result<ConvertedSet> convert_old_set(const json::Value& old);

/// The inverse of convert_old_set(): the v1alpha1 object that describes the same variants as a
/// v1alpha2 one. Each repository of a target becomes a target of its own. Expressions are supported
/// if they are sums of string literals, packageDefault, target.name, target.namespace, labels and
/// annotations of the target. Every result of convert_old_set() can be converted, and converting it
/// again yields the same.
///
/// kInvalid with the path of the first field that v1alpha1 cannot express: policies, labels or
/// annotations that differ between targets, other expressions, pipelines, injectors, and all fields
/// that v1alpha1 does not have.
Result<json::Value> old_form_of_set(const json::Value& set);

/// Converts an object of a config.porch.kpt.dev kind to another version. Except for sets the
/// versions differ only in apiVersion. Errors as above.
Result<json::Value> in_version(const json::Value& object, std::string_view api_version);

}  // namespace portico::api
