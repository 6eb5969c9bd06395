// The OpenAPI documents of the resources currently served, at /openapi/v2 and /openapi/v3.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call.h"
#include "base/guarded.h"
#include "http/handler.h"
#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::apiserver {

/// A document is built on first request, and rebuilt only after its own content changed: a
/// definition of another group does not invalidate it. Thread-safe.
class OpenApiDocuments {
 public:
  /// Answers a path below /openapi: 304 if the client has the current document, 404 if there is no
  /// such document.
  kubeapi::StatusOr<http::Answer> answer(const Call& call);

 private:
  struct Document {
    std::string body, hash;
  };
  using Shared = std::shared_ptr<const Document>;
  using Catalog = std::shared_ptr<const kubeapi::Catalog>;
  struct Made {
    std::vector<kubeapi::Catalog::Type> of;
    Shared document;
  };
  struct State {
    std::map<std::string, Made, std::less<>> parts;  // by path: "apis/GROUP/VERSION"
    Catalog index_of, whole_of, whole_protobuf_of;
    Shared index, whole, whole_protobuf;
  };

  static Shared document_of(const json::Value& value);
  static Shared part(State& state, const kubeapi::Catalog& catalog, std::string_view path);
  static Shared index(State& state, const Catalog& catalog);
  static Shared whole(State& state, const Catalog& catalog);
  static Shared whole_protobuf(State& state, const Catalog& catalog);

  Guarded<State> state_;
};

}  // namespace portico::apiserver
