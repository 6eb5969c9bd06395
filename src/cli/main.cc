#include "cli/arguments.h"

int main(int argc, char** argv) {
  using namespace portico::cli;
  auto parsed = parse_arguments(argc, argv);
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
