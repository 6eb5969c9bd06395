#include "json/duplicates.h"

#include <algorithm>
#include <set>

#include "json/text.h"

namespace portico::json {
namespace {

/// The member names of an object. Most texts have them in order, which costs next to nothing.
class Names {
 public:
  /// False if the name exists.
  bool insert(std::string name) {
    if (ascending_.empty() || ascending_.back() < name) {
      ascending_.push_back(std::move(name));
      return true;
    }
    if (std::binary_search(ascending_.begin(), ascending_.end(), name)) return false;
    return others_.insert(std::move(name)).second;
  }

 private:
  std::vector<std::string> ascending_;
  std::set<std::string> others_;  // each less than the last of those
};

/// Walks a text that is known to be valid; an unexpected character ends the walk.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  std::vector<std::string> run() {
    value();
    return std::move(found_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// The text of a string, including its quotes.
  std::string_view quoted() {
    skip_blanks();
    const std::size_t begin = at_++;
    for (bool is_escaped = true; is_escaped;) {
      const std::size_t end = std::min(text_.find('"', at_), text_.size());
      std::size_t first = end;  // of the backslashes before the quote
      while (first > at_ && text_[first - 1] == '\\') --first;
      is_escaped = (end - first) % 2 == 1 && end < text_.size();
      at_ = std::min(end + 1, text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

  static std::string name_in(std::string_view quoted) {
    if (quoted.find('\\') == std::string_view::npos)
      return std::string(quoted.substr(1, quoted.size() - 2));
    const auto parsed = parse(quoted);
    return parsed ? std::string(parsed->as_string()) : std::string(quoted);
  }

  void value() {
    skip_blanks();
    if (at_ == text_.size()) return;
    if (text_[at_] == '{') return object();
    if (text_[at_] == '[') return array();
    if (text_[at_] == '"') return void(quoted());
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n,]}").find(text_[at_]) == std::string_view::npos)
      ++at_;
  }

  void object() {
    Names names;
    const std::size_t before = path_.size();
    if (++at_; take('}')) return;
    do {
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != '"') return;
      std::string name = name_in(quoted());
      if (!take(':')) return;
      if (!path_.empty()) path_ += '.';
      path_ += name;
      if (!names.insert(std::move(name))) report();
      value();
      path_.resize(before);
    } while (take(','));
    take('}');
  }

  void array() {
    const std::size_t before = path_.size();
    if (++at_; take(']')) return;
    std::size_t index = 0;
    do {
      path_ += '[' + std::to_string(index++) + ']';
      value();
      path_.resize(before);
    } while (take(','));
    take(']');
  }

  void report() {
    if (found_.size() < most_ && seen_.insert(path_).second) found_.push_back(path_);
  }

  std::string_view text_;
  std::size_t most_;
  std::size_t at_ = 0;
  std::string path_;
  std::vector<std::string> found_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> duplicate_members(std::string_view text, std::size_t most) {
  return Scanner(text, most).run();
}

}  // namespace portico::json
