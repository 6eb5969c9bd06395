// The table of built-in functions: which image names stand for which function.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "functions/function.h"

namespace portico::functions {

/// One row. A function whose behaviour changed between catalog versions has several, oldest first.
struct Entry {
  std::string_view name;      // last path element of the image
  std::string_view versions;  // a constraint on the tags that this row stands for: "<=0.4.1"
  Function run;
  std::string_view follows;  // the catalog version whose behaviour it has
  /// Functions of kpt's Go SDK hand their items back sorted; who runs them does that (sort_items).
  bool sorts = false;
};

/// Sorted by name, then oldest first.
std::span<const Entry> catalog();

/// "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2@sha256:..." in its parts. A port of the
/// registry is no tag.
struct ImageName {
  std::string_view repository;  // all before tag and digest
  std::string_view base;        // last path element of it
  std::string_view tag, digest;
};
ImageName image_name(std::string_view image);

/// The row for an image: by its last path element, whatever its registry, and its tag, which
/// `tag` overrides where it is not empty. A tag is a version, or a constraint: then the newest row
/// counts that has a version it allows ("~0.4.0"; "v0.4" is the newest 0.4). A tag that is neither
/// ("latest", "unstable", none) and a digest mean the newest row. nullptr where there is none.
const Entry* find(std::string_view image, std::string_view tag = {});

/// The image with the version that `entry` was taken for, where its tag (or `tag`) is a constraint:
/// the one that the row follows if the tag allows it, else the lowest that both allow, where they
/// have a lower bound. Any other image as it is.
std::string chosen_image(const Entry& entry, std::string_view image, std::string_view tag = {});

/// In the order of kpt's Go SDK: by API version, kind, namespace and name.
void sort_items(std::vector<krm::Item>& items);

}  // namespace portico::functions
