#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/last_words.h"
#include "engine/remote_engine.h"
#include "engine/stop.h"

int main(int argc, char** argv) {
  using portico::cli::Context, portico::cli::Exit, portico::cli::Parsed,
      portico::terminal::Terminal;
  portico::cli::prepare_last_words();
  auto parsed = portico::cli::parse_arguments(argc, argv);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Parsed& wanted = std::get<Parsed>(parsed);
  wanted.globals.ns = portico::engine::namespace_of(wanted.globals);
  Terminal terminal;
  Context context{wanted.globals, terminal,
                  portico::engine::Deadline(wanted.globals.timeout_seconds)};
  const portico::engine::Interruption interruption(context.interrupted, context.deadline);
  const auto done = wanted.command(context);
  terminal.flush();
  if (const int signal = interruption.signal(); signal != 0 && (!done || *done != 0)) {
    if (!done) terminal.error(done.error().text());
    return 128 + signal;
  }
  const std::string late =
      fmt::format("timed out after {} s (--timeout)", context.deadline.seconds());
  if (done) {
    if (*done != 0 && context.deadline.over()) terminal.error(late);
    return *done;
  }
  const bool told = done.error().reason == portico::Reason::kTimeout;
  terminal.error(context.deadline.over() && !told ? done.error().in(late).text()
                                                  : done.error().text());
  return 1;
}
