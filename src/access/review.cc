#include "access/review.h"

#include <fmt/format.h>

#include "access/internal/causes.h"
#include "base/go_quoted.h"
#include "krm/meta.h"

namespace portico::access {
namespace {

using internal::Causes;
using json::Value;

// Kubernetes omits the kind in this message.
constexpr std::string_view kNoKind = ".authorization.k8s.io";

std::string text(const Value& value) { return std::string(value.as_string()); }

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

std::string shown(const Value& path_request) {
  if (path_request.is_null()) return "null";
  return fmt::format(R"({{"Path":{},"Verb":{}}})", go_quoted(path_request["path"].as_string()),
                     go_quoted(path_request["verb"].as_string()));
}

void check_spec(const Value& spec, Causes& causes) {
  const Value& paths = spec["nonResourceAttributes"];
  if (spec["resourceAttributes"].is_object() && paths.is_object())
    causes.invalid("spec.nonResourceAttributes", shown(paths),
                   "cannot be specified in combination with resourceAttributes");
  if (!spec["resourceAttributes"].is_object() && !paths.is_object())
    causes.invalid("spec.resourceAttributes", "null",
                   "exactly one of nonResourceAttributes or resourceAttributes must be specified");
}

void check_subject(const Value& spec, Causes& causes) {
  if (spec["user"].as_string().empty() && spec["groups"].empty())
    causes.invalid("spec.user", "\"\"", "at least one of user or group must be specified");
}

Request request_of(const Value& spec) {
  Request request;
  const Value& of = spec["resourceAttributes"];
  if (!of.is_object()) {
    request.is_resource = false;
    request.verb = text(spec["nonResourceAttributes"]["verb"]);
    request.path = text(spec["nonResourceAttributes"]["path"]);
    return request;
  }
  request.verb = text(of["verb"]);
  request.group = text(of["group"]);
  request.version = of["version"].as_string().empty() ? "*" : text(of["version"]);
  request.resource = text(of["resource"]);
  request.subresource = text(of["subresource"]);
  request.name = text(of["name"]);
  request.ns = text(of["namespace"]);
  return request;
}

User subject_of(const Value& spec) {
  User user{.name = text(spec["user"]), .groups = texts(spec["groups"]), .uid = text(spec["uid"])};
  for (const json::Member& extra : spec["extra"].members())
    user.extra.emplace(extra.name(), texts(extra.value));
  return user;
}

Value list_of(const std::vector<Rule>& rules, bool resources) {
  std::vector<Value> out;
  for (const Rule& rule : rules) {
    if ((resources ? rule.resources : rule.paths).empty()) continue;
    Rule shown = rule;
    if (resources) {
      shown.paths.clear();
    } else {
      shown.groups.clear();
      shown.resources.clear();
      shown.names.clear();
    }
    out.push_back(to_value(shown));
  }
  return Value::array(std::move(out));
}

}  // namespace

Result<Question> self_access_question(const Value& review, const User& who) {
  Causes causes;
  check_spec(review["spec"], causes);
  PORTICO_DO(std::move(causes).check(kNoKind, ""));
  return Question{who, request_of(review["spec"])};
}

Result<Question> access_question(const Value& review) {
  Causes causes;
  check_spec(review["spec"], causes);
  check_subject(review["spec"], causes);
  PORTICO_DO(std::move(causes).check(kNoKind, ""));
  return Question{subject_of(review["spec"]), request_of(review["spec"])};
}

Result<Question> local_access_question(const Value& review, std::string_view ns) {
  const Value& spec = review["spec"];
  const std::string_view own = krm::namespace_of(review);
  Causes causes;
  check_spec(spec, causes);
  check_subject(spec, causes);
  const Value& wanted = spec["resourceAttributes"];
  if (wanted.is_object() && wanted["namespace"].as_string() != own)
    causes.invalid("spec.resourceAttributes.namespace", go_quoted(wanted["namespace"].as_string()),
                   "must match metadata.namespace");
  if (spec["nonResourceAttributes"].is_object())
    causes.invalid("spec.nonResourceAttributes", shown(spec["nonResourceAttributes"]),
                   "disallowed on this kind of request");
  PORTICO_DO(std::move(causes).check(kNoKind, ""));
  if (own != ns)
    return invalid("spec.resourceAttributes.namespace must match namespace: {}", ns)
        .because(Reason::kBadRequest);
  return Question{subject_of(spec), request_of(spec)};
}

Value answered(const Value& review, const Verdict& verdict) {
  Value status = Value::object({{"allowed", verdict.allowed}});
  if (!verdict.reason.empty()) status = status.with("reason", verdict.reason);
  return review.with("status", std::move(status));
}

Result<Value> rules_review(const Policy& policy, const User& who, const Value& review) {
  const std::string_view ns = review["spec"]["namespace"].as_string();
  if (ns.empty()) return invalid("no namespace on request").because(Reason::kBadRequest);
  const Granted granted = policy.granted(who, ns);
  Value status = Value::object({{"resourceRules", list_of(granted.rules, true)},
                                {"nonResourceRules", list_of(granted.rules, false)},
                                {"incomplete", false}});
  if (!granted.missing.empty())
    status = status.with("evaluationError", missing_text(granted.missing));
  return Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                        {"kind", "SelfSubjectRulesReview"},
                        {"metadata", Value::object()},
                        {"spec", Value::object()},
                        {"status", std::move(status)}});
}

}  // namespace portico::access
