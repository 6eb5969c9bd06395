#include "conformance/internal/kube_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "conformance/support.h"
#include "json/text.h"
#include "krm/object.h"

namespace portico::conformance {
namespace {

using json::Value;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ec == std::errc()) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string verb_of(std::string_view method, const KubeTarget& target) {
  const bool one = !target.request.name.empty();
  if (method == "GET" || method == "HEAD") {
    if (one) return "get";
    const auto watch = target.query.find("watch");
    return watch != target.query.end() && watch->second == "true" ? "watch" : "list";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  return one ? "delete" : "deletecollection";
}

/// Parses the path segments after the API version.
void read_resource(const std::vector<std::string>& parts, std::size_t at,
                   access::Request& request) {
  if (parts.size() > at + 2 && parts[at] == "namespaces") {
    request.ns = parts[at + 1];
    at += 2;
  } else if (parts.size() == at + 2 && parts[at] == "namespaces") {
    request.ns = parts[at + 1];
  }
  request.resource = parts[at];
  if (parts.size() > at + 1) request.name = parts[at + 1];
  if (parts.size() > at + 2) request.subresource = parts[at + 2];
}

/// <kind:NUMBER> and the like, at the beginning of `text`; "" if there is none.
std::string_view placeholder_at(std::string_view text) {
  if (!text.starts_with('<')) return {};
  const std::size_t end = text.find('>');
  if (end == std::string_view::npos) return {};
  const std::string_view found = text.substr(0, end + 1);
  for (const char* kind : {"<uid:", "<rv:", "<list-rv:", "<generated:", "<token:", "<time>",
                           "<any>", "<rv>", "<age>", "<credential>", "<continue:", "<bookmark-rv>",
                           "<etag:", "<hash>", "<sha:", "<repo:", "<registry>"})
    if (found.starts_with(kind)) return found;
  return {};
}

bool is_wild(std::string_view placeholder) {
  return placeholder == "<time>" || placeholder == "<any>" || placeholder == "<rv>" ||
         placeholder == "<age>" || placeholder == "<credential>" || placeholder == "<hash>" ||
         placeholder == "<bookmark-rv>";
}

std::string differs(std::string_view place, const Value& want, const Value& have) {
  return fmt::format("{}: want {}, have {}\n", place.empty() ? "." : place, json::print(want),
                     json::print(have));
}

}  // namespace

Result<Value> read_exchanges(const std::filesystem::path& file) {
  PORTICO_TRY(std::string text, read_file(file));
  text = replaced(replaced(std::move(text), "{ns}", "ns-a"), "{ns2}", "ns-bb");
  PORTICO_TRY(const krm::Object object, krm::Object::parse(text), file.string());
  return object.value();
}

KubeTarget target_of(std::string_view method, std::string_view path) {
  KubeTarget target;
  const std::size_t mark = path.find('?');
  if (mark != std::string_view::npos)
    for (const std::string& part : split(path.substr(mark + 1), '&')) {
      const std::size_t equal = part.find('=');
      target.query[unescaped(part.substr(0, equal))] =
          equal == std::string::npos ? "" : unescaped(part.substr(equal + 1));
    }
  path = path.substr(0, mark);
  access::Request& request = target.request;
  const std::vector<std::string> parts =
      split(path.substr(std::min<std::size_t>(1, path.size())), '/');
  const bool core = parts[0] == "api" && parts.size() > 2;
  const bool named = parts[0] == "apis" && parts.size() > 3;
  if (core || named) {
    if (named) request.group = parts[1];
    request.version = parts[named ? 2 : 1];
    read_resource(parts, named ? 3 : 2, request);
    request.verb = verb_of(method, target);
    return target;
  }
  request.is_resource = false;
  request.path = path;
  for (const char c : method) request.verb += static_cast<char>(c | 0x20);
  return target;
}

std::string header_of(const Value& request, std::string_view name) {
  return std::string(request["headers"][name].as_string());
}

std::string Placeholders::filled(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const auto known = values_.find(placeholder_at(text));
    if (known != values_.end()) {
      out += known->second;
      text.remove_prefix(known->first.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

Value Placeholders::filled(const Value& value) const {
  if (value.is_string()) return filled(value.as_string());
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(filled(item));
    return Value::array(std::move(items));
  }
  if (value.is_object()) {
    std::vector<json::Member> members;
    for (const json::Member& member : value.members())
      members.push_back({filled(member.name()), filled(member.value)});
    return Value::object(std::move(members));
  }
  return value;
}

bool Placeholders::text_matches(std::string_view want, std::string_view have) {
  while (!want.empty()) {
    const std::string_view placeholder = placeholder_at(want);
    if (placeholder.empty()) {
      if (have.empty() || have.front() != want.front()) return false;
      want.remove_prefix(1);
      have.remove_prefix(1);
      continue;
    }
    want.remove_prefix(placeholder.size());
    const auto known = values_.find(placeholder);
    if (known != values_.end()) {
      if (!have.starts_with(known->second)) return false;
      have.remove_prefix(known->second.size());
      continue;
    }
    // A new placeholder matches everything up to the next character of `want`.
    std::size_t end = have.size();
    if (!want.empty()) end = have.find(want.front());
    if (end == std::string_view::npos) return false;
    if (!is_wild(placeholder)) values_.emplace(placeholder, have.substr(0, end));
    have.remove_prefix(end);
  }
  return have.empty();
}

std::string Placeholders::difference(const Value& want, const Value& have) {
  if (want.is_string()) {
    if (want.as_string() == "<any>") return {};
    if (!have.is_string() || !text_matches(want.as_string(), have.as_string()))
      return differs("", want, have);
    return {};
  }
  if (want.type() != have.type()) return differs("", want, have);
  const auto below = [](std::string_view place, std::string text) {
    if (!text.empty()) text.insert(0, place);
    return text;
  };
  if (want.is_object()) {
    std::set<std::string_view> matched;
    for (const json::Member& member : want.members()) {
      const Value* own = have.find(filled(member.name()));
      for (const json::Member& other : have.members())
        if (own == nullptr && !placeholder_at(member.name()).empty() &&
            text_matches(member.name(), other.name()))
          own = &other.value;
      if (own == nullptr)
        return fmt::format(".{}: missing: {}\n", member.name(), json::print(member.value));
      if (std::string text = difference(member.value, *own); !text.empty())
        return below("." + std::string(member.name()), std::move(text));
    }
    for (const json::Member& member : have.members())
      if (std::none_of(want.members().begin(), want.members().end(), [&](const json::Member& one) {
            return filled(one.name()) == member.name();
          }))
        return fmt::format(".{}: too much: {}\n", member.name(), json::print(member.value));
    return {};
  }
  if (want.is_array()) {
    for (std::size_t i = 0; i < std::min(want.size(), have.size()); ++i)
      if (std::string text = difference(want[i], have[i]); !text.empty())
        return below(fmt::format("[{}]", i), std::move(text));
    return want.size() == have.size() ? std::string() : differs("", want, have);
  }
  return want == have ? std::string() : differs("", want, have);
}

int code_of(const Error& error) {
  switch (error.reason) {
    case Reason::kForbidden:
      return 403;
    case Reason::kBadRequest:
      return 400;
    case Reason::kAlreadyExists:
      return 409;
    default:
      break;
  }
  if (error.code == Code::kNotFound) return 404;
  if (error.code == Code::kConflict) return 409;
  return error.code == Code::kInvalid ? 422 : 500;
}

Value status_of(const Error& error, const Value& details) {
  Value out = Value::object({{"kind", "Status"},
                             {"apiVersion", "v1"},
                             {"metadata", Value::object()},
                             {"status", "Failure"},
                             {"message", error.text()},
                             {"reason", name(error.reason, error.code)},
                             {"code", code_of(error)}});
  std::vector<Value> causes;
  for (const Cause& cause : error.causes)
    causes.push_back(Value::object(
        {{"reason", cause.reason}, {"message", cause.message}, {"field", cause.field}}));
  Value all = details;
  if (!causes.empty()) all = all.with("causes", Value::array(std::move(causes)));
  return all.empty() ? out : out.with("details", std::move(all));
}

Value with_sorted_causes(const Value& status) {
  const Value& given = status["details"]["causes"];
  if (given.size() < 2) return status;
  std::vector<Value> causes(given.items().begin(), given.items().end());
  std::stable_sort(causes.begin(), causes.end(), [](const Value& a, const Value& b) {
    return std::pair(a["field"].as_string(), a["message"].as_string()) <
           std::pair(b["field"].as_string(), b["message"].as_string());
  });
  std::vector<std::string> parts;
  for (const Value& cause : causes) {
    std::string part =
        fmt::format("{}: {}", cause["field"].as_string(), cause["message"].as_string());
    if (std::find(parts.begin(), parts.end(), part) == parts.end())
      parts.push_back(std::move(part));
  }
  Value out = status.with_at({"details", "causes"}, Value::array(std::move(causes)));
  constexpr std::string_view kMark = " is invalid: [";
  const std::string_view message = status["message"].as_string();
  const std::size_t at = message.find(kMark);
  if (at == std::string_view::npos) return out;
  return out.with("message", fmt::format("{}{}]", message.substr(0, at + kMark.size()),
                                         fmt::join(parts, ", ")));
}

Value without_path(const Value& value, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  if (name == "*") {
    std::vector<Value> items;
    for (const Value& item : value.items())
      items.push_back(without_path(item, path.substr(dot + 1)));
    return Value::array(std::move(items));
  }
  if (!value.contains(name)) return value;
  if (dot == std::string_view::npos) return value.without(name);
  return value.with(name, without_path(value[name], path.substr(dot + 1)));
}

}  // namespace portico::conformance
