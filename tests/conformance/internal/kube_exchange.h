// Recorded exchanges of a Kubernetes API server, as far as they can be checked without a server.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/object.h"
#include "schema/schema.h"

namespace portico::conformance {

/// A version of a kind that a case's definitions have.
struct KubeKind {
  std::string group, version, plural, kind;
  schema::Schema schema;
  schema::ObjectRules rules;
  bool has_status = false;
};

/// One recorded request with its answer, and where it goes.
struct KubeStep {
  std::string method, query, content_type;
  /// Of the path: "test.example.com" and so on; `name` is "" for a collection.
  std::string group, version, plural, name, subresource;
  json::Value body;       // null where the body is a text
  std::string body_text;  // the body as it is sent
  json::Value response;   // of the file: status, headers, body
  std::string field_validation;

  std::int64_t status() const { return response["status"].as_int(); }
  /// The texts of the Warning headers, without "299 - " and quotes.
  std::vector<std::string> warnings() const;
};

struct KubeCase {
  std::vector<KubeKind> kinds;
  std::vector<KubeStep> steps;

  const KubeKind* kind_of(const KubeStep& step) const;
};

/// Reads a case file and the definitions it names (`crds` beside its folder).
Result<KubeCase> read_kube_case(const std::filesystem::path& file);

/// An object without what only a server sets: uid, versions, times, managedFields, namespace.
json::Value without_server_fields(const json::Value& object);

/// The causes of an answer, and those found, one a line, sorted: equal where the answers are.
std::string recorded_causes(const json::Value& status);
std::string found_causes(const std::vector<Cause>& causes);

}  // namespace portico::conformance
