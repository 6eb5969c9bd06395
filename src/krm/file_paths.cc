#include "krm/file_paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace portico::krm {
namespace {

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestPart = 250;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A name as the most lenient file systems compare it: without case, without trailing dots and
// blanks (Windows), without the code points that macOS ignores (git's list for ".git").
std::string folded(std::string_view name) {
  static constexpr std::string_view kIgnored[] = {
      "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
      "\u202e", "\u206a", "\u206b", "\u206c", "\u206d", "\u206e", "\u206f", "\ufeff"};
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const auto ignored =
        std::find_if(std::begin(kIgnored), std::end(kIgnored),
                     [&](std::string_view one) { return name.substr(i).starts_with(one); });
    if (ignored != std::end(kIgnored)) {
      i += ignored->size();
    } else {
      out += lower(name[i++]);
    }
  }
  while (out.ends_with('.') || out.ends_with(' ')) out.pop_back();
  return out;
}

template <class F>
Result<Done> for_each_part(std::string_view path, F&& f) {
  for (std::size_t from = 0;;) {
    const std::size_t slash = path.find('/', from);
    PORTICO_DO(f(path.substr(from, slash == std::string_view::npos ? slash : slash - from),
                 path.substr(0, slash)));
    if (slash == std::string_view::npos) return Done{};
    from = slash + 1;
  }
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string_view fault_of_part(std::string_view part) {
  if (part.empty()) return "a part between slashes is empty";
  if (part == "." || part == "..") return "a part is '.' or '..'";
  const std::string name = folded(part);
  if (name == ".git" || name == "git~1") return "the name is reserved by git";
  if (part.size() > kLongestPart) return "a part is longer than 250 bytes";
  if (part.find('\0') != std::string_view::npos) return "it contains a NUL byte";
  return "";
}

Result<Done> check_path(std::string_view path, std::string_view what) {
  if (path.empty()) return invalid("{} is empty", what);
  if (path.size() > kLongestPath)
    return invalid("{} {:?}... is longer than {} bytes", what, path.substr(0, 80), kLongestPath);
  std::size_t depth = 0;
  return for_each_part(path, [&](std::string_view part, std::string_view) -> Result<Done> {
    if (const std::string_view fault = fault_of_part(part); !fault.empty())
      return invalid("{} {:?} cannot be stored in git: {}", what, path, fault);
    if (++depth > kDeepestPath)
      return invalid("{} {:?} has more than {} parts", what, path, kDeepestPath);
    return Done{};
  });
}

namespace {

// The names already taken in each folder.
class Names {
 public:
  /// kInvalid if another path has taken it already.
  Result<Done> take(const std::string& path, FileMode mode) {
    std::string key;
    return for_each_part(path, [&](std::string_view part, std::string_view here) -> Result<Done> {
      const bool last = here.size() == path.size();
      key += folded(part);
      const std::string other = last ? key + "/" : key;
      if (const auto at = taken_.find(other); at != taken_.end())
        return invalid(
            "\"{}\" clashes with \"{}\": one is a {}, the other a folder", path, at->second.path,
            (last ? mode : at->second.mode) == FileMode::kSymlink ? "symbolic link" : "file");
      if (!last) key += '/';
      const auto [at, first] = taken_.try_emplace(key, Taken{std::string(here), mode});
      if (!first && at->second.path != here)
        return invalid(
            "{:?} clashes with {:?}: the names differ only in case, or in trailing dots and spaces",
            here, at->second.path);
      return Done{};
    });
  }

 private:
  struct Taken {
    std::string path;  // as first seen
    FileMode mode;     // of the file, if it is one
  };
  // By the path as lenient file systems compare it; folders end with '/'.
  std::map<std::string, Taken> taken_;
};

Result<Done> check_name(const std::string& path) {
  PORTICO_DO(check_path(path, "file"));
  if (std::any_of(path.begin(), path.end(), is_control))
    return invalid("file {:?} cannot be written: its name has a control character", path);
  if (path.find('\\') != std::string::npos)
    return invalid("file {:?} cannot be written: its name has a backslash", path);
  return Done{};
}

}  // namespace

Result<Done> check_paths(const Package& package, const std::set<std::string>* fresh) {
  Names names;
  if (fresh != nullptr)
    for (const auto& [path, file] : package.files)
      if (!fresh->contains(path)) static_cast<void>(names.take(path, file.mode));
  for (const auto& [path, file] : package.files) {
    if (fresh != nullptr && !fresh->contains(path)) continue;
    PORTICO_DO(check_name(path));
    PORTICO_DO(names.take(path, file.mode));
  }
  return Done{};
}

bool leads_inside(std::string_view path, std::string_view target) {
  if (target.empty() || target.front() == '/') return false;
  auto above = std::count(path.begin(), path.end(), '/');
  bool down = false;
  const auto inside = for_each_part(target, [&](std::string_view part, std::string_view) {
    if (part == "..") {
      // After a name, ".." may lead anywhere, because that name can be a link itself.
      if (down || --above < 0) return Result<Done>(invalid("it points outside the package"));
      return Result<Done>(Done{});
    }
    if (part.empty() || part == ".") return Result<Done>(Done{});
    down = true;
    if (!fault_of_part(part).empty()) return Result<Done>(invalid("it points to an invalid path"));
    return Result<Done>(Done{});
  });
  return inside.ok();
}

std::vector<std::string> links_out(const Package& package) {
  std::vector<std::string> out;
  for (const auto& [path, file] : package.files)
    if (file.mode == FileMode::kSymlink && !leads_inside(path, file.text())) out.push_back(path);
  return out;
}

}  // namespace portico::krm
