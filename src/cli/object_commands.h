// The commands that change, await and tell of single objects: one struct of options and one
// function each, one .cc file each.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace portico::cli {

struct PatchOptions {
  std::string type;
  std::vector<std::string> names;
  std::string patch, patch_file;  // JSON or YAML
  std::string patch_type;         // json, merge, strategic; "": what the kind allows
  std::string output;             // as print_objects takes it
  bool dry_run = false;
  WaitOptions wait;
};
Result<Exit> run_patch(const PatchOptions& options, Context& context);

struct EditOptions {
  std::string type;
  std::vector<std::string> names;
  WaitOptions wait;
};
/// In $PORTICO_EDITOR, $KUBE_EDITOR, $EDITOR or vi.
Result<Exit> run_edit(const EditOptions& options, Context& context);

struct AwaitOptions {
  std::string type;
  std::vector<std::string> names, files;
  std::string selector;
  std::string condition;  // as resources::Awaited takes it
  bool all = false;
};
Result<Exit> run_wait(const AwaitOptions& options, Context& context);

struct TopOptions {};
/// Sets and variants on the whole terminal, as they change, until somebody leaves it.
Result<Exit> run_top(const TopOptions& options, Context& context);

struct SuspendOptions {
  std::string type;
  std::vector<std::string> names;
  std::string selector;
  bool all = false;  // of the namespace
  WaitOptions wait;
};
Result<Exit> run_suspend(const SuspendOptions& options, Context& context);
Result<Exit> run_resume(const SuspendOptions& options, Context& context);

struct EventsOptions {
  std::string about;               // TYPE/NAME; "": everything
  std::vector<std::string> types;  // Normal, Warning; none: both
  std::string output;              // as print_objects takes it
  bool all_namespaces = false, no_headers = false;
};
Result<Exit> run_events(const EventsOptions& options, Context& context);

}  // namespace portico::cli
