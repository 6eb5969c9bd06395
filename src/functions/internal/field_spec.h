// kustomize's FieldSpec: a field of the objects of some kind.
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
  bool create = false;  // makes the maps of the path that are missing

  bool selects(const krm::Object& object) const;
};

/// `path` is "spec/template/metadata", "\/" is a plain slash and "[]" behind a name says nothing,
/// since lists on the way are always entered.
FieldSpec field_spec(std::string_view group, std::string_view version, std::string_view kind,
                     std::string_view path, bool create);

/// Config entries {group, version, kind, path, create}; one without a path is kInvalid.
Result<std::vector<FieldSpec>> read_field_specs(const json::Value& list, std::string_view name);

/// `root` with `change` applied to each value at the spec's path; it gets null for a field that is
/// missing and to be made. What does not change is shared.
json::Value change_at(const json::Value& root, const FieldSpec& spec,
                      const std::function<json::Value(const json::Value&)>& change);

}  // namespace portico::functions
