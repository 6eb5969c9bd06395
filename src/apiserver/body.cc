#include "apiserver/body.h"

#include "json/text.h"
#include "krm/object.h"
#include "kubeapi/protobuf.h"
#include "schema/causes.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::bad_request;
using kubeapi::StatusError;
using kubeapi::StatusOr;

namespace {

std::string_view media_type(std::string_view content_type) {
  std::string_view out = content_type.substr(0, content_type.find(';'));
  while (out.ends_with(' ')) out.remove_suffix(1);
  return out;
}

StatusError unreadable(std::string_view kind, const Error& error, std::string_view body) {
  constexpr std::size_t kShown = 1024;
  return bad_request(fmt::format(
      "the object provided is unrecognized (must be of type {}): couldn't get version/kind; json "
      "parse error: {} ({})",
      kind, error.text(), body.substr(0, kShown)));
}

std::string group_version_text(const Call& call) {
  return call.named().group.empty() ? call.info.version
                                    : fmt::format("{}/{}", call.named().group, call.info.version);
}

// Like the decoder for custom resources.
StatusOr<Done> check_defined(const Call& call, const Value& object) {
  const std::string wanted = group_version_text(call);
  const std::string_view api_version = object["apiVersion"].as_string(),
                         kind = object["kind"].as_string();
  if (kind.empty())
    return bad_request(fmt::format(
        "the object provided is unrecognized (must be of type {}): Object 'Kind' is missing in "
        "'{}' ({})",
        call.named().kind, call.request.body, call.request.body));
  if (api_version != wanted)
    return bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    api_version, wanted));
  if (kind != call.named().kind)
    return kubeapi::invalid_object(
        {call.named().group, call.named().plural, std::string(kind)}, krm::name_of(object),
        {schema::invalid_value("kind", object["kind"],
                               fmt::format("must be {}", call.named().kind))});
  return Done{};
}

// Like the decoder for built-in types; apiVersion and kind may be missing.
StatusOr<Done> check_known(const Call& call, const Value& object) {
  const std::string wanted = group_version_text(call);
  const std::string_view api_version = object["apiVersion"].as_string(),
                         kind = object["kind"].as_string();
  const std::string& expected = call.named().kind;
  if ((kind.empty() || kind == expected) && (api_version.empty() || api_version == wanted))
    return Done{};
  const krm::GroupVersion version = krm::group_version(api_version);
  const auto known = call.catalog->find({version.group, std::string(kind)});
  const std::string why =
      known != nullptr && known->version(version.version) != nullptr
          ? fmt::format("converting ({}.{}) to (core.{}): unknown conversion", version.version,
                        kind, expected)
          : fmt::format("no kind \"{}\" is registered for version \"{}\"", kind, api_version);
  return bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", kind,
                                 version.version, expected, why));
}

}  // namespace

StatusOr<Value> decode_body(std::string_view content_type, std::string_view body,
                            std::string_view kind) {
  const std::string_view type = media_type(content_type);
  if (type == "application/yaml") {
    auto parsed = krm::Object::parse(body);
    if (!parsed) return unreadable(kind, parsed.error(), body);
    return parsed->value();
  }
  if (!type.empty() && type != "application/json")
    return kubeapi::unsupported_media_type(
        fmt::format("the body of the request was in an unknown format - accepted media types "
                    "include: application/json, application/yaml",
                    type));
  auto parsed = json::parse(body);
  if (!parsed) return unreadable(kind, parsed.error(), body);
  if (!parsed->is_object()) return unreadable(kind, invalid("a JSON object is expected"), body);
  return *std::move(parsed);
}

namespace {

std::string hex(std::string_view bytes) {
  constexpr std::size_t kShown = 512;
  std::string out;
  for (const char c : bytes.substr(0, kShown))
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Decodes Kubernetes' protobuf; `group` and `kind` are the expected ones.
StatusOr<Value> decode_message(const Call& call, std::string_view group, const std::string& kind) {
  const std::string& body = call.request.body;
  const auto envelope = kubeapi::open_envelope(body);
  if (!envelope)
    return bad_request(
        fmt::format("the object provided is unrecognized (must be of type {}): {} ({})", kind,
                    envelope.error().what, hex(body)));
  if (kind == call.named().kind)
    PORTICO_DO(check_known(
        call, Value::object({{"apiVersion", envelope->api_version}, {"kind", envelope->kind}})));
  auto object = kubeapi::decode_protobuf(group, kind, envelope->object);
  if (object) return *std::move(object);
  return bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", kind,
                                 call.info.version, kind, object.error().what));
}

bool is_protobuf(const Call& call) {
  return media_type(call.request.headers.get("Content-Type")) == kubeapi::kProtobufType;
}

}  // namespace

StatusOr<Value> decode_delete_options(const Call& call) {
  if (call.request.body.empty()) return Value();
  if (is_protobuf(call)) return decode_message(call, "", "DeleteOptions");
  return decode_body(call.request.headers.get("Content-Type"), call.request.body, "DeleteOptions");
}

StatusOr<Value> decode_object_of(const Call& call, std::string_view group, std::string_view version,
                                 const std::string& kind) {
  const std::string wanted =
      group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
  Value object;
  if (is_protobuf(call) && kubeapi::has_protobuf(group, kind)) {
    PORTICO_TRY(object, decode_message(call, group, kind));
  } else {
    PORTICO_TRY(object,
                decode_body(call.request.headers.get("Content-Type"), call.request.body, kind));
    const std::string_view api_version = object["apiVersion"].as_string(),
                           said = object["kind"].as_string();
    if ((!said.empty() && said != kind) || (!api_version.empty() && api_version != wanted))
      return bad_request(
          fmt::format("\"{}\" of {} is not a {} of {}", said, api_version, kind, wanted));
  }
  return object.with("apiVersion", wanted).with("kind", kind);
}

StatusOr<Value> decode_object(const Call& call) {
  if (is_protobuf(call) && kubeapi::has_protobuf(call.named().group, call.named().kind)) {
    PORTICO_TRY(const Value object, decode_message(call, call.named().group, call.named().kind));
    return object.with("apiVersion", group_version_text(call)).with("kind", call.named().kind);
  }
  PORTICO_TRY(Value object, decode_body(call.request.headers.get("Content-Type"), call.request.body,
                                        call.named().kind));
  if (call.type->origin == kubeapi::Origin::kDefinition)
    PORTICO_DO(check_defined(call, object));
  else
    PORTICO_DO(check_known(call, object));
  return object.with("apiVersion", group_version_text(call)).with("kind", call.named().kind);
}

}  // namespace portico::apiserver
