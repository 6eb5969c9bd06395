// Serves the built-in functions to other programs: as one KRM function, and as Porch's function
// runner.
#include "cli/commands.h"
#include "engine/manifests.h"
#include "engine/stop.h"
#include "fnrun/answer.h"

namespace portico::cli {

Result<Exit> run_fn_run(const FnRunCommandOptions& options, Context& context) {
  PORTICO_TRY(const std::string list, engine::read_text("-"));
  PORTICO_TRY(const fnrun::Answer answered, fnrun::answer(options.image, list));
  context.terminal.write(answered.resource_list);
  if (!answered.stderr_text.empty()) context.terminal.note(answered.stderr_text + "\n");
  return answered.exit_code;
}

Result<Exit> run_fn_runner(const FnRunnerOptions& options, Context& context) {
  if (context.deadline.seconds() > 0)
    return invalid("--timeout: this command runs until it is stopped");
  PORTICO_TRY(const fnrun::EvaluatorLink* link, fnrun::evaluator_link());
  fnrun::EvaluatorOptions limits;
  limits.message_bytes = options.message_bytes;
  const std::atomic<bool>& stop = engine::stop_asked();
  PORTICO_TRY(const auto server, link->serve(options.listen, fnrun::evaluate_builtin, limits));
  context.terminal.print("serving functions at {}:{}; stop with Ctrl-C\n",
                         options.listen.substr(0, options.listen.rfind(':')), server->port());
  context.terminal.flush();
  while (!stop) engine::wait_for_signal();
  context.terminal.print("stopped\n");
  return 0;
}

}  // namespace portico::cli
