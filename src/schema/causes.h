// Kubernetes' wording of what is wrong with a field (apimachinery's field.Error).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::schema {

/// A place in an object, as Kubernetes writes it: "spec.parts[0].name", "metadata.labels[a/b]". One
/// text that grows and shrinks: keep a Mark while something below is looked at.
class Path {
 public:
  Path() = default;
  explicit Path(std::string_view text) : text_(text) {}

  /// ".name" (or "name" at the start), "[key]", "[3]".
  Path& child(std::string_view name);
  Path& key(std::string_view key);
  Path& index(std::size_t index);
  /// "<nil>" for the whole object.
  std::string text() const { return text_.empty() ? "<nil>" : text_; }
  /// As text(), but "" for the whole object.
  const std::string& raw() const { return text_; }

  /// Takes the path back to where it was.
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

/// "Invalid value: "x": detail"; a value that is no scalar is shown as JSON.
Cause invalid_value(std::string field, const json::Value& value, std::string_view detail);
/// The same reason's message for a value of the wrong type.
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

/// "field: message", how a cause stands in the message of a Status.
std::string line(const Cause& cause);

/// What Go prints of a float64: "0.5", "1e+06".
std::string go_number(double number);
/// What Go's %q makes of a text.
std::string go_quoted(std::string_view text);

}  // namespace portico::schema
