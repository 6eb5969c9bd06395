#include "package/update_strategy.h"

#include "merge/strategy.h"
#include "package/kptfile.h"

namespace portico::package {

Result<std::string> update_strategy_of(const krm::Package& package) {
  PORTICO_TRY(const krm::Object kptfile, kptfile_of(package));
  return std::string(kptfile.value()["upstream"]["updateStrategy"].as_string());
}

Result<krm::Package> with_update_strategy(krm::Package package, std::string_view strategy) {
  PORTICO_DO(merge::parse_strategy(strategy));
  PORTICO_TRY(krm::Object kptfile, kptfile_of(package));
  PORTICO_DO(set_members(kptfile, {"upstream"}, {{"updateStrategy", json::Value(strategy)}}),
             std::string(kKptfile));
  put_kptfile(package, kptfile);
  return package;
}

}  // namespace portico::package
