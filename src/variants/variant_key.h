// The identity of a downstream package: a value type, never joined into one string.
#pragma once

#include <compare>
#include <string>

namespace portico::variants {

struct VariantKey {
  std::string repo, package;
  auto operator<=>(const VariantKey&) const = default;
  std::string text() const { return repo + "/" + package; }  // for messages
};

}  // namespace portico::variants
