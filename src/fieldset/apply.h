// Server-side apply and tracking of field ownership: what Kubernetes' field manager does with an
// object before it is stored. Pure.
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
  /// Converts an object to another of these versions. If empty, only the apiVersion differs.
  std::function<Result<json::Value>(const json::Value& object, std::string_view api_version)>
      convert = {};
};

/// Fields as lists of names: {"status"}, {"spec", "lifecycle"}.
using FieldPaths = std::vector<std::vector<std::string>>;

/// Which fields a request can own. Other fields are reset when the object is stored, so writing
/// them does not make the writer their owner: main resources with a status have except =
/// {{"status"}}, their status subresource has only = {{"status"}}.
struct OwnableFields {
  FieldPaths only = {};  // empty: all
  FieldPaths except = {};
};

/// The field manager of a request.
struct Writer {
  std::string manager;
  std::string subresource = {};
  std::string api_version;  // of the request; must be in Versions::types
  OwnableFields ownable = {};
  TimePoint now;
};

/// The object to store after `writer` applies `applied` to `live`: the live object with the applied
/// fields, without those that the manager applied before, no longer applies, and no other manager
/// owns; with updated managedFields. If `live` is null, everything except server-generated metadata
/// comes from `applied`. Both are in the version of the request. The caller handles defaults,
/// fields that a subresource resets, and checks of name and preconditions.
///
/// Fields that other managers own with other values are conflicts: kConflict with one cause for
/// each and Kubernetes' messages; with `force` they are taken over. kInvalid with
/// Reason::kBadRequest if `applied` has another version or has managedFields. kInvalid without
/// reason and causes if the object does not fit its type, or an entry of the live managedFields
/// cannot be parsed: Kubernetes answers that with 500. The managedFields of `live` must have been
/// written by this module.
///
/// An apply that changes no value does not update any manager's time; one that changes nothing at
/// all returns `live` itself. As in Kubernetes, the manager `kubectl` takes over the fields that
/// client-side apply recorded in its annotation, and keeps that annotation up to date.
Result<json::Value> apply(const json::Value& live, const json::Value& applied, bool force,
                          const Versions& versions, const Writer& writer);

/// `after`, which replaces `before` (null: it is new), with updated managedFields: the writer owns
/// the fields that it changed, and removed fields have no owner. managedFields in `after` are used
/// if they can be parsed, and [] and [{}] clear all owners; otherwise, and always for a
/// subresource, those of `before` are used. An existing object without owners stays without owners.
///
/// For kinds whose empty objects have fields, such as an empty spec, the caller passes that empty
/// object as `before` instead of null.
json::Value track(const json::Value& before, const json::Value& after, const Versions& versions,
                  const Writer& writer);

/// `before` if `after` differs from it only in the times of managedFields, so that there is nothing
/// to store; otherwise `after`.
json::Value unless_only_times(const json::Value& before, const json::Value& after);

}  // namespace portico::fieldset
