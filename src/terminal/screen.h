// A whole terminal: keys as they are pressed, lines drawn in place.
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

/// While it lives standard input hands out single keys, and standard output shows another screen.
/// For one thread; one at a time.
class Screen {
 public:
  /// kInvalid where standard input or output is no terminal.
  static Result<std::unique_ptr<Screen>> open();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  struct Size {
    std::size_t rows = 24, columns = 80;
  };
  static Size size();

  struct Row {
    std::string text;  // what would steer a terminal is spelled out; cut at the right border
    Colour colour = Colour::kPlain;
    bool selected = false;
  };
  /// The first rows of the screen; the others are empty.
  void draw(const std::vector<Row>& rows);

  /// Waits for keys, for wake(), a signal, or until somebody asks to stop: empty but for the first.
  std::vector<Press> wait(const Stop& stop);
  /// From any thread: wait() returns.
  void wake();

 private:
  Screen() = default;
  termios before_{};
  Fd awake_;
};

}  // namespace portico::terminal
