// Implements fnrun::EvaluatorLink (fnrun/evaluator.h) with gRPC.
#pragma once

#include "fnrun/evaluator.h"

namespace portico::fngrpc {

class GrpcLink final : public fnrun::EvaluatorLink {
 public:
  std::unique_ptr<fnrun::Evaluator> connect(const std::string& address,
                                            const fnrun::EvaluatorOptions& options) const override;
  Result<std::unique_ptr<fnrun::EvaluatorServer>> serve(
      const std::string& address, fnrun::EvaluateHandler handler,
      const fnrun::EvaluatorOptions& options) const override;
};

}  // namespace portico::fngrpc
