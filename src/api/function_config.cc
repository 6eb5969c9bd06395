#include "api/function_config.h"

#include "api/internal/findings.h"
#include "api/internal/shared_fields.h"
#include "api/kinds.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(PodExecutor, field("tags", &PodExecutor::tags),
                  field("timeToLive", &PodExecutor::time_to_live),
                  field("maxParallelExecutions", &PodExecutor::max_parallel_executions),
                  field("preferredMaxQueueLength", &PodExecutor::preferred_max_queue_length),
                  field("templateOverrides", &PodExecutor::template_overrides));

PORTICO_API_TABLE(BinaryExecutor, field("tags", &BinaryExecutor::tags),
                  field("path", &BinaryExecutor::path));

PORTICO_API_TABLE(GoExecutor, field("tags", &GoExecutor::tags), field("id", &GoExecutor::id));

PORTICO_API_TABLE(GrpcExecutor, field("tags", &GrpcExecutor::tags),
                  field("address", &GrpcExecutor::address));

PORTICO_API_TABLE(FunctionConfigSpec, field("image", &FunctionConfigSpec::image),
                  field("prefixes", &FunctionConfigSpec::prefixes),
                  field("podExecutor", &FunctionConfigSpec::pod_executor),
                  field("binaryExecutor", &FunctionConfigSpec::binary_executor),
                  field("goExecutor", &FunctionConfigSpec::go_executor),
                  field("grpcExecutor", &FunctionConfigSpec::grpc_executor));

PORTICO_API_TABLE(FunctionConfig, field("metadata", &FunctionConfig::metadata),
                  field("spec", &FunctionConfig::spec), field("status", &FunctionConfig::status));
PORTICO_API_KIND(FunctionConfig, kConfigV1Alpha1, kFunctionConfigKind);

}  // namespace internal

PORTICO_API_TYPE(FunctionConfigSpec);
PORTICO_API_TYPE(FunctionConfig);

std::vector<Cause> validate(const FunctionConfig& config) {
  internal::Findings findings;
  const FunctionConfigSpec& spec = config.spec;
  if (spec.image.empty()) findings.required("spec.image", "spec.image must not be empty");
  if (!spec.pod_executor && !spec.binary_executor && !spec.go_executor && !spec.grpc_executor)
    findings.required(
        "spec",
        "spec must have at least one of podExecutor, binaryExecutor, goExecutor and grpcExecutor");
  const auto required = [&](const std::string& field) {
    findings.required(field, "{} must not be empty", field);
  };
  if (spec.binary_executor) {
    if (spec.binary_executor->tags.empty()) required("spec.binaryExecutor.tags");
    if (spec.binary_executor->path.empty()) required("spec.binaryExecutor.path");
  }
  if (spec.go_executor && spec.go_executor->tags.empty()) required("spec.goExecutor.tags");
  if (spec.grpc_executor && spec.grpc_executor->address.find(':') == std::string::npos)
    findings.invalid("spec.grpcExecutor.address",
                     "spec.grpcExecutor.address must be host:port, found \"{}\"",
                     spec.grpc_executor->address);
  return std::move(findings).take();
}

}  // namespace portico::api
