#include "cli/arguments.h"
#include "cli/last_words.h"

int main(int argc, char** argv) {
  using portico::cli::Context, portico::cli::Exit, portico::cli::Parsed, portico::cli::Terminal;
  portico::cli::prepare_last_words();
  auto parsed = portico::cli::parse_arguments(argc, argv);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Parsed& wanted = std::get<Parsed>(parsed);
  Terminal terminal;
  Context context{wanted.globals, terminal};
  const auto done = wanted.command(context);
  terminal.flush();
  if (done) return *done;
  terminal.error(done.error().text());
  return 1;
}
