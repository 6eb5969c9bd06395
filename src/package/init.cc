#include "package/init.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "krm/object.h"
#include "package/clone.h"
#include "package/context.h"
#include "package/internal/files.h"
#include "package/kptfile.h"

namespace portico::package {

namespace {

Result<std::string> kptfile_text(std::string_view name, const api::InitTask& task) {
  PORTICO_TRY(krm::Object kptfile, krm::Object::parse("apiVersion: kpt.dev/v1\n"
                                                      "kind: Kptfile\n"
                                                      "metadata:\n"
                                                      "  name: example\n"
                                                      "  annotations:\n"
                                                      "    config.kubernetes.io/local-config: "
                                                      "\"true\"\n"));
  PORTICO_DO(kptfile.set({"metadata", "name"}, json::Value(name)));
  json::Value keywords;
  if (!task.keywords.empty())
    keywords =
        json::Value::array(std::vector<json::Value>(task.keywords.begin(), task.keywords.end()));
  PORTICO_DO(set_members(kptfile, {"info"},
                         {{"site", json::Value(task.site)},
                          {"description", json::Value(task.description)},
                          {"keywords", std::move(keywords)}}));
  return kptfile.text();
}

/// The page that kpt writes for a new package, verbatim.
std::string readme_text(std::string_view name, std::string_view description) {
  return fmt::format(
      "# {0}\n"
      "\n"
      "## Description\n"
      "{1}\n"
      "\n"
      "## Usage\n"
      "\n"
      "### Fetch the package\n"
      "`kpt pkg get REPO_URI[.git]/PKG_PATH[@VERSION] {0}`\n"
      "Details: https://kpt.dev/reference/cli/pkg/get/\n"
      "\n"
      "### View package content\n"
      "`kpt pkg tree {0}`\n"
      "Details: https://kpt.dev/reference/cli/pkg/tree/\n"
      "\n"
      "### Apply the package\n"
      "```\n"
      "kpt live init {0}\n"
      "kpt live apply {0} --reconcile-timeout=2m --output=table\n"
      "```\n"
      "Details: https://kpt.dev/reference/cli/live/\n",
      name, description);
}

}  // namespace

Result<krm::Package> init(std::string_view name, const api::InitTask& task) {
  const std::string_view leaf = leaf_name(task.subpackage.empty() ? name : task.subpackage);
  krm::Package package;
  PORTICO_TRY(std::string kptfile, kptfile_text(leaf, task));
  package.set(internal::join(task.subpackage, kKptfile), std::move(kptfile));
  package.set(internal::join(task.subpackage, "README.md"), readme_text(leaf, task.description));
  package.set(internal::join(task.subpackage, kContextFile), context_text("example", ""));
  return package;
}

}  // namespace portico::package
