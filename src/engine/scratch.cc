#include "engine/scratch.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace portico::engine {

namespace fs = std::filesystem;

namespace {

// "rehearsal-1234-AbCdEf" if process 1234 no longer exists.
bool is_left_over(const std::string& name, const std::string& begin) {
  if (!name.starts_with(begin)) return false;
  pid_t process = 0;
  const char* const digits = name.data() + begin.size();
  const auto [end, error] = std::from_chars(digits, name.data() + name.size(), process);
  if (error != std::errc() || process <= 0) return true;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

Result<std::string> make_scratch(const std::string& state, const std::string& kind) {
  std::error_code error;
  for (fs::directory_iterator at(state, error), end; !error && at != end; at.increment(error))
    if (is_left_over(at->path().filename(), kind + "-")) {
      std::error_code ignored;
      fs::remove_all(at->path(), ignored);
    }
  std::string made = (fs::path(state) / fmt::format("{}-{}-XXXXXX", kind, getpid())).string();
  if (::mkdtemp(made.data()) == nullptr)
    return unavailable("cannot create {:?}: {}", made, std::generic_category().message(errno));
  return made;
}

void remove_all_scratch(const std::string& state, const std::string& kind) {
  std::error_code error;
  for (fs::directory_iterator at(state, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kind + "-")) remove_scratch(at->path());
}

void remove_scratch(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

}  // namespace portico::engine
