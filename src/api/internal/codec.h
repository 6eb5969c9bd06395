// One table of fields per struct drives reading, writing and the detection of unknown fields.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"
#include "api/shape.h"
#include "json/value.h"

namespace portico::api::internal {

/// Specialized for each struct: `static constexpr auto fields = std::tuple(field(...), ...);`
template <class T>
struct Table;

template <class T>
concept HasTable = requires {
  Table<T>::fields;
};

/// Specialized for each kind: `static constexpr std::string_view api_version, kind;`
template <class T>
struct Kind {
  static constexpr bool is_kind = false;
};

template <class S, class M>
struct Field {
  std::string_view name;
  M S::*member;
};
/// An alternative name that is read, with a warning, but never written.
template <class S, class M>
struct Alias {
  std::string_view name, instead;
  M S::*member;
};
/// The fields of the member appear directly among those of the struct.
template <class S, class M>
struct Inlined {
  M S::*member;
};
/// A revision number: 3, "3" or "v3".
template <class S>
struct Revision {
  std::string_view name;
  std::optional<std::int64_t> S::*member;
};
/// A number that is written even if it is 0.
template <class S>
struct Count {
  std::string_view name;
  std::int64_t S::*member;
};
/// Keeps all members without a field of their own. Those not in `known` are also reported as
/// unknown.
template <class S, std::size_t N>
struct Rest {
  json::Value S::*member;
  std::array<std::string_view, N> known;
};

template <class S, class M>
constexpr auto field(std::string_view name, M S::*member) {
  return Field<S, M>{name, member};
}
template <class S, class M>
constexpr auto alias(std::string_view name, std::string_view instead, M S::*member) {
  return Alias<S, M>{name, instead, member};
}
template <class S, class M>
constexpr auto inlined(M S::*member) {
  return Inlined<S, M>{member};
}
template <class S>
constexpr auto revision(std::string_view name, std::optional<std::int64_t> S::*member) {
  return Revision<S>{name, member};
}
template <class S>
constexpr auto count(std::string_view name, std::int64_t S::*member) {
  return Count<S>{name, member};
}
template <class S, class... Names>
constexpr auto rest(json::Value S::*member, Names... known) {
  return Rest<S, sizeof...(Names)>{member, {std::string_view(known)...}};
}

/// Whether `name` is a field of T or of a struct that T inlines, or an alias of such a field.
template <class T>
bool is_field(std::string_view name);

/// The names of the fields of T and of the structs that it inlines.
template <class T>
std::vector<std::string_view> field_names();

/// Continues after errors, so that all of them are reported.
class Reader {
 public:
  explicit Reader(std::string path = "") : path_(std::move(path)) {}

  template <class T>
  void read(const json::Value& value, T& out);
  template <class T>
  void read_fields(const json::Value& object, T& out);  // known to be an object

  bool failed() const { return !wrong_.empty(); }
  Error error() &&;
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  std::vector<Cause> take_unknown() { return std::exchange(unknown_, {}); }

 private:
  template <class S, class M>
  void read_field(const json::Value& object, const Field<S, M>& one, S& out) {
    enter(object, one.name, [&](const json::Value& value) { read(value, out.*one.member); });
  }
  template <class S>
  void read_field(const json::Value& object, const Count<S>& one, S& out) {
    read_field(object, Field<S, std::int64_t>{one.name, one.member}, out);
  }
  template <class S, class M>
  void read_field(const json::Value& object, const Alias<S, M>& one, S& out) {
    enter(object, one.name, [&](const json::Value& value) {
      warn("should be named \"" + std::string(one.instead) + "\"");
      read(value, out.*one.member);
    });
  }
  template <class S, class M>
  void read_field(const json::Value& object, const Inlined<S, M>& one, S& out) {
    read_members(object, out.*one.member);
  }
  template <class S>
  void read_field(const json::Value& object, const Revision<S>& one, S& out) {
    enter(object, one.name,
          [&](const json::Value& value) { read_revision(value, out.*one.member); });
  }
  template <class S, std::size_t N>
  void read_field(const json::Value& object, const Rest<S, N>& one, S& out) {
    std::vector<json::Member> others;
    for (const json::Member& member : object.members())
      if (!is_field<S>(member.name())) others.push_back(member);
    if (!others.empty()) out.*one.member = json::Value::object(std::move(others));
  }
  template <class T>
  void read_members(const json::Value& object, T& out) {
    std::apply([&](const auto&... each) { (read_field(object, each, out), ...); },
               Table<T>::fields);
  }

  /// Calls `f` with the member if it is present and not null.
  template <class F>
  void enter(const json::Value& object, std::string_view name, F&& f) {
    const json::Value* value = object.find(name);
    if (value == nullptr || value->is_null()) return;
    const std::size_t before = path_.size();
    push(name);
    f(*value);
    path_.resize(before);
  }

  void read_revision(const json::Value& value, std::optional<std::int64_t>& out);
  void read_text(const json::Value& value, std::string& out);
  void read_bool(const json::Value& value, bool& out);
  void read_int(const json::Value& value, std::int64_t& out);
  void read_map(const json::Value& value, StringMap& out);

  void fail(std::string_view expected, const json::Value& found);
  void warn(std::string what);
  void report_unknown(std::string_view name, const std::vector<std::string_view>& known);
  void push(std::string_view name);
  void push(std::size_t index);

  std::string path_;
  std::vector<Cause> wrong_, unknown_;
  std::vector<std::string> warnings_;
};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
void Reader::read(const json::Value& value, T& out) {
  if constexpr (std::same_as<T, json::Value>) {
    out = value;
  } else if constexpr (std::same_as<T, std::string>) {
    read_text(value, out);
  } else if constexpr (std::same_as<T, bool>) {
    read_bool(value, out);
  } else if constexpr (std::same_as<T, std::int64_t>) {
    read_int(value, out);
  } else if constexpr (std::same_as<T, StringMap>) {
    read_map(value, out);
  } else if constexpr (IsOptional<T>::value) {
    read(value, out.emplace());
  } else if constexpr (IsVector<T>::value) {
    using Item = typename T::value_type;
    if (HasTable<Item> && value.is_object()) {
      warn("should be a list; the object is read as a list with one item");
      return read(value, out.emplace_back());
    }
    if (!value.is_array()) return fail("must be a list", value);
    out.reserve(out.size() + value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::size_t before = path_.size();
      push(i);
      read(value[i], out.emplace_back());
      path_.resize(before);
    }
  } else {
    static_assert(HasTable<T>);
    if (!value.is_object()) return fail("must be an object", value);
    read_fields(value, out);
  }
}

template <class T, std::size_t N>
bool is_one(std::string_view, const Rest<T, N>&) {
  return false;
}
template <class S, class M>
bool is_one(std::string_view name, const Inlined<S, M>&) {
  return is_field<M>(name);
}
template <class One>
bool is_one(std::string_view name, const One& one) {
  return one.name == name;
}

template <class T>
bool is_field(std::string_view name) {
  return std::apply([&](const auto&... each) { return (is_one(name, each) || ...); },
                    Table<T>::fields);
}

template <class S, std::size_t N>
void add_names(std::vector<std::string_view>& out, const Rest<S, N>& one) {
  out.insert(out.end(), one.known.begin(), one.known.end());
}
template <class S, class M>
void add_names(std::vector<std::string_view>& out, const Inlined<S, M>&) {
  for (const std::string_view name : field_names<M>()) out.push_back(name);
}
template <class S, class M>
void add_names(std::vector<std::string_view>&, const Alias<S, M>&) {}
template <class One>
void add_names(std::vector<std::string_view>& out, const One& one) {
  out.push_back(one.name);
}

template <class T>
std::vector<std::string_view> field_names() {
  std::vector<std::string_view> out;
  std::apply([&](const auto&... each) { (add_names(out, each), ...); }, Table<T>::fields);
  return out;
}

template <class T>
void Reader::read_fields(const json::Value& object, T& out) {
  read_members(object, out);
  std::vector<std::string_view> names;
  for (const json::Member& member : object.members()) {
    const bool head =
        Kind<T>::is_kind && (member.name() == "apiVersion" || member.name() == "kind");
    if (head || is_field<T>(member.name())) continue;
    if (names.empty()) names = field_names<T>();
    if (std::find(names.begin(), names.end(), member.name()) == names.end())
      report_unknown(member.name(), names);
  }
}

/// Collects the members of one object to write; empty values are left out.
class Writer {
 public:
  template <class T>
  void write_fields(const T& from) {
    std::apply([&](const auto&... each) { (write_field(each, from), ...); }, Table<T>::fields);
  }
  void add(std::string_view name, json::Value value) {
    members_.push_back({json::Value(name), std::move(value)});
  }
  json::Value take() && { return json::Value::object(std::move(members_)); }

 private:
  template <class S, class M>
  void write_field(const Field<S, M>& one, const S& from) {
    if (auto value = to_value(from.*one.member)) add(one.name, *std::move(value));
  }
  template <class S>
  void write_field(const Count<S>& one, const S& from) {
    add(one.name, json::Value(from.*one.member));
  }
  template <class S, class M>
  void write_field(const Alias<S, M>&, const S&) {}
  template <class S, class M>
  void write_field(const Inlined<S, M>& one, const S& from) {
    write_fields(from.*one.member);
  }
  template <class S>
  void write_field(const Revision<S>& one, const S& from) {
    if (const auto& number = from.*one.member) add(one.name, json::Value(*number));
  }
  template <class S, std::size_t N>
  void write_field(const Rest<S, N>& one, const S& from) {
    for (const json::Member& member : (from.*one.member).members()) members_.push_back(member);
  }

  /// nullopt if Go's omitempty would leave the value out.
  template <class T>
  static std::optional<json::Value> to_value(const T& from) {
    if constexpr (std::same_as<T, json::Value>) {
      if (from.is_null()) return std::nullopt;
      return from;
    } else if constexpr (std::same_as<T, std::string>) {
      if (from.empty()) return std::nullopt;
      return json::Value(from);
    } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::int64_t>) {
      if (from == T{}) return std::nullopt;
      return json::Value(from);
    } else if constexpr (std::same_as<T, StringMap>) {
      if (from.empty()) return std::nullopt;
      Writer writer;
      for (const auto& [key, value] : from) writer.add(key, json::Value(value));
      return std::move(writer).take();
    } else if constexpr (IsOptional<T>::value) {
      if (!from) return std::nullopt;
      return whole(*from);
    } else if constexpr (IsVector<T>::value) {
      if (from.empty()) return std::nullopt;
      return whole(from);
    } else {
      json::Value value = whole(from);
      if (value.empty()) return std::nullopt;
      return value;
    }
  }

  /// The value itself, even if empty: for items of lists and for optionals that are set.
  template <class T>
  static json::Value whole(const T& from) {
    if constexpr (IsVector<T>::value) {
      std::vector<json::Value> items;
      items.reserve(from.size());
      for (const auto& item : from) items.push_back(whole(item));
      return json::Value::array(std::move(items));
    } else if constexpr (HasTable<T>) {
      Writer writer;
      writer.write_fields(from);
      return std::move(writer).take();
    } else if constexpr (std::same_as<T, StringMap>) {
      return to_value(from).value_or(json::Value::object());
    } else {
      return json::Value(from);
    }
  }

  std::vector<json::Member> members_;
};

/// kInvalid if `value` is not an object, or is one of another kind.
Result<Done> check_kind(const json::Value& value, std::string_view kind);

template <class T>
Result<Decoded<T>> decode_by_table(const json::Value& value) {
  if constexpr (Kind<T>::is_kind) PORTICO_DO(check_kind(value, Kind<T>::kind));
  Reader reader;
  Decoded<T> decoded;
  reader.read(value, decoded.value);
  if (reader.failed()) return std::move(reader).error();
  decoded.warnings = reader.take_warnings();
  decoded.unknown = reader.take_unknown();
  return decoded;
}

template <class T>
json::Value encode_by_table(const T& value) {
  Writer writer;
  if constexpr (Kind<T>::is_kind) {
    writer.add("apiVersion", json::Value(Kind<T>::api_version));
    writer.add("kind", json::Value(Kind<T>::kind));
  }
  writer.write_fields(value);
  return std::move(writer).take();
}

/// Builds the schema of a struct, member by member.
class Shaper {
 public:
  template <class T>
  json::Value shape() {
    if constexpr (std::same_as<T, json::Value>) {
      return json::Value::object({{"x-kubernetes-preserve-unknown-fields", true}});
    } else if constexpr (std::same_as<T, std::string>) {
      return of_type("string");
    } else if constexpr (std::same_as<T, bool>) {
      return of_type("boolean");
    } else if constexpr (std::same_as<T, std::int64_t>) {
      return of_type("integer").with("format", "int64");
    } else if constexpr (std::same_as<T, StringMap>) {
      return of_type("object").with("additionalProperties", of_type("string"));
    } else if constexpr (std::same_as<T, ObjectMeta>) {
      return of_type("object");  // Kubernetes defines the metadata
    } else if constexpr (IsOptional<T>::value) {
      return shape<typename T::value_type>();
    } else if constexpr (IsVector<T>::value) {
      return of_type("array").with("items", shape<typename T::value_type>());
    } else {
      json::Value out = of_type("object");
      add_fields<T>(out);
      return out;
    }
  }

 private:
  static json::Value of_type(std::string_view type) {
    return json::Value::object({{"type", json::Value(type)}});
  }
  template <class T>
  void add_fields(json::Value& out) {
    std::apply([&](const auto&... each) { (add(out, each), ...); }, Table<T>::fields);
  }
  static void add(json::Value& out, std::string_view name, json::Value schema) {
    out = out.with_at({"properties", name}, std::move(schema));
  }
  template <class S, class M>
  void add(json::Value& out, const Field<S, M>& one) {
    add(out, one.name, shape<M>());
  }
  template <class S>
  void add(json::Value& out, const Count<S>& one) {
    add(out, one.name, shape<std::int64_t>());
  }
  template <class S, class M>
  void add(json::Value&, const Alias<S, M>&) {}
  template <class S, class M>
  void add(json::Value& out, const Inlined<S, M>&) {
    add_fields<M>(out);
  }
  template <class S>
  void add(json::Value& out, const Revision<S>& one) {
    add(out, one.name, json::Value::object({{"x-kubernetes-int-or-string", true}}));
  }
  template <class S, std::size_t N>
  void add(json::Value& out, const Rest<S, N>&) {
    out = out.with("x-kubernetes-preserve-unknown-fields", true);
  }
};

}  // namespace portico::api::internal

/// Instantiates shape for T, so that it links. PORTICO_API_TYPE includes it.
#define PORTICO_API_SHAPE(T)              \
  template <>                             \
  json::Value shape<T>() {                \
    return internal::Shaper().shape<T>(); \
  }                                       \
  static_assert(true)

/// Instantiates decode and encode for T, so that they link. Use it in the .cc that contains T's
/// table.
#define PORTICO_API_TYPE(T)                                          \
  template <>                                                        \
  Result<Decoded<T>> decode_reporting<T>(const json::Value& value) { \
    return internal::decode_by_table<T>(value);                      \
  }                                                                  \
  template <>                                                        \
  json::Value encode<T>(const T& value) {                            \
    return internal::encode_by_table(value);                         \
  }                                                                  \
  PORTICO_API_SHAPE(T);                                              \
  static_assert(true)

/// Defines the table of T.
#define PORTICO_API_TABLE(T, ...)                           \
  template <>                                               \
  struct Table<T> {                                         \
    static constexpr auto fields = std::tuple(__VA_ARGS__); \
  }

#define PORTICO_API_KIND(T, version, name)                   \
  template <>                                                \
  struct Kind<T> {                                           \
    static constexpr bool is_kind = true;                    \
    static constexpr std::string_view api_version = version; \
    static constexpr std::string_view kind = name;           \
  }
