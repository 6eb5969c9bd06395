// Validation by a Kubernetes API server: its responses to writes of objects and definitions,
// checked with the pure functions on which a server is built.
#include <cmath>
#include <map>

#include "conformance/internal/kube_exchange.h"
#include "conformance/internal/kube_replay.h"
#include "conformance/support.h"
#include "json/duplicates.h"
#include "json/text.h"
#include "schema/causes.h"
#include "schema/structural.h"

namespace portico::conformance {
namespace {

using json::Value;

/// The objects that a server keeps between steps, by plural and name.
using Objects = std::map<std::pair<std::string, std::string>, Value>;

struct Answer {
  std::int64_t status = 200;
  Value object;                       // of a success
  std::vector<Cause> causes;          // of 422
  std::string message;                // of 400, after "cannot be handled as a KIND: "
  std::vector<std::string> warnings;  // unknown and duplicate fields
};

Answer refuse(std::string message) {
  Answer out;
  out.status = 400;
  out.message = std::move(message);
  return out;
}

std::vector<std::string> strict_faults(const KubeStep& step, const schema::TakenIn& taken) {
  std::vector<std::string> out;
  for (const std::string& path : json::duplicate_members(step.body_text))
    out.push_back(fmt::format("duplicate field \"{}\"", path));
  for (const std::string& path : taken.unknown) out.push_back(schema::unknown_field(path));
  return out;
}

/// A creation, or an update of `old`.
Answer write(const KubeKind& kind, const KubeStep& step, const Value* old) {
  const auto body = json::parse(step.body_text);
  if (!body) return refuse("");
  const auto taken = schema::take_in(*body, kind.schema);
  if (!taken) return refuse(taken.error().what);
  Answer out;
  const std::vector<std::string> faults = strict_faults(step, *taken);
  if (step.field_validation == "Strict" && !faults.empty())
    return refuse(fmt::format("strict decoding error: {}", fmt::join(faults, ", ")));
  if (step.field_validation != "Ignore") out.warnings = faults;

  Value object = taken->object.with_at({"metadata", "namespace"}, "ns");
  if (old == nullptr) {
    if (kind.has_status) object = object.without("status");
    out.status = 201;
  } else if (step.subresource == "status") {
    object = old->with("status", object["status"]);
  } else {
    object = kind.has_status ? object.without("status") : object;
    if (kind.has_status && old->contains("status"))
      object = object.with("status", (*old)["status"]);
  }
  out.causes = old == nullptr ? schema::create_causes(object, kind.schema, kind.rules)
                              : schema::update_causes(object, *old, kind.schema, kind.rules);
  if (!out.causes.empty()) out.status = 422;
  out.object = object;
  return out;
}

std::string shown(const Answer& answer, std::string_view kind, std::string_view version) {
  std::string out = fmt::format("{}\n", answer.status);
  for (const std::string& warning : answer.warnings) out += "warning: " + warning + "\n";
  if (answer.status == 400)
    return out + fmt::format("{} in version \"{}\" cannot be handled as a {}: {}\n", kind, version,
                             kind, answer.message);
  if (answer.status == 422) return out + found_causes(answer.causes);
  return out + json::print_pretty(without_server_fields(answer.object)) + "\n";
}

std::string recorded(const KubeStep& step) {
  std::string out = fmt::format("{}\n", step.status());
  for (const std::string& warning : step.warnings())
    // The warning about a finalizer without a domain comes from the code that writes metadata.
    if (!warning.starts_with("metadata.finalizers")) out += "warning: " + warning + "\n";
  const Value& body = step.response["body"];
  if (step.status() == 400) return out + std::string(body["message"].as_string()) + "\n";
  if (step.status() == 422) return out + recorded_causes(body);
  return out + json::print_pretty(without_server_fields(body)) + "\n";
}

/// Go reads numbers that are not int64 as float64, and prints whole ones as integers.
Value same_numbers(const Value& value) {
  if (value.is_number() && !value.is_int()) {
    const double number = value.as_double();
    const bool whole = std::fabs(number) < 9e18 && number == std::trunc(number);
    return whole ? Value(static_cast<std::int64_t>(number)) : Value(number);
  }
  Value out = value;
  for (const json::Member& member : value.members())
    out = out.with(member.name(), same_numbers(member.value));
  for (std::size_t i = 0; i < value.items().size(); ++i)
    out = out.with_item(i, same_numbers(value[i]));
  return out;
}

/// Checks a definition: the causes below its schema.
std::optional<CaseResult> check_definition(const std::string& name, const KubeStep& step) {
  const Value& versions = step.body["spec"]["versions"];
  const Value* openapi = versions[std::size_t{0}]["schema"].find("openAPIV3Schema");
  constexpr std::string_view kPlace = "spec.validation.openAPIV3Schema";
  const bool of_schema = step.status() == 201 ||
                         recorded_causes(step.response["body"]).find(kPlace) != std::string::npos;
  if (openapi == nullptr || !of_schema) return std::nullopt;
  const auto schema = schema::read(*openapi, kPlace);
  const std::vector<Cause> none;
  return compare(name, recorded_causes(step.response["body"]),
                 found_causes(schema ? none : schema.error().causes));
}

bool is_known_elsewhere(const KubeStep& step) {
  const std::int64_t status = step.status();
  return status == 404 || status == 405 || status == 409 || status == 415 || status == 500;
}

CaseResult check_step(const std::string& name, const KubeCase& all, const KubeStep& step,
                      Objects& objects) {
  if (step.plural == "customresourcedefinitions") {
    if (auto result = check_definition(name, step)) return *std::move(result);
    return skipped(name, "what a definition says beside its schema");
  }
  const KubeKind* kind = all.kind_of(step);
  if (kind == nullptr) return skipped(name, "a kind without a definition");
  if (step.method != "POST" && step.method != "PUT") return skipped(name, step.method);
  if (is_known_elsewhere(step)) return skipped(name, "decided before the object is looked at");
  if (step.content_type != "application/json") return skipped(name, step.content_type);
  const auto body = json::parse(step.body_text);
  if (!body) return skipped(name, "not JSON");
  const std::pair key(step.plural, step.name.empty()
                                       ? std::string((*body)["metadata"]["name"].as_string())
                                       : step.name);
  const auto old = objects.find(key);
  const Answer answer =
      write(*kind, step, step.method == "PUT" && old != objects.end() ? &old->second : nullptr);
  if (step.status() < 300) objects.insert_or_assign(key, answer.object);
  Answer shown_answer = answer;
  shown_answer.object = same_numbers(answer.object);
  KubeStep recorded_step = step;
  recorded_step.response = same_numbers(step.response);
  return compare(name, recorded(recorded_step), shown(shown_answer, kind->kind, kind->version));
}

}  // namespace

std::vector<CaseResult> run_kube_api_validation(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const std::filesystem::path& file : files_with(data, ".yaml")) {
    const std::string stem = file.stem().string();
    const auto all = read_kube_case(file);
    if (!all) {
      results.push_back(failed(stem, all.error().text()));
      continue;
    }
    Objects objects;
    for (std::size_t i = 0; i < all->steps.size(); ++i) {
      const std::string name = fmt::format("{}#{}", stem, i + 1);
      results.push_back(
          guarded(name, [&] { return check_step(name, *all, all->steps[i], objects); }));
    }
  }
  // Then the same cases on the whole server.
  for (CaseResult& result : replay_kube_api(data, "server/")) results.push_back(std::move(result));
  return results;
}

}  // namespace portico::conformance
