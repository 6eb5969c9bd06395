// The commands that change, await and display single objects: an options struct and a function for
// each, implemented in one .cc file each.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace portico::cli {

struct PatchOptions {
  std::string type;
  std::vector<std::string> names;
  std::string patch, patch_file;  // JSON or YAML
  std::string patch_type;         // json, merge, strategic; "": by the kind
  std::string output;             // as for print_objects
  bool dry_run = false;
  WaitOptions wait;
};
Result<Exit> run_patch(const PatchOptions& options, Context& context);

struct EditOptions {
  std::string type;
  std::vector<std::string> names;
  WaitOptions wait;
};
/// Uses $PORTICO_EDITOR, $KUBE_EDITOR, $EDITOR, $VISUAL or vi.
Result<Exit> run_edit(const EditOptions& options, Context& context);

struct AwaitOptions {
  std::string type;
  std::vector<std::string> names, files;
  std::string selector;
  std::string condition;  // as for resources::Awaited
  bool all = false;
};
Result<Exit> run_wait(const AwaitOptions& options, Context& context);

struct TopOptions {};
/// Full-screen view of sets and variants that follows changes until the user quits.
Result<Exit> run_top(const TopOptions& options, Context& context);

struct SuspendOptions {
  std::string type;
  std::vector<std::string> names;
  std::string selector;
  bool all = false;  // in the namespace
  WaitOptions wait;
};
Result<Exit> run_suspend(const SuspendOptions& options, Context& context);
Result<Exit> run_resume(const SuspendOptions& options, Context& context);

struct EventsOptions {
  std::string about;               // TYPE/NAME; "": everything
  std::vector<std::string> types;  // Normal, Warning; none: both
  std::string output;              // as for print_objects
  bool all_namespaces = false, no_headers = false;
};
Result<Exit> run_events(const EventsOptions& options, Context& context);

}  // namespace portico::cli
