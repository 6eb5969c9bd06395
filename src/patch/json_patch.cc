#include <algorithm>
#include <charconv>
#include <optional>

#include "json/text.h"
#include "patch/patch.h"

namespace portico::patch {
namespace {

using json::Value;

/// Decodes a name in a pointer: "~1" is '/', "~0" is '~'; other tildes are literal.
std::string name_of(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool escape = part[i] == '~' && i + 1 < part.size();
    if (escape && (part[i + 1] == '0' || part[i + 1] == '1')) {
      out += part[++i] == '0' ? '~' : '/';
    } else {
      out += part[i];
    }
  }
  return out;
}

/// The names of a pointer; text before the first '/' is ignored.
std::vector<std::string> parts_of(std::string_view pointer) {
  std::vector<std::string> out;
  std::size_t begin = pointer.find('/');
  while (begin != std::string_view::npos) {
    const std::size_t end = pointer.find('/', begin + 1);
    out.push_back(name_of(pointer.substr(begin + 1, end - begin - 1)));
    begin = end;
  }
  return out;
}

/// The index that `text` denotes in a list of `size`, negative ones from the end; nullopt if
/// outside.
std::optional<std::size_t> index_in(std::string_view text, std::size_t size) {
  std::int64_t index = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(size);
  if (index < 0) index += count;
  if (index < 0 || index >= count) return std::nullopt;
  return static_cast<std::size_t>(index);
}

const Value* child(const Value& container, std::string_view name) {
  if (container.is_object()) return container.find(name);
  if (!container.is_array()) return nullptr;
  const auto index = index_in(name, container.size());
  return index ? &container.items()[*index] : nullptr;
}

const Value* find(const Value& root, std::span<const std::string> parts) {
  const Value* here = &root;
  for (const std::string& part : parts) {
    here = child(*here, part);
    if (here == nullptr) return nullptr;
  }
  return here;
}

enum class Change { kAdd, kSet, kRemove };

/// `container` with the change at `name`; nullopt if that is not possible.
std::optional<Value> changed(const Value& container, Change change, const std::string& name,
                             const Value& value) {
  if (container.is_object()) {
    if (change != Change::kRemove) return container.with(name, value);
    if (!container.contains(name)) return std::nullopt;
    return container.without(name);
  }
  if (!container.is_array()) return std::nullopt;
  std::vector<Value> items(container.items().begin(), container.items().end());
  if (change == Change::kAdd) {
    if (name == "-") return container.with_appended(value);
    // The index after the last item is valid, too.
    const auto index = index_in(name, items.size() + 1);
    if (!index) return std::nullopt;
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(*index), value);
    return Value::array(std::move(items));
  }
  const auto index = index_in(name, items.size());
  if (!index) return std::nullopt;
  if (change == Change::kSet) return container.with_item(*index, value);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(*index));
  return Value::array(std::move(items));
}

/// `root` with the change at the path `parts`.
std::optional<Value> with_change(const Value& root, std::span<const std::string> parts,
                                 Change change, const Value& value) {
  if (parts.empty()) return std::nullopt;
  if (parts.size() == 1) return changed(root, change, parts[0], value);
  const Value* below = child(root, parts[0]);
  if (below == nullptr) return std::nullopt;
  const auto inner = with_change(*below, parts.subspan(1), change, value);
  if (!inner) return std::nullopt;
  return changed(root, Change::kSet, parts[0], *inner);
}

/// Compares numbers by value: 1 equals 1.0.
bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return a.as_double() == b.as_double();
  if (a.is_object() && b.is_object()) {
    if (a.size() != b.size()) return false;
    for (const json::Member& member : a.members()) {
      const Value* other = b.find(member.name());
      if (other == nullptr || !equal(member.value, *other)) return false;
    }
    return true;
  }
  if (!a.is_array() || !b.is_array()) return a == b;
  return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), equal);
}

class Application {
 public:
  explicit Application(const Value& target) : value_(target) {}

  bool apply(const Operation& operation) {
    const std::vector<std::string> parts = parts_of(operation.path);
    if (parts.empty()) return false;
    if (operation.op == "add") return change(parts, Change::kAdd, operation.value);
    if (operation.op == "remove") return change(parts, Change::kRemove, {});
    if (operation.op == "replace") return change(parts, Change::kSet, operation.value);
    if (operation.op == "test") return test(parts, operation.value);
    const std::vector<std::string> from = parts_of(operation.from);
    if (from.empty()) return false;
    if (operation.op == "move") return move(from, parts);
    return operation.op == "copy" && copy(from, parts);
  }
  Value take() { return std::move(value_); }

 private:
  bool change(std::span<const std::string> parts, Change change, const Value& value) {
    auto next = with_change(value_, parts, change, value);
    if (!next) return false;
    value_ = *std::move(next);
    return true;
  }

  bool test(std::span<const std::string> parts, const Value& wanted) {
    if (find(value_, parts.first(parts.size() - 1)) == nullptr) return false;
    const Value* have = find(value_, parts);
    return have == nullptr ? wanted.is_null() : equal(*have, wanted);
  }

  bool move(std::span<const std::string> from, std::span<const std::string> to) {
    const Value* have = find(value_, from);
    if (have == nullptr) return false;
    const Value value = *have;
    return change(from, Change::kRemove, {}) && change(to, Change::kAdd, value);
  }

  bool copy(std::span<const std::string> from, std::span<const std::string> to) {
    const Value* container = find(value_, from.first(from.size() - 1));
    if (container == nullptr || (!container->is_object() && !container->is_array())) return false;
    const Value* have = find(value_, from);
    if (have == nullptr && container->is_array()) return false;
    const Value value = have == nullptr ? Value() : *have;
    copied_ += json::print(value).size();
    return copied_ <= kMostCopied && change(to, Change::kAdd, value);
  }

  Value value_;
  std::size_t copied_ = 0;
};

}  // namespace

Result<Value> apply_json_patch(const Value& target, const JsonPatch& patch) {
  Application application(target);
  for (const Operation& operation : patch.operations)
    if (!application.apply(operation))
      return invalid("the server rejected our request due to an error in our request");
  return application.take();
}

}  // namespace portico::patch
