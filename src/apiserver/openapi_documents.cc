#include "apiserver/openapi_documents.h"

#include "base/hash.h"
#include "json/text.h"
#include "kubeapi/openapi.h"
#include "kubeapi/openapi_protobuf.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

// All paths that have a document, without the leading '/'.
std::vector<std::string> paths_of(const kubeapi::Catalog& catalog) {
  std::vector<std::string> out = {"api", "apis", "version"};
  for (const std::string& group : catalog.groups()) {
    const std::string base = group.empty() ? "api" : fmt::format("apis/{}", group);
    if (!group.empty()) out.push_back(base);
    for (const std::string& version : catalog.versions(group))
      out.push_back(fmt::format("{}/{}", base, version));
  }
  return out;
}

struct GroupVersion {
  std::string group, version;  // empty version: a path without resources
};

GroupVersion group_version_of(std::string_view path) {
  GroupVersion out;
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  if (parts[0] == "api" && parts.size() == 2) out.version = parts[1];
  if (parts[0] == "apis" && parts.size() == 3) {
    out.group = parts[1];
    out.version = parts[2];
  }
  return out;
}

http::Response answer_of(const std::string& body, const std::string& hash, const std::string& type,
                         const Call& call) {
  http::Response out;
  out.headers.set("Vary", "Accept");
  out.headers.set("ETag", fmt::format("\"{}\"", hash));
  if (call.request.headers.get("If-None-Match") == out.headers.get("ETag")) {
    out.status = 304;
    return out;
  }
  out.headers.set("Content-Type", type);
  // A client that names the hash may cache the document: a new document has a new hash.
  if (call.query.get("hash") == hash) out.headers.set("Cache-Control", "public, immutable");
  out.body = body;
  return out;
}

}  // namespace

OpenApiDocuments::Shared OpenApiDocuments::document_of(const Value& value) {
  if (value.is_null()) return nullptr;
  std::string body = json::print(value) + "\n";
  std::string hash = sha256_hex(body);
  return std::make_shared<const Document>(Document{std::move(body), std::move(hash)});
}

OpenApiDocuments::Shared OpenApiDocuments::part(State& state, const kubeapi::Catalog& catalog,
                                                std::string_view path) {
  const GroupVersion of = group_version_of(path);
  std::vector<kubeapi::Catalog::Type> types;
  if (!of.version.empty()) types = catalog.resources(of.group);
  Made& made = state.parts[std::string(path)];
  if (made.document != nullptr && made.of == types) return made.document;
  const Value value = of.version.empty() ? kubeapi::openapi_v3_of_path(fmt::format("/{}", path))
                                         : kubeapi::openapi_v3(catalog, of.group, of.version);
  made = {std::move(types), document_of(value)};
  return made.document;
}

OpenApiDocuments::Shared OpenApiDocuments::index(State& state, const Catalog& catalog) {
  if (state.index != nullptr && state.index_of == catalog) return state.index;
  Value paths = Value::object();
  std::map<std::string, Made, std::less<>> kept;
  for (const std::string& path : paths_of(*catalog)) {
    const Shared document = part(state, *catalog, path);
    if (document == nullptr) continue;
    paths = paths.with(
        path, Value::object({{"serverRelativeURL",
                              fmt::format("/openapi/v3/{}?hash={}", path, document->hash)}}));
    kept.insert(state.parts.extract(path));
  }
  state.parts = std::move(kept);  // drops the documents of paths no longer served
  state.index = document_of(Value::object({{"paths", std::move(paths)}}));
  state.index_of = catalog;
  return state.index;
}

OpenApiDocuments::Shared OpenApiDocuments::whole(State& state, const Catalog& catalog) {
  if (state.whole != nullptr && state.whole_of == catalog) return state.whole;
  state.whole = document_of(kubeapi::openapi_v2(*catalog));
  state.whole_of = catalog;
  return state.whole;
}

OpenApiDocuments::Shared OpenApiDocuments::whole_protobuf(State& state, const Catalog& catalog) {
  if (state.whole_protobuf != nullptr && state.whole_protobuf_of == catalog)
    return state.whole_protobuf;
  std::string body = kubeapi::openapi_protobuf(kubeapi::openapi_v2(*catalog));
  std::string hash = sha256_hex(body);
  state.whole_protobuf =
      std::make_shared<const Document>(Document{std::move(body), std::move(hash)});
  state.whole_protobuf_of = catalog;
  return state.whole_protobuf;
}

StatusOr<http::Answer> OpenApiDocuments::answer(const Call& call) {
  constexpr std::string_view kV2 = "/openapi/v2", kV3 = "/openapi/v3";
  std::string_view path = call.info.path;
  if (path.ends_with('/')) path.remove_suffix(1);
  const bool is_part = path.starts_with(kV3) && path.size() > kV3.size() + 1;
  if (path != kV2 && path != kV3 && !(is_part && path[kV3.size()] == '/'))
    return kubeapi::no_such_path();
  if (call.request.method != "GET" && call.request.method != "HEAD")
    return kubeapi::no_such_method();
  PORTICO_TRY(const kubeapi::Form form,
              kubeapi::negotiate(call.request.headers.get("Accept"),
                                 {.forms = false, .openapi_protobuf = path == kV2}));
  if (form.encoding == kubeapi::Encoding::kYaml)
    return kubeapi::not_acceptable("OpenAPI documents are available only as application/json");
  const Shared found = state_.with([&](State& state) -> Shared {
    if (form.encoding == kubeapi::Encoding::kProtobuf) return whole_protobuf(state, call.catalog);
    if (path == kV2) return whole(state, call.catalog);
    Shared all = index(state, call.catalog);
    if (path == kV3) return all;
    const auto at = state.parts.find(path.substr(kV3.size() + 1));
    return at == state.parts.end() ? nullptr : at->second.document;
  });
  if (found == nullptr) return kubeapi::no_such_path();
  return http::Answer(answer_of(found->body, found->hash, form.content_type, call));
}

}  // namespace portico::apiserver
