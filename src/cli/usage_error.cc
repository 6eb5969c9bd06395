#include "cli/usage_error.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/printable.h"
#include "base/spelling.h"

namespace portico::cli {

namespace {

struct Where {
  const CLI::App* app;
  std::string path;  // "portico rpkg clone"
};

Where command_of(const CLI::App& root) {
  Where out{&root, "portico"};
  while (!out.app->get_subcommands().empty()) {
    out.app = out.app->get_subcommands().front();
    out.path += " " + out.app->get_name();
  }
  return out;
}

// The first unknown word, with the most similar known one; "" if there is none.
std::string unknown_word(const CLI::App& root, const Where& where) {
  const std::vector<std::string> left = root.remaining(true);
  if (left.empty()) return "";
  const std::string word = left.front().substr(0, left.front().find('='));
  const std::string of = where.app == &root ? "" : " for " + where.path;
  std::vector<std::string> known;
  const bool option = word.starts_with("-");
  for (const CLI::App* at : {where.app, &root})
    if (option)
      for (const CLI::Option* each : at->get_options())
        for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  if (!option)
    for (const CLI::App* each : where.app->get_subcommands({})) {
      known.push_back(each->get_name());
      for (const std::string& alias : each->get_aliases()) known.push_back(alias);
    }
  if (!option && known.empty()) return fmt::format("unexpected argument \"{}\"{}", word, of);
  return fmt::format("unknown {} \"{}\"{}{}", option ? "option" : "command", word, of,
                     hint(word, {known.begin(), known.end()}));
}

std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

// CLI11's message, reworded if it is unclear.
std::string in_plain_words(const CLI::ParseError& error, const Where& where) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    // "Could not convert: --revision = abc"
    const std::string_view rest = behind(text, "Could not convert: ");
    if (const std::size_t equals = rest.find(" = "); equals != std::string_view::npos)
      return fmt::format("{}: \"{}\" is not a number", rest.substr(0, equals),
                         rest.substr(equals + 3));
  }
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    // "--revision: Value abc not in range 0.000000 to 1797...": a number above 0
    const std::size_t value = text.find(": Value "), range = text.find(" not in range ");
    if (value != std::string::npos && range != std::string::npos && range > value) {
      const std::string_view limits = std::string_view(text).substr(range + 14);
      const bool open = limits.starts_with("0.0") && limits.find(" to 1797") != limits.npos;
      return fmt::format("{}: \"{}\" is not {}", text.substr(0, value),
                         text.substr(value + 8, range - value - 8),
                         open ? std::string("a number above 0") : fmt::format("in {}", limits));
    }
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    if (const std::size_t colon = text.find(": "); colon != std::string::npos)
      if (text.find("required", colon) != std::string::npos)
        return text.substr(0, colon) + " requires a value";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    if (!where.app->get_subcommands({}).empty() && text.find("ubcommand") != std::string::npos)
      return "must specify a command";
  return text;
}

}  // namespace

std::string usage_error(const CLI::App& root, const CLI::ParseError& error) {
  const Where where = command_of(root);
  std::string text = unknown_word(root, where);
  if (text.empty()) text = in_plain_words(error, where);
  return printable(fmt::format("portico: {}; see: {} --help\n", text, where.path));
}

}  // namespace portico::cli
