// encoding/json.star
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "starlark/call.h"
#include "starlark_lib/internal/libraries.h"
#include "starlark_lib/internal/text.h"

namespace portico::starlark_lib {

using starlark::Call;
using starlark::Heap;
using starlark::Type;
using starlark::Value;

namespace {

/// Maximum nesting; also stops at values that contain themselves.
constexpr int kMostDepth = 200;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Encoder {
 public:
  explicit Encoder(Heap& heap) : heap_(heap) {}

  Result<Done> encode(Value value) {
    if (!heap_.spend(1)) return invalid("{}", heap_.exhausted());
    const bool nested = value.is(Type::kDict) || value.is(Type::kStruct) || value.is(Type::kList) ||
                        value.is(Type::kTuple) || value.is(Type::kSet) || value.is(Type::kRange);
    if (nested) {
      if (std::find(path_.begin(), path_.end(), value.identity()) != path_.end())
        return invalid("cycle in JSON structure");
      if (path_.size() == kMostDepth) return invalid("nested deeper than {}", kMostDepth);
      path_.push_back(value.identity());
    }
    auto result = encode_one(value);
    if (nested) path_.pop_back();
    return result;
  }

  std::string text;

 private:
  Result<Done> encode_one(Value value) {
    switch (value.type()) {
      case Type::kNone:
        text += "null";
        return Done{};
      case Type::kBool:
        text += value.as_bool() ? "true" : "false";
        return Done{};
      case Type::kFloat:
        if (!std::isfinite(value.as_float()))
          return invalid("cannot encode non-finite float {}", value.repr());
        [[fallthrough]];
      case Type::kInt:
        text += value.repr();
        return Done{};
      case Type::kString:
        text += quoted_json(value.text());
        return Done{};
      case Type::kDict:
      case Type::kStruct:
        return encode_object(value);
      default:
        return encode_array(value);
    }
  }

  Result<Done> encode_object(Value value) {
    auto members = value.fields();
    for (const auto& [key, item] : value.entries()) {
      if (!key.is(Type::kString)) return invalid("dict has {} key, want string", key.type_name());
      members.emplace_back(key.text(), item);
    }
    std::sort(members.begin(), members.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    text += '{';
    bool first = true;
    for (const auto& [name, item] : members) {
      if (!std::exchange(first, false)) text += ',';
      text += quoted_json(name);
      text += ':';
      if (auto done = encode(item); !done)
        return value.is(Type::kDict)
                   ? invalid("in dict key {}: {}", quoted_json(name), done.error().what)
                   : invalid("in field .{}: {}", name, done.error().what);
    }
    text += '}';
    return Done{};
  }

  Result<Done> encode_array(Value value) {
    const auto items = heap_.elements(value);
    if (!items) return invalid("cannot encode {} as JSON", value.type_name());
    text += '[';
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (i > 0) text += ',';
      if (auto done = encode((*items)[i]); !done)
        return invalid("at {} index {}: {}", value.type_name(), i, done.error().what);
    }
    text += ']';
    return Done{};
  }

  Heap& heap_;
  std::vector<std::uintptr_t> path_;
};

class Decoder {
 public:
  Decoder(Heap& heap, std::string_view text) : heap_(heap), text_(text) {}

  Result<Value> decode() {
    auto value = parse(kMostDepth);
    if (!value) return value;
    skip_blanks();
    if (at_ < text_.size())
      return wrong("unexpected character {} after value", quoted_char(text_.substr(at_)));
    return value;
  }

 private:
  template <class... Args>
  Error wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return invalid("at offset {}, {}", at_, fmt::format(format, std::forward<Args>(args)...));
  }

  void skip_blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  Result<char> next() {
    skip_blanks();
    if (at_ == text_.size()) return wrong("unexpected end of file");
    return text_[at_];
  }

  Result<Value> parse(int depth) {
    PORTICO_TRY(const char c, next());
    if (depth == 0) return wrong("nested deeper than {}", kMostDepth);
    if (!heap_.spend(1)) return invalid("{}", heap_.exhausted());
    if (c == '"') {
      PORTICO_TRY(const std::string text, string());
      return heap_.string(text);
    }
    if (c == '[') return array(depth);
    if (c == '{') return object(depth);
    if (is_digit(c) || c == '-') return number();
    for (const auto& [word, value] : {std::pair{"null", Value()}, std::pair{"true", Value(true)},
                                      std::pair{"false", Value(false)}})
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::string_view(word).size();
        return value;
      }
    return wrong("unexpected character {}", quoted_char(text_.substr(at_)));
  }

  Result<Value> array(int depth) {
    std::vector<Value> items;
    ++at_;
    PORTICO_TRY(char c, next());
    while (c != ']') {
      PORTICO_TRY(const Value item, parse(depth - 1));
      items.push_back(item);
      PORTICO_TRY(c, next());
      if (c == ']') break;
      if (c != ',') return wrong("got {}, want ',' or ']'", quoted_char(text_.substr(at_)));
      ++at_;
      PORTICO_TRY(c, next());
      if (c == ']') return wrong("unexpected character ']'");
    }
    ++at_;
    return heap_.list(std::move(items));
  }

  Result<Value> object(int depth) {
    const Value dict = heap_.dict();
    ++at_;
    PORTICO_TRY(char c, next());
    while (c != '}') {
      PORTICO_TRY(const Value key, parse(depth - 1));
      if (!key.is(Type::kString))
        return wrong("got {} for object key, want string", key.type_name());
      PORTICO_TRY(c, next());
      if (c != ':')
        return wrong("after object key, got {}, want ':' ", quoted_char(text_.substr(at_)));
      ++at_;
      PORTICO_TRY(const Value value, parse(depth - 1));
      PORTICO_DO(heap_.set(dict, key, value));
      PORTICO_TRY(c, next());
      if (c == '}') break;
      if (c != ',')
        return wrong("in object, got {}, want ',' or '}}'", quoted_char(text_.substr(at_)));
      ++at_;
      PORTICO_TRY(c, next());
      if (c == '}') return wrong("unexpected character '}}'");
    }
    ++at_;
    return dict;
  }

  Result<Value> number() {
    const std::size_t begin = at_;
    bool is_float = false;
    for (++at_; at_ < text_.size(); ++at_) {
      if (is_digit(text_[at_])) continue;
      if (std::string_view(".eE+-").find(text_[at_]) == std::string_view::npos) break;
      is_float = true;
    }
    const std::string number(text_.substr(begin, at_ - begin));
    const std::string_view digits = std::string_view(number).substr(number[0] == '-' ? 1 : 0);
    const bool zero_first = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
    if (digits.empty() || zero_first) return wrong("invalid number: {}", number);
    if (!is_float) {
      const auto value = heap_.integer(number);
      return value ? Result<Value>(*value) : wrong("invalid number: {}", number);
    }
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (*end != '\0' || std::isinf(value)) return wrong("invalid number: {}", number);
    return Value(value);
  }

  Result<std::string> string() {
    const std::size_t begin = at_;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return wrong("unclosed string literal");
    at_ = end + 1;
    if (!heap_.spend((end - begin) / 32)) return invalid("{}", heap_.exhausted());
    auto text = unquoted_json(text_.substr(begin + 1, end - begin - 1));
    if (!text) return wrong("{}", text.error().what);
    return text;
  }

  Heap& heap_;
  std::string_view text_;
  std::size_t at_ = 0;
};

Result<Value> encode(Call& call) {
  PORTICO_DO(call.bind_positional(1, 1));
  Encoder encoder(call.heap);
  if (auto done = encoder.encode(call[0]); !done) return call.fail("{}", done.error().what);
  return call.heap.string(encoder.text);
}

Result<Value> decode(Call& call) {
  PORTICO_DO(call.bind({"x", "default?"}));
  PORTICO_TRY(const auto text, call.text(0));
  if (call.args.empty()) return call.fail("unexpected keyword argument x");
  auto value = Decoder(call.heap, text).decode();
  if (value) return *value;
  if (call.has(1)) return call[1];
  return call.fail("{}", value.error().what);
}

/// The same JSON with one line per element.
std::string indented(std::string_view json, std::string_view prefix, std::string_view indent) {
  std::string text;
  int depth = 0;
  const auto new_line = [&] {
    text += '\n';
    text += prefix;
    for (int i = 0; i < depth; ++i) text += indent;
  };
  bool opened = false;  // nothing follows the bracket yet
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (std::string_view(" \t\n\r").find(c) != std::string_view::npos) continue;
    const bool closes = c == ']' || c == '}';
    if (closes) --depth;
    if (opened != closes) {
      if (opened || closes) new_line();
    }
    opened = false;
    if (c == '"') {
      const std::size_t begin = i++;
      while (json[i] != '"') i += json[i] == '\\' ? 2 : 1;
      text += json.substr(begin, i - begin + 1);
      continue;
    }
    text += c;
    if (c == ',') new_line();
    if (c == ':') text += ' ';
    if (c == '[' || c == '{') {
      ++depth;
      opened = true;
    }
  }
  return text;
}

Result<Value> indent(Call& call) {
  Call names(call.heap, call.name, {}, call.named);
  PORTICO_DO(names.bind({"prefix?", "indent?"}));
  PORTICO_TRY(const auto prefix, names.text(0));
  PORTICO_TRY(const auto step, names.text(1, "\t"));
  Call positional(call.heap, call.name, call.args, {});
  PORTICO_DO(positional.bind_positional(1, 1));
  PORTICO_TRY(const auto json, positional.text(0));
  if (auto valid = Decoder(call.heap, json).decode(); !valid)
    return call.fail("{}", valid.error().what);
  // Every element may get its own line with full indentation.
  const std::size_t most = json.size() * (1 + prefix.size() + step.size() * kMostDepth);
  if (most > (std::size_t{1} << 30)) return call.fail("indentation too long");
  return call.heap.string(indented(json, prefix, step));
}

}  // namespace

Value json_module(Heap& heap) {
  return heap.module("json", {{"encode", heap.builtin("json.encode", encode)},
                              {"decode", heap.builtin("json.decode", decode)},
                              {"indent", heap.builtin("json.indent", indent)}});
}

}  // namespace portico::starlark_lib
