#include "cel_lib/libraries.h"

#include <charconv>

namespace portico::cel_lib {

std::optional<Library> find_library(std::string_view name, std::string_view locale) {
  std::optional<int> version;
  if (const std::size_t at = name.find('@'); at != std::string_view::npos) {
    int number = 0;
    const auto [end, error] =
        std::from_chars(name.data() + at + 1, name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    version = number;
    name = name.substr(0, at);
  }
  if (name == "standard") return standard();
  if (name == "strings") return strings(version.value_or(4), locale.empty() ? "en_US" : locale);
  if (name == "math") return math();
  if (name == "lists") return lists();
  if (name == "sets") return sets();
  if (name == "encoders") return encoders();
  if (name == "regex") return regex();
  if (name == "optionals") return optionals();
  if (name == "bindings") return bindings();
  if (name == "comprehensions2") return two_variable_comprehensions();
  if (name == "block") return block();
  if (name == "network") return network();
  if (name == "literal_checks") return literal_checks();
  if (name == "k8s.lists") return kubernetes::lists();
  if (name == "k8s.regex") return kubernetes::regex();
  if (name == "k8s.urls") return kubernetes::urls();
  if (name == "k8s.quantity") return kubernetes::quantity();
  if (name == "k8s.semver") return kubernetes::semver(version.value_or(1));
  if (name == "k8s.ip") return kubernetes::ip();
  if (name == "k8s.cidr") return kubernetes::cidr();
  if (name == "k8s.format") return kubernetes::format();
  return std::nullopt;
}

}  // namespace portico::cel_lib
