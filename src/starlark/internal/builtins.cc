// The built-in functions.
#include <algorithm>
#include <cmath>

#include "starlark/internal/arguments.h"
#include "starlark/internal/containers.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/machine.h"
#include "starlark/internal/methods.h"
#include "starlark/internal/operators.h"
#include "starlark/internal/print.h"
#include "starlark_syntax/number.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark::internal {

namespace {

/// Unwraps a Result of the host interface; an error becomes a fault.
template <class T>
T take(const Call& call, Result<T> result) {
  if (!call.heap.exhausted().empty()) exhausted(call.heap);
  if (!result) fault("{}", result.error().text());
  return *std::move(result);
}

Value only_argument(const Call& call, std::string_view exactly = "") {
  check_no_names(call);
  if (call.args.size() != 1) fail(call, "got {} arguments, want {}1", call.args.size(), exactly);
  return call.args[0];
}

Value abs(Machine& machine, Call& call, Value /*receiver*/) {
  const Value x = Arguments(call, 1, 1)[0];
  if (x.is(Type::kFloat)) return Value(std::fabs(x.as_float()));
  if (!is_int(x)) fault("got {}, want int or float", x.type_name());
  return big_int(x).is_negative() ? unary(machine.heap(), UnaryOp::kMinus, x) : x;
}

/// Whether some element has the truth value `wanted`.
bool has_element(Machine& machine, Call& call, bool wanted) {
  bool found = false;
  auto iterator = Iterator::over(Arguments(call, 1, 1).iterable(0));
  for (Value element; !found && iterator->next(machine.heap(), element);)
    found = element.truth() == wanted;
  return found;
}

Value all(Machine& machine, Call& call, Value /*receiver*/) {
  return Value(!has_element(machine, call, false));
}

Value any(Machine& machine, Call& call, Value /*receiver*/) {
  return Value(has_element(machine, call, true));
}

Value bool_(Machine& /*machine*/, Call& call, Value /*receiver*/) {
  return Value(Arguments(call, 0, 1)[0].truth());
}

Value bytes(Machine& machine, Call& call, Value /*receiver*/) {
  const Value x = only_argument(call, "exactly ");
  if (x.is(Type::kBytes)) return x;
  if (x.is(Type::kString)) return machine.heap().bytes(valid_utf8(x.text()));
  std::string text;
  const bool iterated = for_each(machine.heap(), x, [&](Value element) {
    if (!is_int(element))
      fail(call, "at index {}, got {}, want int", text.size(), element.type_name());
    const auto byte = element.as_int();
    if (!byte || *byte < 0 || *byte > 255)
      fail(call, "at index {}, {} out of range (want value in unsigned 8-bit range)", text.size(),
           element.repr());
    text += static_cast<char>(*byte);
  });
  if (!iterated) fail(call, "got {}, want string, bytes, or iterable of ints", x.type_name());
  return machine.heap().bytes(text);
}

Value chr(Machine& machine, Call& call, Value /*receiver*/) {
  const Value x = only_argument(call);
  const std::int64_t code = as_int32(x, "chr: ");
  if (code < 0) fail(call, "Unicode code point {} out of range (<0)", code);
  if (code > kLastCodePoint) fail(call, "Unicode code point U+{:X} out of range (>0x10FFFF)", code);
  std::string text;
  append(text, static_cast<CodePoint>(code));
  return machine.heap().string(text);
}

Value dict(Machine& machine, Call& call, Value /*receiver*/) {
  if (call.args.size() > 1) fail(call, "got {} arguments, want at most 1", call.args.size());
  const Value result = machine.heap().dict();
  update_dict(machine.heap(), call, *as_dict(result));
  return result;
}

Value dir(Machine& machine, Call& call, Value /*receiver*/) {
  std::vector<Value> names;
  for (const std::string_view name : attribute_names(only_argument(call)))
    names.push_back(machine.heap().string(name));
  return machine.heap().list(std::move(names));
}

Value enumerate(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 1, 2);
  std::vector<Value> pairs;
  const Value sequence = args.iterable(0);
  Value index(args.integer(1));
  for_each(machine.heap(), sequence, [&](Value element) {
    pairs.push_back(machine.heap().tuple({index, element}));
    index = binary(machine.heap(), BinaryOp::kAdd, index, Value(std::int64_t{1}));
  });
  return machine.heap().list(std::move(pairs));
}

/// The arguments of fail() and print(), joined.
std::string joined(Call& call, bool bytes_as_text) {
  Call names(call.heap, call.name, {}, call.named);
  take(call, names.bind({"sep?"}));
  const std::string_view separator = take(call, names.text(0, " "));
  std::string text;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Value arg = call.args[i];
    if (i > 0) text += separator;
    if (arg.is(Type::kString) || (bytes_as_text && arg.is(Type::kBytes)))
      text += arg.text();
    else
      write(text, arg);
    require(call.heap, text.size());
  }
  pay_bytes(call.heap, text.size());
  return text;
}

Value fail_(Machine& /*machine*/, Call& call, Value /*receiver*/) {
  throw EvalError{Failure::Kind::kFail, "fail: " + joined(call, false)};
}

Value print(Machine& machine, Call& call, Value /*receiver*/) {
  const std::string line = joined(call, true);
  // The host keeps printed text.
  Access::charge(machine.heap(), line.size());
  if (machine.environment().print) machine.environment().print(line);
  return Value();
}

double parse_float_argument(std::string_view text) {
  if (text.empty()) fault("float: empty string");
  std::string word = to_lower(text);
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.erase(0, 1);
  if (word == "inf" || word == "infinity") return negative ? -HUGE_VAL : HUGE_VAL;
  if (word == "nan") return NAN;
  const auto value = parse_float(text);
  if (!value) fault("invalid float literal: {}", text);
  if (std::isinf(*value)) fault("floating-point number too large");
  return *value;
}

Value float_(Machine& /*machine*/, Call& call, Value /*receiver*/) {
  check_no_names(call);
  if (call.args.empty()) return Value(0.0);
  if (call.args.size() > 1) fault("float got {} arguments, wants 1", call.args.size());
  const Value x = call.args[0];
  if (x.is(Type::kBool)) return Value(x.as_bool() ? 1.0 : 0.0);
  if (x.is(Type::kString)) return Value(parse_float_argument(x.text()));
  if (!to_float(x)) fault("float got {}, want number or string", x.type_name());
  return Value(finite_float(x));
}

Value getattr(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 2, 3);
  const std::string_view name = args.text(1);
  if (const auto found = machine.find_attribute(args[0], name)) return *found;
  if (args.has(2)) return args[2];
  if (args[0].is(Type::kStruct)) fail(call, "struct has no .{} attribute", name);
  fail(call, "{} has no .{} field or method", args[0].type_name(), name);
}

Value hasattr(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 2, 2);
  return Value(machine.find_attribute(args[0], args.text(1)).has_value());
}

Value hash(Machine& machine, Call& call, Value /*receiver*/) {
  const Value x = Arguments(call, 1, 1)[0];
  pay_bytes(machine.heap(), x.text().size());
  if (x.is(Type::kString)) {  // like Java, whose strings are UTF-16
    std::uint32_t hash = 0;
    for (std::string_view text = x.text(); !text.empty();) {
      const Decoded next = decode(text);
      text.remove_prefix(next.size);
      hash = 31 * hash + next.code;
    }
    return Value(std::int64_t{static_cast<std::int32_t>(hash)});
  }
  if (!x.is(Type::kBytes)) fail(call, "got {}, want string or bytes", x.type_name());
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : x.text()) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return Value(std::int64_t{hash});
}

std::optional<BigInt> parse_int(std::string_view text, int base) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() > 1 && text[0] == '0') {
    const char kind = static_cast<char>(text[1] | 0x20);
    const int prefix = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
    if (prefix != 0 && text.size() > 2) {
      if (base == 0 || base == prefix) {
        base = prefix;
        text.remove_prefix(2);
      }
    } else if (base == 0) {
      // No old-style octal numbers: a leading zero is only allowed in a run of zeros.
      if (text.find_first_not_of('0') != std::string_view::npos) return std::nullopt;
    }
  }
  if (base == 0) base = 10;
  check_digits(text.size(), base);
  const auto value = BigInt::parse(text, base);
  if (!value) return std::nullopt;
  return negative ? -*value : *value;
}

Value int_(Machine& machine, Call& call, Value /*receiver*/) {
  take(call, call.bind({"x", "base?"}));
  const Value x = call[0];
  if (x.is(Type::kString)) {
    std::int64_t base = 10;
    if (call.has(1)) {
      if (!is_int(call[1])) fail(call, "for base, got {}, want int", call[1].type_name());
      base = as_int32(call[1], "int: ");
      if (base != 0 && (base < 2 || base > 36)) fail(call, "base must be an integer >= 2 && <= 36");
    }
    pay(machine.heap(), x.text().size() * x.text().size() / 4096 + 1);
    const auto value = parse_int(x.text(), static_cast<int>(base));
    if (!value) fail(call, "invalid literal with base {}: {}", base, x.text());
    return make_int(machine.heap(), *value);
  }
  if (call.has(1)) fail(call, "can't convert non-string with explicit base");
  if (x.is(Type::kBool)) return Value(std::int64_t{x.as_bool() ? 1 : 0});
  return number_to_int(machine.heap(), x, "int: ");
}

Value len(Machine& /*machine*/, Call& call, Value /*receiver*/) {
  const Value x = Arguments(call, 1, 1)[0];
  const auto size = length(x);
  if (!size) fail(call, "value of type {} has no len", x.type_name());
  return Value(*size);
}

Value list(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 0, 1);
  if (!args.has(0)) return machine.heap().list();
  return machine.heap().list(elements(machine.heap(), args.iterable(0)));
}

Value tuple(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 0, 1);
  if (!args.has(0)) return machine.heap().tuple();
  return machine.heap().tuple(elements(machine.heap(), args.iterable(0)));
}

Value set(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 0, 1);
  const Value items = args.has(0) ? args.iterable(0) : machine.heap().tuple();
  return named_fault(call, [&] { return make_set(machine.heap(), items); });
}

/// nullopt if the call has no key function; faults if it is not callable.
std::optional<Value> key_function(const Call& call, std::size_t parameter) {
  if (!call.has(parameter)) return std::nullopt;
  const Value key = call[parameter];
  if (key.is_callable()) return key;
  const bool by_position = parameter < call.args.size();
  fail(call, "for parameter {}: got {}, want callable", by_position ? "key" : "\"key\"",
       key.type_name());
}

Value extreme(Machine& machine, Call& call, BinaryOp better) {
  if (call.args.empty()) fault("{} requires at least one positional argument", call.name);
  Call key_call(call.heap, call.name, {}, call.named);
  take(call, key_call.bind({"key?"}));
  const auto key_of = key_function(key_call, 0);
  std::vector<Value> items(call.args.begin(), call.args.end());
  if (items.size() == 1) {
    const Value sequence = items[0];
    if (!Iterator::over(sequence)) fail(call, "{} value is not iterable", sequence.type_name());
    items = elements(machine.heap(), sequence);
  }
  if (items.empty()) fail(call, "argument is an empty sequence");
  std::optional<Value> best_key;
  Value best;
  for (const Value item : items) {
    const Value key = key_of ? machine.call(*key_of, {&item, 1}) : item;
    const bool is_better = !best_key || named_fault(call, [&] {
      return compare(machine.heap(), better, key, *best_key);
    });
    if (!is_better) continue;
    best_key = key;
    best = item;
  }
  return best;
}

Value max(Machine& machine, Call& call, Value /*receiver*/) {
  return extreme(machine, call, BinaryOp::kGreater);
}

Value min(Machine& machine, Call& call, Value /*receiver*/) {
  return extreme(machine, call, BinaryOp::kLess);
}

Value ord(Machine& /*machine*/, Call& call, Value /*receiver*/) {
  const Value x = only_argument(call);
  if (x.is(Type::kString)) {
    const Decoded first = decode(x.text());
    if (first.size == 0 || first.size != x.text().size())
      fail(call, "string encodes {} Unicode code points, want 1", count_code_points(x.text()));
    return Value(std::int64_t{first.code});
  }
  if (!x.is(Type::kBytes)) fail(call, "got {}, want string or bytes", x.type_name());
  if (x.text().size() != 1) fail(call, "bytes has length {}, want 1", x.text().size());
  return Value(std::int64_t{static_cast<unsigned char>(x.text()[0])});
}

Value range(Machine& machine, Call& call, Value /*receiver*/) {
  const Arguments args(call, 1, 3);
  const std::int64_t first = args.integer(0);
  const std::int64_t second = args.integer(1);
  const std::int64_t step = args.integer(2, 1);
  if (step == 0) fail(call, "step argument must not be zero");
  return args.has(1) ? make_range(machine.heap(), first, second, step)
                     : make_range(machine.heap(), 0, first, step);
}

Value repr(Machine& machine, Call& call, Value /*receiver*/) {
  const std::string text = Arguments(call, 1, 1)[0].repr();
  pay_bytes(machine.heap(), text.size());
  return machine.heap().string(text);
}

Value str(Machine& machine, Call& call, Value /*receiver*/) {
  const Value x = only_argument(call, "exactly ");
  if (x.is(Type::kString)) return x;
  const std::string text = x.str();
  pay_bytes(machine.heap(), text.size());
  return machine.heap().string(text);
}

Value type(Machine& machine, Call& call, Value /*receiver*/) {
  return machine.heap().string(only_argument(call, "exactly ").type_name());
}

Value reversed(Machine& machine, Call& call, Value /*receiver*/) {
  std::vector<Value> items = elements(machine.heap(), Arguments(call, 1, 1).iterable(0));
  std::reverse(items.begin(), items.end());
  return machine.heap().list(std::move(items));
}

Value sorted(Machine& machine, Call& call, Value /*receiver*/) {
  take(call, call.bind({"iterable", "key?", "reverse?"}));
  std::vector<Value> items = take(call, call.elements(0));
  const auto key_of = key_function(call, 1);
  const bool reverse = take(call, call.boolean(2));
  struct Keyed {
    Value key, item;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(items.size());
  for (const Value item : items)
    keyed.push_back({key_of ? machine.call(*key_of, {&item, 1}) : item, item});
  // A comparison that is not an order (of sets, of nan) is safe with std::stable_sort: it merges
  // ranges and does not rely on transitivity.
  std::stable_sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    return reverse ? compare(machine.heap(), BinaryOp::kLess, b.key, a.key)
                   : compare(machine.heap(), BinaryOp::kLess, a.key, b.key);
  });
  for (std::size_t i = 0; i < keyed.size(); ++i) items[i] = keyed[i].item;
  return machine.heap().list(std::move(items));
}

Value zip(Machine& machine, Call& call, Value /*receiver*/) {
  check_no_names(call);
  std::vector<Iterator> iterators;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    auto iterator = Iterator::over(call.args[i]);
    if (!iterator) fail(call, "argument #{} is not iterable: {}", i + 1, call.args[i].type_name());
    iterators.push_back(*std::move(iterator));
  }
  std::vector<Value> rows;
  for (bool more = !iterators.empty(); more;) {
    std::vector<Value> row;
    for (Iterator& iterator : iterators) {
      Value element;
      more = more && iterator.next(machine.heap(), element);
      row.push_back(element);
    }
    if (more) rows.push_back(machine.heap().tuple(std::move(row)));
  }
  return machine.heap().list(std::move(rows));
}

constexpr NamedFunction kFunctions[] = {
    {"abs", abs},         {"all", all},       {"any", any},
    {"bool", bool_},      {"bytes", bytes},   {"chr", chr},
    {"dict", dict},       {"dir", dir},       {"enumerate", enumerate},
    {"fail", fail_},      {"float", float_},  {"getattr", getattr},
    {"hasattr", hasattr}, {"hash", hash},     {"int", int_},
    {"len", len},         {"list", list},     {"max", max},
    {"min", min},         {"ord", ord},       {"print", print},
    {"range", range},     {"repr", repr},     {"reversed", reversed},
    {"set", set},         {"sorted", sorted}, {"str", str},
    {"tuple", tuple},     {"type", type},     {"zip", zip}};

}  // namespace

std::span<const NamedFunction> built_in_functions() { return kFunctions; }

std::span<const NamedFunction> methods_of(Value value) {
  switch (value.type()) {
    case Type::kString:
      return string_methods();
    case Type::kBytes:
      return bytes_methods();
    case Type::kList:
      return list_methods();
    case Type::kDict:
      return dict_methods();
    case Type::kSet:
      return set_methods();
    default:
      return {};
  }
}

std::vector<std::string_view> attribute_names(Value value) {
  std::vector<std::string_view> names;
  if (const RecordObject* record = as_record(value))
    for (const auto& field : record->fields) names.push_back(field.first);
  for (const NamedFunction& method : methods_of(value)) names.push_back(method.name);
  return names;
}

}  // namespace portico::starlark::internal
