#include "repo/commit_text.h"

#include "json/text.h"

namespace portico::repo {
namespace {

constexpr std::string_view kAnnotation = "kpt:";
constexpr std::string_view kVariant = "Portico-Variant:";
constexpr std::string_view kSet = "Portico-Set:";
constexpr std::string_view kPristine = "Portico-Pristine:";
constexpr std::string_view kPin = "Portico-Pin:";
constexpr std::string_view kDecision = "Portico-Decision:";
constexpr std::string_view kUser = "Portico-User:";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    f(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string one_line(std::string_view text) {
  std::string out(trimmed(text));
  for (char& c : out)
    if (c == '\n' || c == '\r') c = ' ';
  return out;
}

// User text must not be parsed as Portico's own lines: a line that looks like one is prefixed with
// a bar.
bool looks_like_ours(std::string_view line) {
  const std::string_view text = trimmed(line);
  for (const std::string_view ours :
       {kAnnotation, kVariant, kSet, kPristine, kPin, kDecision, kUser})
    if (text.starts_with(ours)) return true;
  return false;
}

void append_body(std::string& out, std::string_view body) {
  for_each_line(body, [&](std::string_view line) {
    if (looks_like_ours(line)) out += "| ";
    out += line;
    out += '\n';
  });
}

}  // namespace

Result<std::string> commit_text(const Message& message, std::string_view package_path,
                                std::string_view workspace, int revision) {
  std::vector<json::Member> members;
  members.push_back({"package", package_path});
  members.push_back({"workspaceName", workspace});
  members.push_back({"revision", std::to_string(revision)});
  if (!message.task.empty()) {
    PORTICO_TRY(json::Value task, json::parse(message.task), "task");
    members.push_back({"task", std::move(task)});
  }
  const std::string subject = one_line(message.subject);
  std::string out = looks_like_ours(subject) ? "| " + subject : subject;
  out += "\n\n";
  if (!message.body.empty()) {
    append_body(out, message.body);
    out += '\n';
  }
  out += kAnnotation;
  out += json::print(json::Value::object(std::move(members)));
  out += '\n';
  if (message.variant.empty() && message.variant_set.empty() && message.pristine.empty() &&
      message.pin.empty() && message.decisions.empty())
    return out;
  out += '\n';
  if (!message.variant.empty()) out += fmt::format("{} {}\n", kVariant, one_line(message.variant));
  if (!message.variant_set.empty())
    out += fmt::format("{} {}\n", kSet, one_line(message.variant_set));
  if (!message.pristine.empty())
    out += fmt::format("{} {} {}\n", kPristine, package_path, one_line(message.pristine));
  if (!message.pin.empty())
    out += fmt::format("{} {} {}\n", kPin, package_path, one_line(message.pin));
  for (const std::string& each : message.decisions)
    out += fmt::format("{} {}\n", kDecision, one_line(each));
  return out;
}

std::string with_user(std::string text, std::string_view user) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t paragraph = text.rfind("\n\n");
  const bool has_trailers = paragraph != std::string::npos &&
                            std::string_view(text).substr(paragraph + 2).starts_with("Portico-");
  return fmt::format("{}{}{} {}\n", text, has_trailers ? "\n" : "\n\n", kUser, one_line(user));
}

std::vector<Annotation> annotations_of(std::string_view text) {
  std::vector<Annotation> out;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with(kAnnotation)) return;
    const auto value = json::parse(line.substr(kAnnotation.size()));
    if (!value || !value->is_object()) return;
    out.push_back({std::string((*value)["package"].as_string()),
                   std::string((*value)["workspaceName"].as_string()),
                   std::string((*value)["revision"].as_string()), (*value)["task"]});
  });
  return out;
}

std::optional<Annotation> annotation_of(std::string_view text, std::string_view package_path) {
  if (text.find(kAnnotation) == std::string_view::npos) return std::nullopt;
  for (Annotation& one : annotations_of(text))
    if (one.package == package_path) return std::move(one);
  return std::nullopt;
}

Trailers trailers_of(std::string_view text) {
  Trailers out;
  if (text.find("Portico-") == std::string_view::npos) return out;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t paragraph = text.rfind("\n\n");
  if (paragraph == std::string_view::npos) return out;  // a subject only
  for_each_line(text.substr(paragraph + 2), [&](std::string_view line) {
    if (line.starts_with(kVariant))
      out.variant = std::string(trimmed(line.substr(kVariant.size())));
    if (line.starts_with(kSet)) out.variant_set = std::string(trimmed(line.substr(kSet.size())));
    if (line.starts_with(kPristine)) {
      const std::string_view value = trimmed(line.substr(kPristine.size()));
      const std::size_t blank = value.rfind(' ');
      if (blank == std::string_view::npos) return;
      out.pristine_package = std::string(trimmed(value.substr(0, blank)));
      out.pristine_inputs = std::string(value.substr(blank + 1));
    }
    if (line.starts_with(kPin)) {
      const std::string_view value = trimmed(line.substr(kPin.size()));
      const std::size_t blank = value.rfind(' ');
      if (blank == std::string_view::npos) return;
      out.pin_package = std::string(trimmed(value.substr(0, blank)));
      out.pin = std::string(value.substr(blank + 1));
    }
    if (line.starts_with(kUser)) out.user = std::string(trimmed(line.substr(kUser.size())));
    if (line.starts_with(kDecision))
      out.decisions.emplace_back(trimmed(line.substr(kDecision.size())));
  });
  return out;
}

}  // namespace portico::repo
