// Recognizes credentials within a text by their form or by the word in front of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace portico::secrets {

struct Found {
  std::size_t shown = 0;  // characters in front of it that may be shown
  std::size_t size = 0;   // of the credential that follows; 0: none
};

/// Whether a credential, or words that lead to one, begin at `at`. The tables are in the .cc.
Found secret_at(std::string_view text, std::size_t at);

}  // namespace portico::secrets
