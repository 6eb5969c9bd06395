// The table of built-in functions and their image names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "functions/function.h"

namespace portico::functions {

/// One row. A function whose behavior changed between catalog versions has several, oldest first.
struct Entry {
  std::string_view name;      // last path element of the image
  std::string_view versions;  // constraint on the tags that this row implements: "<=0.4.1"
  Function run;
  std::string_view follows;  // the catalog version whose behavior it implements
  /// Functions of kpt's Go SDK return sorted items; the caller must sort them (sort_items).
  bool sorts = false;
};

/// Sorted by name, then oldest first.
std::span<const Entry> catalog();

/// The parts of "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2@sha256:...". A registry port
/// is not a tag.
struct ImageName {
  std::string_view repository;  // everything before tag and digest
  std::string_view base;        // its last path element
  std::string_view tag, digest;
};
ImageName image_name(std::string_view image);

/// Finds the row for an image by its last path element, whatever its registry, and by its tag; a
/// non-empty `tag` overrides the image's. A tag is a version or a constraint; a constraint selects
/// the newest row with a version that it allows ("~0.4.0"; "v0.4" is the newest 0.4). Any other tag
/// ("latest", "unstable", none) and a digest select the newest row. nullptr if no row matches.
const Entry* find(std::string_view image, std::string_view tag = {});

/// The image with its tag (or `tag`), if that is a constraint, replaced by the version that `entry`
/// was chosen for: the version that the row follows if the tag allows it, else the lowest version
/// that both allow, if they have a lower bound. Any other image is returned unchanged.
std::string chosen_image(const Entry& entry, std::string_view image, std::string_view tag = {});

/// Sorts like kpt's Go SDK: by API version, kind, namespace and name.
void sort_items(std::vector<krm::Item>& items);

}  // namespace portico::functions
