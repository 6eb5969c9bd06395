#include "fnrun/remote.h"

#include "base/world_error.h"
#include "fnrun/internal/tag.h"
#include "render/stream.h"

namespace portico::fnrun {

Result<RemoteRunner> RemoteRunner::connect(const std::string& address,
                                           const EvaluatorOptions& options) {
  PORTICO_TRY(const EvaluatorLink* link, evaluator_link());
  return RemoteRunner(address, link->connect(address, options));
}

Result<render::FunctionOutcome> RemoteRunner::run(const render::FunctionRef& function,
                                                  krm::ResourceList input) const {
  if (function.image.empty())
    return invalid("function runner {} runs images, not the program \"{}\"", address_,
                   function.exec);
  PORTICO_DO(internal::check_tag(function));
  PORTICO_TRY(std::string text, render::function_input_text(input));
  Result<EvaluateReply> reply = evaluator_->evaluate({function.image, std::move(text)});
  if (!reply) {
    if (reply.error().code == Code::kNotFound)
      return refused("function runner {} has no function \"{}\": {}", address_, function.image,
                     reply.error().what);
    const Remedy remedy = remedy_of(reply.error());
    if (remedy != Remedy::kObject && remedy != Remedy::kOperator) return std::move(reply).error();
    return render::FunctionOutcome{.list = std::move(input),
                                   .stderr_text = std::move(reply).error().what,
                                   .exit_code = 1,
                                   .may_pass = remedy == Remedy::kOperator};
  }
  auto output = render::function_output(reply->resource_list, input);
  if (!output)
    return invalid("function runner {} did not return a ResourceList: {}", address_,
                   output.error().text());
  return render::FunctionOutcome{*std::move(output), std::move(reply->log), 0};
}

}  // namespace portico::fnrun
