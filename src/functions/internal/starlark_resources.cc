#include "functions/internal/starlark_resources.h"

#include <array>
#include <charconv>
#include <cmath>

#include "functions/internal/fields.h"

namespace portico::functions {

namespace {

constexpr std::string_view kPath = "internal.config.kubernetes.io/path";
constexpr std::string_view kIndex = "internal.config.kubernetes.io/index";
constexpr std::string_view kOldPath = "config.kubernetes.io/path";
constexpr std::string_view kOldIndex = "config.kubernetes.io/index";
constexpr std::string_view kPackage = "internal.config.kubernetes.io/package-path";
constexpr std::array kPlaces{kPath, kIndex, kOldPath, kOldIndex, kPackage};
constexpr int kMostDepth = 100;

const json::Value& annotations_of(const json::Value& object) {
  return object["metadata"]["annotations"];
}

json::Value with_place(const json::Value& object, const krm::Item& item) {
  json::Value annotations = annotations_of(object);
  const std::string index = std::to_string(std::max(item.index, 0));
  annotations = annotations.with(kPath, item.file).with(kOldPath, item.file);
  annotations = annotations.with(kIndex, index).with(kOldIndex, index);
  annotations = annotations.with(kPackage, "/" + item.package);
  return object.with_at({"metadata", "annotations"}, annotations);
}

/// The object without the annotations for its file position. Removes an empty annotations map if
/// the resource had none.
json::Value without_place(const json::Value& object, bool had_annotations) {
  const json::Value& annotations = annotations_of(object);
  if (!annotations.is_object()) return object;
  json::Value own = annotations;
  for (const std::string_view key : kPlaces)
    if (own.contains(key)) own = own.without(key);
  if (own.empty() && !had_annotations) return object.without_at({"metadata", "annotations"});
  return own.same_as(annotations) ? object : object.with_at({"metadata", "annotations"}, own);
}

/// The value of an annotation that exists under two names: the one that the program changed.
Result<std::string> changed(const json::Value& now, const json::Value& before, std::string_view key,
                            std::string_view old_key) {
  const auto text = [](const json::Value& object, std::string_view name) {
    return scalar_text(annotations_of(object)[name]);
  };
  const std::string was = text(before, key);
  const std::string current = text(now, key);
  std::string legacy = text(now, old_key);
  if (current == legacy || legacy.empty() || legacy == was)
    return current.empty() ? legacy : current;
  if (current == was || current.empty()) return legacy;
  return invalid("resource input to function has mismatched legacy and internal path annotations");
}

/// JSON distinguishes 1 and 1.0, and Starlark shows the difference. If only a number's spelling
/// changed, the old one stays.
json::Value keep_numbers(const json::Value& now, const json::Value& before) {
  if (now.is_number() && before.is_number())
    return now.as_double() == before.as_double() && now.type() != before.type() ? before : now;
  if (now.is_object() && before.is_object()) {
    std::vector<json::Member> members;
    for (const json::Member& member : now.members())
      members.push_back({member.key, keep_numbers(member.value, before[member.name()])});
    return json::Value::object(std::move(members));
  }
  if (now.is_array() && before.is_array()) {
    std::vector<json::Value> items;
    for (std::size_t i = 0; i < now.size(); ++i)
      items.push_back(i < before.size() ? keep_numbers(now[i], before[i]) : now[i]);
    return json::Value::array(std::move(items));
  }
  return now;
}

Result<std::string> key_text(const starlark::Value& key) {
  using starlark::Type;
  switch (key.type()) {
    case Type::kString:
      return std::string(key.text());
    case Type::kBool:
      return std::string(key.as_bool() ? "true" : "false");
    case Type::kInt:
      return key.repr();
    default:
      return invalid("a key of a resource must be a string, got {} {}", key.type_name(),
                     key.repr());
  }
}

Result<json::Value> convert(const starlark::Value& value, int depth);

Result<json::Value> convert_dict(const starlark::Value& value, int depth) {
  std::vector<json::Member> members;
  for (const auto& [key, item] : value.entries()) {
    PORTICO_TRY(const std::string name, key_text(key));
    PORTICO_TRY(auto converted, convert(item, depth - 1));
    members.push_back({name, std::move(converted)});
  }
  return json::Value::object(std::move(members));
}

Result<json::Value> convert_list(const starlark::Value& value, int depth) {
  std::vector<json::Value> items;
  for (const starlark::Value& item : value.items()) {
    PORTICO_TRY(auto converted, convert(item, depth - 1));
    items.push_back(std::move(converted));
  }
  return json::Value::array(std::move(items));
}

Result<json::Value> convert(const starlark::Value& value, int depth) {
  using starlark::Type;
  if (depth == 0)
    return invalid("a value is nested deeper than {} levels, or contains itself", kMostDepth);
  switch (value.type()) {
    case Type::kNone:
      return json::Value();
    case Type::kBool:
      return json::Value(value.as_bool());
    case Type::kInt:
      if (const auto number = value.as_int()) return json::Value(*number);
      if (const auto number = value.as_uint()) return json::Value(*number);
      return invalid("{} out of range (want value in signed 64-bit range)", value.repr());
    case Type::kFloat: {
      // A whole number is written without a decimal point, as Go programs write YAML.
      const double number = value.as_float();
      if (!std::isfinite(number))
        return invalid("a resource cannot hold the float {}", value.repr());
      if (number == std::trunc(number) && std::fabs(number) < 1e6)
        return json::Value(static_cast<std::int64_t>(number));
      return json::Value(number);
    }
    case Type::kString:
      return json::Value(value.text());
    case Type::kList:
    case Type::kTuple:
      return convert_list(value, depth);
    case Type::kDict:
      return convert_dict(value, depth);
    case Type::kSet:
      return invalid("sets aren't yet supported: a resource holds lists");
    default:
      return invalid("unrecognized starlark type: {}", value.type_name());
  }
}

}  // namespace

starlark::Value to_starlark(starlark::Heap& heap, const json::Value& value) {
  using json::Value;
  switch (value.type()) {
    case Value::Type::kNull:
      return {};
    case Value::Type::kBool:
      return starlark::Value(value.as_bool());
    case Value::Type::kInt:
      return starlark::Value(value.as_int());
    case Value::Type::kUint:
      return heap.integer(value.as_uint());
    case Value::Type::kDouble:
      return starlark::Value(value.as_double());
    case Value::Type::kString:
      return heap.string(value.as_string());
    case Value::Type::kArray: {
      std::vector<starlark::Value> items;
      items.reserve(value.size());
      for (const Value& item : value.items()) items.push_back(to_starlark(heap, item));
      return heap.list(std::move(items));
    }
    case Value::Type::kObject:
      break;
  }
  const starlark::Value dict = heap.dict();
  for (const json::Member& member : value.members())
    // Fails if the heap is full; the following run reports that.
    if (!heap.set(dict, heap.string(member.name()), to_starlark(heap, member.value))) break;
  return dict;
}

Result<json::Value> from_starlark(const starlark::Value& value) {
  return convert(value, kMostDepth);
}

StarlarkItems::StarlarkItems(starlark::Heap& heap, const std::vector<krm::Item>& items)
    : items_(items) {
  std::vector<starlark::Value> values;
  for (const krm::Item& item : items) {
    json::Value shown =
        item.file.empty() ? item.object.value() : with_place(item.object.value(), item);
    values.push_back(to_starlark(heap, shown));
    given_.push_back({std::move(shown), values.back().identity()});
  }
  list_ = heap.list(std::move(values));
}

int StarlarkItems::origin_of(const starlark::Value& one, const json::Value& value,
                             const std::vector<bool>& taken) const {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (given_[i].identity == one.identity()) return taken[i] ? -1 : static_cast<int>(i);
  const json::Value& annotations = annotations_of(value);
  if (!annotations.contains(kPath)) return -1;
  const auto same = [&](const json::Value& given, std::string_view key) {
    return annotations[key] == annotations_of(given)[key];
  };
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (!taken[i] && same(given_[i].shown, kPath) && same(given_[i].shown, kIndex) &&
        same(given_[i].shown, kPackage) && value["kind"] == given_[i].shown["kind"])
      return static_cast<int>(i);
  return -1;
}

Result<krm::Item> StarlarkItems::collect_one(const starlark::Value& one,
                                             std::vector<bool>& taken) const {
  if (!one.is(starlark::Type::kDict))
    return invalid("a resource must be a dict, got {}", one.type_name());
  PORTICO_TRY(json::Value value, from_starlark(one));
  const int origin = origin_of(one, value, taken);
  const json::Value nothing{};
  const json::Value& before = origin < 0 ? nothing : given_[static_cast<std::size_t>(origin)].shown;
  PORTICO_TRY(const std::string path, changed(value, before, kPath, kOldPath));
  PORTICO_TRY(const std::string index, changed(value, before, kIndex, kOldIndex));
  krm::Item item =
      origin < 0 ? krm::Item{krm::Object::from_value(without_place(value, false)), path, -1, "", -1}
                 : items_[static_cast<std::size_t>(origin)];
  if (origin >= 0) {
    taken[static_cast<std::size_t>(origin)] = true;
    const json::Value& old = item.object.value();
    const bool had_annotations = old["metadata"].contains("annotations");
    const json::Value now = without_place(keep_numbers(value, before), had_annotations);
    if (now != without_place(old, had_annotations)) PORTICO_DO(item.object.update(now));
    if (!path.empty()) item.file = path;
  }
  if (!index.empty() && index != scalar_text(annotations_of(before)[kIndex])) {
    const auto [end, error] =
        std::from_chars(index.data(), index.data() + index.size(), item.index);
    if (error != std::errc() || end != index.data() + index.size() || item.index < 0)
      return invalid("annotation {} must be a number, got \"{}\"", kIndex, index);
  }
  return item;
}

Result<std::vector<krm::Item>> StarlarkItems::collect(const starlark::Value& list) const {
  if (!list.is(starlark::Type::kList) && !list.is(starlark::Type::kTuple))
    return invalid("`items` of the resource list must be a list, got {}", list.type_name());
  std::vector<krm::Item> items;
  std::vector<bool> taken(given_.size(), false);
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    PORTICO_TRY(auto item, collect_one(list.items()[i], taken), "items[" + std::to_string(i) + "]");
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace portico::functions
