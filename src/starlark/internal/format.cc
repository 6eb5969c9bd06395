#include "starlark/internal/format.h"

#include <optional>

#include "starlark/internal/eval_error.h"
#include "starlark/internal/operators.h"
#include "starlark/internal/print.h"
#include "starlark_syntax/number.h"
#include "starlark_syntax/quoting.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark::internal {

namespace {

void append_shown(Heap& heap, std::string& text, Value value, bool as_repr) {
  const std::size_t before = text.size();
  if (value.is(Type::kString) && !as_repr)
    text += value.text();
  else
    write(text, value);
  pay_bytes(heap, text.size() - before);
  require(heap, text.size());
}

void append_character(std::string& text, Value value) {
  if (is_int(value)) {
    const auto code = value.as_int();
    if (!code || *code < 0 || *code > kLastCodePoint)
      fault("%c format requires a valid Unicode code point, got {}", value.repr());
    append(text, static_cast<CodePoint>(*code));
  } else if (value.is(Type::kString)) {
    const Decoded first = decode(value.text());
    if (first.size == 0 || first.size != value.text().size())
      fault("%c format requires a single-character string");
    append(text, first.code);
  } else {
    fault("%c format requires int or single-character string, not {}", value.type_name());
  }
}

void append_int(Heap& heap, std::string& text, char conversion, Value value) {
  const BigInt number =
      big_int(number_to_int(heap, value, fmt::format("%{} format requires integer: ", conversion)));
  const int base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  pay(heap, number.bits() * number.bits() / 65536 + 1);
  const std::string digits = number.text(base);
  text += conversion == 'X' ? to_upper(digits) : digits;
}

void convert(Heap& heap, std::string& text, std::string_view conversion, Value value) {
  switch (conversion[0]) {
    case 's':
    case 'r':
      return append_shown(heap, text, value, conversion[0] == 'r');
    case 'd':
    case 'i':
    case 'o':
    case 'x':
    case 'X':
      return append_int(heap, text, conversion[0], value);
    case 'e':
    case 'f':
    case 'g':
    case 'E':
    case 'F':
    case 'G':
      if (!to_float(value))
        fault("%{} format requires float, not {}", conversion[0], value.type_name());
      text += format_float(*to_float(value), conversion[0]);
      return;
    case 'c':
      return append_character(text, value);
    case '%':
      text += '%';
      return;
    default:
      fault("unknown conversion %{}", conversion.substr(0, decode(conversion).size));
  }
}

/// Parses decimal digits; nullopt for anything else.
std::optional<std::size_t> position(std::string_view name) {
  std::size_t value = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::size_t>(c - '0');
    if (value > 1'000'000) return value;  // out of range whatever follows
  }
  return value;
}

class Fields {
 public:
  Fields(std::span<const Value> args, std::span<const Call::Named> named)
      : args_(args), named_(named) {}

  Value find(std::string_view name) {
    if (name.empty()) {
      if (manual_)
        fault("format: cannot switch from manual field specification to automatic field numbering");
      automatic_ = true;
      return at(next_++);
    }
    if (const auto place = position(name)) {
      if (automatic_)
        fault("format: cannot switch from automatic field numbering to manual field specification");
      manual_ = true;
      return at(*place);
    }
    for (const auto& [key, value] : named_)
      if (key.text() == name) return value;
    if (name.find('.') != std::string_view::npos)
      fault("format: attribute syntax x.y is not supported in replacement fields: {}", name);
    if (name.find('[') != std::string_view::npos)
      fault("format: element syntax a[i] is not supported in replacement fields: {}", name);
    if (name.find('{') != std::string_view::npos)
      fault("format: nested replacement fields not supported");
    fault("format: keyword {} not found", name);
  }

 private:
  Value at(std::size_t place) const {
    if (place >= args_.size()) fault("format: tuple index out of range");
    return args_[place];
  }

  std::span<const Value> args_;
  std::span<const Call::Named> named_;
  std::size_t next_ = 0;
  bool automatic_ = false;
  bool manual_ = false;
};

void append_field(Heap& heap, std::string& text, std::string_view field, Fields& fields) {
  // name, name:spec, name!conversion, name!conversion:spec
  const std::size_t mark = field.find('!');
  std::string_view name = field.substr(0, mark);
  std::string_view conversion = "s";
  std::string_view spec;
  std::string_view& tail = mark == std::string_view::npos ? name : conversion;
  if (mark != std::string_view::npos) conversion = field.substr(mark + 1);
  if (const std::size_t colon = tail.find(':'); colon != std::string_view::npos) {
    spec = tail.substr(colon + 1);
    tail = tail.substr(0, colon);
  }
  const Value value = fields.find(name);
  if (!spec.empty()) fault("format spec features not supported in replacement fields: {}", spec);
  if (conversion != "s" && conversion != "r")
    fault("format: unknown conversion {}", quote(conversion));
  append_shown(heap, text, value, conversion == "r");
}

/// Appends the text between fields, where "}}" stands for "}".
void append_plain(std::string& text, std::string_view plain) {
  while (true) {
    const std::size_t brace = plain.find('}');
    text += plain.substr(0, brace);
    if (brace == std::string_view::npos) return;
    if (plain.substr(brace, 2) != "}}") fault("format: single '}}' in format");
    text += '}';
    plain.remove_prefix(brace + 2);
  }
}

}  // namespace

Value interpolate(Heap& heap, std::string_view format, Value argument) {
  const TupleObject* tuple = as_tuple(argument);
  const bool mapping = argument.is(Type::kDict);
  const std::size_t count = tuple != nullptr ? tuple->items.size() : 1;
  std::size_t used = 0;
  std::string text;
  while (true) {
    const std::size_t percent = format.find('%');
    text += format.substr(0, percent);
    pay_bytes(heap, text.size() / 64);
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent + 1);
    if (format.starts_with('%')) {
      text += '%';
      format.remove_prefix(1);
      continue;
    }
    Value value;
    if (format.starts_with('(')) {
      const std::size_t end = format.find(')');
      if (end == std::string_view::npos) fault("incomplete format key");
      const std::string_view key = format.substr(1, end - 1);
      if (!mapping) fault("format requires a mapping");
      const Value* found = as_dict(argument)->table.find(heap, heap.string(key));
      if (found == nullptr) fault("key not found: {}", key);
      value = *found;
      format.remove_prefix(end + 1);
    } else {
      if (used >= count) fault("not enough arguments for format string");
      value = tuple != nullptr ? tuple->items[used] : argument;
    }
    if (format.empty()) fault("incomplete format");
    convert(heap, text, format, value);
    format.remove_prefix(1);
    ++used;
  }
  if (used < count && !mapping) fault("too many arguments for format string");
  return heap.string(text);
}

Value format(Heap& heap, std::string_view format, std::span<const Value> args,
             std::span<const Call::Named> named) {
  Fields fields(args, named);
  std::string text;
  while (true) {
    const std::size_t brace = format.find('{');
    append_plain(text, format.substr(0, brace));
    if (brace == std::string_view::npos) return heap.string(text);
    format.remove_prefix(brace + 1);
    if (format.starts_with('{')) {
      text += '{';
      format.remove_prefix(1);
      continue;
    }
    const std::size_t end = format.find('}');
    if (end == std::string_view::npos) fault("format: unmatched '{{' in format");
    append_field(heap, text, format.substr(0, end), fields);
    format.remove_prefix(end + 1);
  }
}

}  // namespace portico::starlark::internal
