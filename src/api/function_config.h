// FunctionConfig (config.porch.kpt.dev/v1alpha1): what runs the functions of one image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"

namespace portico::api {

/// A container, in Porch a pod.
struct PodExecutor {
  std::vector<std::string> tags;  // empty: every tag
  std::string time_to_live;       // of the pod; read, not used: containers live for one call
  std::int64_t max_parallel_executions = 0;
  std::int64_t preferred_max_queue_length = 0;
  json::Value template_overrides;
  bool operator==(const PodExecutor&) const = default;
};

/// A program on the machine.
struct BinaryExecutor {
  std::vector<std::string> tags;
  std::string path;
  bool operator==(const BinaryExecutor&) const = default;
};

/// A built-in function.
struct GoExecutor {
  std::vector<std::string> tags;
  std::string id;  // its name; empty: the image's
  bool operator==(const GoExecutor&) const = default;
};

/// Ours: a function runner that speaks Porch's evaluator protocol.
struct GrpcExecutor {
  std::vector<std::string> tags;  // empty: every tag
  std::string address;            // host:port
  bool operator==(const GrpcExecutor&) const = default;
};

struct FunctionConfigSpec {
  std::string image;                  // its last path element: "set-namespace"
  std::vector<std::string> prefixes;  // what may stand in front of it; empty: anything
  std::optional<PodExecutor> pod_executor;
  std::optional<BinaryExecutor> binary_executor;
  std::optional<GoExecutor> go_executor;
  std::optional<GrpcExecutor> grpc_executor;
  bool operator==(const FunctionConfigSpec&) const = default;
};

/// The status is Porch's to write; it is not read here.
struct FunctionConfig {
  ObjectMeta metadata;
  FunctionConfigSpec spec;
  json::Value status;
  bool operator==(const FunctionConfig&) const = default;
};

/// What is wrong with it, in the order of the fields; empty where nothing is.
std::vector<Cause> validate(const FunctionConfig& config);

}  // namespace portico::api
