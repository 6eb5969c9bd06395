#include "functions/about.h"

#include <algorithm>
#include <iterator>

namespace portico::functions {
namespace {

constexpr About kAbout[] = {
    {"apply-replacements", "Copies values between fields of resources",
     "ApplyReplacements (fn.kpt.dev/v1alpha1)\n"
     "  replacements: [{source: {kind, name, fieldPath}, targets: [{select, fieldPaths}]}]\n"},
    {"apply-setters",
     "Gives the fields with a comment \"# kpt-set: ${NAME}\" the values of setters",
     "ConfigMap\n  data: {NAME: VALUE}\n"},
    {"create-setters", "Writes \"# kpt-set\" comments beside the values that setters are to have",
     "ConfigMap\n  data: {NAME: VALUE}\n"},
    {"delete-resource", "Takes resources out of the package",
     "ConfigMap\n  data: what to match: kind, name, namespace, ...\n"},
    {"ensure-name-substring", "Puts a text before or behind names that do not have it yet",
     "ConfigMap\n  data: {prepend: TEXT} or {append: TEXT}\n"},
    {"fix", "Brings Kptfiles of older versions of kpt up to date", "none\n"},
    {"format", "Orders the fields of resources as kpt writes them", "none\n"},
    {"kubeval", "Checks resources against the schemas of Kubernetes",
     "ConfigMap\n  data: {strict: \"true\", skip_kinds: A,B, ...}\n"},
    {"list-setters", "Lists the setters of a package as results", "none\n"},
    {"remove-local-config-resources",
     "Takes out resources with the annotation config.kubernetes.io/local-config", "none\n"},
    {"search-replace", "Finds fields by path or value, and gives them values or comments",
     "ConfigMap\n  data: by-path, by-value, by-value-regex, by-file-path, put-value, "
     "put-comment\n"},
    {"set-annotations", "Sets annotations of all resources", "ConfigMap\n  data: {KEY: VALUE}\n"},
    {"set-image", "Changes names, tags and digests of container images",
     "ConfigMap\n  data: {name: REGEX, newName: NAME, newTag: TAG, digest: DIGEST}\n"},
    {"set-labels", "Sets labels of all resources, and of their selectors and templates",
     "ConfigMap\n  data: {KEY: VALUE}\n"},
    {"set-name-prefix", "Puts a prefix before the names of resources, and follows references",
     "ConfigMap\n  data: {prefix: TEXT}\n"},
    {"set-namespace", "Moves resources into a namespace, and follows references",
     "ConfigMap\n  data: {namespace: NAME}\n"},
    {"set-project-id", "Gives packages for Google Cloud their project",
     "ConfigMap\n  data: {project-id: ID}\n"},
    {"starlark", "Runs a program in Starlark over the resources",
     "StarlarkRun (fn.kpt.dev/v1alpha1)\n  source: PROGRAM\n  params: {NAME: VALUE}\n"},
    {"upsert-resource", "Puts a resource in the place of the one with its name, or adds it",
     "the resource itself, or a List\n"},
};

}  // namespace

const About* about(std::string_view name) {
  const auto* at = std::find_if(std::begin(kAbout), std::end(kAbout),
                                [&](const About& each) { return each.name == name; });
  return at == std::end(kAbout) ? nullptr : at;
}

}  // namespace portico::functions
