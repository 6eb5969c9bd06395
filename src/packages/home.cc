#include "packages/home.h"

#include "api/kinds.h"
#include "krm/meta.h"

namespace portico::packages {

using json::Value;

Home home_of(const Value& repository) {
  const std::string_view branch = repository["spec"]["git"]["branch"].as_string();
  return {std::string(krm::namespace_of(repository)), std::string(krm::name_of(repository)),
          std::string(branch.empty() ? "main" : branch), repository["spec"]["deployment"].as_bool(),
          std::string(krm::uid_of(repository))};
}

Result<Home> home_of(const registry::Registry& registry, const std::string& ns,
                     const std::string& repository) {
  const krm::GroupKind type{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)};
  PORTICO_TRY(const Value object, registry.get({type, ns, repository}));
  return home_of(object);
}

}  // namespace portico::packages
