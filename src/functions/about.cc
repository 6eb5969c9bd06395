#include "functions/about.h"

#include <algorithm>
#include <iterator>

namespace portico::functions {
namespace {

constexpr About kAbout[] = {
    {"apply-replacements", "Copies values between fields of resources",
     "ApplyReplacements (fn.kpt.dev/v1alpha1)\n"
     "  replacements: [{source: {kind, name, fieldPath}, targets: [{select, fieldPaths}]}]\n"},
    {"apply-setters", "Sets the values of fields that have a comment \"# kpt-set: ${NAME}\"",
     "ConfigMap\n  data: {NAME: VALUE}\n"},
    {"create-setters", "Adds \"# kpt-set\" comments to fields with the given values",
     "ConfigMap\n  data: {NAME: VALUE}\n"},
    {"delete-resource", "Removes resources from the package",
     "ConfigMap\n  data: what to match: kind, name, namespace, ...\n"},
    {"ensure-name-substring", "Adds a prefix or suffix to resource names that do not have it",
     "ConfigMap\n  data: {prepend: TEXT} or {append: TEXT}\n"},
    {"fix", "Migrates Kptfiles of older kpt versions to the current version", "none\n"},
    {"format", "Formats resources: orders fields as kpt does", "none\n"},
    {"kubeval", "Validates resources against the Kubernetes schemas",
     "ConfigMap\n  data: {strict: \"true\", skip_kinds: A,B, ...}\n"},
    {"list-setters", "Lists the setters of a package as results", "none\n"},
    {"remove-local-config-resources",
     "Removes resources with the annotation config.kubernetes.io/local-config", "none\n"},
    {"search-replace", "Finds fields by path or value, and sets their values or comments",
     "ConfigMap\n  data: by-path, by-value, by-value-regex, by-file-path, put-value, "
     "put-comment\n"},
    {"set-annotations", "Sets annotations on all resources", "ConfigMap\n  data: {KEY: VALUE}\n"},
    {"set-image", "Changes names, tags and digests of container images",
     "ConfigMap\n  data: {name: REGEX, newName: NAME, newTag: TAG, digest: DIGEST}\n"},
    {"set-labels", "Sets labels on all resources, and in their selectors and templates",
     "ConfigMap\n  data: {KEY: VALUE}\n"},
    {"set-name-prefix", "Adds a prefix to the names of resources, and updates references",
     "ConfigMap\n  data: {prefix: TEXT}\n"},
    {"set-namespace", "Sets the namespace of resources, and updates references",
     "ConfigMap\n  data: {namespace: NAME}\n"},
    {"set-project-id", "Sets the project ID of Google Cloud packages",
     "ConfigMap\n  data: {project-id: ID}\n"},
    {"starlark", "Runs a Starlark program on the resources",
     "StarlarkRun (fn.kpt.dev/v1alpha1)\n  source: PROGRAM\n  params: {NAME: VALUE}\n"},
    {"upsert-resource", "Replaces the resource with the same name, or adds it",
     "the resource itself, or a List\n"},
};

}  // namespace

const About* about(std::string_view name) {
  const auto* at = std::find_if(std::begin(kAbout), std::end(kAbout),
                                [&](const About& each) { return each.name == name; });
  return at == std::end(kAbout) ? nullptr : at;
}

}  // namespace portico::functions
