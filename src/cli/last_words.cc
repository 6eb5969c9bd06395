#include "cli/last_words.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "base/alternate_stack.h"
#include "base/printable.h"
#include "base/secrets.h"

namespace portico::cli {
namespace {

constexpr std::string_view kAborted =
    "portico: crashed with SIGABRT (a bug in Portico); acknowledged changes are not lost\n";

constexpr std::string_view kBus =
    "portico: crashed with SIGBUS: a file was truncated while it was read, or its disk failed; "
    "acknowledged changes are not lost\n";
constexpr std::string_view kFault =
    "portico: crashed with SIGSEGV (a bug in Portico); acknowledged changes are not lost\n";

void say(std::string_view line) {
  // If even this fails, nothing more can be done.
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

extern "C" void on_abort(int) {
  say(kAborted);
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
}

// SIGBUS from a file that was truncated while libgit2 has it mapped; otherwise a bug in Portico.
extern "C" void on_fault(int signal) {
  say(signal == SIGBUS ? kBus : kFault);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Leaves the signal to a sanitizer if one handles it.
void prepare_for(int fault) {
  struct sigaction now {};
  if (sigaction(fault, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = on_fault;
  ours.sa_flags = SA_ONSTACK;
  sigaction(fault, &ours, nullptr);
}

std::string what_was_thrown() {
  const std::exception_ptr thrown = std::current_exception();
  if (thrown == nullptr) return "terminate() was called";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "not a std::exception";
  }
}

[[noreturn]] void on_terminate() {
  std::string what = printable(without_secrets(what_was_thrown()));
  for (char& c : what)
    if (c == '\n') c = ' ';
  say("portico: uncaught exception: " + what + "\n");
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

}  // namespace

void prepare_last_words() {
  std::set_terminate(on_terminate);
  std::signal(SIGABRT, on_abort);
  prepare_alternate_stack();
  prepare_for(SIGBUS);
  prepare_for(SIGSEGV);
}

}  // namespace portico::cli
