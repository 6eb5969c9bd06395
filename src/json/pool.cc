#include "json/pool.h"

#include <bit>
#include <functional>
#include <string_view>
#include <utility>

namespace portico::json {

namespace {

constexpr std::size_t kInline = 15;  // strings up to here need no memory of their own

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  hash = (hash ^ next) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 32);
}

std::uint64_t seed(const Value& value) {
  return mixed(static_cast<std::uint64_t>(value.type()), value.size());
}

// Different for 0.0 and -0.0, which are equal but not printed alike.
std::uint64_t hash_of_scalar(const Value& value) {
  switch (value.type()) {
    case Value::Type::kBool:
      return mixed(seed(value), value.as_bool() ? 1 : 0);
    case Value::Type::kInt:
      return mixed(seed(value), static_cast<std::uint64_t>(value.as_int()));
    case Value::Type::kUint:
      return mixed(seed(value), value.as_uint());
    case Value::Type::kDouble:
      return mixed(seed(value), std::bit_cast<std::uint64_t>(value.as_double()));
    case Value::Type::kString:
      return mixed(seed(value), std::hash<std::string_view>()(value.as_string()));
    default:
      return seed(value);
  }
}

}  // namespace

Value Pool::intern(const Value& value) { return seen(value).value; }

Pool::Part Pool::seen(const Value& value) {
  if (value.is_array()) return seen_items(value);
  if (value.is_object()) return seen_members(value);
  Part out{hash_of_scalar(value), value, sizeof(Value)};
  const std::size_t length = value.as_string().size();
  if (length <= kInline) return out;
  out.bytes += length;
  return remembered(std::move(out));
}

Pool::Part Pool::seen_items(const Value& value) {
  Part out{seed(value), value, sizeof(Value)};
  std::vector<Value> items;
  items.reserve(value.size());
  bool is_same = true;
  for (const Value& item : value.items()) {
    Part part = seen(item);
    out.hash = mixed(out.hash, part.hash);
    out.bytes += part.bytes;
    is_same = is_same && part.value.same_as(item);
    items.push_back(std::move(part.value));
  }
  if (!is_same) out.value = Value::array(std::move(items));
  return remembered(std::move(out));
}

Pool::Part Pool::seen_members(const Value& value) {
  Part out{seed(value), value, sizeof(Value)};
  std::vector<Member> members;
  members.reserve(value.size());
  bool is_same = true;
  for (const Member& member : value.members()) {
    Part key = seen(member.key), part = seen(member.value);
    out.hash = mixed(mixed(out.hash, key.hash), part.hash);
    out.bytes += key.bytes + part.bytes;
    is_same = is_same && key.value.same_as(member.key) && part.value.same_as(member.value);
    members.push_back({std::move(key.value), std::move(part.value)});
  }
  if (!is_same) out.value = Value::object(std::move(members));
  return remembered(std::move(out));
}

Pool::Part Pool::remembered(Part part) {
  if (part.bytes > kLargest) return part;
  Part& known = parts_[part.hash % parts_.size()];
  if (known.hash == part.hash && known.value == part.value)
    part.value = known.value;
  else
    known = part;
  return part;
}

}  // namespace portico::json
