// Kubernetes quantities: "100m", "1.5Gi", "2e3".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cel/numbers.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using Wide = __int128;

const Type kQuantity = Type::opaque("kubernetes.Quantity");
constexpr Wide kNano = 1'000'000'000;
constexpr Wide kWidest = (static_cast<Wide>(std::numeric_limits<std::int64_t>::max()) << 63);

// value * base^power, saturated at the widest number.
Wide scaled(Wide value, int base, std::int64_t power) {
  for (; power > 0 && value != 0; --power) {
    if (value > kWidest / base || value < -kWidest / base) return value < 0 ? -kWidest : kWidest;
    value *= base;
  }
  return value;
}

// An amount in billionths (smaller fractions are rounded away from zero, as in Kubernetes), and
// whether Kubernetes would store it as a plain 64-bit number with a decimal exponent: only for
// those does it report whether they are whole.
struct Amount {
  Wide nanos = 0;
  bool plain = false;
  std::int64_t number = 0;    // if plain:
  std::int64_t exponent = 0;  // number * 10^exponent

  std::optional<std::int64_t> whole() const {
    if (!plain || exponent < 0) return std::nullopt;
    const Wide value = scaled(number, 10, exponent);
    if (value > std::numeric_limits<std::int64_t>::max() ||
        value < std::numeric_limits<std::int64_t>::min())
      return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
};

struct Suffix {
  int base = 10;
  std::int64_t power = 0;
};

std::optional<Suffix> read_suffix(std::string_view text) {
  constexpr std::pair<std::string_view, Suffix> kSuffixes[] = {
      {"n", {10, -9}}, {"u", {10, -6}}, {"m", {10, -3}}, {"", {10, 0}},
      {"k", {10, 3}},  {"M", {10, 6}},  {"G", {10, 9}},  {"T", {10, 12}},
      {"P", {10, 15}}, {"E", {10, 18}}, {"Ki", {2, 10}}, {"Mi", {2, 20}},
      {"Gi", {2, 30}}, {"Ti", {2, 40}}, {"Pi", {2, 50}}, {"Ei", {2, 60}}};
  for (const auto& [name, suffix] : kSuffixes)
    if (name == text) return suffix;
  if (text.size() > 1 && (text[0] == 'e' || text[0] == 'E'))
    if (const auto power = cel::read_int(text.substr(1)); power && std::abs(*power) < 1'000'000)
      return Suffix{10, *power};
  return std::nullopt;
}

struct Parts {
  bool negative = false;
  std::string_view whole;  // without leading zeros
  std::string_view fraction;
  std::string_view suffix;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  const std::string_view out = text.substr(0, size);
  text.remove_prefix(size);
  return out;
}

std::optional<Parts> split(std::string_view text) {
  Parts out;
  if (text.empty()) return std::nullopt;
  if (text[0] == '-' || text[0] == '+') {
    out.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::string_view whole = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.fraction = take_digits(text);
  }
  if (whole.empty() && out.fraction.empty()) return std::nullopt;
  out.whole = whole.substr(std::min(whole.find_first_not_of('0'), whole.size()));
  if (out.whole.empty()) out.whole = "0";
  out.suffix = text;
  while (!text.empty() && std::string_view("eEinumkKMGTP").find(text[0]) != std::string_view::npos)
    text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  take_digits(text);
  return text.empty() ? std::optional(out) : std::nullopt;
}

// Digits and their decimal exponent in billionths, rounded away from zero.
Wide in_nanos(Wide digits, int base, std::int64_t power, std::int64_t exponent) {
  if (base == 2) digits = scaled(digits, 2, power);
  exponent += 9;
  if (exponent >= 0) return scaled(digits, 10, exponent);
  bool rest = false;
  for (; exponent < 0 && digits != 0; ++exponent) {
    rest = rest || digits % 10 != 0;
    digits /= 10;
  }
  return digits + (rest ? 1 : 0);
}

Amount amount_of(const Parts& parts, Suffix suffix) {
  Amount out;
  Wide digits = 0;
  std::int64_t dropped = 0;
  for (const std::string_view part : {parts.whole, parts.fraction}) {
    for (const char c : part) {
      if (digits > kWidest / 100) {
        ++dropped;
      } else {
        digits = digits * 10 + (c - '0');
      }
    }
  }
  const auto places = static_cast<std::int64_t>(parts.fraction.size());
  const std::int64_t exponent = (suffix.base == 10 ? suffix.power : 0) - places + dropped;
  const bool binary = suffix.base == 2;
  // The number of digits that certainly fit; for binary suffixes, whole numbers only.
  const std::int64_t room =
      binary ? 15 - static_cast<std::int64_t>(parts.whole.size()) - suffix.power * 3 / 10 - 1
             : 18 - static_cast<std::int64_t>(parts.whole.size()) - places;
  out.plain = room >= 0 && exponent >= -9 && (!binary || places == 0);
  const Wide sign = parts.negative ? -1 : 1;
  if (out.plain) {
    out.number = static_cast<std::int64_t>(sign * (binary ? digits << suffix.power : digits));
    out.exponent = binary ? 0 : exponent;
  }
  out.nanos = sign * in_nanos(digits, suffix.base, suffix.power, exponent);
  // The largest amount that Kubernetes stores exactly.
  const Wide cap = static_cast<Wide>(std::numeric_limits<std::int64_t>::max()) * kNano;
  if (!out.plain) out.nanos = std::clamp(out.nanos, -cap, cap);
  return out;
}

Value parse(std::string_view text, Amount& out) {
  const std::optional<Parts> parts = split(text);
  if (!parts)
    return Value::error(
        "quantities must match the regular expression "
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  const std::optional<Suffix> suffix = read_suffix(parts->suffix);
  if (!suffix) return Value::error("unable to parse quantity's suffix");
  out = amount_of(*parts, *suffix);
  return Value();
}

// Formats billionths as a decimal: "1.5", "-0.000000001".
std::string decimal(Wide nanos) {
  std::string digits;
  for (Wide left = nanos < 0 ? -nanos : nanos; left != 0 || digits.size() < 10; left /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  std::string fraction = digits.substr(digits.size() - 9);
  fraction.resize(fraction.find_last_not_of('0') + 1);
  std::string out = nanos < 0 ? "-" : "";
  out += digits.substr(0, digits.size() - 9);
  return fraction.empty() ? out : out + "." + fraction;
}

class Quantity final : public cel::Opaque {
 public:
  explicit Quantity(Amount amount) : amount_(amount) {}
  const Amount& amount() const { return amount_; }
  std::string_view type_name() const override { return "kubernetes.Quantity"; }
  bool equals(const Opaque& other) const override {
    return amount_.nanos == static_cast<const Quantity&>(other).amount_.nanos;
  }
  std::string text() const override { return decimal(amount_.nanos); }

 private:
  Amount amount_;
};

const Amount& amount_of(const Value& value) {
  return static_cast<const Quantity&>(value.as_opaque()).amount();
}

Value hold(const Amount& amount) { return Value::opaque(cel::make_ref<Quantity>(amount)); }

Amount amount_of_int(std::int64_t number) {
  return {static_cast<Wide>(number) * kNano, true, number, 0};
}

Value sum(const Amount& a, const Amount& b, int sign) {
  Amount out;
  out.nanos = std::clamp(a.nanos + sign * b.nanos, -kWidest, kWidest);
  if (a.plain && b.plain) {
    out.exponent = std::min(a.exponent, b.exponent);
    const Wide number = scaled(a.number, 10, a.exponent - out.exponent) +
                        sign * scaled(b.number, 10, b.exponent - out.exponent);
    out.plain = number <= std::numeric_limits<std::int64_t>::max() &&
                number >= std::numeric_limits<std::int64_t>::min();
    if (out.plain) out.number = static_cast<std::int64_t>(number);
  }
  return hold(out);
}

int order(const Value& a, const Value& b) {
  const Wide x = amount_of(a).nanos;
  const Wide y = amount_of(b).nanos;
  return x < y ? -1 : (x > y ? 1 : 0);
}

double approximate(const Amount& amount) {
  if (amount.plain)
    return static_cast<double>(amount.number) *
           std::pow(10.0, static_cast<double>(amount.exponent));
  return static_cast<double>(amount.nanos) / 1e9;
}

void add_arithmetic(Declarations& to) {
  for (const int sign : {1, -1}) {
    const char* name = sign > 0 ? "add" : "sub";
    to.member(name, {kQuantity, kQuantity}, kQuantity, [sign](Args args, Budget&) {
      return sum(amount_of(args[0]), amount_of(args[1]), sign);
    });
    to.member(name, {kQuantity, kInt}, kQuantity, [sign](Args args, Budget&) {
      return sum(amount_of(args[0]), amount_of_int(args[1].as_int()), sign);
    });
  }
}

}  // namespace

Library kubernetes::quantity() {
  Declarations to;
  to.global("quantity", {kString}, kQuantity, [](Args args, Budget&) {
    Amount amount;
    Value error = parse(args[0].text(), amount);
    return error.is_error() ? error : hold(amount);
  });
  to.global("isQuantity", {kString}, kBool, [](Args args, Budget&) {
    Amount amount;
    return Value(!parse(args[0].text(), amount).is_error());
  });
  to.member("sign", {kQuantity}, kInt, [](Args args, Budget&) {
    const Wide nanos = amount_of(args[0]).nanos;
    return of_int(nanos < 0 ? -1 : (nanos > 0 ? 1 : 0));
  });
  to.member("isInteger", {kQuantity}, kBool,
            [](Args args, Budget&) { return Value(amount_of(args[0]).whole().has_value()); });
  to.member("asInteger", {kQuantity}, kInt, [](Args args, Budget&) {
    const auto whole = amount_of(args[0]).whole();
    return whole ? Value(*whole) : Value::error("cannot convert value to integer");
  });
  to.member("asApproximateFloat", {kQuantity}, kDouble,
            [](Args args, Budget&) { return Value(approximate(amount_of(args[0]))); });
  to.member("isLessThan", {kQuantity, kQuantity}, kBool,
            [](Args args, Budget&) { return Value(order(args[0], args[1]) < 0); });
  to.member("isGreaterThan", {kQuantity, kQuantity}, kBool,
            [](Args args, Budget&) { return Value(order(args[0], args[1]) > 0); });
  to.member("compareTo", {kQuantity, kQuantity}, kInt,
            [](Args args, Budget&) { return of_int(order(args[0], args[1])); });
  add_arithmetic(to);
  Library out;
  out.name = "k8s.quantity";
  out.functions = to.take();
  out.types = {{"kubernetes.Quantity", kQuantity}};
  return out;
}

}  // namespace portico::cel_lib
