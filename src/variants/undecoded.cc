#include "variants/undecoded.h"

#include "api/decode.h"
#include "api/kinds.h"
#include "api/meta.h"

namespace portico::variants {

json::Value undecoded_status(const json::Value& object, const Error& why, TimePoint now) {
  json::Value status = object["status"];
  if (!status.is_object()) status = json::Value::object();
  // Malformed conditions are dropped; they may be the reason why the object does not decode.
  std::vector<api::Condition> conditions;
  for (const json::Value& each : status["conditions"].items())
    if (auto one = api::decode<api::Condition>(each)) conditions.push_back(*std::move(one));

  const std::int64_t generation = krm::generation_of(object);
  const auto put = [&](std::string_view type, bool is) {
    conditions = api::with_condition(std::move(conditions),
                                     {std::string(type), is, "ValidationError", why.text()},
                                     generation, now);
  };
  if (krm::group_kind(object) != api::repository_kind()) put(api::kStalled, true);
  put(api::kReady, false);

  std::vector<json::Value> written;
  written.reserve(conditions.size());
  for (const api::Condition& each : conditions) written.push_back(api::encode(each));
  if (generation != 0) status = status.with("observedGeneration", generation);
  return status.without("retry").with("conditions", json::Value::array(std::move(written)));
}

}  // namespace portico::variants
