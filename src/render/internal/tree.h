// Reads a package for rendering: its resources and subpackages.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "krm/package.h"
#include "krm/resource_list.h"
#include "render/internal/kptfile.h"

namespace portico::render {

struct Node {
  std::string folder;  // below the root; "" for the root
  std::string name;    // "root/sub", used in messages
  Kptfile kptfile;
  std::vector<krm::Item> items;  // its own resources, files in the order of a directory walk
  std::vector<Node> children;    // direct subpackages, sorted by folder
};

/// The documents of each file, by path below the root; the output is compared with them.
using Originals = std::map<std::string, std::vector<krm::Object>>;

struct Tree {
  Node root;
  Originals originals;
};

/// All resources below the root in one list, as used by `kpt fn eval`; a Kptfile is not required.
struct Resources {
  std::vector<krm::Item> items;
  Originals originals;
};
Result<Resources> read_all(const krm::Package& package);

/// Reads all resources below the root, except symlinks, files ignored by .krmignore, and .git.
/// Errors name the file.
Result<Tree> read_tree(const krm::Package& package, const std::string& package_name);

}  // namespace portico::render
