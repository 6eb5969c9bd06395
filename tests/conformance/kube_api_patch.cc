// Patches by a Kubernetes API server: the object before a step, the patch and the response, checked
// with the pure functions on which a server is built.
#include <map>

#include "conformance/internal/kube_exchange.h"
#include "conformance/support.h"
#include "json/text.h"
#include "patch/patch.h"
#include "schema/object.h"

namespace portico::conformance {
namespace {

using json::Value;

using Key = std::pair<std::string, std::string>;  // plural and name

/// Typed objects omit empty members.
Value without_empty(const Value& value) {
  Value out = value;
  for (const json::Member& member : value.members()) {
    const Value inner = without_empty(member.value);
    const bool empty =
        inner.is_null() || ((inner.is_object() || inner.is_array()) && inner.empty());
    out = empty ? out.without(member.name()) : out.with(member.name(), inner);
  }
  return out;
}

Result<Value> patched(const KubeStep& step, const Value& target) {
  auto body = json::parse(step.body_text);
  if (!body) return invalid("error decoding patch: ").because(Reason::kBadRequest);
  if (step.content_type == "application/json-patch+json") {
    PORTICO_TRY(const patch::JsonPatch operations, patch::read_json_patch(*body));
    return patch::apply_json_patch(target, operations);
  }
  if (step.content_type == "application/merge-patch+json") {
    PORTICO_TRY(const Value merge, patch::read_merge_patch(*body));
    return patch::apply_merge_patch(target, merge);
  }
  PORTICO_TRY(const Value strategic, patch::read_strategic_patch(*body));
  return patch::apply_strategic_patch(target, strategic,
                                      patch::merged_lists(step.group, target["kind"].as_string()));
}

std::string shown(const Value& object, const KubeKind* kind) {
  const Value plain = without_server_fields(object);
  return json::print_pretty(kind == nullptr ? without_empty(plain) : plain) + "\n";
}

bool starts_as_recorded(const KubeStep& step, const std::string& what) {
  return step.response["body"]["message"].as_string().starts_with(what);
}

/// A custom resource after its patch: pruned and defaulted, with the part outside the patched
/// subresource kept.
Result<Value> stored(const KubeKind& kind, const KubeStep& step, const Value& before,
                     const Value& after) {
  PORTICO_TRY(const schema::TakenIn taken, schema::take_in(after, kind.schema));
  if (!kind.has_status) return taken.object;
  if (step.subresource == "status") return before.with("status", taken.object["status"]);
  const Value rest = taken.object.without("status");
  return before.contains("status") ? rest.with("status", before["status"]) : rest;
}

/// Causes about the metadata of a write come from the server.
bool is_about_patch_or_write(const KubeStep& step) {
  const std::string causes = recorded_causes(step.response["body"]);
  return causes.find("FieldValueInvalid patch:") != std::string::npos ||
         causes.find("metadata.resourceVersion") != std::string::npos ||
         step.response["body"]["message"].as_string().starts_with("PatchOptions");
}

CaseResult check_patch(const std::string& name, const KubeCase& all, const KubeStep& step,
                       const Value& recorded) {
  const KubeKind* kind = all.kind_of(step);
  Value before = recorded.with_at({"metadata", "namespace"}, "ns");
  // A patch applies to the object in the version of its URL.
  if (kind != nullptr) before = before.with("apiVersion", kind->group + "/" + kind->version);
  const auto after = patched(step, before);
  if (!after) {
    const bool bad_request = after.error().reason == Reason::kBadRequest;
    if ((bad_request ? 400 : 422) == step.status() && starts_as_recorded(step, after.error().what))
      return passed(name);
    return failed(name,
                  fmt::format("want {} {}\nhave {}\n", step.status(),
                              step.response["body"]["message"].as_string(), after.error().what));
  }
  if (step.status() == 422 && recorded_causes(step.response["body"]).empty())
    return failed(name, "want a refusal of the patch\nhave\n" + shown(*after, kind));
  if (step.status() == 200 && kind == nullptr) {
    if (step.plural == "secrets" && (*after).contains("stringData"))
      return skipped(name, "stringData is encoded by who stores secrets");
    return compare(name, shown(step.response["body"], kind), shown(*after, kind));
  }
  if (kind == nullptr) return skipped(name, "refused by the rules of a kind of Kubernetes' own");
  const auto object = stored(*kind, step, before, *after);
  if (!object) return failed(name, object.error().text());
  if (step.status() == 200)
    return compare(name, shown(step.response["body"], kind), shown(*object, kind));
  return compare(name, recorded_causes(step.response["body"]),
                 found_causes(schema::update_causes(*object, before, kind->schema, kind->rules)));
}

CaseResult check_step(const std::string& name, const KubeCase& all, const KubeStep& step,
                      std::map<Key, Value>& objects) {
  const Key key{step.plural, step.name};
  if (step.method != "PATCH") return skipped(name, step.method);
  const auto before = objects.find(key);
  if (before == objects.end()) return skipped(name, "there is no object");
  const std::int64_t status = step.status();
  if (status == 404 || status == 409 || status == 415)
    return skipped(name, "decided by who stores objects");
  if (step.subresource == "scale") return skipped(name, "scale");
  if (step.body_text.find("\"metadata\":{\"name\":\"b\"") != std::string::npos ||
      starts_as_recorded(step, "the name of") || starts_as_recorded(step, "the namespace of"))
    return skipped(name, "an object that gets another name");
  if (is_about_patch_or_write(step)) return skipped(name, "what is patched is decoded and written");
  if (step.body_text.find("\"managedFields") != std::string::npos)
    return skipped(name, "managed fields");
  if (!step.warnings().empty() && all.kind_of(step) == nullptr)
    return skipped(name, "unknown fields of a kind of Kubernetes' own");
  return check_patch(name, all, step, before->second);
}

}  // namespace

std::vector<CaseResult> run_kube_api_patch(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const std::filesystem::path& file : files_with(data, ".yaml")) {
    const std::string stem = file.stem().string();
    const auto all = read_kube_case(file);
    if (!all) {
      results.push_back(failed(stem, all.error().text()));
      continue;
    }
    std::map<Key, Value> objects;
    for (std::size_t i = 0; i < all->steps.size(); ++i) {
      const KubeStep& step = all->steps[i];
      const std::string name = fmt::format("{}#{}", stem, i + 1);
      if (step.method == "PATCH")
        results.push_back(guarded(name, [&] { return check_step(name, *all, step, objects); }));
      // The next step starts from the state of the real server.
      const Value& body = step.response["body"];
      const bool dry = step.query.find("dryRun") != std::string::npos;
      if (step.status() < 300 && !dry && step.subresource != "scale")
        objects.insert_or_assign(
            Key{step.plural, std::string(body["metadata"]["name"].as_string())}, body);
    }
  }
  return results;
}

}  // namespace portico::conformance
