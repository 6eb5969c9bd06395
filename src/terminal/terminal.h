// What the program writes: tables, colours on a terminal only, progress on long work.
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
/// The sequence that sets it on a terminal; "" for plain.
const char* colour_code(Colour colour);

/// Standard output and error of one command. Colours where the stream is a terminal and NO_COLOR is
/// not set. What would steer a terminal (base/printable.h) is spelled out: on standard error
/// always, on standard output where that is a terminal; a pipe gets the bytes. Not safe from
/// several threads.
class Terminal {
 public:
  Terminal();

  template <class... Args>
  void print(fmt::format_string<Args...> text, Args&&... args) {
    write(fmt::format(text, std::forward<Args>(args)...));
  }
  void write(std::string_view text);
  void flush();

  /// On standard error, with secrets stripped: "portico: TEXT".
  void error(std::string_view text);
  void warning(std::string_view text);
  /// On standard error as it is, but for secrets.
  void note(std::string_view text);
  /// A line of help for the next step, dim, on standard error where that is a terminal.
  void hint(std::string_view text);

  /// Whether a person sits in front of it: standard input and error are a terminal.
  bool can_ask() const { return asks_; }
  /// Asks "QUESTION [y/N]" and waits for the answer; true where it begins with y, false where
  /// `stop` comes first.
  bool ask(std::string_view question, const Stop& stop);

  std::string paint(Colour colour, std::string_view text) const;
  bool colours() const { return colours_; }

  /// A bar that is drawn over itself on standard error, with what is counted, how many were done in
  /// a second and how long the others may take; nothing where that is no terminal.
  void progress(std::string_view what, std::size_t done, std::size_t total,
                std::string_view counted = "");
  void progress_done();
  /// The line that stays when a bar was drawn, in its place: "WHAT: TEXT"; nothing where none was
  /// since the last one.
  void progress_summary(std::string_view what, std::string_view text);
  /// No bar from now on: something else has the screen.
  void hide_progress() { progress_ = false; }

 private:
  bool asks_ = false, screen_ = false, colours_ = false, progress_ = false, drawn_ = false;
  bool worked_ = false;  // a bar was drawn since the last summary
  struct {
    std::string what;
    std::size_t done = 0;
    std::chrono::steady_clock::time_point since{};
  } measured_;  // the bar that is drawn, from its beginning
};

/// Columns padded to their widest cell, three blanks between, as kubectl prints them. The first row
/// is the head. Cells may be painted: colour codes do not count.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A unified diff with its lines coloured.
std::string paint_diff(const Terminal& terminal, std::string_view diff);

}  // namespace portico::terminal
