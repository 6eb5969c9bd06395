// The object of a request as one of the structs of `api`, judged as Kubernetes judges a body.
#pragma once

#include <utility>

#include "api/decode.h"
#include "apiserver/call.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

/// 400 where a field has the wrong type. Fields that there are not are warned of, refused (400) or
/// passed over, as `validation` says.
template <class T>
kubeapi::Reply<T> decode_kind(Call& call, const json::Value& sent,
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
