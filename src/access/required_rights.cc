#include "access/required_rights.h"

#include <algorithm>
#include <cctype>

#include "api/approval.h"
#include "api/kinds.h"
#include "krm/meta.h"

namespace portico::access {

using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

Request to_use(const char* resource, const std::string& name, const std::string& ns) {
  return {.verb = "use",
          .group = std::string(api::kConfigGroup),
          .version = "v1alpha1",
          .resource = resource,
          .name = name,
          .ns = ns};
}

// Checks a git location with its credentials: {repo, secretRef: {name}}.
void add_for_git(const Value& stored, const Value& wanted, const std::string& field,
                 const std::string& ns, std::vector<RequiredRight>& out) {
  const std::string address = text(wanted["repo"]), secret = text(wanted["secretRef"]["name"]);
  const bool moved = address != stored["repo"].as_string();
  if (!secret.empty() && (moved || secret != stored["secretRef"]["name"].as_string()))
    out.push_back(
        {{.verb = "get", .version = "v1", .resource = "secrets", .name = secret, .ns = ns},
         field + ".secretRef is sent to " + field + ".repo"});
  if (moved && !address.empty() && is_local_address(address))
    out.push_back(
        {to_use(kLocalRepositories, address, ns), field + ".repo is a local path on the server"});
}

bool approves(const Value& policy) {
  return policy.as_string() == "initial" || policy.as_string() == "always";
}

// All parts of a spec or template that waive manual approval, or could do so.
class Policies {
 public:
  void add_rule(const Value& approval) {
    const Value& rule = approval["approve"];
    if (const std::string_view policy = rule["policy"].as_string();
        !policy.empty() && policy != "never")
      found_.push_back(rule);
  }
  void add_annotations(const Value& annotations) {
    if (approves(annotations[api::kNephioPolicy]))
      found_.push_back(Value::object({{"policy", annotations[api::kNephioPolicy]},
                                      {"delay", annotations[api::kNephioDelay]}}));
  }
  // The key that an expression produces is known only when it is evaluated.
  void add_expressions(const Value& expressions) {
    for (const Value& each : expressions.items())
      if (each.contains("keyExpr") || each["key"].as_string() == api::kNephioPolicy)
        found_.push_back(each);
  }
  /// Whether all of them are in `before`, none more often than there.
  bool are_among(const Policies& before) const {
    std::vector<Value> left = before.found_;
    return std::all_of(found_.begin(), found_.end(), [&](const Value& one) {
      const auto at = std::find(left.begin(), left.end(), one);
      if (at == left.end()) return false;
      left.erase(at);
      return true;
    });
  }

 private:
  std::vector<Value> found_;
};

Policies policies_of(const Value& object) {
  Policies out;
  const Value& spec = object["spec"];
  const std::string_view kind = object["kind"].as_string();
  if (kind != api::kVariantSetKind) out.add_annotations(object["metadata"]["annotations"]);
  if (kind == api::kVariantKind) {
    out.add_rule(spec["approval"]);
    out.add_annotations(spec["annotations"]);
  }
  if (kind == api::kVariantSetKind)
    for (const Value& target : spec["targets"].items()) {
      const Value& made = target["template"];
      out.add_rule(made["approval"]);
      out.add_annotations(made["annotations"]);
      out.add_expressions(made["annotationExprs"]);
    }
  return out;
}

void add_for_approval(const Value& stored, const Value& wanted, const std::string& ns,
                      std::vector<RequiredRight>& out) {
  if (policies_of(wanted).are_among(policies_of(stored))) return;
  out.push_back({{.verb = "automate",
                  .group = std::string(api::kPorchGroup),
                  .version = "v1alpha1",
                  .resource = "packagerevisions",
                  .subresource = "approval",
                  .ns = ns},
                 "its policy approves package revisions automatically"});
}

}  // namespace

bool is_local_address(std::string_view address) {
  std::string lower(address.substr(0, 8));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.starts_with("file:")) return true;
  if (address.find("://") != std::string_view::npos) return false;
  // In git@host:path, a colon precedes any slash.
  return address.find(':') >= address.find('/');
}

std::vector<RequiredRight> demands(const Value& stored, const Value& wanted) {
  std::vector<RequiredRight> out;
  const krm::GroupKind kind = krm::group_kind(wanted);
  const std::string ns(krm::namespace_of(wanted));
  if (kind == api::repository_kind())
    add_for_git(stored["spec"]["git"], wanted["spec"]["git"], "spec.git", ns, out);
  if (kind == api::function_config_kind()) {
    const std::string path = text(wanted["spec"]["binaryExecutor"]["path"]);
    if (!path.empty() && path != stored["spec"]["binaryExecutor"]["path"].as_string())
      out.push_back({to_use(kLocalPrograms, path, ns),
                     "spec.binaryExecutor.path is a program on the server"});
  }
  if (kind == api::revision_kind()) {
    const Value &before = stored["spec"]["tasks"], &tasks = wanted["spec"]["tasks"];
    for (std::size_t i = 0; i < tasks.items().size(); ++i) {
      const auto git = [&](const Value& list) -> const Value& {
        static const Value kNone{};
        return i < list.items().size() ? list.items()[i]["clone"]["upstreamRef"]["git"] : kNone;
      };
      add_for_git(git(before), git(tasks),
                  "spec.tasks[" + std::to_string(i) + "].clone.upstreamRef.git", ns, out);
    }
  }
  if (kind == api::revision_kind() || kind == api::variant_kind() ||
      kind == api::variant_set_kind())
    add_for_approval(stored, wanted, ns, out);
  return out;
}

}  // namespace portico::access
