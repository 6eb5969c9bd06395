#include "apiserver/token_requests.h"

#include "apiserver/body.h"
#include "apiserver/owners.h"
#include "apiserver/preconditions.h"
#include "base/time.h"
#include "fieldset/apply.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/options.h"
#include "schema/causes.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

constexpr const char* kGroup = "authentication.k8s.io";
constexpr const char* kVersion = "authentication.k8s.io/v1";
constexpr const char* kKind = "TokenRequest";
constexpr std::int64_t kUsual = 3600, kShortest = 600, kLongest = std::int64_t{1} << 32;

StatusOr<Value> decoded(const Call& call) {
  PORTICO_TRY(const Value sent, decode_object_of(call, kGroup, "v1", kKind));
  Value spec = sent["spec"].is_object() ? sent["spec"] : Value::object();
  if (!spec["expirationSeconds"].is_int()) spec = spec.with("expirationSeconds", kUsual);
  return Value::object({{"apiVersion", kVersion}, {"kind", kKind}, {"spec", std::move(spec)}});
}

StatusOr<Done> check(const Call& call, const Value& spec) {
  const std::int64_t seconds = spec["expirationSeconds"].as_int();
  const char* const why = seconds < kShortest ? "may not specify a duration less than 10 minutes"
                          : seconds > kLongest
                              ? "may not specify a duration larger than 2^32 seconds"
                              : nullptr;
  if (why != nullptr)
    return kubeapi::invalid_object(
        {kGroup, "", kKind}, "",
        {schema::invalid_value("spec.expirationSeconds", spec["expirationSeconds"], why)});
  if (const Value& bound = spec["boundObjectRef"]; !bound.empty())
    return kubeapi::bad_request(
        fmt::format("cannot bind token for serviceaccount {} to object of type {}, Kind={}: "
                    "request a token without boundObjectRef",
                    schema::go_quoted(call.info.name), bound["apiVersion"].as_string(),
                    bound["kind"].as_string()));
  return Done{};
}

// With managedFields, as Kubernetes answers it.
Value owned(const Call& call, const Value& request, const Value& account, TimePoint now) {
  fieldset::Versions versions;
  versions.types.emplace(kVersion, fieldset::ObjectType(kubeapi::core_schema(kGroup, kKind)));
  fieldset::Writer writer = writer_of(call, call.query.get("fieldManager"), now);
  writer.api_version = kVersion;
  const Value out =
      fieldset::track(request.with("spec", Value::object()), request, versions, writer);
  const Value metadata = Value::object({{"name", krm::name_of(account)},
                                        {"namespace", krm::namespace_of(account)},
                                        {"uid", krm::uid_of(account)},
                                        {"creationTimestamp", rfc3339(now)}});
  return out.with("metadata", metadata.with("managedFields", out["metadata"]["managedFields"]));
}

}  // namespace

StatusOr<Outcome> TokenRequests::serve(Call& call) {
  if (!call.info.rest.empty()) return kubeapi::no_such_path();
  if (call.info.verb != "create") return kubeapi::no_such_method();
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "CreateOptions", false));
  PORTICO_TRY(const Value request, decoded(call));
  const auto account = registry_.get(key_of(call));
  if (!account) return kubeapi::status_error_of(account.error(), call.named(), call.info.name);
  const Value& spec = request["spec"];
  PORTICO_DO(check(call, spec));
  TokenOrder order{.ns = call.info.ns,
                   .name = call.info.name,
                   .uid = std::string(krm::uid_of(*account)),
                   .audiences = {},
                   .lifetime = std::chrono::seconds(spec["expirationSeconds"].as_int())};
  for (const Value& audience : spec["audiences"].items())
    order.audiences.emplace_back(audience.as_string());
  Value answer = owned(call, request, *account, clock_.now());
  if (options.dry_run) return Outcome(Made{201, std::move(answer)});
  PORTICO_TRY(const IssuedToken issued, issuer_.issue(order));
  answer = answer.with_at(
      {"spec", "audiences"},
      Value::array(std::vector<Value>(issued.audiences.begin(), issued.audiences.end())));
  answer = answer.with_at({"spec", "boundObjectRef"}, Value());
  answer = answer.with("status", Value::object({{"token", issued.token},
                                                {"expirationTimestamp", rfc3339(issued.expires)}}));
  return Outcome(Made{201, std::move(answer)});
}

}  // namespace portico::apiserver
