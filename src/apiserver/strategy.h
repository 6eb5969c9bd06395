// What is done with objects of a resource before they are written: what clients may not set goes,
// defaults come, and what is wrong is said. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/options.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// Which part of an object an update may change.
enum class Part { kMain, kStatus };

struct Prepared {
  json::Value object;   // to be stored
  json::Value written;  // what the client has written of it: by this owners of fields are found
};

/// The object as it will be created: metadata, fields, defaults. Warnings are added to the call.
kubeapi::Reply<Prepared> prepare_create(Call& call, const json::Value& sent,
                                        kubeapi::FieldValidation validation);

/// The object that takes the place of `old`.
kubeapi::Reply<Prepared> prepare_update(Call& call, const json::Value& old, const json::Value& sent,
                                        Part part, kubeapi::FieldValidation validation);

/// The object with the fields that its kind has, as FieldValidation says of the others: 400, or
/// warnings that are added to the call.
kubeapi::Reply<json::Value> taken_in(Call& call, const json::Value& object,
                                     kubeapi::FieldValidation validation);

/// An object as clients see it: at the version of the call, without what its kind does not have,
/// with what Kubernetes' type of it says even where it is empty. 500 where it cannot be said in
/// that version.
kubeapi::Reply<json::Value> shown(const Call& call, const json::Value& object);
kubeapi::Reply<json::Value> shown(const kubeapi::ResourceType& type, std::string_view version,
                                  const json::Value& object);

}  // namespace portico::apiserver
