#include "git/ref_name.h"

namespace portico::git {

Result<Done> check_ref_name(std::string_view name) {
  const auto refuse = [name](std::string_view why) {
    return invalid("{:?} is not a valid ref name: {}", name, why);
  };
  if (name.empty()) return refuse("it is empty");
  if (name.size() > 1024) return refuse("it is longer than 1024 bytes");
  if (name.find("..") != std::string_view::npos) return refuse("it contains '..'");
  if (name.find("@{") != std::string_view::npos) return refuse("it contains '@{'");
  if (name.ends_with('.')) return refuse("it ends in '.'");
  if (!name.starts_with("refs/")) return refuse("it does not start with 'refs/'");
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return refuse("it contains a control character");
    if (std::string_view(" ~^:?*[\\").find(c) != std::string_view::npos)
      return refuse(fmt::format("it contains {:?}", c));
  }
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty()) return refuse("a part between slashes is empty");
    if (part.starts_with('.')) return refuse("a part starts with '.'");
    if (part.ends_with(".lock")) return refuse("a part ends in '.lock'");
    if (part.size() > 250) return refuse("a part is longer than 250 bytes");
    if (slash == std::string_view::npos) return Done{};
    name.remove_prefix(slash + 1);
  }
}

}  // namespace portico::git
