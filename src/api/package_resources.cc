#include "api/package_resources.h"

#include "api/internal/shared_fields.h"
#include "api/kinds.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(PackageRevisionResourcesSpec,
                  field("packageName", &PackageRevisionResourcesSpec::package_name),
                  field("workspaceName", &PackageRevisionResourcesSpec::workspace_name),
                  field("revision", &PackageRevisionResourcesSpec::revision),
                  field("repository", &PackageRevisionResourcesSpec::repository),
                  field("resources", &PackageRevisionResourcesSpec::resources));

PORTICO_API_TABLE(RenderStatus, field("result", &RenderStatus::result),
                  field("error", &RenderStatus::error));

PORTICO_API_TABLE(PackageRevisionResourcesStatus,
                  field("renderStatus", &PackageRevisionResourcesStatus::render_status));

PORTICO_API_TABLE(PackageRevisionResources, field("metadata", &PackageRevisionResources::metadata),
                  field("spec", &PackageRevisionResources::spec),
                  field("status", &PackageRevisionResources::status));
PORTICO_API_KIND(PackageRevisionResources, kPorchV1Alpha1, kResourcesKind);

PORTICO_API_TABLE(PorchPackage::Spec, field("packageName", &PorchPackage::Spec::package_name),
                  field("repository", &PorchPackage::Spec::repository));
PORTICO_API_TABLE(PorchPackage::Status,
                  field("latestRevision", &PorchPackage::Status::latest_revision));
PORTICO_API_TABLE(PorchPackage, field("metadata", &PorchPackage::metadata),
                  field("spec", &PorchPackage::spec), field("status", &PorchPackage::status));
PORTICO_API_KIND(PorchPackage, kPorchV1Alpha1, kPackageKind);

}  // namespace internal

PORTICO_API_TYPE(PackageRevisionResources);
PORTICO_API_TYPE(PorchPackage);

}  // namespace portico::api
