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

/// The document in a case file, with {ns} and {ns2} replaced by namespaces ns-a and ns-bb.
Result<json::Value> read_exchanges(const std::filesystem::path& file);

/// A parsed request line: the attributes for authorization, and the query.
struct KubeTarget {
  access::Request request;
  std::map<std::string, std::string> query = {};  // decoded
};
KubeTarget target_of(std::string_view method, std::string_view path);

/// A header of a step's request, or "".
std::string header_of(const json::Value& request, std::string_view name);

/// Values of a case's placeholders: learned from responses, inserted into requests.
class Placeholders {
 public:
  /// `value` with its known placeholders replaced, also within longer texts.
  json::Value filled(const json::Value& value) const;
  std::string filled(std::string_view text) const;

  /// Binds the placeholder ("<repo:dep>") to the value.
  void set(std::string placeholder, std::string value) {
    values_.insert_or_assign(std::move(placeholder), std::move(value));
  }

  /// "" if `have` matches `want`, else the first difference. A placeholder in `want` is bound to
  /// the first value that it matches.
  std::string difference(const json::Value& want, const json::Value& have);

 private:
  bool text_matches(std::string_view want, std::string_view have);
  std::map<std::string, std::string, std::less<>> values_;
};

/// The metav1.Status of an API server for an error; `details` has name, group and kind.
json::Value status_of(const Error& error, const json::Value& details);
/// The HTTP status code of an error.
int code_of(const Error& error);

/// A Status with its causes, and the parts of its message, in the order of the case files.
json::Value with_sorted_causes(const json::Value& status);

/// `value` without the field at `path` ("metadata.managedFields", "a.*.b").
json::Value without_path(const json::Value& value, std::string_view path);

}  // namespace portico::conformance
