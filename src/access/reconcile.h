// Updates built-in roles and bindings that were changed or come from an older version. Pure.
#pragma once

#include <optional>

#include "json/value.h"

namespace portico::access {

/// Built-in objects have this annotation; if it is "false", they are not changed.
inline constexpr const char* kAutoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

struct Reconciled {
  json::Value object;
  bool anew = false;  // delete and create again: the roleRef differs and is immutable
};

/// Like kube-apiserver at startup: `stored` plus the labels, annotations, rules and subjects of
/// `builtin` that it lacks; additional ones are kept. nullopt if it lacks nothing, or must not be
/// changed.
std::optional<Reconciled> reconciled(const json::Value& builtin, const json::Value& stored);

}  // namespace portico::access
