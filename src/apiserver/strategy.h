// What is done with objects of a resource before they are written: what clients may not set goes,
// defaults come, and what is wrong is said. Pure.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/options.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// Which part of an object an update may change.
enum class Part { kMain, kStatus };

/// The object as it will be created: metadata, fields, defaults. Warnings are added to the call.
kubeapi::Reply<json::Value> prepare_create(Call& call, const json::Value& sent,
                                           kubeapi::FieldValidation validation);

/// The object that takes the place of `old`.
kubeapi::Reply<json::Value> prepare_update(Call& call, const json::Value& old,
                                           const json::Value& sent, Part part,
                                           kubeapi::FieldValidation validation);

/// An object as clients see it: at the version of the call, without what its kind does not have.
json::Value shown(const Call& call, const json::Value& object);

}  // namespace portico::apiserver
