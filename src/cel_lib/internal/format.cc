#include "cel_lib/internal/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cel/numbers.h"

namespace portico::cel_lib::internal {
namespace {

constexpr int kUsualPrecision = 6;
constexpr int kMostPrecision = 1000;

// One clause such as "%.3f" of a format string.
struct Clause {
  char verb = '\0';
  int precision = kUsualPrecision;
  std::size_t size = 0;  // in the format string, including '%'
  std::string error;
};

Clause read_clause(std::string_view text) {
  Clause out;
  std::size_t at = 1;
  const auto fail = [&out](std::string message) {
    out.error = "could not parse formatting clause: " + std::move(message);
    return out;
  };
  if (text[at] == '.') {
    const std::size_t from = ++at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at >= text.size())
      return fail("error while parsing precision: could not find end of precision specifier");
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + at, out.precision);
    if (error != std::errc() || end == text.data() + from)
      return fail(
          "error while parsing precision: error while converting precision to integer: invalid "
          "syntax");
    if (out.precision > kMostPrecision)
      return fail(fmt::format("error while parsing precision: precision {} exceeds the maximum {}",
                              out.precision, kMostPrecision));
  }
  out.verb = text[at];
  out.size = at + 1;
  if (std::string_view("sdfebxXo").find(out.verb) == std::string_view::npos)
    return fail(fmt::format("unrecognized formatting clause \"{}\"", out.verb));
  return out;
}

// The error for a verb whose argument has another type.
std::string_view complaint(Generation generation, char verb) {
  const bool first = generation == Generation::kFirst;
  switch (verb) {
    case 'd':
      return first ? "decimal clause can only be used on integers"
                   : "decimal clause can only be used on ints, uints, and doubles";
    case 'f':
      return first ? "fixed-point clause can only be used on doubles"
                   : "fixed-point clause can only be used on ints, uints, and doubles";
    case 'e':
      return first ? "scientific clause can only be used on doubles"
                   : "scientific clause can only be used on ints, uints, and doubles";
    case 'b':
      return first ? "only integers and bools can be formatted as binary"
                   : "only ints, uints, and bools can be formatted as binary";
    case 'o':
      return first ? "octal clause can only be used on integers"
                   : "octal clause can only be used on ints and uints";
    case 's':
      return "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
             "types, durations, and timestamps";
    default:
      return first ? "only integers, byte buffers, and strings can be formatted as hex"
                   : "only ints, uints, bytes, and strings can be formatted as hex";
  }
}

Value refused(Generation generation, char verb, std::string_view type) {
  return Value::error(fmt::format("{}, was given {}", complaint(generation, verb), type));
}

bool is_whole(const Value& value) { return value.is(Kind::kInt) || value.is(Kind::kUint); }

// An int or uint in another base, with its sign.
std::string in_base(const Value& value, int base) {
  std::array<char, 80> room{};
  const auto [end, error] =
      value.is(Kind::kInt)
          ? std::to_chars(room.data(), room.data() + room.size(), value.as_int(), base)
          : std::to_chars(room.data(), room.data() + room.size(), value.as_uint(), base);
  return error == std::errc() ? std::string(room.data(), end) : "";
}

std::string hex_of(const Value& value) {
  if (is_whole(value)) return in_base(value, 16);
  std::string out;
  for (const char c : value.text()) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 32);
  return text;
}

double as_real(const Value& value) {
  if (value.is(Kind::kInt)) return static_cast<double>(value.as_int());
  if (value.is(Kind::kUint)) return static_cast<double>(value.as_uint());
  return value.as_double();
}

class Formatter {
 public:
  Formatter(Generation generation, std::string locale)
      : generation_(generation), locale_(std::move(locale)) {}

  Value run(const Value& format, const Value& list, Budget& budget) const {
    const std::string_view text = format.text();
    const cel::List& args = list.as_list();
    std::string out;
    std::size_t used = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '%') {
        out += text[at++];
        continue;
      }
      if (at + 1 < text.size() && text[at + 1] == '%') {
        out += '%';
        at += 2;
        continue;
      }
      if (used >= args.size()) return Value::error(fmt::format("index {} out of range", used));
      if (at + 1 >= text.size()) return Value::error("unexpected end of string");
      const Clause clause = read_clause(text.substr(at));
      if (!clause.error.empty()) return Value::error(clause.error);
      if (!budget.spend_for(static_cast<std::size_t>(clause.precision))) return budget.exhausted();
      const Value piece = apply(clause, args.at(used++));
      if (piece.is_error())
        return Value::error("error during formatting: " + piece.error_message());
      if (!budget.spend_for(piece.text().size())) return budget.exhausted();
      out += piece.text();
      at += clause.size;
    }
    return Value::string(out);
  }

 private:
  Value apply(const Clause& clause, const Value& arg) const {
    const bool first = generation_ == Generation::kFirst;
    switch (clause.verb) {
      case 's':
        return format_string(generation_, arg);
      case 'd':
        if (is_whole(arg)) return Value::string(in_base(arg, 10));
        if (!first && arg.is(Kind::kDouble)) return format_string(generation_, arg);
        break;
      case 'f':
      case 'e':
        return real(clause, arg);
      case 'b':
        if (arg.is(Kind::kBool)) return Value::string(arg.as_bool() ? "1" : "0");
        if (is_whole(arg)) return Value::string(in_base(arg, 2));
        break;
      case 'o':
        if (is_whole(arg)) return Value::string(in_base(arg, 8));
        break;
      default:
        if (is_whole(arg) || arg.is(Kind::kString) || arg.is(Kind::kBytes))
          return Value::string(clause.verb == 'X' ? upper(hex_of(arg)) : hex_of(arg));
    }
    return refused(generation_, clause.verb, arg.type_name());
  }

  Value real(const Clause& clause, const Value& arg) const {
    const bool fixed = clause.verb == 'f';
    if (generation_ == Generation::kFirst) {
      std::optional<double> number;
      if (arg.is(Kind::kDouble)) number = arg.as_double();
      if (arg.is(Kind::kString) &&
          (arg.text() == "NaN" || arg.text() == "Infinity" || arg.text() == "-Infinity"))
        number = cel::read_double(arg.text());
      if (!number) return refused(generation_, clause.verb, arg.type_name());
      return Value::string(fixed ? format_fixed_local(*number, clause.precision, locale_)
                                 : format_scientific_local(*number, clause.precision, locale_));
    }
    if (!arg.is_number()) return refused(generation_, clause.verb, arg.type_name());
    const double number = as_real(arg);
    if (!std::isfinite(number)) return format_string(generation_, Value(number));
    return Value::string(fixed ? cel::double_fixed(number, clause.precision)
                               : cel::double_scientific(number, clause.precision));
  }

  Generation generation_;
  std::string locale_;
};

// Checks a format string against argument types.
class Checker {
 public:
  Checker(Generation generation, const Expr& call, cel::Report& report)
      : generation_(generation), call_(call), report_(report) {}

  void run() const {
    const std::string_view text = call_.target->value.text();
    const std::vector<Expr*>& args = call_.args[0]->args;
    std::size_t used = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '%') {
        ++at;
      } else if (at + 1 < text.size() && text[at + 1] == '%') {
        at += 2;
      } else {
        if (at + 1 >= text.size()) return report_.error(call_, "unexpected end of string");
        if (used >= args.size())
          return report_.error(call_, fmt::format("index {} out of range", used));
        const Clause clause = read_clause(text.substr(at));
        if (!clause.error.empty()) return report_.error(call_, clause.error);
        const Expr& arg = *args[used++];
        if (const Expr* bad = unsuitable(clause.verb, arg); bad != nullptr)
          return report_.error(
              *bad,
              "error during formatting: " +
                  refused(generation_, clause.verb, bad->type.runtime_name()).error_message());
        at += clause.size;
      }
    }
    if (args.size() > used)
      report_.error(
          call_, fmt::format("too many arguments supplied to string.format (expected {}, got {})",
                             used, args.size()));
  }

 private:
  // The expression that the verb cannot format, or nullptr.
  const Expr* unsuitable(char verb, const Expr& arg) const {
    if (verb != 's') return suits(verb, arg.type) ? nullptr : &arg;
    if (!suits('s', arg.type)) return &arg;
    if (arg.kind != ExprKind::kList && arg.kind != ExprKind::kMap) return nullptr;
    for (const Expr* part : arg.args)
      if (const Expr* bad = unsuitable('s', *part); bad != nullptr) return bad;
    return nullptr;
  }

  bool suits(char verb, const Type& type) const {
    const bool first = generation_ == Generation::kFirst;
    const auto is = [&type](std::initializer_list<TypeKind> kinds) {
      return std::find(kinds.begin(), kinds.end(), type.kind()) != kinds.end();
    };
    if (type.is_dyn()) return true;
    using K = TypeKind;
    switch (verb) {
      case 's':
        return is({K::kNull, K::kBool, K::kInt, K::kUint, K::kDouble, K::kString, K::kBytes,
                   K::kTimestamp, K::kDuration, K::kList, K::kMap, K::kType, K::kWrapper});
      case 'd':
        return is({K::kInt, K::kUint}) || (!first && is({K::kDouble}));
      case 'f':
      case 'e':
        return first ? is({K::kDouble, K::kString}) : is({K::kInt, K::kUint, K::kDouble});
      case 'b':
        return is({K::kInt, K::kUint, K::kBool});
      case 'o':
        return is({K::kInt, K::kUint});
      default:
        return is({K::kInt, K::kUint, K::kString, K::kBytes});
    }
  }

  Generation generation_;
  const Expr& call_;
  cel::Report& report_;
};

}  // namespace

void add_format(Declarations& to, Library& library, Generation generation,
                std::string_view locale) {
  const Formatter formatter(generation, std::string(locale));
  to.member(
      "format", {kString, Type::list(Type())}, kString,
      [formatter](Args args, Budget& budget) { return formatter.run(args[0], args[1], budget); });
  library.mixed_literals.insert("format");
  library.validators.emplace("format", [generation](const Expr& call, cel::Report& report) {
    const bool written = call.target != nullptr && call.target->kind == ExprKind::kLiteral &&
                         call.target->value.is(Kind::kString) && call.args.size() == 1 &&
                         call.args[0]->kind == ExprKind::kList;
    if (written) Checker(generation, call, report).run();
  });
}

}  // namespace portico::cel_lib::internal
