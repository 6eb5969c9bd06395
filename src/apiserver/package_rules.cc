#include "apiserver/package_rules.h"

#include "api/kinds.h"
#include "schema/causes.h"
#include "schema/metadata.h"

namespace portico::apiserver {

using json::Value;
using packages::Transition;
using schema::invalid_value;

namespace {

constexpr const char* kLifecycle = "spec.lifecycle";

std::string_view lifecycle_of(const Value& revision) {
  const std::string_view text = revision["spec"]["lifecycle"].as_string();
  return text.empty() ? api::kDraft : text;
}

bool is_open(std::string_view lifecycle) {
  return lifecycle == api::kDraft || lifecycle == api::kProposed;
}

// What is wrong with the name of a package or workspace; "" if it is valid.
std::string label_fault(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return "must not contain dots";
  return schema::name_fault(text, schema::NameRule::kLabel);
}

void check_package_name(const std::string& name, std::vector<Cause>& causes) {
  const auto say = [&](std::string_view why) {
    causes.push_back(invalid_value("spec.packageName", Value(name), why));
  };
  if (name.find("//") != std::string::npos)
    return say("consecutive '/' characters are not allowed");
  for (std::string_view rest = name;;) {
    const std::size_t slash = rest.find('/');
    if (const std::string fault = label_fault(rest.substr(0, slash)); !fault.empty())
      return say(fault);
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_task(const api::Task& task, std::vector<Cause>& causes) {
  const std::string place = "spec.tasks[0]";
  const bool known =
      task.type == "init" || task.type == "clone" || task.type == "edit" || task.type == "upgrade";
  if (!known) {
    causes.push_back({"FieldValueNotSupported",
                      fmt::format("task of type {:?} not supported", task.type), place + ".type"});
    return;
  }
  const bool has = task.type == "init"    ? task.init.has_value()
                   : task.type == "clone" ? task.clone.has_value()
                   : task.type == "edit"  ? task.edit.has_value()
                                          : task.upgrade.has_value();
  if (!has)
    causes.push_back({"FieldValueRequired",
                      fmt::format("{} not set for task of type {:?}", task.type, task.type),
                      fmt::format("{}.{}", place, task.type)});
}

// The label's value; nullptr if the label is missing.
const Value* latest_label(const Value& object) {
  return object["metadata"]["labels"].find(api::kLatestRevisionLabel);
}

Cause latest_label_cause(std::string_view what) {
  return schema::forbidden_value(
      fmt::format("metadata.labels.{}", api::kLatestRevisionLabel),
      fmt::format("label is managed by porch and cannot be {} by users", what));
}

// null, {} and [] are equivalent to a missing value.
bool same(const Value& a, const Value& b) {
  const auto empty = [](const Value& value) {
    return value.is_null() || ((value.is_object() || value.is_array()) && value.empty());
  };
  return (empty(a) && empty(b)) || a == b;
}

}  // namespace

std::vector<Cause> revision_create_causes(const Value& sent, const api::PackageRevision& revision) {
  std::vector<Cause> causes;
  const api::PackageRevisionSpec& spec = revision.spec;
  if (!spec.lifecycle.empty() && spec.lifecycle != api::kDraft)
    causes.push_back(
        invalid_value(kLifecycle, Value(spec.lifecycle), "value can be only created as Draft"));
  if (latest_label(sent) != nullptr) causes.push_back(latest_label_cause("set"));
  check_package_name(spec.package_name, causes);
  if (const std::string fault = label_fault(spec.workspace_name); !fault.empty())
    causes.push_back(invalid_value("spec.workspaceName", Value(spec.workspace_name), fault));
  if (spec.tasks.size() > 1)
    causes.push_back(
        {"FieldValueTooMany", "task list must not contain more than one task", "spec.tasks"});
  else if (!spec.tasks.empty())
    check_task(spec.tasks.front(), causes);
  return causes;
}

std::vector<Cause> revision_update_causes(const Value& old, const Value& wanted) {
  std::vector<Cause> causes;
  const std::string_view from = lifecycle_of(old), to = lifecycle_of(wanted);
  for (const char* field : {"packageName", "repository", "workspaceName"})
    if (const Value& value = wanted["spec"][field]; !value.is_null() && value != old["spec"][field])
      causes.push_back(invalid_value(fmt::format("spec.{}", field), value, "field is immutable"));
  if (wanted["spec"]["revision"].as_int() != old["spec"]["revision"].as_int() &&
      wanted["spec"].contains("revision"))
    causes.push_back(invalid_value("spec.revision", wanted["spec"]["revision"],
                                   "is set when the package revision is published"));
  const Value *had = latest_label(old), *has = latest_label(wanted);
  if ((had == nullptr) != (has == nullptr) || (had != nullptr && *had != *has))
    causes.push_back(latest_label_cause("modified"));
  if (!krm::parse_lifecycle(to))
    causes.push_back(
        invalid_value(kLifecycle, Value(to),
                      "value can be only updated to Draft,Proposed,Published,DeletionProposed"));
  if (is_open(from)) {
    if (!is_open(to))
      causes.push_back(
          invalid_value(kLifecycle, Value(from), "value can be only updated to Draft,Proposed"));
  } else if (is_open(to) || !krm::parse_lifecycle(to)) {
    causes.push_back(invalid_value("spec", wanted["spec"],
                                   "spec can only update package with lifecycle value one of "
                                   "Draft,Proposed"));
  }
  return causes;
}

std::vector<Cause> approval_causes(const Value& old, const Value& wanted) {
  std::vector<Cause> causes;
  const std::string_view from = lifecycle_of(old), to = lifecycle_of(wanted);
  const auto say = [&](std::string_view value, std::string_view why) {
    causes.push_back(invalid_value(kLifecycle, Value(value), why));
  };
  if (from == api::kDraft)
    say(from,
        "cannot approve package with Draft lifecycle value; only Proposed packages can be "
        "approved");
  if (from == api::kPublished && to != api::kDeletionProposed)
    say(from, "package with Published lifecycle value can only be updated to 'ProposeDeletion'");
  if (from == api::kDeletionProposed && to != api::kPublished)
    say(from, "package with DeletionProposed lifecycle value can only be updated to 'Published'");
  if (to == api::kDeletionProposed && from != api::kPublished)
    say(to,
        "cannot update lifecycle DeletionProposed; only Published packages require approval for "
        "deletion");
  if (to != api::kDraft && to != api::kPublished && to != api::kDeletionProposed)
    say(to, "value for approval can be only one of Draft,Published");
  return causes;
}

std::optional<Transition> transition_between(std::string_view from, std::string_view to) {
  if (from == to) return std::nullopt;
  if (to == api::kProposed) return Transition::kPropose;
  if (to == api::kDeletionProposed) return Transition::kProposeDeletion;
  if (to == api::kPublished && from == api::kProposed) return Transition::kApprove;
  return Transition::kReject;  // to Draft, or back to Published
}

bool kptfile_differs(const Value& old, const Value& wanted) {
  return !same(old["spec"]["packageMetadata"], wanted["spec"]["packageMetadata"]) ||
         !same(old["spec"]["readinessGates"], wanted["spec"]["readinessGates"]) ||
         !same(old["status"]["conditions"], wanted["status"]["conditions"]);
}

Value with_metadata_of(const Value& stored, const Value& wanted) {
  Value metadata = stored["metadata"];
  for (const char* field :
       {"labels", "annotations", "ownerReferences", "finalizers", "managedFields"}) {
    const Value& value = wanted["metadata"][field];
    metadata = same(value, Value()) ? metadata.without(field) : metadata.with(field, value);
  }
  return stored.with("metadata", std::move(metadata));
}

}  // namespace portico::apiserver
