// Writes small YAML documents with a given key order, like kpt prints its structs.
#pragma once

#include <string>
#include <string_view>

namespace portico::render {

/// Formats `text` as the value of a key at indentation `indent`: plain if it reads back as a
/// string, else quoted; multiple lines as a literal block.
std::string yaml_scalar(std::string_view text, std::size_t indent);

/// Writes lines of block maps and lists, with indented lists.
class YamlWriter {
 public:
  /// "key: value"; no-op if `value` is empty.
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, int value);
  /// "key:"; what follows is its content until close().
  void open(std::string_view key);
  /// Puts "- " before the next line; what follows is the item until close().
  void item();
  void close();
  std::string take() { return std::move(out_); }

 private:
  void start_line();
  std::string out_;
  std::size_t indent_ = 0;
  bool dash_ = false;
};

}  // namespace portico::render
