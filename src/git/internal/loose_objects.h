// Objects that are files of their own (git's gitrepository-layout: objects/ab/cdef...).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object.h"
#include "git/oid.h"

namespace portico::git {

/// The object in a folder "objects"; nullopt where it has no file for it. kInvalid: it is larger
/// than `limit` bytes; kInternal: the file does not hold that object, or cannot be read.
Result<std::optional<Object>> read_loose_object(const std::string& objects_folder, const Oid& id,
                                                std::size_t limit);

/// Whether there is a file for it; what is in it is not looked at.
bool has_loose_object(const std::string& objects_folder, const Oid& id);

/// The ids that begin with `digits` (four to forty hexadecimal ones in small letters), in order.
std::vector<Oid> find_loose_objects(const std::string& objects_folder, std::string_view digits);

/// The content of such a file. kInvalid: more than `limit` bytes; kInternal: no object, or one that
/// is cut off, has bytes left over or is not the one with this id.
Result<Object> parse_loose_object(std::string_view file, const Oid& id, std::size_t limit);

/// `objects_folder` and the others that its "info/alternates" lead to, each once.
std::vector<std::string> objects_folders(const std::string& objects_folder);

}  // namespace portico::git
