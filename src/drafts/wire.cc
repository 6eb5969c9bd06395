#include "drafts/wire.h"

#include <type_traits>

#include "krm/package_json.h"
#include "merge/on_conflict.h"

namespace portico::drafts {

using json::Member;
using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

Value list(const std::vector<std::string>& texts) {
  return Value::array(std::vector<Value>(texts.begin(), texts.end()));
}

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& each : list.items()) out.push_back(text(each));
  return out;
}

Value json_of(const InitSource& source) {
  return Value::object({{"description", source.description},
                        {"site", source.site},
                        {"keywords", list(source.keywords)}});
}
Value json_of(const CloneSource& source) { return Value::object({{"upstream", source.upstream}}); }
Value json_of(const CopySource& source) { return Value::object({{"source", source.source}}); }
Value json_of(const UpgradeSource& source) {
  return Value::object({{"oldUpstream", source.old_upstream},
                        {"newUpstream", source.new_upstream},
                        {"local", source.local}});
}
Value json_of(const ReplaceSource& source) {
  return Value::object(
      {{"files", krm::package_to_json(source.content)}, {"lostComments", source.lost_comments}});
}
Value json_of(const VariantSource& source) {
  return Value::object(
      {{"upstream", source.upstream}, {"local", source.local}, {"upgrade", source.upgrade}});
}
Value json_of(const RebaseSource& source) { return Value::object({{"onto", source.onto}}); }
Value json_of(const OriginSource& source) {
  return Value::object({{"source", source.source}, {"upstream", source.upstream}});
}
Value json_of(const RollbackSource& source) {
  Value out = Value::object(
      {{"source", source.source}, {"version", source.version}, {"onto", source.onto}});
  if (source.pin)
    out = out.with("pin", Value::object({{"upstream", source.pin->upstream},
                                         {"inputs", source.pin->inputs},
                                         {"to", source.pin->to}}));
  return out;
}

const char* name_of(const InitSource&) { return "init"; }
const char* name_of(const CloneSource&) { return "clone"; }
const char* name_of(const CopySource&) { return "copy"; }
const char* name_of(const UpgradeSource&) { return "upgrade"; }
const char* name_of(const ReplaceSource&) { return "replace"; }
const char* name_of(const VariantSource&) { return "variant"; }
const char* name_of(const RebaseSource&) { return "rebase"; }
const char* name_of(const OriginSource&) { return "origin"; }
const char* name_of(const RollbackSource&) { return "rollback"; }

Result<Source> source_from_json(const Value& value) {
  if (value.size() != 1) return invalid("exactly one source is required");
  const std::string_view name = value.members()[0].name();
  const Value& from = value.members()[0].value;
  if (name == "init")
    return Source(
        InitSource{text(from["description"]), text(from["site"]), texts(from["keywords"])});
  if (name == "clone") return Source(CloneSource{text(from["upstream"])});
  if (name == "copy") return Source(CopySource{text(from["source"])});
  if (name == "upgrade")
    return Source(
        UpgradeSource{text(from["oldUpstream"]), text(from["newUpstream"]), text(from["local"])});
  if (name == "replace") {
    PORTICO_TRY(krm::Package content, krm::package_from_json(from["files"]), "files");
    return Source(ReplaceSource{std::move(content), from["lostComments"].as_bool()});
  }
  if (name == "variant")
    return Source(
        VariantSource{text(from["upstream"]), text(from["local"]), from["upgrade"].as_bool()});
  if (name == "rebase") return Source(RebaseSource{text(from["onto"])});
  if (name == "origin") return Source(OriginSource{text(from["source"]), text(from["upstream"])});
  if (name == "rollback") {
    RollbackSource out{text(from["source"]), static_cast<int>(from["version"].as_int()),
                       text(from["onto"]), std::nullopt};
    if (const Value* pin = from.find("pin"))
      out.pin = api::Pin{text((*pin)["upstream"]), text((*pin)["inputs"]), text((*pin)["to"])};
    return Source(std::move(out));
  }
  return invalid("unknown source {:?}", name);
}

}  // namespace

Value to_json(const DraftRequest& request) {
  std::vector<Member> out{
      {"namespace", request.ns},
      {"repository", request.repository},
      {"package", request.package},
      {"workspace", request.workspace},
      {"source", std::visit(
                     [](const auto& source) {
                       return Value::object({{name_of(source), json_of(source)}});
                     },
                     request.source)},
      {"draft", request.draft},
      {"resourceVersion", request.resource_version},
      {"strategy", request.strategy},
      {"onConflict", merge::name_of(request.on_conflict)},
      {"published", request.published},
      {"variant", request.variant},
      {"variantSet", request.variant_set},
      {"render", request.render},
      {"onlyIfChanged", request.only_if_changed},
      {"dryRun", request.dry_run}};
  if (request.mutations) out.push_back({"inputs", request.mutations->variant});
  if (!request.object.is_null()) out.push_back({"object", request.object});
  return Value::object(std::move(out));
}

Result<DraftRequest> request_from_json(const Value& value) {
  DraftRequest out;
  out.ns = text(value["namespace"]);
  out.repository = text(value["repository"]);
  out.package = text(value["package"]);
  out.workspace = text(value["workspace"]);
  PORTICO_TRY(out.source, source_from_json(value["source"]), "source");
  out.draft = text(value["draft"]);
  out.resource_version = text(value["resourceVersion"]);
  if (value.contains("inputs")) {
    Mutations mutations;
    mutations.variant = text(value["inputs"]);
    out.mutations = std::move(mutations);
  }
  out.strategy = text(value["strategy"]);
  PORTICO_TRY(out.on_conflict, merge::parse_on_conflict(value["onConflict"].as_string()),
              "onConflict");
  out.published = text(value["published"]);
  out.object = value["object"];
  out.variant = text(value["variant"]);
  out.variant_set = text(value["variantSet"]);
  out.render = !value.contains("render") || value["render"].as_bool();
  out.only_if_changed = !value.contains("onlyIfChanged") || value["onlyIfChanged"].as_bool();
  out.dry_run = value["dryRun"].as_bool();
  return out;
}

Value to_json(const merge::Conflict& conflict) {
  std::vector<Member> out{{"file", conflict.file},
                          {"object", Value::object({{"group", conflict.object.group},
                                                    {"kind", conflict.object.kind},
                                                    {"namespace", conflict.object.ns},
                                                    {"name", conflict.object.name}})},
                          {"field", conflict.field},
                          {"tookTheirs", conflict.took_theirs},
                          {"rule", conflict.rule}};
  if (conflict.base) out.push_back({"base", *conflict.base});
  if (conflict.ours) out.push_back({"ours", *conflict.ours});
  if (conflict.theirs) out.push_back({"theirs", *conflict.theirs});
  return Value::object(std::move(out));
}

merge::Conflict conflict_from_json(const Value& value) {
  const auto optional = [&](const char* name) {
    const Value* found = value.find(name);
    return found == nullptr ? std::optional<Value>() : *found;
  };
  const Value& object = value["object"];
  return {.file = text(value["file"]),
          .object = {text(object["group"]), text(object["kind"]), text(object["namespace"]),
                     text(object["name"])},
          .field = text(value["field"]),
          .base = optional("base"),
          .ours = optional("ours"),
          .theirs = optional("theirs"),
          .took_theirs = value["tookTheirs"].as_bool(),
          .rule = text(value["rule"])};
}

Value to_json(const Built& built) {
  std::vector<Value> conflicts;
  for (const merge::Conflict& each : built.conflicts) conflicts.push_back(to_json(each));
  Value out = Value::object({{"files", krm::package_to_json(built.content)},
                             {"changed", built.changed},
                             {"sameAsPublished", built.same_as_published},
                             {"conflicts", Value::array(std::move(conflicts))}});
  if (!built.inputs.empty()) out = out.with("inputs", built.inputs);
  if (!built.render_status.is_null()) out = out.with("renderStatus", built.render_status);
  return out;
}

Result<Built> built_from_json(const Value& value) {
  Built out;
  PORTICO_TRY(out.content, krm::package_from_json(value["files"]), "files");
  out.changed = value["changed"].as_bool();
  out.same_as_published = value["sameAsPublished"].as_bool();
  out.inputs = text(value["inputs"]);
  for (const Value& each : value["conflicts"].items())
    out.conflicts.push_back(conflict_from_json(each));
  out.render_status = value["renderStatus"];
  return out;
}

Value to_json(const Drafted& drafted) {
  return Value::object({{"object", drafted.object},
                        {"removed", drafted.removed},
                        {"built", to_json(drafted.built)}});
}

Result<Drafted> drafted_from_json(const Value& value) {
  Drafted out;
  out.object = value["object"];
  out.removed = value["removed"].as_bool();
  PORTICO_TRY(out.built, built_from_json(value["built"]), "built");
  return out;
}

Value to_json(const std::vector<BuildStep>& steps) {
  std::vector<Value> out;
  for (const BuildStep& each : steps)
    out.push_back(
        Value::object({{"what", each.what}, {"files", krm::package_to_json(*each.content)}}));
  return Value::array(std::move(out));
}

Result<std::vector<BuildStep>> steps_from_json(const Value& value) {
  std::vector<BuildStep> out;
  for (const Value& each : value.items()) {
    PORTICO_TRY(krm::Package content, krm::package_from_json(each["files"]), "files");
    out.push_back({text(each["what"]), std::make_shared<const krm::Package>(std::move(content))});
  }
  return out;
}

}  // namespace portico::drafts
