// A full-screen terminal: reads single keys and draws lines in place.
#pragma once

#include <termios.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/keys.h"
#include "terminal/terminal.h"

namespace portico::terminal {

/// While it exists, standard input delivers single keys and standard output shows the alternate
/// screen. Not thread-safe except wake(); at most one at a time.
class Screen {
 public:
  /// Returns kInvalid if standard input or output is not a terminal.
  static Result<std::unique_ptr<Screen>> open();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  struct Size {
    std::size_t rows = 24, columns = 80;
  };
  static Size size();

  struct Row {
    std::string text;  // control sequences are escaped; cut at the right border
    Colour colour = Colour::kPlain;
    bool selected = false;
  };
  /// Draws the first rows of the screen; the remaining rows are cleared.
  void draw(const std::vector<Row>& rows);

  /// Waits for keys, wake(), a signal or a stop request; the result is empty for all but keys.
  std::vector<Press> wait(const Stop& stop);
  /// Makes wait() return. Thread-safe.
  void wake();

 private:
  Screen() = default;
  termios before_{};
  Fd awake_;
};

}  // namespace portico::terminal
