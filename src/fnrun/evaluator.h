// Remote functions, and serving our own: Porch's evaluator protocol (a unary gRPC call, package
// evaluator, service FunctionEvaluator). The gRPC library and its dependencies are large, so they
// are in libportico_grpc.so, which is loaded on demand.
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
  std::string log;  // the function's standard error
};

struct EvaluatorOptions {
  std::chrono::milliseconds timeout{300'000};  // for one call
  /// True: a waiting call ends with kUnavailable. May be empty.
  Stop stopped{};
  std::size_t message_bytes = 64u << 20;  // maximum size sent or received (Porch: 6 MiB)
};

/// A client of one server. Thread-safe.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// kNotFound: the server does not have the function; kUnavailable: unreachable or timed out;
  /// kInvalid or refused(), with the server's message: it rejected the request, or the function
  /// failed.
  virtual Result<EvaluateReply> evaluate(const EvaluateRequest& request) const = 0;
};

/// Answers one call; must be thread-safe. An error is sent with the gRPC status for its code:
/// NotFound, Unavailable, or Internal.
using EvaluateHandler = std::function<Result<EvaluateReply>(const EvaluateRequest&)>;

/// Serves until destruction, which waits for running calls. Includes gRPC's health service.
class EvaluatorServer {
 public:
  virtual ~EvaluatorServer() = default;
  virtual int port() const = 0;
};

/// The interface of libportico_grpc.so.
class EvaluatorLink {
 public:
  virtual ~EvaluatorLink() = default;
  /// `address` is host:port. Connects on the first call.
  virtual std::unique_ptr<Evaluator> connect(const std::string& address,
                                             const EvaluatorOptions& options) const = 0;
  /// Without TLS, like Porch; port 0 chooses a free port. kUnavailable if it cannot listen.
  virtual Result<std::unique_ptr<EvaluatorServer>> serve(const std::string& address,
                                                         EvaluateHandler handler,
                                                         const EvaluatorOptions& options) const = 0;
};

/// Loads the library once, from the program's folder or ../lib/portico. kUnavailable with the
/// reason if it is missing (the program was built without gRPC). Thread-safe.
Result<const EvaluatorLink*> evaluator_link();

}  // namespace portico::fnrun
