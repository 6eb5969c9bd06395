// The last line of a program that ends by a mistake of its own.
#pragma once

namespace portico::cli {

/// From now on an exception that nobody catches, and abort(), end with one line on standard error
/// before the process dies by SIGABRT.
void prepare_last_words();

}  // namespace portico::cli
