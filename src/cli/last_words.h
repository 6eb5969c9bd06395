// Prints a last line when the program crashes.
#pragma once

namespace portico::cli {

/// From now on an uncaught exception, abort() and a memory fault write one line to standard error
/// before the process dies from the signal.
void prepare_last_words();

}  // namespace portico::cli
