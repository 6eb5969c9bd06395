// FunctionConfig (config.porch.kpt.dev/v1alpha1): how the functions of one image are executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"

namespace portico::api {

/// Runs a container; in Porch a pod.
struct PodExecutor {
  std::vector<std::string> tags;  // empty: every tag
  std::string time_to_live;  // of the pod; read but not used, because containers live for one call
  std::int64_t max_parallel_executions = 0;
  std::int64_t preferred_max_queue_length = 0;
  json::Value template_overrides;
  bool operator==(const PodExecutor&) const = default;
};

/// Runs a program on the local machine.
struct BinaryExecutor {
  std::vector<std::string> tags;
  std::string path;
  bool operator==(const BinaryExecutor&) const = default;
};

/// Runs a built-in function.
struct GoExecutor {
  std::vector<std::string> tags;
  std::string id;  // its name; empty: the name of the image
  bool operator==(const GoExecutor&) const = default;
};

/// Portico only: a function runner that speaks Porch's evaluator protocol.
struct GrpcExecutor {
  std::vector<std::string> tags;  // empty: every tag
  std::string address;            // host:port
  bool operator==(const GrpcExecutor&) const = default;
};

struct FunctionConfigSpec {
  std::string image;                  // the last path element of the image: "set-namespace"
  std::vector<std::string> prefixes;  // the allowed prefixes of the image; empty: any
  std::optional<PodExecutor> pod_executor;
  std::optional<BinaryExecutor> binary_executor;
  std::optional<GoExecutor> go_executor;
  std::optional<GrpcExecutor> grpc_executor;
  bool operator==(const FunctionConfigSpec&) const = default;
};

/// Porch writes the status; Portico does not read it.
struct FunctionConfig {
  ObjectMeta metadata;
  FunctionConfigSpec spec;
  json::Value status;
  bool operator==(const FunctionConfig&) const = default;
};

/// The errors in `config`, in field order; empty if it is valid.
std::vector<Cause> validate(const FunctionConfig& config);

}  // namespace portico::api
