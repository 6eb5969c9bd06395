// Which objects a command is about: types and names as kubectl takes them, selectors, files.
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
  std::vector<std::string> names;  // none: all of them
};

/// "TYPE NAME...", "TYPE,TYPE NAME..." or "TYPE/NAME TYPE/NAME...", the first word in `type`. Types
/// that follow each other and are the same are one; "all" stands for the kinds of ours that people
/// look at. The registry says which kinds there are, with the names of their definitions. kInvalid
/// for an unknown type, or for words of both forms together.
Result<std::vector<Asked>> asked_of(const std::string& type, const std::vector<std::string>& names,
                                    const registry::Registry& registry);

struct Selection {
  std::string ns;      // "": every namespace
  std::string labels;  // -l; "": all
  std::string fields;  // --field-selector: "spec.lifecycle=Draft,metadata.name!=x"; "": all
};

/// kInvalid where the kind has no such field, with those that it has. Of a kind without a
/// description here any field can be asked for.
Result<Done> check_fields(const std::string& fields, const krm::GroupKind& kind);

/// Whether an object meets a --field-selector. kInvalid where that is none.
Result<std::function<bool(const json::Value&)>> field_matcher(const std::string& fields);

/// The named objects, or all that the selection allows, which does not go with names. kNotFound
/// where a named one is not there.
Result<std::vector<json::Value>> find_objects(const registry::Registry& registry,
                                              const Asked& asked, const Selection& selection);

/// "web" of "packagerevision.porch.kpt.dev/web", as -o name prints it, and of "rpkg/web"; anything
/// without a '/' as it is. kInvalid where it names another kind.
Result<std::string> plain_name(const std::string& written, const krm::GroupKind& kind);

}  // namespace portico::cli
