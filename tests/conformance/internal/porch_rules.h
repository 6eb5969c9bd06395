// How recorded answers of Porch are read: what of them an answer of ours need not repeat.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/internal/replay.h"
#include "json/value.h"

namespace portico::conformance {

/// The rules of the suite porch-api, each with its reason, in this one place:
///
/// 1. Porch answers 500 for most mistakes of its user, and crashes on some (503). A code that fits
///    (400, 403, 404, 409, 410, 422) with Porch's text somewhere in the message is right, as far as
///    that is not the report of kpt or git on what went wrong, or on how the name of a package
///    revision is built: one that no revision can have is just not found. For a crash any refusal
///    is right.
/// 2. Versions of package revisions are commits there and numbers of the store here: they are
///    compared with nothing, and stand for ours where a request sends them back. A list has a
///    version here.
/// 3. Renders are not written down in the Kptfile: the condition Rendered and status.renderStatus
///    are taken out of what Porch says. The status has some fields of our own (ref, tree, base,
///    pristine, ...), objects have managedFields, and what a variant made has an annotation of it.
/// 4. Empty members say nothing: upstreamLock {}, packageMetadata {}, publishTimestamp null, a
///    secretRef without a name, the renderStatus of a variant for which no function ran.
/// 5. Tables have more columns here; the type of a number is "integer", as in OpenAPI, and a name
/// has
///    the format "name", as in Kubernetes.
/// 6. Kptfiles are compared as data: Porch sorts and indents them anew, and here they stay as
///    people wrote them.
/// 7. The head of a branch comes of no task and was published by nobody: what the last revision
///    says of that is its own, and its commit is the last that changed the package. Who published a
///    revision by plain git, and when, is not in its status.
/// 8. One change is one event: Porch sends an ADDED and a MODIFIED of the same state, and here the
///    store writes spec and status one after the other, so that only the last event of a state
///    counts. Heads of branches have events here.
/// 9. Statuses of repositories, variants and sets have more here, and spec.content of a Repository,
///    which has one value, is not filled in. Repositories have no finalizer here: forgetting what
///    was found in them needs none; nor a next time to look, where no schedule asks for one.
///    packageCount counts packages here, and revisions in Porch.
class PorchRules : public ReplayRules {
 public:
  json::Value request(const json::Value& recorded) override;
  bool fits(const json::Value& want, int status, const json::Value& body) override;
  void adjust(json::Value& want, json::Value& have) override;
  std::vector<json::Value> events(std::vector<json::Value> all) override;

  /// A file as it is compared: a Kptfile without what a render has written into it.
  static json::Value file(std::string_view path, const json::Value& text);

 private:
  void learn_version(const json::Value& want, const json::Value& have);

  std::map<std::pair<std::string, std::string>, std::string> versions_;  // of name and <sha:N>
};

}  // namespace portico::conformance
