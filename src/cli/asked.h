// Selects the objects of a command: types and names in kubectl's syntax, selectors, files.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

struct Asked {
  krm::GroupKind kind;
  std::vector<std::string> names;  // empty: all of them
};

/// Parses "TYPE NAME...", "TYPE,TYPE NAME..." or "TYPE/NAME TYPE/NAME..."; the first word is in
/// `type`. Adjacent equal types are merged; "all" stands for the Portico kinds that users look at.
/// The registry provides the known kinds, with the names from their definitions. Returns kInvalid
/// for an unknown type, and for a mix of both forms.
Result<std::vector<Asked>> asked_of(const std::string& type, const std::vector<std::string>& names,
                                    const registry::Registry& registry);

struct Selection {
  std::string ns;      // "": every namespace
  std::string labels;  // -l; "": all
  std::string fields;  // --field-selector: "spec.lifecycle=Draft,metadata.name!=x"; "": all
};

/// Returns kInvalid, with the existing fields, if the kind has no such field. For a kind that is
/// not described here any field is accepted.
Result<Done> check_fields(const std::string& fields, const krm::GroupKind& kind);

/// A predicate for a --field-selector. Returns kInvalid if the selector is malformed.
Result<std::function<bool(const json::Value&)>> field_matcher(const std::string& fields);

/// The named objects, or all that match the selection, which cannot be combined with names. Returns
/// kNotFound if a named object does not exist.
Result<std::vector<json::Value>> find_objects(const registry::Registry& registry,
                                              const Asked& asked, const Selection& selection);

/// Strips the type from a name as -o name prints it: "web" for "packagerevision.porch.kpt.dev/web"
/// and for "rpkg/web"; a name without '/' is returned as is. kInvalid if it names another kind.
Result<std::string> plain_name(const std::string& written, const krm::GroupKind& kind);

}  // namespace portico::cli
