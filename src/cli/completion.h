// Shell completion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "krm/meta.h"

namespace portico::cli {

struct Candidate {
  std::string word, about;
};

/// Completions of the last word: candidates known without a lookup, and kinds whose object names
/// are candidates.
struct Completion {
  std::string begun;  // the part of the last word that is already typed
  std::vector<Candidate> candidates;
  std::vector<krm::GroupKind> kinds;
  std::string before;       // prefix of each object name: "pv/"
  bool files = false;       // file paths are possible, too
  engine::Globals globals;  // from the options among the words: where to look, as which user
};

/// `words`: the words after the program's name; the last one is incomplete and may be "".
Completion complete(const CLI::App& root, const std::vector<std::string>& words);

/// Prints one candidate per line, followed by a tab and its description: those that start with the
/// typed part. Then ":file" if paths are possible. Candidates that cannot be looked up are omitted.
Result<Exit> run_complete(const Completion& completion, Context& context);

/// The completion script for bash, zsh or fish; "" for any other shell.
std::string_view completion_script(std::string_view shell);

}  // namespace portico::cli
