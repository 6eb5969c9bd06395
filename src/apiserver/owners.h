// Field ownership (managedFields) of objects written through the API. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/time.h"
#include "fieldset/apply.h"
#include "json/value.h"

namespace portico::apiserver {

/// The schemas of all versions of the call's kind, for merging.
fieldset::Versions versions_of(const Call& call);

/// The field manager of this call: fieldManager, or else the beginning of the User-Agent.
fieldset::Writer writer_of(const Call& call, std::string_view field_manager, TimePoint now);

}  // namespace portico::apiserver
