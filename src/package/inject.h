// Configuration injection: objects of the cluster replace parts of package objects that ask for it.
// In three steps: the package states what it needs, the caller fetches it, and it is injected.
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

/// The prefix of the types of the conditions and gates that injection sets.
inline constexpr std::string_view kInjectionCondition = "config.injection.";

/// An object of the package with the annotation kpt.dev/config-injection (seed 000, section
/// "Configuration Injection Details").
struct InjectionPoint {
  std::string file;
  std::size_t index = 0;  // of the document in its file
  std::string api_version, kind, name;
  bool required = false;
  std::string condition_type;       // "config.injection.<Kind>.<name>"
  std::vector<std::string> errors;  // one line each: why nothing can be injected
  std::string injected_name;        // the name of the injected object; "" if none
  bool operator==(const InjectionPoint&) const = default;
};

/// In order of file and document. YAML files without KRM objects are skipped; a file that does not
/// parse is kInvalid with its name, line and column.
Result<std::vector<InjectionPoint>> find_injection_points(const krm::Package& package);

/// kInvalid if a point has errors, or two points have the same condition type; one message lists
/// all errors.
Result<Done> validate_injection_points(const std::vector<InjectionPoint>& points);

/// A kind of object to look for.
struct InjectionType {
  std::string api_version, kind;
  auto operator<=>(const InjectionType&) const = default;
};

/// For each kind the sorted names that an injector could select: the objects to fetch and to watch.
/// Empty if there are no injectors.
std::map<InjectionType, std::vector<std::string>> wanted_objects(
    const std::vector<InjectionPoint>& points,
    const std::vector<api::InjectionSelector>& injectors);

/// The objects of each wanted kind in the variant's namespace (at least those with a wanted name),
/// or the reason why they are not available, which the point's condition then states. For an
/// optional point that is acceptable.
using InjectionObjects = std::map<InjectionType, Result<std::vector<json::Value>>>;

/// An object that was injected, or that an injector named but that does not exist.
struct InjectionRecord {
  std::string api_version, kind, name;
  std::string uid, content_hash;  // both "" if the object does not exist
  auto operator<=>(const InjectionRecord&) const = default;
};

struct Injection {
  krm::Package package;
  std::vector<InjectionPoint> points;    // with errors and injected_name filled in
  std::vector<InjectionRecord> records;  // sorted, without duplicates
};

/// For each point, uses the first injector that fits its group, version and kind and names an
/// existing object. The object's data (ConfigMap) or spec replaces that of the point, and the
/// annotation kpt.dev/injected-resource names the object. The Kptfile gets a condition for each
/// point, inserted in order of type, and a readiness gate for each required one; conditions and
/// gates "config.injection.*" of points that no longer exist are removed. All other bytes stay
/// unchanged. kInvalid if the points do not validate.
Result<Injection> inject(krm::Package package, const std::vector<api::InjectionSelector>& injectors,
                         const InjectionObjects& objects);

/// Sets the Kptfile's conditions and gates for `points`, as inject() does.
Result<Done> set_injection_conditions(krm::Object& kptfile,
                                      const std::vector<InjectionPoint>& points);

/// Removes the conditions and gates of injection points that are not among `points`, and the lists
/// and maps that this leaves empty.
Result<Done> remove_stale_conditions(krm::Object& kptfile,
                                     const std::vector<InjectionPoint>& points);

/// The digest of the part of an object that injection uses; it changes when the injected content
/// would.
std::string content_hash(const json::Value& object);

}  // namespace portico::package
