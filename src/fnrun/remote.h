// Runs functions on a function runner of Porch, or another Portico's, over gRPC.
#pragma once

#include <memory>
#include <string>

#include "fnrun/evaluator.h"
#include "render/function_runner.h"

namespace portico::fnrun {

/// The images go to the server as they are. A tag that is a version is the image's; a constraint,
/// which the server would not know, is kInvalid, as is an image that it does not have. A function
/// that fails there is an outcome with exit code 1 and the server's message. Nobody there:
/// kUnavailable, and somebody may try again.
class RemoteRunner final : public render::FunctionRunner {
 public:
  /// `address` is host:port.
  RemoteRunner(std::string address, std::unique_ptr<const Evaluator> evaluator)
      : address_(std::move(address)), evaluator_(std::move(evaluator)) {}
  /// Through evaluator_link().
  static Result<RemoteRunner> connect(const std::string& address, const EvaluatorOptions& options);

  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  std::string address_;
  std::unique_ptr<const Evaluator> evaluator_;
};

}  // namespace portico::fnrun
