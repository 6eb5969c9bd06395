// Preparation of objects before they are written: removes fields that clients may not set, adds
// defaults, and validates. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/options.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// Which part of an object an update changes.
enum class Part { kMain, kStatus };

struct Prepared {
  json::Value object;   // to be stored
  json::Value written;  // what the client has written of it: determines the field owners
};

/// The object to be created, with metadata, cleaned fields and defaults. Warnings are added to the
/// call.
kubeapi::StatusOr<Prepared> prepare_create(Call& call, const json::Value& sent,
                                           kubeapi::FieldValidation validation);

/// The object that replaces `old`.
kubeapi::StatusOr<Prepared> prepare_update(Call& call, const json::Value& old,
                                           const json::Value& sent, Part part,
                                           kubeapi::FieldValidation validation);

/// The object without fields that its kind does not have. `validation` says what they cause:
/// nothing, a 400, or warnings that are added to the call.
kubeapi::StatusOr<json::Value> taken_in(Call& call, const json::Value& object,
                                        kubeapi::FieldValidation validation);

/// An object as clients see it: in the version of the call, without fields that the kind does not
/// have, and with the fields that the Kubernetes type serializes even when empty. 500 if it cannot
/// be converted to that version.
kubeapi::StatusOr<json::Value> shown(const Call& call, const json::Value& object);
kubeapi::StatusOr<json::Value> shown(const kubeapi::ResourceType& type, std::string_view version,
                                     const json::Value& object);

}  // namespace portico::apiserver
