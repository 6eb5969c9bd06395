// kustomize's FieldSpec: a field of the objects of a kind.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/object.h"

namespace portico::functions {

struct FieldSpec {
  std::string group, version, kind;  // "" matches any
  std::vector<std::string> path;
  bool create = false;  // creates missing maps of the path

  bool selects(const krm::Object& object) const;
};

/// `path` looks like "spec/template/metadata"; "\/" is a literal slash. "[]" after a name has no
/// effect, since lists on the path are always entered.
FieldSpec field_spec(std::string_view group, std::string_view version, std::string_view kind,
                     std::string_view path, bool create);

/// Reads config entries {group, version, kind, path, create}; an entry without a path is kInvalid.
Result<std::vector<FieldSpec>> read_field_specs(const json::Value& list, std::string_view name);

/// Applies `change` to each value at the spec's path in `root`; it gets null for a missing field
/// that is to be created. Unchanged parts are shared.
json::Value change_at(const json::Value& root, const FieldSpec& spec,
                      const std::function<json::Value(const json::Value&)>& change);

}  // namespace portico::functions
