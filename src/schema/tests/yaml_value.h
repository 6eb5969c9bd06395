// Parses YAML values in test cases.
#pragma once

#include <sstream>
#include <string>

#include "json/value.h"
#include "krm/object.h"

namespace portico::schema {

/// The value of `text`; null for an empty text.
inline json::Value yaml_value(const std::string& text) {
  std::string indented = "apiVersion: v1\nkind: Case\nvalue:\n";
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) indented += "  " + line + "\n";
  const auto object = krm::Object::parse(indented);
  return object ? object->value()["value"] : json::Value(object.error().text());
}

}  // namespace portico::schema
