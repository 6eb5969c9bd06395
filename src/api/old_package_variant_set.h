// The PackageVariantSet of before (config.porch.kpt.dev/v1alpha1) becomes a v1alpha2 one, and back.
#pragma once

#include <string>
#include <string_view>
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

/// The v1alpha1 object that asks for the same variants as a v1alpha2 one: convert_old_set()
/// backwards. Repositories of one target become a target each; expressions are read where they are
/// sums of texts, packageDefault, target.name, target.namespace, labels and annotations of the
/// target. What convert_old_set() gives can always be said, and comes out of it again as it was.
///
/// kInvalid with the path of the first field that has no place there: policies, labels or
/// annotations that differ between targets, other expressions, pipelines, injectors, what v1alpha1
/// never had.
Result<json::Value> old_form_of_set(const json::Value& set);

/// An object of a kind of config.porch.kpt.dev in another of its versions. But for sets these
/// differ in the apiVersion alone. Errors as above.
Result<json::Value> in_version(const json::Value& object, std::string_view api_version);

}  // namespace portico::api
