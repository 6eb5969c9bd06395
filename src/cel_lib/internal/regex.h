// A compiled regular expression (RE2).
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace portico::cel_lib::internal {

/// Limited in size, so that no pattern needs much memory; RE2 matches in linear time. Immutable.
class Regex {
 public:
  explicit Regex(std::string_view pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  bool ok() const;
  /// "error parsing regexp: missing closing ): `(`"; call only if not ok().
  std::string error() const;
  const re2::RE2& re() const { return *re_; }
  /// The cost of matching a text, relative to reading it.
  std::size_t cost_factor() const { return factor_; }

 private:
  std::unique_ptr<const re2::RE2> re_;
  std::size_t factor_ = 1;
};

}  // namespace portico::cel_lib::internal
