// Decodes the object of a request into one of the structs of `api`, with Kubernetes' field
// validation.
#pragma once

#include <utility>

#include "api/decode.h"
#include "apiserver/call.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

/// 400 if a field has the wrong type. Unknown fields cause a warning, a 400 or nothing, according
/// to `validation`.
template <class T>
kubeapi::StatusOr<T> decode_kind(Call& call, const json::Value& sent,
                                 kubeapi::FieldValidation validation) {
  const auto cannot = [&](std::string_view why) {
    return kubeapi::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                            call.named().kind, call.info.version, call.named().kind,
                                            why));
  };
  auto out = api::decode_reporting<T>(sent);
  if (!out) return cannot(out.error().what);
  std::string all;
  for (const Cause& cause : out->unknown) {
    const std::string text = fmt::format("unknown field \"{}\"", cause.field);
    all += (all.empty() ? "" : ", ") + text;
    if (validation == kubeapi::FieldValidation::kWarn) call.warnings.push_back(text);
  }
  if (!all.empty() && validation == kubeapi::FieldValidation::kStrict)
    return cannot("strict decoding error: " + all);
  return std::move(out->value);
}

}  // namespace portico::apiserver
