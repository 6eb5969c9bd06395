// One request for a resource, with everything its handler needs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "access/request.h"
#include "http/message.h"
#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/accept.h"
#include "kubeapi/request_info.h"
#include "kubeapi/resource_type.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// Describes a resource whose objects are computed from stored objects of another kind.
struct View {
  krm::GroupKind stored;
  /// The resource's object, with the metadata of the stored one. Thread-safe.
  std::function<json::Value(const json::Value& stored)> show;
};

struct Call {
  const http::Request& request;
  kubeapi::RequestInfo info;
  http::Query query;
  access::User user;
  std::shared_ptr<const kubeapi::Catalog> catalog;
  kubeapi::Catalog::Type type;                // of the resource; null for a non-resource path
  const kubeapi::Version* version = nullptr;  // of the type
  kubeapi::Form form;
  std::string now;                         // RFC 3339
  std::string audit_id = {};               // Audited::id
  std::vector<std::string> warnings = {};  // sent as Warning headers
  std::shared_ptr<const View> view = {};   // null: the resource's objects are returned as stored
  /// 403 unless the user may also perform `verb` on the target of the call. Empty: always allowed.
  std::function<kubeapi::StatusOr<Done>(std::string_view verb)> allow = {};
  /// Whether the user may write this content (Rights::may_say). Empty: always allowed.
  std::function<kubeapi::StatusOr<Done>(const json::Value& stored, const json::Value& wanted)>
      may_say = {};

  const kubeapi::Named& named() const { return type->names; }
  /// A write through another verb that creates an object also needs the right to create.
  kubeapi::StatusOr<Done> allow_create() const {
    return allow ? allow("create") : kubeapi::StatusOr<Done>(Done{});
  }
  kubeapi::StatusOr<Done> check_demands(const json::Value& stored,
                                        const json::Value& wanted) const {
    return may_say ? may_say(stored, wanted) : kubeapi::StatusOr<Done>(Done{});
  }
};

/// The result of a handler: an object (or list) that the server encodes, or a stream.
struct Made {
  int status = 200;
  json::Value body;
};
using Outcome = std::variant<Made, http::Streaming>;

/// Serves the verbs of some resources. Thread-safe.
class ResourceHandler {
 public:
  virtual ~ResourceHandler() = default;
  virtual kubeapi::StatusOr<Outcome> serve(Call& call) = 0;
};

}  // namespace portico::apiserver
