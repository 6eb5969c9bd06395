// Every kind that Portico knows: what it is called, where it lives, and the columns of its table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// As metav1.TableColumnDefinition has it, and how a cell comes from an object.
struct Column {
  std::string_view name;  // "Latest"; people see it in capitals
  std::string_view type;  // string, integer, boolean, date
  std::string_view description;
  /// 0: always shown; else only where more is asked for (-o wide).
  int priority = 0;
  /// A value of the type, null where there is none; of a date the RFC 3339 time.
  json::Value (*cell)(const json::Value& object) = nullptr;
  /// Bytes that are shown where no more is asked for; 0: all.
  std::size_t narrow = 0;
  /// What a cluster prints, which knows paths alone (JSONPath); "": the column is not there. Where
  /// no path says all that `cell` does, what comes nearest, under a name of its own.
  std::string_view path = {};
  std::string_view path_name = {};  // "": as `name`
};

/// A kind, as discovery tells of it (metav1.APIResource).
struct Resource {
  krm::GroupKind kind;
  std::vector<std::string_view> versions;  // the one that is stored comes first
  std::string plural, singular;            // "packagevariants", "packagevariant"
  std::vector<std::string_view> short_names;
  bool namespaced = true;
  /// False where there is no stored object: it is made from others when somebody asks for it.
  bool stored = true;
  bool in_all = false;          // one of those that "get all" lists
  std::vector<Column> columns;  // Name first, Age last
};

/// The kinds of ours, in order of group and meaning.
const std::vector<Resource>& all();
/// Nothing for a kind that is not ours.
const Resource* find(const krm::GroupKind& kind);

/// The columns of a kind; of one that is not ours Name and Age.
const std::vector<Column>& columns_of(const krm::GroupKind& kind);

/// Of a kind of ours, or of Kubernetes' own: "cm" of ConfigMap; else none.
std::vector<std::string_view> short_names(const krm::GroupKind& kind);

/// The kinds that "all" stands for, in the order of all().
std::vector<krm::GroupKind> kinds_of_all();

/// additionalPrinterColumns of the definition of a kind: its columns that a path can say. Null
/// where there are none.
json::Value printer_columns(const krm::GroupKind& kind);

/// Whether a server has it without a CustomResourceDefinition: a kind of ours or of Kubernetes'.
bool is_always_there(const krm::GroupKind& kind);

/// A CustomResourceDefinition of a kind whose fields nobody describes: everything is taken.
json::Value open_definition(const krm::GroupKind& kind, std::string_view version);

/// "packagevariants" of PackageVariant; of a kind that is not ours as English has it.
std::string plural(const krm::GroupKind& kind);

/// Of "pv", "packagevariants", "PackageVariant", "packagevariants.config.porch.kpt.dev", "cm": the
/// kind. `present` are the kinds that the store holds, so that any object can be asked for by its
/// kind. kInvalid lists what there is.
Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present);

/// The kind that one of the CustomResourceDefinitions calls by this name, short name or plural.
std::optional<krm::GroupKind> defined_kind(std::string_view written,
                                           const std::vector<json::Value>& definitions);

/// "packagevariant.config.porch.kpt.dev/web", as kubectl -o name.
std::string name_line(const json::Value& object);

}  // namespace portico::resources
