// Which parts of Porch's recorded responses Portico need not repeat.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/internal/replay.h"
#include "json/value.h"

namespace portico::conformance {

/// The rules of the suite porch-api, each with its reason:
///
/// 1. Porch answers 500 for most user errors, and crashes on some (503). A suitable code (400,
///    403, 404, 409, 410, 422) with Porch's text anywhere in the message is accepted. The text need
///    not include kpt's or git's report of the cause, nor how package revision names are built: a
///    name that no revision can have is simply not found. For a crash any refusal is accepted.
/// 2. Versions of package revisions are commits in Porch and store numbers here: they are not
///    compared, and Portico's are substituted where a request sends them back. Lists have a version
///    here.
/// 3. Renders are not recorded in the Kptfile: the condition Rendered and status.renderStatus are
///    removed from Porch's response. Here the status has additional fields (ref, tree, base,
///    pristine, ...), objects have managedFields, and an annotation names the variant of a
///    revision.
/// 4. Empty members are ignored: upstreamLock {}, packageMetadata {}, publishTimestamp null, a
///    secretRef without a name, the renderStatus of a variant for which no function ran.
/// 5. Tables have more columns here; numbers have the type "integer", as in OpenAPI, and names have
///    the format "name", as in Kubernetes.
/// 6. Kptfiles are compared as data: Porch sorts and reindents them, Portico keeps the user's
///    layout.
/// 7. The head of a branch has no tasks and no publisher; those of the last revision belong to that
///    revision. Its commit is the last one that changed the package. The status does not tell who
///    published a revision with plain git, and when.
/// 8. One change is one event: Porch sends an ADDED and a MODIFIED of the same state, and here the
///    store writes spec and status one after the other, so only the last event of a state counts.
///    Heads of branches have events here.
/// 9. Statuses of repositories, variants and sets have more fields here. spec.content of a
///    Repository, which has only one possible value, is not defaulted. Repositories have no
///    finalizer, because forgetting their content needs none, and no time of the next sync unless
///    they have a schedule. packageCount counts packages here, and revisions in Porch.
class PorchRules : public ReplayRules {
 public:
  json::Value request(const json::Value& recorded) override;
  bool fits(const json::Value& want, int status, const json::Value& body) override;
  void adjust(json::Value& want, json::Value& have) override;
  std::vector<json::Value> events(std::vector<json::Value> all) override;

  /// A file in the form in which it is compared: a Kptfile without the results of a render.
  static json::Value file(std::string_view path, const json::Value& text);

 private:
  void learn_version(const json::Value& want, const json::Value& have);

  std::map<std::pair<std::string, std::string>, std::string> versions_;  // by name and <sha:N>
};

}  // namespace portico::conformance
