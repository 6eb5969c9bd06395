// The functions that a PackageVariant puts in front of a package's pipeline.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/pipeline.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// "PackageVariant.<variant>.<function>.<index>"; an unnamed function leaves its place empty.
std::string function_name(std::string_view variant, std::string_view function, std::size_t index);

/// Whether function_name made `name` for that variant. The variant's name is matched from the left
/// and the index from the right, so dots in either name are fine. (Where one variant's name is
/// another's and a dot more, and both work on one package, they cannot be told apart.)
bool is_variant_function(std::string_view name, std::string_view variant);

/// Whether function_name made `name` for some variant.
bool is_variant_function(std::string_view name);

/// The Kptfile's pipeline with the functions of `pipeline` in front of both lists, and without
/// those that this variant put there before. Lists and a pipeline that are left empty go; every
/// other byte of the Kptfile stays, all of them where the functions are there already.
Result<krm::Package> set_pipeline(krm::Package package, std::string_view variant,
                                  const api::Pipeline& pipeline);

}  // namespace portico::package
