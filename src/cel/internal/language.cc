#include "cel/internal/language.h"

namespace portico::cel::internal {

const Macro* Language::find_macro(std::string_view name, std::size_t args, bool member) const {
  const auto found = macros.find(name);
  if (found == macros.end()) return nullptr;
  for (const Macro& macro : found->second)
    if (macro.member == member && (macro.args < 0 || macro.args == static_cast<int>(args)))
      return &macro;
  return nullptr;
}

std::vector<std::string> candidates(std::string_view container, std::string_view name,
                                    bool absolute) {
  std::vector<std::string> out;
  if (name.starts_with('.')) {
    name.remove_prefix(1);
    absolute = true;
  }
  while (!absolute && !container.empty()) {
    out.push_back(std::string(container) + "." + std::string(name));
    const std::size_t dot = container.rfind('.');
    container = container.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  out.emplace_back(name);
  return out;
}

}  // namespace portico::cel::internal
