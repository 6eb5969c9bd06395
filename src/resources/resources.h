// Portico's kinds: their names, versions, scope and table columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// Like metav1.TableColumnDefinition, with the function that computes a cell.
struct Column {
  std::string_view name;  // "Latest"; shown in capitals
  std::string_view type;  // string, integer, boolean, date
  std::string_view description;
  /// 0: always shown; otherwise only in wide output (-o wide).
  int priority = 0;
  /// A value of the column's type, or null; for a date an RFC 3339 time.
  json::Value (*cell)(const json::Value& object) = nullptr;
  /// Maximum number of bytes shown in normal output; 0: unlimited.
  std::size_t narrow = 0;
  /// The JSONPath of the column in a cluster's CustomResourceDefinition; "": the column is omitted.
  /// If no path can express `cell`, the closest path, with its own column name.
  std::string_view path = {};
  std::string_view path_name = {};  // "": as `name`
};

/// A kind, as discovery describes it (metav1.APIResource).
struct Resource {
  krm::GroupKind kind;
  std::vector<std::string_view> versions;  // the stored version comes first
  std::string plural, singular;            // "packagevariants", "packagevariant"
  std::vector<std::string_view> short_names;
  bool namespaced = true;
  /// False if objects are not stored but computed from others on request.
  bool stored = true;
  bool in_all = false;          // included in "get all"
  std::vector<Column> columns;  // Name first, Age last
};

/// Portico's kinds, ordered by group and meaning.
const std::vector<Resource>& all();
/// nullptr if the kind is not one of Portico's.
const Resource* find(const krm::GroupKind& kind);

/// The columns of a kind; Name and Age if it is not one of Portico's.
const std::vector<Column>& columns_of(const krm::GroupKind& kind);

/// The short names of Portico's or Kubernetes' own kinds: "cm" for ConfigMap; otherwise empty.
std::vector<std::string_view> short_names(const krm::GroupKind& kind);

/// The kinds that "all" stands for, in the order of all().
std::vector<krm::GroupKind> kinds_of_all();

/// The additionalPrinterColumns of a kind's definition: the columns that have a path. Null if there
/// are none.
json::Value printer_columns(const krm::GroupKind& kind);

/// Whether servers have the kind without a CustomResourceDefinition: it is Portico's or Kubernetes'
/// own.
bool is_always_there(const krm::GroupKind& kind);

/// A CustomResourceDefinition for a kind without a known schema: it accepts everything.
json::Value open_definition(const krm::GroupKind& kind, std::string_view version);

/// "packagevariants" for PackageVariant; for other kinds, the English plural.
std::string plural(const krm::GroupKind& kind);

/// The kind written as "pv", "packagevariants", "PackageVariant",
/// "packagevariants.config.porch.kpt.dev" or "cm". `present` are the kinds in the store, so that
/// every stored object can be addressed by its kind. kInvalid lists the available kinds.
Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present);

/// The kind for which one of the CustomResourceDefinitions has this kind, plural or short name.
std::optional<krm::GroupKind> defined_kind(std::string_view written,
                                           const std::vector<json::Value>& definitions);

/// "packagevariant.config.porch.kpt.dev/web", like kubectl -o name.
std::string name_line(const json::Value& object);

}  // namespace portico::resources
