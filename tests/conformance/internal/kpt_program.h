// Runs cases of kpt's command line with the real program.
#pragma once

#include <optional>
#include <string>

#include "conformance/internal/kpt_case.h"

namespace portico::conformance {

/// Whether the case needs the program: pipes, several steps, programs as functions, links, new
/// folders, --save.
bool needs_program(const KptCase& one);

/// Runs the case's steps in a new folder, with `kpt` and `function` replaced by the portico program
/// next to this one. nullopt, with the reason in `why`, if that does not exist.
std::optional<KptRun> run_program(const KptCase& one, std::string& why);

}  // namespace portico::conformance
