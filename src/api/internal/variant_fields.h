// Tables of the structs that PackageVariant and PackageVariantSet share.
#pragma once

#include "api/internal/shared_fields.h"
#include "api/package_variant.h"

namespace portico::api::internal {

PORTICO_API_TABLE(Upstream, field("repo", &Upstream::repo), field("package", &Upstream::package),
                  revision("revision", &Upstream::revision),
                  field("workspaceName", &Upstream::workspace_name), field("tag", &Upstream::tag),
                  field("constraint", &Upstream::constraint));

PORTICO_API_TABLE(ApprovalRule, field("policy", &ApprovalRule::policy),
                  field("after", &ApprovalRule::after),
                  field("conditions", &ApprovalRule::conditions));
PORTICO_API_TABLE(Approval, field("propose", &Approval::propose),
                  field("approve", &Approval::approve));

}  // namespace portico::api::internal
