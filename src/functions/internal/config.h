// Reads the config of a function.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/object.h"

namespace portico::functions {

/// The members of the map at `field` as text: the value of a string, any other scalar as written
/// (`1.10` stays "1.10"), and "" for null and non-scalars.
std::map<std::string, std::string> texts(const krm::Object& object, std::string_view field);

/// ConfigMap.v1 of the core group.
bool is_config_map(const krm::Object& object);

/// An object of kind `kind` in fn.kpt.dev, any version.
bool is_fn_config(const krm::Object& object, std::string_view kind);

/// Whether a function was given no config: none at all, or a ConfigMap without data.
bool is_not_given(const std::optional<krm::Object>& config);

/// Whether config.kubernetes.io/local-config marks the resource as not for the cluster. As in kpt's
/// Go SDK, every value except "" and "false" is true.
bool is_local_config(const krm::Object& object);

/// kpt SDK's IsGVK: empty arguments and empty fields of the object match anything.
bool is_gvk(const krm::Object& object, std::string_view group, std::string_view version,
            std::string_view kind);

/// "group/version" -> "group", "v1" -> "".
std::string_view group_of(const krm::Object& object);
std::string_view version_of(const krm::Object& object);

}  // namespace portico::functions
