// The functions that a PackageVariant prepends to a package's pipeline.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/pipeline.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// "PackageVariant.<variant>.<function>.<index>"; the function part is empty for an unnamed
/// function.
std::string function_name(std::string_view variant, std::string_view function, std::size_t index);

/// Whether function_name made `name` for that variant. The variant's name is matched from the left
/// and the index from the right, so either name may contain dots. (If one variant's name is that of
/// another followed by a dot and more, and both work on one package, their functions are
/// indistinguishable.)
bool is_variant_function(std::string_view name, std::string_view variant);

/// Whether function_name made `name` for some variant.
bool is_variant_function(std::string_view name);

/// Prepends the functions of `pipeline` to both lists of the Kptfile's pipeline, and removes those
/// that this variant prepended before. Lists and a pipeline that become empty are removed. All
/// other bytes of the Kptfile stay unchanged, and all bytes if the functions are already there.
Result<krm::Package> set_pipeline(krm::Package package, std::string_view variant,
                                  const api::Pipeline& pipeline);

}  // namespace portico::package
