#include "repo/mirror.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/fd.h"
#include "git/refs.h"
#include "git/store.h"

namespace portico::repo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "/portico.damaged";
constexpr const char* kOwnRefs = "refs/portico/";  // never pushed

// An unused name next to the mirror.
std::string name_for(const std::string& mirror) {
  std::error_code error;
  for (int i = 1;; ++i) {
    std::string name = fmt::format("{}.damaged-{}", mirror, i);
    if (!fs::exists(name, error)) return name;
  }
}

std::vector<std::string> bring_over(const std::string& from, const std::string& to,
                                    const git::RemoteAddress& remote) {
  const auto refs = git::RefReader(from).snapshot();
  if (!refs) return {refs.error().text()};
  std::vector<std::string> lost;
  const auto [first, last] = (*refs)->range(kOwnRefs);
  for (std::size_t i = first; i < last; ++i) {
    const std::string& name = (*refs)->refs[i].name;
    if (!git::take_ref(to, from, name, remote)) lost.push_back(name);
  }
  return lost;
}

}  // namespace

void mark_damaged(const std::string& mirror, const std::string& how) {
  std::ofstream(mirror + kMark) << how << "\n";
}

std::string damage_of(const std::string& mirror) {
  std::ifstream file(mirror + kMark);
  std::string how;
  if (file && (!std::getline(file, how) || how.empty())) how = "it was found to be damaged";
  return how;
}

Result<Renewed> renew_mirror(const std::string& mirror, const git::RemoteAddress& remote,
                             const std::string& branch) {
  const std::string fresh = mirror + ".new", place = "refetching a damaged mirror";
  std::error_code error;
  fs::remove_all(fresh, error);
  PORTICO_DO(git::init_bare(fresh, branch, remote.stopped), place);
  PORTICO_DO(git::fetch(fresh, remote), place);
  Renewed out;
  out.lost = bring_over(mirror, fresh, remote);
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, mirror.c_str(), RENAME_EXCHANGE) != 0)
    return file_error("replace", mirror, errno).in(place);
  if (out.lost.empty()) {
    fs::remove_all(fresh, error);
    return out;
  }
  out.kept = name_for(mirror);
  if (::rename(fresh.c_str(), out.kept.c_str()) != 0)
    return file_error("rename", fresh, errno).in(place);
  return out;
}

}  // namespace portico::repo
