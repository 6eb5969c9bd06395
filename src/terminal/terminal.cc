#include "terminal/terminal.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>

#include "base/printable.h"
#include "base/secrets.h"

namespace portico::terminal {

const char* colour_code(Colour colour) {
  switch (colour) {
    case Colour::kPlain:
      return "";
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kCyan:
      return "\x1b[36m";
    case Colour::kBold:
      return "\x1b[1m";
    case Colour::kDim:
      return "\x1b[2m";
  }
  return "";
}

namespace {

// Columns on screen: color codes take none, a UTF-8 character takes one.
std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

// ", 35/s, 12 s left"; "" until there is a rate.
std::string pace(std::size_t done, std::size_t left, std::chrono::steady_clock::duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  if (seconds < 1 || done == 0) return "";
  const double rate = static_cast<double>(done) / seconds;
  std::string out = fmt::format(", {:.{}f}/s", rate, rate < 10 ? 1 : 0);
  if (left > 0) out += fmt::format(", {:.0f} s left", static_cast<double>(left) / rate);
  return out;
}

}  // namespace

Terminal::Terminal() {
  const bool wanted = std::getenv("NO_COLOR") == nullptr;
  screen_ = isatty(STDOUT_FILENO) == 1;
  colours_ = wanted && screen_;
  progress_ = isatty(STDERR_FILENO) == 1;
  asks_ = progress_ && isatty(STDIN_FILENO) == 1;
}

void Terminal::write(std::string_view text) {
  progress_done();
  if (!screen_) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  const std::string shown = printable(text, true);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void Terminal::flush() { std::fflush(stdout); }

void Terminal::error(std::string_view text) {
  progress_done();
  flush();
  fmt::print(stderr, "portico: {}\n", printable(without_secrets(text)));
}

void Terminal::warning(std::string_view text) {
  progress_done();
  flush();
  fmt::print(stderr, "warning: {}\n", printable(without_secrets(text)));
}

void Terminal::note(std::string_view text) {
  progress_done();
  flush();
  fmt::print(stderr, "{}", printable(without_secrets(text)));
}

void Terminal::hint(std::string_view text) {
  if (!progress_) return;
  progress_done();
  flush();
  fmt::print(stderr, "{}\n", paint(Colour::kDim, printable(text)));
}

bool Terminal::ask(std::string_view question, const Stop& stop) {
  progress_done();
  flush();
  fmt::print(stderr, "{} [y/N] ", printable(question));
  std::fflush(stderr);
  pollfd wait[] = {{STDIN_FILENO, POLLIN, 0}, {stop.descriptor(), POLLIN, 0}};
  while (::poll(wait, 2, -1) < 0 && errno == EINTR) {
  }
  if (stop()) return false;
  std::string answer;
  return std::getline(std::cin, answer) && (answer.starts_with("y") || answer.starts_with("Y"));
}

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!colours_ || colour == Colour::kPlain) return std::string(text);
  return fmt::format("{}{}\x1b[0m", colour_code(colour), text);
}

void Terminal::progress(std::string_view what, std::size_t done, std::size_t total,
                        std::string_view counted) {
  if (!progress_) return;
  constexpr std::size_t kWidth = 30;
  const auto now = std::chrono::steady_clock::now();
  if (measured_.what != what || done < measured_.done) measured_ = {std::string(what), done, now};
  const std::size_t filled = total == 0 ? 0 : kWidth * done / total;
  fmt::print(stderr, "\r\x1b[K{} [{}{}] {}/{}{}{}", what, std::string(filled, '='),
             std::string(kWidth - filled, ' '), done, total, counted,
             pace(done - measured_.done, total - std::min(done, total), now - measured_.since));
  std::fflush(stderr);
  drawn_ = worked_ = true;
}

void Terminal::progress_summary(std::string_view what, std::string_view text) {
  progress_done();
  if (!worked_) return;
  worked_ = false;
  flush();
  fmt::print(stderr, "{}: {}\n", what, printable(text));
}

void Terminal::progress_done() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 3, ' ');
    }
    out += line + "\n";
  }
  return out;
}

std::string paint_diff(const Terminal& terminal, std::string_view diff) {
  if (!terminal.colours()) return std::string(diff);
  std::string out;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    Colour colour = Colour::kPlain;
    if (line.starts_with("+++") || line.starts_with("---"))
      colour = Colour::kBold;
    else if (line.starts_with("@@"))
      colour = Colour::kCyan;
    else if (line.starts_with("+"))
      colour = Colour::kGreen;
    else if (line.starts_with("-"))
      colour = Colour::kRed;
    out += terminal.paint(colour, line) + "\n";
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  return out;
}

}  // namespace portico::terminal
