#include "engine/state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/absolute_path.h"
#include "base/fd.h"

namespace portico::engine {

namespace fs = std::filesystem;

namespace {

// Created in every state folder, so that the name alone does not make a folder one.
constexpr const char* kMarker = "mirrors";

bool is_state(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / kMarker, ignored);
}

}  // namespace

Result<std::string> find_state(const std::string& asked) {
  const char* from_environment = std::getenv("PORTICO_STATE");
  const std::string named = !asked.empty()                ? asked
                            : from_environment != nullptr ? from_environment
                                                          : "";
  std::error_code error;
  if (!named.empty()) {
    for (const fs::path& folder : {fs::path(named), fs::path(named) / kStateFolder})
      if (is_state(folder)) return absolute_path(folder.string());
    return not_found("not a state folder: \"{}\"; create one with: portico init {}", named, named);
  }
  for (fs::path at = fs::current_path(error); !error; at = at.parent_path()) {
    if (is_state(at / kStateFolder)) return (at / kStateFolder).string();
    if (at == at.parent_path()) break;
  }
  return not_found(
      "no state folder here or in any parent folder; create one with portico init, or specify a "
      "server: --context, --kubeconfig or --server");
}

Result<std::string> make_state(const std::string& dir) {
  PORTICO_TRY(const std::string parent, absolute_path(dir));
  const fs::path folder = fs::path(parent) / kStateFolder;
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  // It holds Secrets and drafts: private to its owner from the start.
  if (!error && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    error = std::error_code(errno, std::generic_category());
  if (!error && ::mkdir((folder / kMarker).c_str(), 0700) != 0 && errno != EEXIST)
    error = std::error_code(errno, std::generic_category());
  if (error) return unavailable("cannot create \"{}\": {}", folder.string(), error.message());
  // Acknowledged data must not be lost with its folder in a power failure.
  for (const fs::path& each : {folder, folder.parent_path()}) {
    const Fd opened(::open(each.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened || ::fsync(opened.get()) != 0) return file_error("sync", each.string(), errno);
  }
  return folder.string();
}

}  // namespace portico::engine
