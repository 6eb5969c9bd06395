// What a shell offers where somebody presses TAB.
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

/// What can stand for the last of the words: candidates that are known without looking, and the
/// kinds whose objects' names are candidates, with what is put before each.
struct Completion {
  std::string begun;  // the last word as far as it is written
  std::vector<Candidate> candidates;
  std::vector<krm::GroupKind> kinds;
  std::string before;       // "pv/"
  bool files = false;       // paths of files can stand there, too
  engine::Globals globals;  // by the options among the words that say what is asked, as whom
};

/// `words` are those behind the program's name; the last one is being written, and may be "".
Completion complete(const CLI::App& root, const std::vector<std::string>& words);

/// One candidate a line with a tab and what it is for, those that begin as the last word does; then
/// ":file" where paths can stand there. What cannot be looked up is not offered.
Result<Exit> run_complete(const Completion& completion, Context& context);

/// The script that makes a shell ask: bash, zsh or fish; "" for another one.
std::string_view completion_script(std::string_view shell);

}  // namespace portico::cli
