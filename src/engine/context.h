// What somebody asks for before any command: which system, as whom, how long.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "engine/deadline.h"
#include "terminal/terminal.h"

namespace portico::engine {

struct Globals {
  std::string state;           // --state; "": found from the working folder upwards
  std::string ns = "default";  // -n
  bool ns_said = false;        // -n was given
  std::string server;          // --server: a URL
  std::string kubeconfig;      // --kubeconfig
  std::string context;         // --context, of the kubeconfig
  std::string as;              // --as: whom to act as
  std::vector<std::string> as_groups;
  int verbose = 0;                   // -v, as often as it was said
  int workers = 0;                   // 0: chosen by the machine
  std::string function_runner;       // host:port of a server for functions that are not built in
  bool containers = false;           // such functions run in containers
  int timeout_seconds = 0;           // --timeout; 0: each command's own
  bool forget_lost_secrets = false;  // whose key is not there: they are kept without their content
};

struct Context {
  Globals globals;
  terminal::Terminal& terminal;
  Deadline deadline{};
  StopSource interrupted{};  // asked when somebody stops the command

  /// For what waits: until the command is stopped, or its time and `grace` are over.
  Stop stop(std::chrono::milliseconds grace = {}) const {
    return interrupted.stop(deadline.at(grace));
  }
};

}  // namespace portico::engine
