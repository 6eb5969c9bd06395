// What the program writes: tables, colors (on a terminal only), progress bars for long work.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"

namespace portico::terminal {

enum class Colour { kPlain, kRed, kGreen, kYellow, kCyan, kBold, kDim };
/// The escape sequence for the color; "" for plain.
const char* colour_code(Colour colour);

/// Standard output and error of one command. Uses colors if standard output is a terminal and
/// NO_COLOR is not set. Escapes control sequences (base/printable.h): always on standard error, and
/// on standard output if it is a terminal; a pipe gets the bytes unchanged. Not thread-safe.
class Terminal {
 public:
  Terminal();

  template <class... Args>
  void print(fmt::format_string<Args...> text, Args&&... args) {
    write(fmt::format(text, std::forward<Args>(args)...));
  }
  void write(std::string_view text);
  void flush();

  /// Writes "portico: TEXT" to standard error, without secrets.
  void error(std::string_view text);
  void warning(std::string_view text);
  /// Writes the text to standard error as it is, except for secrets.
  void note(std::string_view text);
  /// A dim line that suggests the next step, on standard error if that is a terminal.
  void hint(std::string_view text);

  /// Whether the session is interactive: standard input and error are terminals.
  bool can_ask() const { return asks_; }
  /// Asks "QUESTION [y/N]" and waits for the answer. True if it begins with y; false if `stop`
  /// comes first.
  bool ask(std::string_view question, const Stop& stop);

  std::string paint(Colour colour, std::string_view text) const;
  bool colours() const { return colours_; }

  /// Draws a bar on standard error, over the previous one, with the count, the rate per second and
  /// the estimated time left; no-op if standard error is not a terminal.
  void progress(std::string_view what, std::size_t done, std::size_t total,
                std::string_view counted = "");
  void progress_done();
  /// Replaces the bar by a line that stays: "WHAT: TEXT"; no-op if no bar was drawn since the last
  /// summary.
  void progress_summary(std::string_view what, std::string_view text);
  /// Disables bars from now on, because something else uses the screen.
  void hide_progress() { progress_ = false; }

 private:
  bool asks_ = false, screen_ = false, colours_ = false, progress_ = false, drawn_ = false;
  bool worked_ = false;  // a bar was drawn since the last summary
  struct {
    std::string what;
    std::size_t done = 0;
    std::chrono::steady_clock::time_point since{};
  } measured_;  // the current bar, since its beginning
};

/// Columns padded to their widest cell and separated by three blanks, as kubectl prints them. The
/// first row is the header. Cells may be painted: color codes have no width.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A unified diff with colored lines.
std::string paint_diff(const Terminal& terminal, std::string_view diff);

}  // namespace portico::terminal
