// Built-in roles and bindings that somebody has changed, or an older version has made. Pure.
#pragma once

#include <optional>

#include "json/value.h"

namespace portico::access {

/// Built-in objects have this annotation; where it says "false" they are left as they are.
inline constexpr const char* kAutoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

struct Reconciled {
  json::Value object;
  bool anew = false;  // a binding to another role: it is deleted and created, as roleRefs are fixed
};

/// As kube-apiserver does when it starts: `stored` with the labels, annotations, rules and subjects
/// of `builtin` that it does not have; what it has beyond stays. Nothing where it has them all, or
/// is to be left alone.
std::optional<Reconciled> reconciled(const json::Value& builtin, const json::Value& stored);

}  // namespace portico::access
