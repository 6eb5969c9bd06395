// Runs functions over gRPC on Porch's function runner or another Portico.
#pragma once

#include <memory>
#include <string>

#include "fnrun/evaluator.h"
#include "render/function_runner.h"

namespace portico::fnrun {

/// Images are sent unchanged. A tag that is a version is ignored, as the image has it already; a
/// constraint, which the server would not understand, is kInvalid. refused() if the server does not
/// have the image; kUnavailable, for a retry, if it cannot be reached. A function that fails there
/// is an outcome with exit code 1 and the server's message.
class RemoteRunner final : public render::FunctionRunner {
 public:
  /// `address` is host:port.
  RemoteRunner(std::string address, std::unique_ptr<const Evaluator> evaluator)
      : address_(std::move(address)), evaluator_(std::move(evaluator)) {}
  /// Connects through evaluator_link().
  static Result<RemoteRunner> connect(const std::string& address, const EvaluatorOptions& options);

  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  std::string address_;
  std::unique_ptr<const Evaluator> evaluator_;
};

}  // namespace portico::fnrun
