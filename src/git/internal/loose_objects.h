// Reads loose objects (git's gitrepository-layout: objects/ab/cdef...).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object.h"
#include "git/oid.h"

namespace portico::git {

/// Reads an object from an "objects" folder; nullopt if it has no file for it. kInvalid: larger
/// than `limit` bytes; kInternal: the file is not that object, or cannot be read.
Result<std::optional<Object>> read_loose_object(const std::string& objects_folder, const Oid& id,
                                                std::size_t limit);

/// Whether there is a file for the object; its content is not checked.
bool has_loose_object(const std::string& objects_folder, const Oid& id);

/// The ids that begin with `digits` (four to forty lower-case hexadecimal digits), in order.
std::vector<Oid> find_loose_objects(const std::string& objects_folder, std::string_view digits);

/// Parses the content of a loose object's file. kInvalid: more than `limit` bytes; kInternal: not
/// an object, truncated, followed by extra bytes, or not the object with this id.
Result<Object> parse_loose_object(std::string_view file, const Oid& id, std::size_t limit);

/// `objects_folder` and the folders that its "info/alternates" lead to, each once.
std::vector<std::string> objects_folders(const std::string& objects_folder);

}  // namespace portico::git
