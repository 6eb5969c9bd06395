#include "fnrun/remote.h"

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
    switch (reply.error().code) {
      case Code::kNotFound:
        return invalid("function runner {} has no function \"{}\": {}", address_, function.image,
                       reply.error().what);
      case Code::kInvalid:
        return render::FunctionOutcome{std::move(input), reply.error().what, 1};
      default:
        return std::move(reply).error();
    }
  }
  auto output = render::function_output(reply->resource_list, input);
  if (!output)
    return invalid("function runner {} gave back no ResourceList: {}", address_,
                   output.error().text());
  return render::FunctionOutcome{*std::move(output), std::move(reply->log), 0};
}

}  // namespace portico::fnrun
