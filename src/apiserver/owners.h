// Who owns the fields of an object that is written through the API. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/time.h"
#include "fieldset/apply.h"
#include "json/value.h"

namespace portico::apiserver {

/// The versions of the call's kind, for merging.
fieldset::Versions versions_of(const Call& call);

/// Who writes by this call: fieldManager, else the beginning of the User-Agent.
fieldset::Writer writer_of(const Call& call, std::string_view field_manager, TimePoint now);

}  // namespace portico::apiserver
