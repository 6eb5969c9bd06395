// Cases of kpt's command line, run through the real program.
#pragma once

#include <optional>
#include <string>

#include "conformance/internal/kpt_case.h"

namespace portico::conformance {

/// Whether the case is about what only the program has: pipes, several steps, programs as
/// functions, links, new folders, a function that is saved.
bool needs_program(const KptCase& one);

/// The case's steps in a fresh folder, with `kpt` and `function` standing for the program beside
/// this one. nullopt with `why` where it is not there.
std::optional<KptRun> run_program(const KptCase& one, std::string& why);

}  // namespace portico::conformance
