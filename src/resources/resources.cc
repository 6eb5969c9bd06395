#include "resources/resources.h"

#include <algorithm>
#include <chrono>

#include "api/kinds.h"
#include "base/time.h"

namespace portico::resources {
namespace {

using json::Value;

struct Named {
  krm::GroupKind kind;
  std::vector<std::string_view> short_names;
};

const std::vector<Named>& ours() {
  static const std::vector<Named> kOurs{
      {api::repository_kind(), {"repo", "repos"}},
      {api::variant_kind(), {"pv"}},
      {api::variant_set_kind(), {"pvs"}},
      {api::function_config_kind(), {"fnconfig"}},
      {api::revision_kind(), {"rpkg", "rpkgs", "pkgrev", "pr"}},
  };
  return kOurs;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string text_at(const Value& object, std::initializer_list<std::string_view> path) {
  const Value* at = &object;
  for (const std::string_view key : path) at = &(*at)[key];
  return std::string(at->as_string());
}

}  // namespace

std::string plural(const krm::GroupKind& kind) {
  std::string out = lower(kind.kind);
  if (out.ends_with("y") && !out.ends_with("ey")) return out.substr(0, out.size() - 1) + "ies";
  if (out.ends_with("s") || out.ends_with("x") || out.ends_with("ch")) return out + "es";
  return out + "s";
}

Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present) {
  const std::string asked = lower(written);
  const auto matches = [&](const krm::GroupKind& kind) {
    for (const std::string& name : {lower(kind.kind), plural(kind)})
      if (asked == name || (!kind.group.empty() && asked == name + "." + kind.group)) return true;
    return false;
  };
  for (const Named& each : ours())
    if (matches(each.kind) || std::find(each.short_names.begin(), each.short_names.end(), asked) !=
                                  each.short_names.end())
      return each.kind;
  std::vector<std::string> known;
  for (const krm::GroupKind& kind : present) {
    if (matches(kind)) return kind;
    known.push_back(plural(kind));
  }
  for (const Named& each : ours()) known.push_back(plural(each.kind));
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return invalid("there is no resource type \"{}\"; there are {}", written, fmt::join(known, ", "));
}

std::string name_line(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  return lower(kind.kind) + (kind.group.empty() ? "" : "." + kind.group) + "/" +
         std::string(krm::name_of(object));
}

std::string condition_status(const Value& object, std::string_view type) {
  for (const Value& condition : object["status"]["conditions"].items())
    if (condition["type"].as_string() == type) return std::string(condition["status"].as_string());
  return "";
}

std::string state_of(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  if (kind == api::revision_kind()) return text_at(object["spec"], {"lifecycle"});
  if (kind.group != api::kConfigGroup) return "-";  // nobody here answers for it
  std::string ready, reason, message;
  for (const Value& condition : object["status"]["conditions"].items()) {
    const std::string_view type = condition["type"].as_string(),
                           status = condition["status"].as_string();
    if (type == "Stalled" && status == "True")
      return "Stalled: " + std::string(condition["message"].as_string());
    if (type == "Ready") {
      ready = status;
      reason = condition["reason"].as_string();
      message = condition["message"].as_string();
    }
  }
  if (ready == "True") return "Ready";
  if (ready.empty()) return "Pending";
  return reason + ": " + message;
}

std::string age(std::string_view from, std::string_view to) {
  const auto start = parse_rfc3339(from), end = parse_rfc3339(to);
  if (!start || !end) return "";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*end - *start).count();
  if (seconds < 120) return fmt::format("{}s", std::max<std::int64_t>(seconds, 0));
  if (seconds < 2 * 3600) return fmt::format("{}m", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{}h{}m", seconds / 3600, seconds % 3600 / 60);
  return fmt::format("{}d", seconds / 86400);
}

std::vector<std::string> table_head(const krm::GroupKind& kind, bool wide) {
  std::vector<std::string> head{"NAME"};
  const auto add = [&](std::initializer_list<const char*> more) {
    head.insert(head.end(), more.begin(), more.end());
  };
  if (kind == api::repository_kind())
    add({"TYPE", "DEPLOYMENT", "READY", "PACKAGES", "ADDRESS"});
  else if (kind == api::variant_kind())
    add({"UPSTREAM", "DOWNSTREAM", "STATE"});
  else if (kind == api::variant_set_kind())
    add({"UPSTREAM", "TARGETS", "READY", "WAITING", "FAILED", "STATE"});
  else if (kind == api::function_config_kind())
    add({"IMAGE", "EXECUTORS"});
  else if (kind == api::revision_kind())
    add({"PACKAGE", "WORKSPACENAME", "REVISION", "LATEST", "LIFECYCLE", "REPOSITORY"});
  if (wide && kind == api::repository_kind()) add({"BRANCH", "DIRECTORY"});
  if (wide && kind == api::revision_kind()) add({"COMMIT"});
  add({"AGE"});
  return head;
}

namespace {

// A long message would push everything else out of sight; -o wide and describe have all of it.
std::string short_state(const Value& object, bool wide) {
  constexpr std::size_t kMost = 64;
  std::string state = state_of(object);
  if (wide || state.size() <= kMost) return state;
  std::size_t end = kMost - 3;
  while (end > 0 && (static_cast<unsigned char>(state[end]) & 0xC0U) == 0x80U) --end;
  return state.substr(0, end) + "...";
}

}  // namespace

std::vector<std::string> table_row(const Value& object, bool wide, std::string_view now) {
  const krm::GroupKind kind = krm::group_kind(object);
  std::vector<std::string> row{std::string(krm::name_of(object))};
  const Value &spec = object["spec"], &status = object["status"];
  const auto package = [&](const char* side) {
    return text_at(spec, {side, "repo"}) + "/" + text_at(spec, {side, "package"});
  };
  if (kind == api::repository_kind()) {
    row.push_back(spec["type"].is_null() ? "git" : text_at(spec, {"type"}));
    row.push_back(spec["deployment"].as_bool() ? "true" : "false");
    row.push_back(condition_status(object, "Ready"));
    row.push_back(std::to_string(status["packageCount"].as_int()));
    row.push_back(text_at(spec, {"git", "repo"}));
    if (wide) {
      row.push_back(spec["git"]["branch"].is_null() ? "main" : text_at(spec, {"git", "branch"}));
      row.push_back(text_at(spec, {"git", "directory"}));
    }
  } else if (kind == api::variant_kind()) {
    row.push_back(package("upstream"));
    row.push_back(package("downstream"));
    row.push_back(short_state(object, wide));
  } else if (kind == api::variant_set_kind()) {
    row.push_back(package("upstream"));
    for (const char* count : {"desired", "ready", "waiting", "failed"})
      row.push_back(std::to_string(status["targets"][count].as_int()));
    row.push_back(short_state(object, wide));
  } else if (kind == api::function_config_kind()) {
    row.push_back(text_at(spec, {"image"}));
    std::string executors;
    for (const char* one : {"goExecutor", "binaryExecutor", "grpcExecutor", "podExecutor"})
      if (!spec[one].is_null()) executors += (executors.empty() ? "" : ",") + std::string(one);
    row.push_back(executors);
  } else if (kind == api::revision_kind()) {
    row.push_back(text_at(spec, {"packageName"}));
    row.push_back(text_at(spec, {"workspaceName"}));
    row.push_back(std::to_string(spec["revision"].as_int()));
    row.push_back(object["metadata"]["labels"].contains(api::kLatestRevisionLabel) ? "true"
                                                                                   : "false");
    row.push_back(text_at(spec, {"lifecycle"}));
    row.push_back(text_at(spec, {"repository"}));
    if (wide) row.push_back(text_at(status, {"selfLock", "git", "commit"}).substr(0, 12));
  }
  row.push_back(age(object["metadata"]["creationTimestamp"].as_string(), now));
  return row;
}

}  // namespace portico::resources
