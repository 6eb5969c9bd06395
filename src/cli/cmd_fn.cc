#include <filesystem>

#include "cli/commands.h"
#include "cli/fn_folder.h"
#include "cli/fn_save.h"
#include "engine/manifests.h"
#include "fnrun/runners.h"
#include "folder/folder.h"
#include "render/eval.h"
#include "render/report.h"
#include "render/stream.h"

namespace portico::cli {
namespace {

namespace fs = std::filesystem;

/// Case-insensitive, as in kpt.
Result<fnrun::PullPolicy> pull_policy(const std::string& name) {
  std::string lower = name;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == "always") return fnrun::PullPolicy::kAlways;
  if (lower == "ifnotpresent") return fnrun::PullPolicy::kIfNotPresent;
  if (lower == "never") return fnrun::PullPolicy::kNever;
  return invalid("--image-pull-policy \"{}\": must be Always, IfNotPresent or Never", name);
}

Result<fnrun::RunnersOptions> runners_options(const FnRunOptions& options, const Context& context) {
  static constexpr std::chrono::milliseconds kGrace(
      500);  // the function's own limit gives the better message
  fnrun::RunnersOptions result;
  result.function_runner = context.globals.function_runner;
  result.builtin = !options.no_builtin;
  result.exec.sandbox = !options.no_sandbox;
  result.exec.cage.network = result.container.network = options.network;
  result.exec.limits.time = result.container.limits.time = result.evaluator.timeout =
      context.globals.timeout_seconds > 0 ? std::chrono::seconds(context.globals.timeout_seconds)
                                          : std::chrono::minutes(5);
  result.exec.limits.stopped = result.container.limits.stopped = result.evaluator.stopped =
      context.stop(kGrace);
  PORTICO_TRY(result.container.pull, pull_policy(options.pull));
  return result;
}

render::Options render_options(const FnRunOptions& options, const std::string& package_name) {
  render::Options result;
  result.package_name = package_name;
  result.allow_exec = options.allow_exec;
  const char* prefix = std::getenv("KPT_IMAGE_PREFIX");
  if (prefix != nullptr && *prefix != '\0') result.image_prefix = prefix;
  if (!options.image_prefix.empty()) result.image_prefix = options.image_prefix;
  if (!result.image_prefix.ends_with('/')) result.image_prefix += '/';
  return result;
}

/// Failures of functions have been printed already; others have not.
bool was_shown(const render::Rendered& rendered) {
  for (const render::PackageRun& package : rendered.packages)
    for (const render::FunctionRun& run : package.functions)
      if (run.ran && run.exit_code != 0 && run.error.empty()) return true;
  return false;
}

/// kpt's line with the error and its place.
std::string failure_line(const Error& failure) {
  std::string places;
  for (auto at = failure.where.rbegin(); at != failure.where.rend(); ++at)
    places += (places.empty() ? "" : ": ") + *at;
  return fmt::format("Error: {}{}\n", failure.what, places.empty() ? "" : " (" + places + ")");
}

Result<api::StringMap> pairs(const std::vector<std::string>& texts, std::string_view what) {
  api::StringMap result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return invalid("{} \"{}\": must be key=value", what, text);
    result.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

Result<std::vector<api::Selector>> selectors(const FnSelectorOptions& options,
                                             std::string_view what) {
  api::Selector one{options.api_version, options.kind, options.name, options.ns, {}, {}};
  PORTICO_TRY(one.labels, pairs(options.labels, fmt::format("--{}-labels", what)));
  PORTICO_TRY(one.annotations, pairs(options.annotations, fmt::format("--{}-annotations", what)));
  if (one == api::Selector{}) return std::vector<api::Selector>();
  return std::vector{std::move(one)};
}

/// The path of a file relative to the folder, or "" if it is outside.
std::string path_in(const std::string& file, const std::string& folder) {
  std::error_code error;
  const fs::path inner =
      fs::proximate(fs::weakly_canonical(file, error), fs::weakly_canonical(folder, error), error);
  if (error || inner.empty() || *inner.begin() == ".." || inner.is_absolute()) return "";
  return inner.generic_string();
}

Result<Done> check_evaluation(const FnEvalOptions& options) {
  if (options.include_meta)
    return invalid(
        "--include-meta-resources is no longer necessary because meta resources are now included "
        "by default; omit it");
  if (options.image.empty() && options.exec.empty())
    return invalid("must specify --image or --exec");
  if (!options.image.empty() && !options.exec.empty())
    return invalid("--image and --exec are mutually exclusive");
  if (!options.config.empty() && !options.data.empty())
    return invalid("--fn-config and arguments after -- are mutually exclusive");
  if (!options.save) return Done{};
  if (options.type != "mutator" && options.type != "validator")
    return invalid(
        "--type must be specified if saving functions to Kptfile (--save=true): mutator or "
        "validator");
  if (options.dir == "-" || !options.run.output.empty())
    return invalid("--save requires a folder that is changed in place");
  return Done{};
}

Result<render::Evaluation> evaluation(const FnEvalOptions& options, const std::string& folder) {
  render::Evaluation result;
  result.function.image = options.image;
  result.function.exec = options.exec;
  result.function.tag = options.tag;
  PORTICO_TRY(result.function.config_map, pairs(options.data, "argument"));
  PORTICO_TRY(result.function.selectors, selectors(options.match, "match"));
  PORTICO_TRY(result.function.exclude, selectors(options.exclude, "exclude"));
  if (options.config.empty()) return result;
  PORTICO_TRY(const std::string text, engine::read_text(options.config), "--fn-config");
  PORTICO_TRY(result.config, krm::Object::parse(text), options.config);
  if (!result.config->value().is_object())
    return invalid("functionConfig must be a map").in(options.config);
  result.config_file = folder.empty() ? "" : path_in(options.config, folder);
  return result;
}

/// Prints kpt's lines about the single function of an evaluation.
void show(const render::Rendered& rendered, Terminal& terminal) {
  for (const render::FunctionRun& run : rendered.packages.front().functions)
    terminal.note(render::log_text(run, ""));
  if (rendered.failure && !was_shown(rendered)) {
    const std::string& why = rendered.packages.front().functions.back().error;
    terminal.note(fmt::format("error: {}\n", why.empty() ? rendered.failure->text() : why));
  }
}

Result<Done> save(const FnEvalOptions& options, const render::Evaluation& run, FnFolder& folder,
                  const render::Rendered& rendered, Terminal& terminal) {
  api::Function function = run.function;
  // With the prefix; a tag that was given separately stays separate.
  function.image = rendered.packages.front().functions.front().image;
  if (!function.tag.empty()) {
    const std::size_t end = function.image.size() - function.tag.size() - 1;
    if (function.image.ends_with(":" + function.tag)) function.image.resize(end);
  }
  if (run.config) {
    if (run.config_file.empty())
      return invalid("--save requires a functionConfig inside the package, but \"{}\" is outside",
                     options.config);
    function.config_path = run.config_file;
  }
  PORTICO_TRY(const std::string line,
              save_function(folder.package, function, options.type == "validator"));
  terminal.note(line + "\n");
  return Done{};
}

}  // namespace

Result<Exit> run_fn_render(const FnRenderOptions& options, Context& context) {
  const std::string& output = options.run.output;
  PORTICO_DO(prepare_output(output, options.run.results_dir));
  PORTICO_TRY(const auto runners, runners_options(options.run, context));
  PORTICO_TRY(const FnFolder folder, open_fn_folder(options.dir, context.terminal));
  if (folder.package.find("Kptfile") == nullptr) {
    context.terminal.note(fmt::format("Error: No Kptfile found at \"{}\".\n", options.dir));
    return 1;
  }
  render::Options how = render_options(options.run, folder.name);
  how.write_status = output.empty() && !options.no_status;
  krm::Package package = folder.package;
  if (is_text_output(output)) {
    PORTICO_TRY(package, render::with_places(package));
  }
  PORTICO_TRY(const render::Rendered rendered,
              render::render(package, fnrun::Runners(runners), how));
  context.terminal.note(render::log_text(rendered, output.empty()));
  if (output.empty()) {
    PORTICO_DO(folder::change(folder.path, folder.package, rendered.package));
  } else if (!rendered.failure) {
    PORTICO_DO(write_items(output, rendered.items, context.terminal));
  }
  PORTICO_DO(write_results(options.run.results_dir, rendered, context.terminal));
  if (!rendered.failure) return 0;
  if (!was_shown(rendered)) context.terminal.note(failure_line(*rendered.failure));
  return 1;
}

Result<Exit> run_fn_eval(const FnEvalOptions& options, Context& context) {
  PORTICO_DO(check_evaluation(options));
  const bool stream = options.dir == "-";
  const std::string output = stream && options.run.output.empty() ? "stdout" : options.run.output;
  PORTICO_DO(prepare_output(output, options.run.results_dir));
  PORTICO_TRY(auto runners, runners_options(options.run, context));
  runners.exec.environment = runners.container.environment = options.environment;
  runners.container.mounts = runners.exec.cage.mounts = options.mounts;
  runners.container.as_current_user = options.as_current_user;
  const fnrun::Runners runner(runners);

  FnFolder folder;
  if (!stream) {
    PORTICO_TRY(folder, open_fn_folder(options.dir, context.terminal));
  }
  PORTICO_TRY(const render::Evaluation run, evaluation(options, folder.path));
  render::Options how = render_options(options.run, folder.name);
  how.allow_exec = true;  // it was named on the command line
  if (!stream && !is_text_output(output)) {
    PORTICO_TRY(render::Rendered rendered, render::evaluate(folder.package, run, runner, how));
    show(rendered, context.terminal);
    PORTICO_DO(write_results(options.run.results_dir, rendered, context.terminal));
    if (rendered.failure) return 1;
    if (!output.empty()) {
      PORTICO_DO(write_items(output, rendered.items, context.terminal));
      return 0;
    }
    FnFolder after{folder.path, folder.name, rendered.package};
    if (options.save) PORTICO_DO(save(options, run, after, rendered, context.terminal));
    PORTICO_DO(folder::change(folder.path, folder.package, after.package));
    return 0;
  }
  std::vector<krm::Item> items;
  render::HeadComments comments = render::HeadComments::kInFront;
  if (stream) {
    PORTICO_TRY(const std::string text, engine::read_text("-"));
    if (options.run.output.empty()) comments = render::head_comments(text);
    PORTICO_TRY(krm::ResourceList list, render::read_stream(text), "standard input");
    items = std::move(list.items);
  } else {
    PORTICO_TRY(items, render::source(folder.package, run.config_file));
  }
  PORTICO_TRY(const render::Rendered rendered,
              render::evaluate(std::move(items), run, runner, how));
  show(rendered, context.terminal);
  PORTICO_DO(write_results(options.run.results_dir, rendered, context.terminal));
  if (rendered.failure) return 1;
  PORTICO_DO(write_items(output, rendered.items, context.terminal, comments));
  return 0;
}

Result<Exit> run_fn_source(const FnSourceOptions& options, Context& context) {
  if (!is_text_output(options.output))
    return invalid("--output \"{}\": must be stdout or unwrap", options.output);
  PORTICO_TRY(const FnFolder folder, open_fn_folder(options.dir, context.terminal));
  std::optional<krm::Object> config;
  if (!options.config.empty()) {
    PORTICO_TRY(const std::string text, engine::read_text(options.config), "--fn-config");
    PORTICO_TRY(config, krm::Object::parse(text), options.config);
  }
  PORTICO_TRY(const auto items, render::source(folder.package, ""));
  context.terminal.write(options.output == "unwrap" ? render::write_unwrapped(items)
                                                    : render::write_stream(items, config));
  return 0;
}

Result<Exit> run_fn_sink(const FnSinkOptions& options, Context&) {
  PORTICO_DO(folder::check_absent(options.dir));
  PORTICO_TRY(const std::string text, engine::read_text("-"));
  PORTICO_TRY(const krm::ResourceList list, render::read_stream(text), "standard input");
  PORTICO_TRY(const krm::Package package, render::sink(list.items));
  PORTICO_DO(folder::create(options.dir, package));
  return 0;
}

}  // namespace portico::cli
