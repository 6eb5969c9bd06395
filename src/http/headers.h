// Header fields: ordered, with case-insensitive names. Pure.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace portico::http {

struct HeaderField {
  std::string name, value;
  bool operator==(const HeaderField&) const = default;
};

/// A value type. Keeps the order in which fields were added.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<HeaderField> fields) : fields_(fields) {}

  /// The value of the first field with that name; "" if there is none (has() tells the difference).
  /// Valid until the headers change.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;

  void add(std::string name, std::string value);
  /// Replaces all fields with that name.
  void set(std::string_view name, std::string value);
  void remove(std::string_view name);

  std::size_t size() const { return fields_.size(); }
  bool empty() const { return fields_.empty(); }
  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  bool operator==(const Headers&) const = default;

 private:
  std::vector<HeaderField> fields_;
};

/// Compares ASCII case-insensitively.
bool same_name(std::string_view a, std::string_view b);

/// Whether `word` is one of the comma-separated words in the fields `name`, ignoring case.
bool has_word(const Headers& headers, std::string_view name, std::string_view word);

/// Whether the request's Accept-Encoding accepts gzip: named or covered by "*", and not with
/// ";q=0".
bool accepts_gzip(const Headers& headers);

}  // namespace portico::http
