#include "git/scratch.h"

#include <fcntl.h>

#include <filesystem>

#include "git/internal/file.h"
#include "git/internal/packed_refs.h"
#include "git/refs.h"

namespace portico::git {
namespace {

// No sync: nothing here has to survive a crash.
Result<Done> write_file(const std::string& path, std::string_view bytes) {
  PORTICO_TRY(const Fd file, open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC));
  return write_all(file, bytes, path);
}

}  // namespace

Result<Done> make_scratch(const std::string& of, const std::string& folder) {
  RefReader reader(of);
  PORTICO_TRY(const auto snapshot, reader.snapshot());
  PORTICO_TRY(const std::string head, reader.head_branch());
  PackedRefs refs;
  refs.fully_peeled = false;
  refs.refs.reserve(snapshot->refs.size());
  for (const Ref& each : snapshot->refs) refs.refs.push_back({each.name, each.id, {}});

  for (const char* part : {"/objects/info", "/objects/pack", "/refs/heads", "/refs/tags"})
    PORTICO_DO(make_folders(folder + part));
  const std::string objects =
      std::filesystem::absolute(of + "/objects").lexically_normal().string();
  PORTICO_DO(write_file(folder + "/objects/info/alternates", objects + "\n"));
  PORTICO_DO(write_file(folder + "/packed-refs", print_packed_refs(refs)));
  PORTICO_DO(
      write_file(folder + "/config",
                 "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"));
  return write_file(folder + "/HEAD",
                    "ref: " + (head.empty() ? std::string("refs/heads/main") : head) + "\n");
}

}  // namespace portico::git
