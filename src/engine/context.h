// Global options of all commands: which system, as whom, how long.
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
  std::string state;           // --state; "": searched from the working folder upwards
  std::string ns = "default";  // -n
  bool ns_said = false;        // -n was given
  std::string server;          // --server: a URL
  std::string kubeconfig;      // --kubeconfig
  std::string context;         // --context, of the kubeconfig
  std::string as;              // --as: the user to impersonate
  std::vector<std::string> as_groups;
  int verbose = 0;                   // number of -v
  int workers = 0;                   // 0: chosen by the program
  std::string function_runner;       // host:port of a server for functions that are not built in
  bool containers = false;           // runs such functions in containers
  int timeout_seconds = 0;           // --timeout; 0: the default of each command
  bool forget_lost_secrets = false;  // keeps Secrets whose key is missing, without their content
};

struct Context {
  Globals globals;
  terminal::Terminal& terminal;
  Deadline deadline{};
  StopSource interrupted{};  // requested when the user stops the command

  /// For waits: true when the command is stopped, or its deadline and `grace` have passed.
  Stop stop(std::chrono::milliseconds grace = {}) const {
    return interrupted.stop(deadline.at(grace));
  }
};

}  // namespace portico::engine
