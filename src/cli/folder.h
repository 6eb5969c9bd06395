// A package as a folder on disk: what rpkg pull writes and rpkg push reads.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "krm/package.h"

namespace portico::cli {

/// Holds the revision's name and resourceVersion between pull and push, as porchctl keeps them.
inline constexpr const char* kRevisionMetadata = ".KptRevisionMetadata";

struct FolderMetadata {
  std::string name, ns, resource_version;
};

/// Every file below `dir` but the metadata and .git, modes and symbolic links kept. kInvalid for
/// special files and for more than 64 MiB. With kResources the bytes of files that neither hold
/// resources nor say which of them count are not read, and do not count: they are there, and empty.
enum class Reading { kAll, kResources };
Result<krm::Package> read_folder(const std::string& dir, Reading reading = Reading::kAll);
Result<std::optional<FolderMetadata>> read_metadata(const std::string& dir);

/// Turns `dir`, which holds `before`, into `after`: what is equal is not touched, files keep their
/// permissions, folders that become empty go. All new content is on the disk before the first file
/// changes. kInvalid, and nothing changed, for a path that leads through a symbolic link.
Result<Done> change_folder(const std::string& dir, const krm::Package& before,
                           const krm::Package& after);

/// Writes the package into `dir`, which is made; what was there and is not in the package is left
/// alone unless `dir` holds a pulled revision already, then it goes.
Result<Done> write_folder(const std::string& dir, const krm::Package& package,
                          const FolderMetadata& metadata);

/// Writes the package into a new folder. kInvalid where there is one already, in kpt's words.
Result<Done> write_new_folder(const std::string& dir, const krm::Package& package);
/// That kInvalid.
Result<Done> check_new_folder(const std::string& dir);

}  // namespace portico::cli
