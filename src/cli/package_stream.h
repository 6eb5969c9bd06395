// A package revision as one ResourceList, as `rpkg pull -` writes it and `rpkg push -` reads it.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/resource_list.h"

namespace portico::cli {

/// The resources of the package, its Kptfile among them, with their places as annotations. The
/// first item is of the kind KptRevisionMetadata, as porchctl writes it: name, namespace, uid and
/// resourceVersion of `revision`. Files that hold no resources are not in it.
Result<std::string> write_package_stream(const krm::Package& package, const json::Value& revision);

struct PackageStream {
  /// Of its KptRevisionMetadata; nullopt where it has none.
  struct Revision {
    std::string name, ns, resource_version;
  };
  std::optional<Revision> revision;
  std::vector<krm::Item> items;  // the others
};

/// kInvalid for what is no ResourceList, with its line and column or the item's position.
Result<PackageStream> read_package_stream(std::string_view text);

/// `draft` with these resources in place of its own: a resource keeps its text but for what is
/// different in it, one that is not listed goes. Files without resources stay, and so does the
/// Kptfile where none is listed. kInvalid for a place that no file can have.
Result<krm::Package> with_resources(const krm::Package& draft, std::vector<krm::Item> items);

}  // namespace portico::cli
