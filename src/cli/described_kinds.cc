#include "cli/described_kinds.h"

#include "kinds/definitions.h"
#include "kubeapi/common_fields.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/resource_type.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

DescribedKind whole(DescribedKind kind) {
  if (!kind.schema.is_null()) kind.schema = kubeapi::with_common_fields(kind.schema);
  return kind;
}

}  // namespace

DescribedKind described_kind(const krm::GroupKind& kind) {
  DescribedKind out{{kind.group, kind.kind, "v1"}};
  if (const resources::Resource* resource = resources::find(kind)) {
    out.what.version = resource->versions.front();
    out.schema = kinds::schema_of(kind.kind, out.what.version);
  }
  if (out.schema.is_null()) out.schema = kubeapi::core_schema(kind.group, kind.kind)->source;
  return whole(std::move(out));
}

DescribedKind described_kind(const krm::GroupKind& kind, const Value& definition) {
  DescribedKind out{{kind.group, kind.kind, ""}};
  for (const Value& version : definition["spec"]["versions"].items()) {
    const std::string name(version["name"].as_string());
    const bool better = out.what.version.empty() || kubeapi::version_before(name, out.what.version);
    if (!version["served"].as_bool() || !better) continue;
    out.what.version = name;
    out.schema = version["schema"]["openAPIV3Schema"];
  }
  return whole(std::move(out));
}

}  // namespace portico::cli
