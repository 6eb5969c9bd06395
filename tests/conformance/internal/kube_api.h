// Recorded exchanges with a Kubernetes API server (the README of ../shared/conformance/kube-api is
// the specification), for suites that replay them on functions instead of a server.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "access/request.h"
#include "base/result.h"
#include "conformance/suite.h"
#include "json/value.h"

namespace portico::conformance {

/// The document in a case file, with namespaces ns-a and ns-bb in place of {ns} and {ns2}.
Result<json::Value> read_exchanges(const std::filesystem::path& file);

/// What a request line asks for: the attributes that are authorized, and the query.
struct KubeTarget {
  access::Request request;
  std::map<std::string, std::string> query = {};  // decoded
};
KubeTarget target_of(std::string_view method, std::string_view path);

/// A header of a step's request, or "".
std::string header_of(const json::Value& request, std::string_view name);

/// The values that stand for placeholders of a case, met in answers and put into requests.
class Placeholders {
 public:
  /// `value` with each placeholder that has a value in its place, inside longer texts too.
  json::Value filled(const json::Value& value) const;
  std::string filled(std::string_view text) const;

  /// From now on the placeholder ("<repo:dep>") stands for the value.
  void set(std::string placeholder, std::string value) {
    values_.insert_or_assign(std::move(placeholder), std::move(value));
  }

  /// "" where `have` is what `want` says, else the first place that differs. Placeholders in `want`
  /// take the value they meet first, and mean it from then on.
  std::string difference(const json::Value& want, const json::Value& have);

 private:
  bool text_matches(std::string_view want, std::string_view have);
  std::map<std::string, std::string, std::less<>> values_;
};

/// metav1.Status for an error, as an API server makes it; `details` has name, group and kind.
json::Value status_of(const Error& error, const json::Value& details);
/// The HTTP status code of an error.
int code_of(const Error& error);

/// A Status with its causes in the order of the files, and the parts of its message too.
json::Value with_sorted_causes(const json::Value& status);

/// `value` without what stands at `path` ("metadata.managedFields", "a.*.b").
json::Value without_path(const json::Value& value, std::string_view path);

}  // namespace portico::conformance
