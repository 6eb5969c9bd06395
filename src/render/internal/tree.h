// A package read for rendering: its resources and its subpackages.
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
  std::string name;    // "root/sub", as messages show it
  Kptfile kptfile;
  std::vector<krm::Item> items;  // its own resources, files in the order of a directory walk
  std::vector<Node> children;    // direct subpackages, sorted by folder
};

/// Files by path below the root, each with its documents: what the output is compared with.
using Originals = std::map<std::string, std::vector<krm::Object>>;

struct Tree {
  Node root;
  Originals originals;
};

/// All resources below the root in one list, as `kpt fn eval` takes them; there need be no Kptfile.
struct Resources {
  std::vector<krm::Item> items;
  Originals originals;
};
Result<Resources> read_all(const krm::Package& package);

/// Reads everything below the root that is a resource: not symlinks, not what .krmignore names, not
/// below .git. Errors name the file.
Result<Tree> read_tree(const krm::Package& package, const std::string& package_name);

}  // namespace portico::render
