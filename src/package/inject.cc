#include "package/inject.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/kinds.h"
#include "base/hash.h"
#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "package/internal/files.h"
#include "package/kptfile.h"

namespace portico::package {

namespace {

krm::Path gates_path() { return {"info", "readinessGates"}; }
krm::Path conditions_path() { return {"status", "conditions"}; }

/// The field that is replaced by injection.
std::string_view injected_field(std::string_view api_version, std::string_view kind) {
  return api_version == "v1" && kind == "ConfigMap" ? "data" : "spec";
}

bool fits(const api::InjectionSelector& injector, const InjectionPoint& point) {
  const krm::GroupVersion type = krm::group_version(point.api_version);
  return (!injector.group || *injector.group == type.group) &&
         (!injector.version || *injector.version == type.version) &&
         (!injector.kind || *injector.kind == point.kind);
}

const json::Value* find_named(const std::vector<json::Value>& objects, std::string_view name) {
  const auto at = std::find_if(objects.begin(), objects.end(), [&](const json::Value& object) {
    return krm::name_of(object) == name;
  });
  return at == objects.end() ? nullptr : &*at;
}

InjectionPoint make_point(const std::string& file, std::size_t index, const krm::Object& object,
                          const std::string& annotation) {
  InjectionPoint point;
  point.file = file;
  point.index = index;
  point.api_version = object.api_version();
  point.kind = object.kind();
  point.name = object.name();
  point.required = annotation == "required";
  point.condition_type = fmt::format("{}{}.{}", kInjectionCondition, point.kind, point.name);
  if (!point.required && annotation != "optional")
    point.errors.push_back(fmt::format("{}: {}/{} has invalid \"{}\" annotation value of \"{}\"",
                                       file, point.kind, point.name, api::kInjectionPoint,
                                       annotation));
  return point;
}

/// Chooses an object for each point, and records what it tried.
class Injector {
 public:
  Injector(const std::vector<api::InjectionSelector>& injectors, const InjectionObjects& objects)
      : injectors_(injectors), objects_(objects) {}

  /// The object to inject; nullptr if there is none, with the reason in point.errors.
  const json::Value* choose(InjectionPoint& point) {
    if (injectors_.empty()) {
      point.errors.emplace_back("no injectors defined");
      return nullptr;
    }
    const auto listed = objects_.find({point.api_version, point.kind});
    const std::vector<json::Value> none;
    const bool failed = listed != objects_.end() && !listed->second;
    const std::vector<json::Value>& candidates =
        listed == objects_.end() || failed ? none : *listed->second;
    if (failed) {
      point.errors.push_back(listed->second.error().text());
    } else if (candidates.empty()) {
      point.errors.push_back(
          fmt::format("no in-cluster resources of type {}.{}", point.api_version, point.kind));
    }
    for (const api::InjectionSelector& injector : injectors_) {
      if (!fits(injector, point)) continue;
      const json::Value* object = find_named(candidates, injector.name);
      if (object == nullptr) {
        records_.insert({point.api_version, point.kind, injector.name, "", ""});
        continue;
      }
      records_.insert({point.api_version, point.kind, injector.name,
                       std::string(krm::uid_of(*object)), content_hash(*object)});
      return object;
    }
    return nullptr;
  }

  std::vector<InjectionRecord> records() const { return {records_.begin(), records_.end()}; }

 private:
  const std::vector<api::InjectionSelector>& injectors_;
  const InjectionObjects& objects_;
  std::set<InjectionRecord> records_;
};

Result<Done> inject_into(krm::Object& target, InjectionPoint& point, const json::Value& object) {
  const std::string field(injected_field(point.api_version, point.kind));
  const json::Value* content = object.find(field);
  if (content == nullptr) {
    point.errors.push_back(
        fmt::format("field \"{}\" not found in resource \"{}\"", field, krm::name_of(object)));
    return Done{};
  }
  if (target.value()[field] != *content) PORTICO_DO(target.set({field}, *content));
  const std::string name(krm::name_of(object));
  PORTICO_DO(set_members(target, {"metadata", "annotations"},
                         {{std::string(api::kInjectedResourceOld), json::Value()},
                          {std::string(api::kInjectedResource), json::Value(name)}}));
  point.injected_name = name;
  return Done{};
}

Members condition_for(const InjectionPoint& point) {
  const bool injected = !point.injected_name.empty();
  std::string message = fmt::format("injected resource \"{}\" from cluster", point.injected_name);
  if (!injected)
    message = point.errors.empty()
                  ? "no resource matched any injection selector for this injection point"
                  : fmt::format("{}", fmt::join(point.errors, ", "));
  return {{"type", json::Value(point.condition_type)},
          {"status", json::Value(injected ? "True" : "False")},
          {"message", json::Value(message)},
          {"reason", json::Value(injected ? "ConfigInjected" : "NoResourceSelected")}};
}

/// Removes the injection items that no longer belong to a point from the list at `path`.
Result<Done> remove_stale(krm::Object& kptfile, const krm::Path& path, const std::string& key,
                          const std::set<std::string, std::less<>>& types) {
  const json::Value items = value_at(kptfile, path);
  for (std::size_t i = items.size(); i-- > 0;) {
    const std::string_view type = items[i][key].as_string();
    if (!type.starts_with(kInjectionCondition) || types.contains(type)) continue;
    krm::Path at = path;
    at.emplace_back(i);
    PORTICO_DO(kptfile.remove(at));
  }
  return Done{};
}

/// Sets the item with the same `key` value as `item`, or inserts `item` before the first one that
/// sorts after it.
Result<Done> put_sorted(krm::Object& kptfile, const krm::Path& path, const std::string& key,
                        const Members& item) {
  const json::Value items = value_at(kptfile, path);
  const std::string_view type = item.front().second.as_string();
  std::size_t place = items.size();
  for (std::size_t i = items.size(); i-- > 0;) {
    const std::string_view other = items[i][key].as_string();
    if (other == type) {
      krm::Path at = path;
      at.emplace_back(i);
      return set_members(kptfile, at, item);
    }
    if (other > type) place = i;
  }
  return insert_item(kptfile, path, place, item);
}

}  // namespace

std::string content_hash(const json::Value& object) {
  const std::string_view field =
      injected_field(object["apiVersion"].as_string(), object["kind"].as_string());
  return sha256_hex(json::print(object[field]));
}

Result<std::vector<InjectionPoint>> find_injection_points(const krm::Package& package) {
  std::vector<InjectionPoint> points;
  for (const auto& [path, file] : package.files) {
    if (!internal::is_resource_file(path)) continue;
    PORTICO_TRY(const std::vector<krm::Object> objects, file.objects(), path);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (!objects[i].is_krm()) continue;
      if (const auto annotation = objects[i].annotation(api::kInjectionPoint))
        points.push_back(make_point(path, i, objects[i], *annotation));
    }
  }
  return points;
}

Result<Done> validate_injection_points(const std::vector<InjectionPoint>& points) {
  std::vector<std::string> errors;
  std::map<std::string, std::string> files;  // condition type -> file of the last point seen
  for (const InjectionPoint& point : points) {
    errors.insert(errors.end(), point.errors.begin(), point.errors.end());
    const auto [before, first] = files.try_emplace(point.condition_type, point.file);
    if (!first)
      errors.push_back(fmt::format("duplicate injection conditionType \"{}\" ({} and {})",
                                   point.condition_type, before->second, point.file));
    before->second = point.file;
  }
  if (errors.empty()) return Done{};
  return invalid("errors in injection points: {}", fmt::join(errors, ", "));
}

std::map<InjectionType, std::vector<std::string>> wanted_objects(
    const std::vector<InjectionPoint>& points,
    const std::vector<api::InjectionSelector>& injectors) {
  std::map<InjectionType, std::set<std::string>> names;
  for (const InjectionPoint& point : points)
    for (const api::InjectionSelector& injector : injectors)
      if (fits(injector, point)) names[{point.api_version, point.kind}].insert(injector.name);
  std::map<InjectionType, std::vector<std::string>> out;
  for (const auto& [type, set] : names) out[type] = {set.begin(), set.end()};
  return out;
}

Result<Done> set_injection_conditions(krm::Object& kptfile,
                                      const std::vector<InjectionPoint>& points) {
  for (const InjectionPoint& point : points) {
    if (point.required)
      PORTICO_DO(put_sorted(kptfile, gates_path(), "conditionType",
                            {{"conditionType", json::Value(point.condition_type)}}));
    PORTICO_DO(put_sorted(kptfile, conditions_path(), "type", condition_for(point)));
  }
  return remove_stale_conditions(kptfile, points);
}

Result<Done> remove_stale_conditions(krm::Object& kptfile,
                                     const std::vector<InjectionPoint>& points) {
  std::set<std::string, std::less<>> types;
  for (const InjectionPoint& point : points) types.insert(point.condition_type);
  PORTICO_DO(remove_stale(kptfile, gates_path(), "conditionType", types));
  PORTICO_DO(remove_stale(kptfile, conditions_path(), "type", types));
  for (const krm::Path& path : {gates_path(), {"info"}, conditions_path(), {"status"}})
    PORTICO_DO(remove_if_empty(kptfile, path));
  return Done{};
}

Result<Injection> inject(krm::Package package, const std::vector<api::InjectionSelector>& injectors,
                         const InjectionObjects& objects) {
  Injection out;
  PORTICO_TRY(out.points, find_injection_points(package));
  PORTICO_DO(validate_injection_points(out.points));
  Injector injector(injectors, objects);
  for (auto point = out.points.begin(); point != out.points.end();) {
    const std::string file = point->file;
    PORTICO_TRY(std::vector<krm::Object> documents, package.find(file)->objects(), file);
    for (; point != out.points.end() && point->file == file; ++point)
      if (const json::Value* object = injector.choose(*point))
        PORTICO_DO(inject_into(documents[point->index], *point, *object), file);
    std::string text = krm::Object::join_file(documents);
    if (text != package.find(file)->text()) package.set(file, std::move(text));
  }
  out.records = injector.records();

  PORTICO_TRY(krm::Object kptfile, kptfile_of(package));
  PORTICO_DO(set_injection_conditions(kptfile, out.points), std::string(kKptfile));
  put_kptfile(package, kptfile);
  out.package = std::move(package);
  return out;
}

}  // namespace portico::package
