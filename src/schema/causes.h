// Kubernetes' error messages for fields (apimachinery's field.Error).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::schema {

/// A place in an object in Kubernetes' notation: "spec.parts[0].name", "metadata.labels[a/b]". A
/// single string that is extended and truncated: hold a Mark while descending.
class Path {
 public:
  Path() = default;
  explicit Path(std::string_view text) : text_(text) {}

  /// Appends ".name" (or "name" at the start), "[key]", "[3]".
  Path& child(std::string_view name);
  Path& key(std::string_view key);
  Path& index(std::size_t index);
  /// "<nil>" for the whole object.
  std::string text() const { return text_.empty() ? "<nil>" : text_; }
  /// As text(), but "" for the whole object.
  const std::string& raw() const { return text_; }

  /// Restores the path when it goes out of scope.
  class Mark {
   public:
    explicit Mark(Path& path) : path_(path), size_(path.text_.size()) {}
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    ~Mark() { path_.text_.resize(size_); }

   private:
    Path& path_;
    std::size_t size_;
  };

 private:
  std::string text_;
};

/// "Invalid value: "x": detail"; objects and lists are shown as JSON.
Cause invalid_value(std::string field, const json::Value& value, std::string_view detail);
/// The same message with the reason for a value of the wrong type.
Cause wrong_type(std::string field, const json::Value& value, std::string_view detail);
/// "Required value: detail", or "Required value".
Cause required_value(std::string field, std::string_view detail = "");
/// "Forbidden: detail".
Cause forbidden_value(std::string field, std::string_view detail);
/// "Duplicate value: ...".
Cause duplicate_value(std::string field, const json::Value& value);
/// "Unsupported value: "x": supported values: "a", "b"".
Cause unsupported_value(std::string field, const json::Value& value,
                        std::span<const std::string> supported);
/// "Too long: may not be more than 12 bytes".
Cause too_long(std::string field, std::int64_t most);
/// "Too many: 4: must have at most 3 items".
Cause too_many(std::string field, std::int64_t have, std::int64_t most);

/// "field: message", as a cause appears in the message of a Status.
std::string line(const Cause& cause);

/// A float64 in Go's notation: "0.5", "1e+06".
std::string go_number(double number);
/// A string as printed by Go's %q.
std::string go_quoted(std::string_view text);

}  // namespace portico::schema
