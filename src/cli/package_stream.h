// A package revision as one ResourceList, which `rpkg pull -` writes and `rpkg push -` reads. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/resource_list.h"

namespace portico::cli {

/// The resources of the package, including its Kptfile, with their file locations as annotations.
/// The first item is a KptRevisionMetadata in porchctl's format: name, namespace, uid and
/// resourceVersion of `revision`. Files without resources are not included.
Result<std::string> write_package_stream(const krm::Package& package, const json::Value& revision);

struct PackageStream {
  /// From its KptRevisionMetadata; nullopt if it has none.
  struct Revision {
    std::string name, ns, resource_version;
  };
  std::optional<Revision> revision;
  std::vector<krm::Item> items;  // all other items
};

/// Returns kInvalid if the text is not a ResourceList, with line and column or the item's position.
Result<PackageStream> read_package_stream(std::string_view text);

/// `draft` with its resources replaced by these: a resource keeps its text except for the
/// differences, and one that is not listed is removed. Files without resources stay, and so does
/// the Kptfile if none is listed. Returns kInvalid for an invalid file location.
Result<krm::Package> with_resources(const krm::Package& draft, std::vector<krm::Item> items);

}  // namespace portico::cli
