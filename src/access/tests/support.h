// Reads the sections of this module's case files.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "access/policy.h"
#include "access/request.h"
#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"

namespace portico::access {

/// The YAML documents of a section.
inline std::vector<json::Value> documents(const std::string& yaml) {
  auto objects = krm::Object::parse_file(yaml);
  if (!objects) throw std::runtime_error(objects.error().text());
  std::vector<json::Value> out;
  for (const krm::Object& object : *objects) out.push_back(object.value());
  return out;
}

/// The single document of a section, or null.
inline json::Value document(const std::string& yaml) {
  const auto all = documents(yaml);
  return all.empty() ? json::Value() : all.front();
}

inline Policy policy_of(const std::vector<json::Value>& objects) {
  Policy policy;
  for (const json::Value& object : objects) policy.put(object);
  return policy;
}

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// "ada,team-a,team-b": a name and its groups.
inline User user_of(const std::string& text) {
  User user;
  std::istringstream in(text);
  std::getline(in, user.name, ',');
  for (std::string group; std::getline(in, group, ',');) user.groups.push_back(group);
  return user;
}

/// An error with all its causes, or the text that `shown` returns.
template <class T, class Show>
std::string outcome(const Result<T>& result, const Show& shown) {
  if (result) return shown(*result);
  const Error& error = result.error();
  std::string out = std::string(name(error.reason, error.code)) + ": " + error.text() + "\n";
  for (const Cause& cause : error.causes)
    out += "  " + cause.field + ": " + cause.reason + ": " + cause.message + "\n";
  return out;
}

}  // namespace portico::access
