// Writing small YAML documents in a given order of keys, as kpt prints its structs.
#pragma once

#include <string>
#include <string_view>

namespace portico::render {

/// `text` as the value of a key that stands `indent` blanks deep: plain where it reads back as a
/// string, else quoted; several lines as a literal block.
std::string yaml_scalar(std::string_view text, std::size_t indent);

/// Lines of block maps and lists, lists indented.
class YamlWriter {
 public:
  /// "key: value"; nothing where `value` is empty.
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, int value);
  /// "key:", and what follows is its content until close().
  void open(std::string_view key);
  /// "- " in front of the next line, and what follows is the item until close().
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
