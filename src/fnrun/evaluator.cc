#include "fnrun/evaluator.h"

#include <dlfcn.h>

#include <filesystem>

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libportico_grpc.so";

Result<const EvaluatorLink*> load() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {program, program.parent_path() / "lib/portico"}) {
    if (!fs::exists(folder / kFile, error)) continue;
    // Never closed: its threads outlive every call.
    void* library = dlopen((folder / kFile).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return unavailable("{}", dlerror());
    using Link = const EvaluatorLink* (*)();
    const auto link = reinterpret_cast<Link>(dlsym(library, "portico_evaluator_link"));
    if (link == nullptr) return unavailable("{}: {}", (folder / kFile).string(), dlerror());
    return link();
  }
  return unavailable(
      "this program was built without gRPC: {} is not in its directory (on Debian, install "
      "libgrpc++-dev and protobuf-compiler-grpc and rebuild)",
      kFile);
}

}  // namespace

Result<const EvaluatorLink*> evaluator_link() {
  static const Result<const EvaluatorLink*> kLoaded = load();
  return kLoaded;
}

}  // namespace portico::fnrun
