#include "base/spelling.h"
#include "cli/commands.h"
#include "functions/about.h"
#include "functions/catalog.h"

namespace portico::cli {

Result<Exit> run_fn_list(const FnAboutOptions&, Context& context) {
  std::vector<std::vector<std::string>> rows{{"NAME", "VERSIONS", "BEHAVES AS", "WHAT IT DOES"}};
  for (const functions::Entry& entry : functions::catalog()) {
    const functions::About* told = functions::about(entry.name);
    rows.push_back({std::string(entry.name), std::string(entry.versions),
                    std::string(entry.follows), std::string(told != nullptr ? told->does : "")});
  }
  context.terminal.write(terminal::table(rows));
  return 0;
}

Result<Exit> run_fn_doc(const FnAboutOptions& options, Context& context) {
  const functions::Entry* entry = functions::find(options.name);
  const functions::About* told = entry != nullptr ? functions::about(entry->name) : nullptr;
  if (told == nullptr) {
    std::vector<std::string_view> names;
    for (const functions::Entry& each : functions::catalog()) names.push_back(each.name);
    return not_found("no built-in function \"{}\"{}; list them with `portico fn list`",
                     options.name, hint(options.name, names));
  }
  Terminal& out = context.terminal;
  out.print("{}\n\n{}.\n\nCONFIG:\n  ", out.paint(Colour::kBold, entry->name), told->does);
  for (const char c : told->config.substr(0, told->config.size() - 1))
    out.print("{}{}", c, c == '\n' ? "  " : "");
  out.print("\n\nVERSIONS:\n  {}, behaves as {}\n", entry->versions, entry->follows);
  return 0;
}

}  // namespace portico::cli
