#include "kubeapi/columns.h"

#include <algorithm>
#include <chrono>

#include "base/time.h"

namespace portico::kubeapi {

using json::Value;

namespace {

// Kubernetes' duration.HumanDuration: two units if the larger one is small.
std::string human(std::int64_t seconds) {
  const std::int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  const std::int64_t years = days / 365;
  const auto two = [](std::int64_t large, char a, std::int64_t small, char b) {
    return small == 0 ? fmt::format("{}{}", large, a) : fmt::format("{}{}{}{}", large, a, small, b);
  };
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return fmt::format("{}d", days);
  if (years < 8) return two(years, 'y', days % 365, 'd');
  return fmt::format("{}y", years);
}

Column text(std::string name, std::string description, int priority,
            std::string (*cell)(const Value& object)) {
  return {std::move(name),
          "string",
          "",
          std::move(description),
          priority,
          [cell](const Value& object, std::string_view) { return Value(cell(object)); }};
}

std::string_view created(const Value& object) {
  return object["metadata"]["creationTimestamp"].as_string();
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Reads events of both groups by the field names of either.
std::string involved(const Value& event) {
  const Value& object = event.contains("regarding") ? event["regarding"] : event["involvedObject"];
  return fmt::format("{}/{}", lower(object["kind"].as_string()), object["name"].as_string());
}

std::string_view first_of(const Value& event, std::initializer_list<const char*> fields) {
  for (const char* field : fields)
    if (const std::string_view text = event[field].as_string(); !text.empty()) return text;
  return "";
}

std::string subjects_of(const Value& binding, std::string_view kind) {
  std::string out;
  for (const Value& subject : binding["subjects"].items()) {
    if (subject["kind"].as_string() != kind) continue;
    if (!out.empty()) out += ", ";
    if (kind == "ServiceAccount") out += fmt::format("{}/", subject["namespace"].as_string());
    out += subject["name"].as_string();
  }
  return out;
}

}  // namespace

std::string human_age(std::string_view from, std::string_view now) {
  if (from.empty()) return "<unknown>";
  const auto start = parse_rfc3339(from), end = parse_rfc3339(now);
  if (!start || !end) return "<invalid>";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*end - *start).count();
  if (seconds < -1) return "<invalid>";
  return human(std::max<std::int64_t>(seconds, 0));
}

Column name_column() {
  return {"Name",
          "string",
          "name",
          "Name of the object, unique among those of its kind and namespace",
          0,
          [](const Value& object, std::string_view) {
            return Value(object["metadata"]["name"].as_string());  // a bookmark has none
          }};
}

Column age_column() {
  return {"Age",
          "string",
          "",
          "Time since the object was created",
          0,
          [](const Value& object, std::string_view now) {
            return Value(human_age(created(object), now));
          }};
}

Column created_at_column() {
  return {"Created At",
          "date",
          "",
          "When the object was created",
          0,
          [](const Value& object, std::string_view) { return Value(created(object)); }};
}

std::vector<Column> event_columns() {
  const auto age_of = [](std::initializer_list<const char*> fields) {
    return [fields = std::vector<const char*>(fields)](const Value& event, std::string_view now) {
      for (const char* field : fields)
        if (const std::string_view time = event[field].as_string(); !time.empty())
          return Value(human_age(time, now));
      return Value("<unknown>");
    };
  };
  std::vector<Column> out;
  out.push_back({"Last Seen", "string", "", "Time since the most recent occurrence of this event",
                 0, age_of({"lastTimestamp", "deprecatedLastTimestamp", "eventTime"})});
  out.push_back(text("Type", "Type of this event (Normal, Warning)", 0,
                     [](const Value& event) { return std::string(event["type"].as_string()); }));
  out.push_back(text("Reason", "Short, machine-readable reason for this event", 0,
                     [](const Value& event) { return std::string(event["reason"].as_string()); }));
  out.push_back(text("Object", "Object that this event is about", 0, involved));
  out.push_back(
      text("Subobject", "Field of the object that this event is about", 1, [](const Value& event) {
        const Value& object =
            event.contains("regarding") ? event["regarding"] : event["involvedObject"];
        return std::string(object["fieldPath"].as_string());
      }));
  out.push_back(text("Source", "Component that reported this event", 1, [](const Value& event) {
    const Value& source =
        event.contains("deprecatedSource") ? event["deprecatedSource"] : event["source"];
    const std::string_view component =
        first_of(event, {"reportingComponent", "reportingController"});
    std::string out_text(source["component"].as_string().empty() ? component
                                                                 : source["component"].as_string());
    if (const std::string_view host = source["host"].as_string(); !host.empty())
      out_text += fmt::format(", {}", host);
    return out_text;
  }));
  out.push_back(
      text("Message", "Human-readable description of this event", 0, [](const Value& event) {
        return std::string(first_of(event, {"message", "note"}));
      }));
  out.push_back({"First Seen", "string", "", "Time since the first occurrence of this event", 1,
                 age_of({"firstTimestamp", "deprecatedFirstTimestamp", "eventTime"})});
  out.push_back(text("Count", "Number of times this event has occurred", 1, [](const Value& event) {
    const std::int64_t count = std::max(event["count"].as_int(), event["deprecatedCount"].as_int());
    return std::to_string(std::max<std::int64_t>(count, 1));
  }));
  Column name = name_column();
  name.priority = 1;
  out.push_back(std::move(name));
  return out;
}

std::vector<Column> rbac_columns(std::string_view kind) {
  if (!kind.ends_with("Binding")) return {name_column(), created_at_column()};
  std::vector<Column> out = {name_column(),
                             text("Role", "Role that is granted", 0,
                                  [](const Value& binding) {
                                    return fmt::format("{}/{}",
                                                       binding["roleRef"]["kind"].as_string(),
                                                       binding["roleRef"]["name"].as_string());
                                  }),
                             age_column()};
  out.push_back(text("Users", "Users that the role is granted to", 1,
                     [](const Value& binding) { return subjects_of(binding, "User"); }));
  out.push_back(text("Groups", "Groups that the role is granted to", 1,
                     [](const Value& binding) { return subjects_of(binding, "Group"); }));
  out.push_back(text("ServiceAccounts", "Service accounts that the role is granted to", 1,
                     [](const Value& binding) { return subjects_of(binding, "ServiceAccount"); }));
  return out;
}

std::vector<Column> columns_of(const resources::Resource& resource) {
  std::vector<Column> out;
  for (const resources::Column& column : resource.columns) {
    if (column.name == "Name") {
      out.push_back(name_column());
      continue;
    }
    out.push_back({std::string(column.name), std::string(column.type), "",
                   std::string(column.description), column.priority,
                   [cell = column.cell, is_date = column.type == "date"](const Value& object,
                                                                         std::string_view now) {
                     Value value = cell(object);
                     return is_date ? Value(human_age(value.as_string(), now)) : value;
                   }});
  }
  return out;
}

}  // namespace portico::kubeapi
