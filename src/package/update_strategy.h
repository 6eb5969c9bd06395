// The update strategy of a package.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// upstream.updateStrategy of its Kptfile; "" if unset. kNotFound if there is no Kptfile.
Result<std::string> update_strategy_of(const krm::Package& package);

/// Sets the strategy in the package's Kptfile. kInvalid for an unknown strategy (merge/strategy.h).
Result<krm::Package> with_update_strategy(krm::Package package, std::string_view strategy);

}  // namespace portico::package
