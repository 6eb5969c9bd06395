#include "terminal/screen.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/printable.h"

namespace portico::terminal {
namespace {

extern "C" void resized(int) {}  // only interrupts poll()

// The first `columns` characters.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t at = 0, count = 0;
  while (at < text.size()) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && count++ == columns) break;
    ++at;
  }
  return text.substr(0, at);
}

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

Result<std::unique_ptr<Screen>> Screen::open() {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
    return invalid("not a terminal; in scripts use status or tree with -o json");
  termios before{};
  Fd awake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!awake || ::tcgetattr(STDIN_FILENO, &before) != 0)
    return unavailable("cannot set up the terminal: {}; status and tree show the same",
                       strerror(errno));
  std::unique_ptr<Screen> out(new Screen);
  out->before_ = before;
  out->awake_ = std::move(awake);
  termios raw = out->before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  std::signal(SIGWINCH, resized);
  put("\x1b[?1049h\x1b[?25l");  // alternate screen, hidden cursor
  return out;
}

Screen::~Screen() {
  put("\x1b[?25h\x1b[?1049l");
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  std::signal(SIGWINCH, SIG_DFL);
}

Screen::Size Screen::size() {
  winsize told{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &told) != 0 || told.ws_row == 0 || told.ws_col == 0)
    return {};
  return {told.ws_row, told.ws_col};
}

void Screen::draw(const std::vector<Row>& rows) {
  const Size has = size();
  std::string out = "\x1b[H";
  for (std::size_t i = 0; i < has.rows; ++i) {
    if (i < rows.size()) {
      const Row& row = rows[i];
      out += colour_code(row.colour);
      if (row.selected) out += "\x1b[7m";
      out += cut(printable(row.text), has.columns);
      out += "\x1b[0m";
    }
    out += "\x1b[K";
    if (i + 1 < has.rows) out += "\r\n";
  }
  put(out);
}

std::vector<Press> Screen::wait(const Stop& stop) {
  std::array<pollfd, 3> ready{
      {{STDIN_FILENO, POLLIN, 0}, {awake_.get(), POLLIN, 0}, {stop.descriptor(), POLLIN, 0}}};
  if (::poll(ready.data(), ready.size(), -1) <= 0) return {};
  std::uint64_t count = 0;
  if ((ready[1].revents & POLLIN) != 0)
    static_cast<void>(::read(awake_.get(), &count, sizeof count) == 0);
  if (ready[0].revents == 0) return {};
  std::array<char, 256> bytes{};
  const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  // The terminal is gone.
  if (got <= 0) return {{Key::kCharacter, 'q'}};
  return presses({bytes.data(), static_cast<std::size_t>(got)});
}

void Screen::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(awake_.get(), &one, sizeof one) == 0);
}

}  // namespace portico::terminal
