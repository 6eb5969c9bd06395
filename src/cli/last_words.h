// Prints a last line when the program crashes.
#pragma once

namespace portico::cli {

/// From now on an uncaught exception, abort() and a memory fault write one line to standard error
/// before the process dies from the signal. A stack overflow does so in this thread and in those
/// that call prepare_alternate_stack() (base/alternate_stack.h), as workers do.
void prepare_last_words();

}  // namespace portico::cli
