// The values of CEL expressions: small, cheap to copy, immutable.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace portico::cel {

enum class Kind : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kType,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kOptional,
  kOpaque,
  kError,
};

/// Base class of shared data. Immutable once a Value holds it, so threads can share it.
class Shared {
 public:
  Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  virtual ~Shared() = default;

  void retain() const noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  mutable std::atomic<std::uint32_t> refs_{1};
};

/// Owns one reference to a Shared.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* adopted) noexcept : pointer_(adopted) {}
  Ref(const Ref& other) noexcept : pointer_(other.pointer_) {
    if (pointer_ != nullptr) pointer_->retain();
  }
  template <class U>
  Ref(Ref<U> other) noexcept : pointer_(other.take()) {}
  Ref(Ref&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~Ref() {
    if (pointer_ != nullptr) pointer_->release();
  }
  T* operator->() const noexcept { return pointer_; }
  T& operator*() const noexcept { return *pointer_; }
  T* get() const noexcept { return pointer_; }
  T* take() noexcept { return std::exchange(pointer_, nullptr); }

 private:
  T* pointer_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

class Value;

/// A list. Subclass it for lists whose elements are created on demand.
class List : public Shared {
 public:
  virtual std::size_t size() const = 0;
  /// index < size().
  virtual Value at(std::size_t index) const = 0;
};

/// A map. Subclass it for objects whose members are created on demand: an expression that reads
/// labels["region"] requests only that entry.
class Map : public Shared {
 public:
  virtual std::size_t size() const = 0;
  /// Equal numbers are the same key, whatever their type (1, 1u and 1.0).
  virtual std::optional<Value> find(const Value& key) const = 0;
  /// In the order in which a comprehension visits them.
  virtual std::vector<Value> keys() const = 0;
};

/// A value of a type that a library adds (an address, a quantity).
class Opaque : public Shared {
 public:
  virtual std::string_view type_name() const = 0;
  /// `other` has the same type_name().
  virtual bool equals(const Opaque& other) const = 0;
  /// Readable form: the text that show() puts between the brackets.
  virtual std::string text() const = 0;
};

/// Seconds since 1970 (UTC) and nanoseconds 0..999,999,999; years 0001 to 9999.
struct Timestamp {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
  auto operator<=>(const Timestamp&) const = default;
};

/// The position of an expression in its source text, in bytes.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// 24 bytes. Numbers, times and texts of up to 22 bytes are stored inline, everything else is
/// shared. Errors are values because `false && error` is false in CEL; Program::evaluate never
/// returns one as a value. As thread-safe as an int: the shared data is const.
class Value {
 public:
  Value() noexcept = default;  // null
  explicit Value(bool value) noexcept : kind_(Kind::kBool) { put(value); }
  explicit Value(std::int64_t value) noexcept : kind_(Kind::kInt) { put(value); }
  explicit Value(std::uint64_t value) noexcept : kind_(Kind::kUint) { put(value); }
  explicit Value(double value) noexcept : kind_(Kind::kDouble) { put(value); }
  explicit Value(int) = delete;
  explicit Value(const char*) = delete;

  static Value string(std::string_view text) { return text_value(Kind::kString, text, {}); }
  static Value bytes(std::string_view bytes) { return text_value(Kind::kBytes, bytes, {}); }
  /// Concatenates two texts into a value of kind kString or kBytes.
  static Value concat(Kind kind, std::string_view a, std::string_view b) {
    return text_value(kind, a, b);
  }
  /// The type called `name` ("int", "google.protobuf.Timestamp").
  static Value type(std::string_view name) { return text_value(Kind::kType, name, {}); }
  static Value timestamp(Timestamp time) noexcept;
  static Value duration(std::int64_t nanoseconds) noexcept;
  static Value list(std::vector<Value> items);
  static Value list(Ref<const List> list) noexcept { return Value(Kind::kList, list.take()); }
  /// Of equal keys, the first one is kept.
  static Value map(std::vector<std::pair<Value, Value>> entries);
  static Value map(Ref<const Map> map) noexcept { return Value(Kind::kMap, map.take()); }
  static Value optional_none() noexcept { return Value(Kind::kOptional, nullptr); }
  static Value optional_of(Value value);
  static Value opaque(Ref<const Opaque> opaque) noexcept {
    return Value(Kind::kOpaque, opaque.take());
  }
  static Value error(std::string message);
  /// An error that occurred in the sub-expression at `span`.
  static Value error(std::string message, Span span);

  Value(const Value& other) noexcept {
    take_bits(other);
    if (size_ == kSharedMark) retain();
  }
  Value(Value&& other) noexcept {
    take_bits(other);
    other.forget();
  }
  Value& operator=(const Value& other) noexcept {
    if (this != &other) *this = Value(other);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this == &other) return *this;
    if (size_ == kSharedMark) release();
    take_bits(other);
    other.forget();
    return *this;
  }
  ~Value() {
    if (size_ == kSharedMark) release();
  }

  Kind kind() const noexcept { return kind_; }
  bool is(Kind kind) const noexcept { return kind_ == kind; }
  bool is_error() const noexcept { return kind_ == Kind::kError; }
  bool is_number() const noexcept {
    return kind_ == Kind::kInt || kind_ == Kind::kUint || kind_ == Kind::kDouble;
  }

  /// Each accessor requires a value of its kind.
  bool as_bool() const noexcept { return get<bool>(); }
  std::int64_t as_int() const noexcept { return get<std::int64_t>(); }
  std::uint64_t as_uint() const noexcept { return get<std::uint64_t>(); }
  double as_double() const noexcept { return get<double>(); }
  Timestamp as_timestamp() const noexcept { return get<Timestamp>(); }
  std::int64_t as_duration() const noexcept { return get<std::int64_t>(); }  // nanoseconds
  /// For a string, bytes or a type's name; valid while this Value exists and is not assigned to.
  std::string_view text() const noexcept {
    if (size_ == kSharedMark) return long_text();
    return {reinterpret_cast<const char*>(raw_), size_};
  }
  const List& as_list() const noexcept { return *static_cast<const List*>(shared()); }
  const Map& as_map() const noexcept { return *static_cast<const Map*>(shared()); }
  const Opaque& as_opaque() const noexcept { return *static_cast<const Opaque*>(shared()); }
  /// The content of an optional, or nullptr.
  const Value* as_optional() const noexcept;
  const std::string& error_message() const noexcept;
  /// Where the error occurred; an empty span if unknown.
  Span error_span() const noexcept;

  /// The result of type(x): "int", "list", "google.protobuf.Duration", "optional_type", ...
  std::string_view type_name() const noexcept;

  /// CEL's ==: numbers compare by mathematical value, lists and maps by content; NaN equals
  /// nothing; values of different types are unequal.
  friend bool operator==(const Value& a, const Value& b);

 private:
  static constexpr std::uint8_t kSharedMark = 0xff;
  static constexpr std::size_t kInline = 22;

  Value(Kind kind, const Shared* shared) noexcept
      : size_(shared == nullptr ? std::uint8_t{0} : kSharedMark), kind_(kind) {
    put(shared);
  }
  static Value text_value(Kind kind, std::string_view a, std::string_view b);
  std::string_view long_text() const noexcept;

  // Copies all 24 bytes at once: copying them piecewise is several times slower.
  void take_bits(const Value& other) noexcept {
    std::memcpy(static_cast<void*>(this), static_cast<const void*>(&other), sizeof other);
  }
  void forget() noexcept {
    size_ = 0;
    kind_ = Kind::kNull;
  }

  template <class T>
  void put(const T& value) noexcept {
    static_assert(sizeof(T) <= kInline);
    std::memcpy(raw_, &value, sizeof(T));
  }
  template <class T>
  T get() const noexcept {
    T value;
    std::memcpy(&value, raw_, sizeof(T));
    return value;
  }
  // Call only if raw_ holds a pointer, which is never null.
  const Shared* shared() const noexcept {
    const auto* pointer = get<const Shared*>();
    if (pointer == nullptr) __builtin_unreachable();
    return pointer;
  }
  void retain() const noexcept { shared()->retain(); }
  void release() const noexcept { shared()->release(); }

  alignas(8) unsigned char raw_[kInline] = {};
  std::uint8_t size_ = 0;  // of an inline text; kSharedMark if raw_ holds a pointer
  Kind kind_ = Kind::kNull;
};
static_assert(sizeof(Value) == 24);

/// < 0, 0 or > 0; nullopt if CEL defines no order for the two (or one is NaN). Numbers compare
/// across types.
std::optional<int> compare(const Value& a, const Value& b);

/// The result of size(): code points of a string, bytes, elements, entries; 0 for anything else.
std::size_t size_of(const Value& value);

/// Equal values have equal hashes. NaN and opaque values hash like any other of their kind.
std::size_t hash_of(const Value& value);

/// For messages and tests: CEL source text if there is one (`[1, 2u, "a"]`), else a readable form.
std::string show(const Value& value);

}  // namespace portico::cel
