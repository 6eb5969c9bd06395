// The PackageVariantSet of before (config.porch.kpt.dev/v1alpha1) becomes a v1alpha2 one.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::api {

/// True for a PackageVariantSet that says it is v1alpha1.
bool is_old_set(const json::Value& object);

struct ConvertedSet {
  json::Value object;  // v1alpha2; metadata and whatever else stands beside spec as they were
  std::vector<std::string> warnings;
};

/// The v1alpha2 object that asks for the same variants:
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
/// kInvalid, with the path of the field and what to write instead, where there is no such object: a
/// fromField other than apiVersion, kind, metadata.name, metadata.namespace, a label or an
/// annotation; annotations or a foreign namespace in an object selector; and a field that v1alpha1
/// does not have, which would be lost. A set that v1alpha1 itself refuses is kInvalid too where it
/// could be taken for something else.
Result<ConvertedSet> convert_old_set(const json::Value& old);

}  // namespace portico::api
