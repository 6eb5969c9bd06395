#include "jsonpath/template.h"

namespace portico::jsonpath {

using json::Value;

class Template::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Part>> run() {
    PORTICO_TRY(std::vector<Part> parts, parts_until_end(0));
    if (ended_) return invalid("column {}: {{end}} without a {{range}}", at_);
    return parts;
  }

 private:
  static constexpr int kDeepest = 16;

  Result<std::vector<Part>> parts_until_end(int depth) {
    if (depth > kDeepest) return invalid("column {}: ranges are nested too deeply", at_ + 1);
    std::vector<Part> out;
    std::string plain;
    const auto flush = [&] {
      if (plain.empty()) return;
      Part part;
      part.text = std::move(plain);
      out.push_back(std::move(part));
      plain.clear();
    };
    while (at_ < text_.size()) {
      if (text_[at_] != '{') {
        plain += text_[at_++];
        continue;
      }
      const std::size_t open = at_;
      PORTICO_TRY(std::string_view action, braced());
      if (action == "end") {
        flush();
        ended_ = true;
        return out;
      }
      Part part;
      if (action.starts_with("range ")) {
        flush();
        part.kind = Part::Kind::kRange;
        part.text = action.substr(6);
        PORTICO_TRY(part.path, Path::parse(part.text), fmt::format("column {}", open + 2));
        PORTICO_TRY(part.inner, parts_until_end(depth + 1));
        if (!ended_) return invalid("column {}: the range has no {{end}}", open + 1);
        ended_ = false;
        out.push_back(std::move(part));
        continue;
      }
      // One action per pair of braces: users write {.a}{"\t"}{.b}, never {.a "\t" .b}.
      if (action.starts_with('"') || action.starts_with('\'')) {
        PORTICO_TRY(const std::string literal, quoted(action, open));
        plain += literal;
        continue;
      }
      flush();
      part.kind = Part::Kind::kPath;
      part.text = action;
      PORTICO_TRY(part.path, Path::parse(action), fmt::format("column {}", open + 2));
      out.push_back(std::move(part));
    }
    flush();
    return out;
  }

  // The text between '{' and '}', without surrounding blanks.
  Result<std::string_view> braced() {
    const std::size_t open = at_++;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == '\\')
          ++at_;
        else if (c == quote)
          quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '}') {
        std::string_view out = text_.substr(open + 1, at_++ - open - 1);
        while (out.starts_with(' ')) out.remove_prefix(1);
        while (out.ends_with(' ')) out.remove_suffix(1);
        return out;
      }
    }
    return invalid("column {}: unclosed action: missing closing brace", open + 1);
  }

  static Result<std::string> quoted(std::string_view text, std::size_t open) {
    const char quote = text.front();
    std::string out;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == quote && i + 1 == text.size()) return out;
      if (text[i] == quote) break;
      if (text[i] != '\\' || i + 1 == text.size()) {
        out += text[i];
        continue;
      }
      switch (text[++i]) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        case 'r':
          out += '\r';
          break;
        default:
          out += text[i];
      }
    }
    return invalid("column {}: unterminated quoted string", open + 2);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

Result<Template> Template::parse(std::string_view text) {
  Template out;
  PORTICO_TRY(out.parts_, Parser(text).run());
  return out;
}

void Template::render_parts(const std::vector<Part>& parts, const Value& root, std::string& out,
                            std::string& missing) {
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::kText) {
      out += part.text;
      continue;
    }
    const std::vector<Value> values = part.path.evaluate(root);
    if (values.empty() && missing.empty()) missing = part.text;
    if (part.kind == Part::Kind::kRange) {
      for (const Value& value : values) render_parts(part.inner, value, out, missing);
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ' ';
      out += text_of(values[i]);
    }
  }
}

Result<std::string> Template::render(const Value& root, bool missing_is_error) const {
  std::string out, missing;
  render_parts(parts_, root, out, missing);
  if (missing_is_error && !missing.empty()) return not_found("{} is not found", missing);
  return out;
}

}  // namespace portico::jsonpath
