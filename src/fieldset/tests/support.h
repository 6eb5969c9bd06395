// Reads sections of case files; generates random values and sets.
#pragma once

#include <rapidcheck.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "fieldset/set.h"
#include "fieldset/type.h"
#include "json/text.h"
#include "krm/object.h"

namespace portico::fieldset {

/// Parses YAML or JSON; null for empty text.
inline json::Value read(const std::string& text) {
  auto objects = krm::Object::parse_file(text);
  if (!objects) throw std::runtime_error(objects.error().text() + "\n" + text);
  return objects->empty() ? json::Value() : objects->front().value();
}

inline ObjectType type_of(const std::string& schema) {
  if (schema.empty()) return ObjectType();
  auto parsed = schema::parse(read(schema));
  if (!parsed) throw std::runtime_error(parsed.error().text());
  return ObjectType(*parsed);
}

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

template <class T>
const T& some(const std::vector<T>& choices) {
  return choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
}

/// A random path of one to four steps of any kind, from a small pool, so that paths overlap.
inline Path some_path() {
  static const std::vector<const char*> kSteps = {"f:a",
                                                  "f:b",
                                                  "f:long name with \"quotes\"",
                                                  "k:{\"name\":\"x\"}",
                                                  "k:{\"n\":1,\"name\":\"x\"}",
                                                  "v:\"a\"",
                                                  "v:1",
                                                  "v:true",
                                                  "i:0",
                                                  "i:12"};
  Path path;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    path.push_back(**parse_step(json::Value(some(kSteps))));
  return path;
}

inline Set some_set() {
  Set set;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) set.insert(some_path());
  return set;
}

}  // namespace portico::fieldset
