// Writes JSON text to a string that has spare room at its end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace portico::json {

/// Appends to the string. The string must not be accessed while the writer exists: until the writer
/// is destroyed, it is longer than the written text.
class TextWriter {
 public:
  explicit TextWriter(std::string& out) : out_(out), at_(out.data() + out.size()), end_(at_) {}
  ~TextWriter() { out_.resize(size()); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void put(char c) {
    *room(1) = c;
    ++at_;
  }
  void put(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    at_ += text.size();
  }
  void fill(std::size_t count, char c) {
    std::memset(room(count), c, count);
    at_ += count;
  }
  void put(std::int64_t number);
  void put(std::uint64_t number);
  /// Appends the text with quotes and escapes.
  void quoted(std::string_view text);

 private:
  std::size_t size() const { return static_cast<std::size_t>(at_ - out_.data()); }
  char* room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) grow(bytes);
    return at_;
  }
  void grow(std::size_t bytes);
  void escaped(unsigned char c);

  std::string& out_;
  char *at_, *end_;
};

}  // namespace portico::json
