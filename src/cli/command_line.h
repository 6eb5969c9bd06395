// The parts of the command line, one file per topic.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/object_commands.h"

namespace portico::cli {

/// Adds a subcommand; its callback keeps the options struct alive.
template <class Options>
std::shared_ptr<Options> command(CLI::App& parent, Command& chosen, CLI::App*& app,
                                 const std::string& name, const std::string& description,
                                 Result<Exit> (*run)(const Options&, Context&),
                                 const std::string& examples) {
  auto options = std::make_shared<Options>();
  app = parent.add_subcommand(name, description);
  if (!examples.empty()) app->footer("Examples:\n" + examples);
  app->callback([&chosen, options, run] {
    chosen = [options, run](Context& context) { return run(*options, context); };
  });
  return options;
}

CLI::Option* add_wait(CLI::App& app, WaitOptions& wait);
void add_output(CLI::App& app, std::string& output);
/// For commands that print one line per object: -o name prints only the name.
void add_name_output(CLI::App& app, std::string& output);
/// Accepts one of these words; shown as {a,b} in help and used for completion.
CLI::Validator one_of(const std::vector<std::string>& words);
/// Options for sorting and displaying a list.
template <class Options>
void add_listing(CLI::App& app, Options& options) {
  app.add_option("--sort-by", options.sort_by,
                 "JSONPath to sort by, such as .metadata.creationTimestamp");
  app.add_flag("--show-labels", options.show_labels, "Add a column with labels");
  app.add_flag("-A,--all-namespaces", options.all_namespaces, "In all namespaces");
  app.add_flag("--no-headers", options.no_headers, "Do not print headers");
}
/// Also accepts a package revision's name in the form that -o name prints.
CLI::Validator plain_revision();
/// Accepts the values of spec.onConflict.
void add_on_conflict(CLI::App& app, std::string& policy);

/// Each adds the commands of its topic to `root`; parsing sets `chosen` to the selected command.
void add_objects(CLI::App& root, Command& chosen);
void add_changes(CLI::App& root, Command& chosen);
void add_repo(CLI::App& root, Command& chosen);
void add_rpkg(CLI::App& root, Command& chosen);
void add_pkg(CLI::App& root, Command& chosen);
void add_fleet(CLI::App& root, Command& chosen);
/// Options of `serve` for authentication and access to its API.
void add_api_options(CLI::App& app, ServeOptions& options, CLI::Option* listen);
/// Options of `serve --kubernetes`, which excludes `without` (--without-controllers).
void add_cluster_options(CLI::App& app, ServeOptions& options, CLI::Option* listen,
                         CLI::Option* without);
/// `behind`: the arguments after "--".
void add_fn(CLI::App& root, Command& chosen, const std::vector<std::string>& behind);

}  // namespace portico::cli
