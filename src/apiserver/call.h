// One request for a resource, with all that its handler needs to know.
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
#include "kubeapi/refusal.h"
#include "kubeapi/request_info.h"
#include "kubeapi/resource_type.h"

namespace portico::apiserver {

/// Of a resource that is made of stored objects of another kind, when somebody asks for it.
struct View {
  krm::GroupKind stored;
  /// The object of the resource, with the metadata of the stored one. Safe from any thread.
  std::function<json::Value(const json::Value& stored)> show;
};

struct Call {
  const http::Request& request;
  kubeapi::RequestInfo info;
  http::Query query;
  access::User user;
  std::shared_ptr<const kubeapi::Catalog> catalog;
  kubeapi::Catalog::Type type;                // of the resource; null for a path
  const kubeapi::Version* version = nullptr;  // of the type
  kubeapi::Form form;
  std::string now;                         // RFC 3339
  std::vector<std::string> warnings = {};  // become headers
  std::shared_ptr<const View> view = {};   // null: the resource's objects are stored as they are
  /// Whether the user may do this, too, with what the call is about: 403. Empty: they may.
  std::function<kubeapi::Reply<Done>(std::string_view verb)> allow = {};
  /// Whether the user may write what is in an object (Rights::may_say). Empty: they may.
  std::function<kubeapi::Reply<Done>(const json::Value& stored, const json::Value& wanted)>
      may_say = {};

  const kubeapi::Named& named() const { return type->names; }
  /// What creates through another verb needs the right to create.
  kubeapi::Reply<Done> allow_create() const {
    return allow ? allow("create") : kubeapi::Reply<Done>(Done{});
  }
  kubeapi::Reply<Done> check_demands(const json::Value& stored, const json::Value& wanted) const {
    return may_say ? may_say(stored, wanted) : kubeapi::Reply<Done>(Done{});
  }
};

/// What a handler made: an object (or list) that the server encodes, or a stream.
struct Made {
  int status = 200;
  json::Value body;
};
using Outcome = std::variant<Made, http::Streaming>;

/// Answers the verbs of some resources. Safe from any thread.
class ResourceHandler {
 public:
  virtual ~ResourceHandler() = default;
  virtual kubeapi::Reply<Outcome> serve(Call& call) = 0;
};

}  // namespace portico::apiserver
