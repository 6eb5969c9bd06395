// Functions that run elsewhere, and ours for others: Porch's evaluator protocol (a unary gRPC call,
// package evaluator, service FunctionEvaluator). The gRPC library and what it needs are large, so
// they are in a file of their own, libportico_grpc.so beside the program, loaded when asked for.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop.h"

namespace portico::fnrun {

struct EvaluateRequest {
  std::string image;
  std::string resource_list;  // YAML
};

struct EvaluateReply {
  std::string resource_list;
  std::string log;  // standard error of the function
};

struct EvaluatorOptions {
  std::chrono::milliseconds timeout{300'000};  // of a call
  /// Asked ten times a second while a call waits, where it is there: true ends it, kUnavailable.
  Stop stopped{};
  std::size_t message_bytes = 64u << 20;  // most that is sent or taken (Porch: 6 MiB)
};

/// One server's. Safe from any thread.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// kNotFound where the server has no such function, kUnavailable where it is not there or out of
  /// time, kInvalid for what it refuses or a function that failed: the message is the server's.
  virtual Result<EvaluateReply> evaluate(const EvaluateRequest& request) const = 0;
};

/// Answers one call; called from many threads. Its error goes to the client with the status that
/// stands for its code: NotFound, Unavailable, or Internal.
using EvaluateHandler = std::function<Result<EvaluateReply>(const EvaluateRequest&)>;

/// Serves until it is destroyed, which waits for the calls that run. gRPC's health service is there
/// too.
class EvaluatorServer {
 public:
  virtual ~EvaluatorServer() = default;
  virtual int port() const = 0;
};

/// What libportico_grpc.so has.
class EvaluatorLink {
 public:
  virtual ~EvaluatorLink() = default;
  /// `address` is host:port. Connects with the first call.
  virtual std::unique_ptr<Evaluator> connect(const std::string& address,
                                             const EvaluatorOptions& options) const = 0;
  /// Plain text, as Porch's; port 0 takes a free one. kUnavailable where it cannot listen.
  virtual Result<std::unique_ptr<EvaluatorServer>> serve(const std::string& address,
                                                         EvaluateHandler handler,
                                                         const EvaluatorOptions& options) const = 0;
};

/// Loaded once, from the program's folder or ../lib/portico. kUnavailable with the reason where it
/// is not there (the program was built without gRPC). Safe from any thread.
Result<const EvaluatorLink*> evaluator_link();

}  // namespace portico::fnrun
