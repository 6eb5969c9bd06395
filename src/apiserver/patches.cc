#include "apiserver/patches.h"

#include "apiserver/body.h"
#include "json/duplicates.h"
#include "json/text.h"
#include "krm/object.h"
#include "patch/patch.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::bad_request;
using kubeapi::StatusOr;

namespace {

constexpr std::string_view kApply = "application/apply-patch+yaml";
constexpr std::string_view kJson = "application/json-patch+json";
constexpr std::string_view kMerge = "application/merge-patch+json";
constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";

std::string_view content_type(const Call& call) {
  std::string_view out = call.request.headers.get("Content-Type");
  out = out.substr(0, out.find(';'));
  while (out.ends_with(' ')) out.remove_suffix(1);
  return out;
}

kubeapi::StatusError unknown_type(const Call& call) {
  const bool defined = call.type->origin == kubeapi::Origin::kDefinition;
  return kubeapi::unsupported_media_type(fmt::format(
      "the body of the request was in an unknown format - accepted media types include: {}, {}, "
      "{}{}",
      kJson, kMerge, defined ? "" : fmt::format("{}, ", kStrategic), kApply));
}

StatusOr<Value> parsed(const Call& call) {
  auto out = json::parse(call.request.body);
  if (out) return *std::move(out);
  return bad_request("error decoding patch: " + out.error().text());
}

}  // namespace

bool is_apply(const Call& call) { return content_type(call) == kApply; }

StatusOr<Value> patched(const Call& call, const Value& live) {
  const std::string_view type = content_type(call);
  const bool defined = call.type->origin == kubeapi::Origin::kDefinition;
  if (type != kJson && type != kMerge && (type != kStrategic || defined)) return unknown_type(call);
  PORTICO_TRY(const Value body, parsed(call));
  if (type == kJson) {
    PORTICO_TRY(const patch::JsonPatch operations, patch::read_json_patch(body));
    auto out = patch::apply_json_patch(live, operations);
    if (out) return *std::move(out);
    return kubeapi::StatusError{422, "Invalid", out.error().what, kubeapi::Details{}};
  }
  if (type == kMerge) {
    PORTICO_TRY(const Value merge, patch::read_merge_patch(body));
    return patch::apply_merge_patch(live, merge);
  }
  PORTICO_TRY(const Value strategic, patch::read_strategic_patch(body));
  auto out = patch::apply_strategic_patch(
      live, strategic, patch::merged_lists(call.named().group, call.named().kind));
  if (out) return *std::move(out);
  return bad_request(out.error().what);
}

Result<Value> read_applied(std::string_view text) {
  // Text that is not JSON, or has duplicate members, gets YAML's error, if any.
  if (text.starts_with('{'))
    if (auto object = json::parse(text); object && json::duplicate_members(text, 1).empty())
      return *std::move(object);
  PORTICO_TRY(const auto object, krm::Object::parse(text));
  return object.value();
}

StatusOr<Value> applied_object(const Call& call) {
  auto read = read_applied(call.request.body);
  if (!read) return bad_request("error decoding YAML: " + read.error().text());
  const Value object = *std::move(read);
  const std::string_view api_version = object["apiVersion"].as_string(),
                         kind = object["kind"].as_string();
  const krm::GroupVersion version = krm::group_version(api_version);
  if (kind != call.named().kind || version.group != call.named().group)
    return bad_request(
        fmt::format("invalid object type: {}/{}, Kind={}", version.group, version.version, kind));
  const std::string_view name = krm::name_of(object);
  if (name.empty())
    return bad_request(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                    "provided",
                    call.info.name));
  if (name != call.info.name)
    return bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})", name,
                    call.info.name));
  const std::string_view ns = krm::namespace_of(object);
  if (!ns.empty() && ns != call.info.ns)
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  return object;
}

}  // namespace portico::apiserver
