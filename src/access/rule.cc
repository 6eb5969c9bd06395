#include "access/rule.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/go_quoted.h"

namespace portico::access {
namespace {

using Texts = std::vector<std::string>;
using json::Value;

bool has(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool has_or_all(const Texts& texts, std::string_view text) {
  return has(texts, "*") || has(texts, text);
}

bool path_matches(std::string_view pattern, std::string_view path) {
  if (pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  return path.starts_with(pattern.substr(0, pattern.find_last_not_of('*') + 1));
}

bool any_matches(const Texts& patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return path_matches(pattern, path); });
}

/// `resource` may contain a subresource after a '/'.
bool resource_matches(const Texts& allowed, std::string_view resource) {
  if (has_or_all(allowed, resource)) return true;
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return false;
  return has(allowed, "*" + std::string(resource.substr(slash)));
}

Texts one(const std::string& text) { return {text}; }

/// One rule for each group, resource, verb and name, and for each path and verb.
std::vector<Rule> parts_of(const Rule& rule) {
  std::vector<Rule> parts;
  for (const std::string& group : rule.groups)
    for (const std::string& resource : rule.resources)
      for (const std::string& verb : rule.verbs) {
        const Rule part{one(verb), one(group), one(resource), {}, {}};
        if (rule.names.empty()) parts.push_back(part);
        for (const std::string& name : rule.names) {
          parts.push_back(part);
          parts.back().names = one(name);
        }
      }
  for (const std::string& path : rule.paths)
    for (const std::string& verb : rule.verbs) parts.push_back({one(verb), {}, {}, {}, one(path)});
  return parts;
}

/// `part` must come from parts_of.
bool covers(const Rule& held, const Rule& part) {
  if (!has_or_all(held.verbs, part.verbs.front())) return false;
  if (!part.paths.empty()) return held.names.empty() && any_matches(held.paths, part.paths.front());
  if (!has_or_all(held.groups, part.groups.front())) return false;
  if (!resource_matches(held.resources, part.resources.front())) return false;
  return held.names.empty() || (!part.names.empty() && has(held.names, part.names.front()));
}

Texts texts_of(const Value& list) {
  Texts out;
  for (const Value& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

std::string line_of(const Rule& rule) {
  std::string out;
  const auto add = [&out](std::string_view title, const Texts& texts) {
    if (texts.empty()) return;
    if (!out.empty()) out += ", ";
    out += title;
    out += go_quoted(texts);
  };
  add("APIGroups:", rule.groups);
  add("Resources:", rule.resources);
  add("NonResourceURLs:", rule.paths);
  add("ResourceNames:", rule.names);
  add("Verbs:", rule.verbs);
  return "{" + out + "}";
}

}  // namespace

std::vector<Rule> rules_of(const Value& role) {
  std::vector<Rule> rules;
  for (const Value& rule : role["rules"].items())
    rules.push_back({texts_of(rule["verbs"]), texts_of(rule["apiGroups"]),
                     texts_of(rule["resources"]), texts_of(rule["resourceNames"]),
                     texts_of(rule["nonResourceURLs"])});
  return rules;
}

Value to_value(const Rule& rule) {
  std::vector<json::Member> members;
  const auto add = [&members](const char* name, const Texts& texts) {
    if (texts.empty()) return;
    members.push_back({name, Value::array(std::vector<Value>(texts.begin(), texts.end()))});
  };
  add("verbs", rule.verbs);
  add("apiGroups", rule.groups);
  add("resources", rule.resources);
  add("resourceNames", rule.names);
  add("nonResourceURLs", rule.paths);
  return Value::object(std::move(members));
}

bool allows(const Rule& rule, const Request& request) {
  if (!has_or_all(rule.verbs, request.verb)) return false;
  if (!request.is_resource) return any_matches(rule.paths, request.path);
  if (!has_or_all(rule.groups, request.group)) return false;
  if (!rule.names.empty() && !has(rule.names, request.name)) return false;
  if (request.subresource.empty()) return has_or_all(rule.resources, request.resource);
  return resource_matches(rule.resources, request.resource + "/" + request.subresource);
}

std::vector<Rule> not_covered(const std::vector<Rule>& held, const std::vector<Rule>& wanted) {
  std::vector<Rule> missing;
  for (const Rule& rule : wanted)
    for (Rule& part : parts_of(rule))
      if (std::none_of(held.begin(), held.end(),
                       [&part](const Rule& own) { return covers(own, part); }))
        missing.push_back(std::move(part));
  return missing;
}

std::string text_of(const std::vector<Rule>& parts) {
  std::set<std::string> lines;
  std::map<std::pair<std::string, std::string>, Rule> by_resource;
  for (const Rule& part : parts) {
    if (!part.names.empty() || !part.paths.empty()) {
      lines.insert(line_of(part));
      continue;
    }
    const auto [at, fresh] =
        by_resource.try_emplace({part.groups.front(), part.resources.front()}, part);
    if (!fresh)
      at->second.verbs.insert(at->second.verbs.end(), part.verbs.begin(), part.verbs.end());
  }
  for (const auto& [resource, rule] : by_resource) lines.insert(line_of(rule));
  std::string out;
  for (const std::string& line : lines) {
    if (!out.empty()) out += "\n";
    out += line;
  }
  return out;
}

}  // namespace portico::access
