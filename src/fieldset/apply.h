// Server-side apply and the tracking of owners: what Kubernetes' field manager does with an object
// before it is stored. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "fieldset/type.h"
#include "json/value.h"

namespace portico::fieldset {

/// The versions of a kind, by apiVersion ("v1", "config.porch.kpt.dev/v1alpha1").
struct Versions {
  std::map<std::string, ObjectType, std::less<>> types;
  /// An object in another of these versions. Where it is empty, only the apiVersion differs.
  std::function<Result<json::Value>(const json::Value& object, std::string_view api_version)>
      convert = {};
};

/// Fields as paths of names: {"status"}, {"spec", "lifecycle"}.
using FieldPaths = std::vector<std::vector<std::string>>;

/// Which fields a request can own. Others are reset when the object is stored, so that writing them
/// gives nobody anything: main resources with a status have except = {{"status"}}, their
/// subresource status has only = {{"status"}}.
struct Ownable {
  FieldPaths only = {};  // empty: all
  FieldPaths except = {};
};

/// Who writes, through what.
struct Writer {
  std::string manager;
  std::string subresource = {};
  std::string api_version;  // of the request; `versions` has its type
  Ownable ownable = {};
  TimePoint now;
};

/// What is to be stored after `writer` applied `applied` to `live`: the live object with the
/// applied fields, without those that the manager applied before, no longer does, and nobody else
/// owns; with its managedFields. `live` is null where there is none: then all but the metadata that
/// a server makes comes from `applied`. Both are in the version of the request. Defaults, and what
/// a subresource resets, are the caller's; so are checks of name and preconditions.
///
/// Fields that others own with other values are conflicts: kConflict with one cause for each, in
/// Kubernetes' words; with `force` they are taken. kInvalid with Reason::kBadRequest for an object
/// of another version or with managedFields. kInvalid without reason and causes where the object
/// does not fit its type, or an entry of the live object's managedFields cannot be read: Kubernetes
/// answers that with 500. What `live` has in managedFields is as this module wrote it.
///
/// An apply that changes no value leaves the times of all managers as they are; one that changes
/// nothing at all gives `live` itself. The manager `kubectl` takes over what client-side apply has
/// recorded in its annotation, and keeps that annotation up to date, as in Kubernetes.
Result<json::Value> apply(const json::Value& live, const json::Value& applied, bool force,
                          const Versions& versions, const Writer& writer);

/// `after`, which is to be stored in place of `before` (null: it is new), with managedFields: who
/// changed a field owns it, and nobody owns what is gone. managedFields in `after` are taken where
/// they can be read, [] and [{}] empty them, and those that cannot be read give way to those of
/// `before`; through a subresource those of `before` count in any case. An object without owners
/// that is there already stays without.
///
/// `before` null: for kinds whose empty objects have fields, such as an empty spec, the caller
/// gives that empty object.
json::Value track(const json::Value& before, const json::Value& after, const Versions& versions,
                  const Writer& writer);

/// `before` where `after` differs from it in nothing but the times of managedFields: then there is
/// nothing to store. Else `after`.
json::Value unless_only_times(const json::Value& before, const json::Value& after);

}  // namespace portico::fieldset
