#include "api/function_config.h"

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

std::vector<std::string> validate(const FunctionConfig& config) {
  std::vector<std::string> errors;
  const FunctionConfigSpec& spec = config.spec;
  if (spec.image.empty()) errors.emplace_back("spec.image must not be empty");
  if (!spec.pod_executor && !spec.binary_executor && !spec.go_executor && !spec.grpc_executor)
    errors.emplace_back(
        "spec must have at least one of podExecutor, binaryExecutor, goExecutor and grpcExecutor");
  if (spec.binary_executor) {
    if (spec.binary_executor->tags.empty())
      errors.emplace_back("spec.binaryExecutor.tags must not be empty");
    if (spec.binary_executor->path.empty())
      errors.emplace_back("spec.binaryExecutor.path must not be empty");
  }
  if (spec.go_executor && spec.go_executor->tags.empty())
    errors.emplace_back("spec.goExecutor.tags must not be empty");
  if (spec.grpc_executor && spec.grpc_executor->address.find(':') == std::string::npos)
    errors.push_back("spec.grpcExecutor.address must be host:port, found \"" +
                     spec.grpc_executor->address + "\"");
  return errors;
}

}  // namespace portico::api
