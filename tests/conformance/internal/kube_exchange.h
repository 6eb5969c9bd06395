// Recorded exchanges of a Kubernetes API server, for checks that need no server.
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

/// A kind in one version, from the definitions of a case.
struct KubeKind {
  std::string group, version, plural, kind;
  schema::Schema schema;
  schema::ObjectRules rules;
  bool has_status = false;
};

/// One recorded request with its response and target.
struct KubeStep {
  std::string method, query, content_type;
  /// From the path: "test.example.com" and so on; `name` is "" for a collection.
  std::string group, version, plural, name, subresource;
  json::Value body;       // null if the body is text
  std::string body_text;  // the body as it is sent
  json::Value response;   // from the file: status, headers, body
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

/// Reads a case file and the definitions that it names (`crds` next to its folder).
Result<KubeCase> read_kube_case(const std::filesystem::path& file);

/// An object without the fields that a server sets: uid, versions, times, managedFields, namespace.
json::Value without_server_fields(const json::Value& object);

/// The recorded causes and the causes found, one per line and sorted, for comparison.
std::string recorded_causes(const json::Value& status);
std::string found_causes(const std::vector<Cause>& causes);

}  // namespace portico::conformance
