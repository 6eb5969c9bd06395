// Credentials in the middle of a text, known by their form or by the word in front of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace portico::secrets {

struct Found {
  std::size_t shown = 0;  // characters that lead to it and may be seen
  std::size_t size = 0;   // of the credential behind them; 0: there is none
};

/// Whether one begins at `at`, or words that lead to it do. The tables are in the .cc.
Found secret_at(std::string_view text, std::size_t at);

}  // namespace portico::secrets
