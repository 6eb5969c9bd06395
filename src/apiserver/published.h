// The OpenAPI documents of what is served now, at /openapi/v2 and /openapi/v3.
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

/// A document is made when it is asked for first, and again when what it tells of has changed: a
/// definition of another group leaves it as it is. Safe from any thread.
class Published {
 public:
  /// The answer to a call of a path below /openapi: 304 where the client has the document, 404
  /// where there is none.
  kubeapi::Reply<http::Answer> answer(const Call& call);

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
