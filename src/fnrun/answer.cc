#include "fnrun/answer.h"

#include "fnrun/builtin.h"
#include "render/stream.h"

namespace portico::fnrun {

Result<Answer> answer(const std::string& image, const std::string& resource_list) {
  const render::FunctionRef function{image, "", ""};
  if (!BuiltinRunner::has(function)) return not_found("no built-in function \"{}\"", image);
  PORTICO_TRY(const krm::ResourceList asked, render::read_stream(resource_list), "ResourceList");
  krm::ResourceList list = asked;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    list.items[i].object = render::without_place(std::move(list.items[i].object));
    list.items[i].origin = static_cast<int>(i);
  }
  PORTICO_TRY(render::FunctionOutcome outcome, BuiltinRunner().run(function, std::move(list)));
  for (krm::Item& item : outcome.list.items)
    item = render::with_travelling(std::move(item), asked.items);
  return Answer{render::write_stream(outcome.list), std::move(outcome.stderr_text),
                outcome.exit_code};
}

Result<EvaluateReply> evaluate_builtin(const EvaluateRequest& request) {
  PORTICO_TRY(Answer answered, answer(request.image, request.resource_list));
  if (answered.exit_code == 0)
    return EvaluateReply{std::move(answered.resource_list), std::move(answered.stderr_text)};
  std::string why = answered.stderr_text;
  if (const auto list = render::read_stream(answered.resource_list))
    for (const krm::FunctionResult& result : list->results)
      why += (why.empty() ? "" : "; ") + result.severity + ": " + result.message;
  return invalid("function \"{}\" failed: {}", request.image, why);
}

}  // namespace portico::fnrun
