// Configuration injection: objects of the cluster go into objects of the package that ask for it.
// In two steps: the package says what it wants, somebody fetches it, it is injected.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/package_variant.h"
#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

/// What the types of the conditions and gates begin with that injection sets.
inline constexpr std::string_view kInjectionCondition = "config.injection.";

/// An object of the package with the annotation kpt.dev/config-injection (seed 000, section
/// "Configuration Injection Details").
struct InjectionPoint {
  std::string file;
  std::size_t index = 0;  // of the document in its file
  std::string api_version, kind, name;
  bool required = false;
  std::string condition_type;       // "config.injection.<Kind>.<name>"
  std::vector<std::string> errors;  // one line each: why it cannot be injected
  std::string injected_name;        // of the object that was; "" while none was
  bool operator==(const InjectionPoint&) const = default;
};

/// By file and document. Files that are YAML but hold no KRM are passed over; one that does not
/// parse is kInvalid with its name, line and column.
Result<std::vector<InjectionPoint>> find_injection_points(const krm::Package& package);

/// kInvalid where a point has errors, or two have one condition type: all of it in one message.
Result<Done> validate_injection_points(const std::vector<InjectionPoint>& points);

/// A kind of objects to look for.
struct InjectionType {
  std::string api_version, kind;
  auto operator<=>(const InjectionType&) const = default;
};

/// For each kind the names that an injector could select, in order of names: what to fetch, and to
/// watch. Empty where there are no injectors.
std::map<InjectionType, std::vector<std::string>> wanted_objects(
    const std::vector<InjectionPoint>& points,
    const std::vector<api::InjectionSelector>& injectors);

/// The objects of each wanted kind in the variant's namespace (at least those with a wanted name),
/// or why they cannot be had, which the point's condition then says: for an optional point that may
/// be well.
using InjectionObjects = std::map<InjectionType, Result<std::vector<json::Value>>>;

/// An object that was injected, or that an injector named in vain.
struct InjectionRecord {
  std::string api_version, kind, name;
  std::string uid, content_hash;  // both "" where there is no such object
  auto operator<=>(const InjectionRecord&) const = default;
};

struct Injection {
  krm::Package package;
  std::vector<InjectionPoint> points;    // with errors and injected_name filled in
  std::vector<InjectionRecord> records;  // sorted, each once
};

/// Of the injectors that fit a point's group, version and kind the first one whose name exists is
/// taken: its data (ConfigMap) or spec replaces the point's, and the annotation
/// kpt.dev/injected-resource names it. The Kptfile gets a condition for each point, sorted among
/// the others by type, and a readiness gate for each required one; conditions and gates
/// "config.injection.*" of points that are no more go. Other bytes stay as they are. kInvalid where
/// the points do not validate.
Result<Injection> inject(krm::Package package, const std::vector<api::InjectionSelector>& injectors,
                         const InjectionObjects& objects);

/// The Kptfile's conditions and gates for `points`, as inject() sets them.
Result<Done> set_injection_conditions(krm::Object& kptfile,
                                      const std::vector<InjectionPoint>& points);

/// Without the conditions and gates of injection points that are not among `points`, and without
/// the lists and maps that this leaves empty.
Result<Done> remove_stale_conditions(krm::Object& kptfile,
                                     const std::vector<InjectionPoint>& points);

/// The digest of what injection takes from an object: it changes when the injected content would.
std::string content_hash(const json::Value& object);

}  // namespace portico::package
