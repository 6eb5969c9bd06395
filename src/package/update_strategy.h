// How a package says that it is to be upgraded.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// upstream.updateStrategy of its Kptfile; "" where that says nothing. kNotFound where there is no
/// Kptfile.
Result<std::string> update_strategy_of(const krm::Package& package);

/// The package with this strategy in its Kptfile. kInvalid for what is none (merge/strategy.h).
Result<krm::Package> with_update_strategy(krm::Package package, std::string_view strategy);

}  // namespace portico::package
