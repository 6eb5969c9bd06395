// The methods of strings and bytes.
#include <algorithm>

#include "starlark/internal/arguments.h"
#include "starlark/internal/containers.h"
#include "starlark/internal/format.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/machine.h"
#include "starlark/internal/methods.h"
#include "starlark/internal/operators.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark::internal {

namespace {

/// The receiver's text, after charging for its length.
std::string_view text_of(Machine& machine, Value receiver) {
  pay_bytes(machine.heap(), receiver.text().size());
  return receiver.text();
}

Value view_of(Machine& machine, const Call& call, Value receiver, ViewKind kind) {
  const Arguments args(call, 0, 0);
  return Access::value(Access::make<ViewObject>(machine.heap(), kind, receiver));
}

Value elems(Machine& machine, Call& call, Value receiver) {
  return view_of(machine, call, receiver,
                 receiver.is(Type::kBytes) ? ViewKind::kBytes : ViewKind::kElems);
}
Value elem_ords(Machine& machine, Call& call, Value receiver) {
  return view_of(machine, call, receiver, ViewKind::kElemOrds);
}
Value codepoints(Machine& machine, Call& call, Value receiver) {
  return view_of(machine, call, receiver, ViewKind::kCodePoints);
}
Value codepoint_ords(Machine& machine, Call& call, Value receiver) {
  return view_of(machine, call, receiver, ViewKind::kCodePointOrds);
}

/// Maps each code point of the text with `mapping(code, index)`.
template <class Mapping>
Value mapped(Machine& machine, const Call& call, Value receiver, Mapping mapping) {
  const Arguments args(call, 0, 0);
  std::string result;
  for (std::string_view text = text_of(machine, receiver); !text.empty();) {
    const Decoded next = decode(text);
    text.remove_prefix(next.size);
    append(result, mapping(next.code));
  }
  return machine.heap().string(result);
}

Value capitalize(Machine& machine, Call& call, Value receiver) {
  bool first = true;
  return mapped(machine, call, receiver, [&first](CodePoint code) {
    return std::exchange(first, false) ? to_title(code) : to_lower(code);
  });
}

Value lower(Machine& machine, Call& call, Value receiver) {
  return mapped(machine, call, receiver, [](CodePoint code) { return to_lower(code); });
}

Value upper(Machine& machine, Call& call, Value receiver) {
  return mapped(machine, call, receiver, [](CodePoint code) { return to_upper(code); });
}

Value title(Machine& machine, Call& call, Value receiver) {
  bool inside = false;  // inside a word
  return mapped(machine, call, receiver, [&inside](CodePoint code) {
    const CodePoint result = inside ? to_lower(code) : to_title(code);
    inside = is_cased(result);
    return result;
  });
}

/// Whether the text is non-empty and `holds` is true for each of its code points.
template <class Holds>
Value every(Machine& machine, const Call& call, Value receiver, Holds holds) {
  const Arguments args(call, 0, 0);
  std::string_view text = text_of(machine, receiver);
  bool all = !text.empty();
  while (all && !text.empty()) {
    const Decoded next = decode(text);
    text.remove_prefix(next.size);
    all = holds(next.code);
  }
  return Value(all);
}

Value isalnum(Machine& machine, Call& call, Value receiver) {
  return every(machine, call, receiver,
               [](CodePoint code) { return is_letter(code) || is_digit(code); });
}
Value isalpha(Machine& machine, Call& call, Value receiver) {
  return every(machine, call, receiver, is_letter);
}
Value isdigit(Machine& machine, Call& call, Value receiver) {
  return every(machine, call, receiver, is_digit);
}
Value isspace(Machine& machine, Call& call, Value receiver) {
  return every(machine, call, receiver, is_space);
}

/// Whether the text has cased letters, all of them in the case that `mapping` maps to.
Value in_case(Machine& machine, const Call& call, Value receiver, CodePoint (*mapping)(CodePoint)) {
  bool cased = false;
  const Value unchanged = every(machine, call, receiver, [&](CodePoint code) {
    cased = cased || is_cased(code);
    return mapping(code) == code;
  });
  return Value(cased && unchanged.as_bool());
}

Value islower(Machine& machine, Call& call, Value receiver) {
  return in_case(machine, call, receiver, to_lower);
}
Value isupper(Machine& machine, Call& call, Value receiver) {
  return in_case(machine, call, receiver, to_upper);
}

Value istitle(Machine& machine, Call& call, Value receiver) {
  bool inside = false;  // inside a word
  bool cased = false;
  const Value fits = every(machine, call, receiver, [&](CodePoint code) {
    const bool big = (code >= 'A' && code <= 'Z') || is_title(code);
    const bool small = is_lower(code);
    if (!big && !small) {
      inside = false;
      return !is_upper(code);
    }
    if (big == inside) return false;
    inside = cased = true;
    return true;
  });
  return Value(cased && fits.as_bool());
}

/// The part of the receiver between two optional indices, and its start.
struct Part {
  std::string_view text;
  std::int64_t start;
};

Part part_of(Machine& machine, const Call& call, Value receiver, Value start, Value end) {
  const std::string_view text = text_of(machine, receiver);
  const Bounds part =
      named_fault(call, [&] { return bounds(start, end, static_cast<std::int64_t>(text.size())); });
  if (part.end <= part.start) return {{}, part.start};
  return {text.substr(static_cast<std::size_t>(part.start),
                      static_cast<std::size_t>(part.end - part.start)),
          part.start};
}

Value count(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 3);
  const std::string_view wanted = args.text(0);
  const std::string_view text = part_of(machine, call, receiver, args[1], args[2]).text;
  if (wanted.empty()) return Value(static_cast<std::int64_t>(count_code_points(text)) + 1);
  std::int64_t found = 0;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos; ++found)
    at = text.find(wanted, at + wanted.size());
  return Value(found);
}

/// The index of the first or last match; -1 if there is none.
std::int64_t place_of(Machine& machine, const Call& call, Value receiver, bool last) {
  const Arguments args(call, 1, 3);
  const std::string_view wanted = args.text(0);
  const Part part = part_of(machine, call, receiver, args[1], args[2]);
  const std::size_t at = last ? part.text.rfind(wanted) : part.text.find(wanted);
  return at == std::string_view::npos ? -1 : static_cast<std::int64_t>(at) + part.start;
}

Value found_or_fault(const Call& call, std::int64_t place) {
  if (place < 0) fail(call, "substring not found");
  return Value(place);
}

Value find(Machine& machine, Call& call, Value receiver) {
  return Value(place_of(machine, call, receiver, false));
}
Value rfind(Machine& machine, Call& call, Value receiver) {
  return Value(place_of(machine, call, receiver, true));
}
Value index(Machine& machine, Call& call, Value receiver) {
  return found_or_fault(call, place_of(machine, call, receiver, false));
}
Value rindex(Machine& machine, Call& call, Value receiver) {
  return found_or_fault(call, place_of(machine, call, receiver, true));
}

/// Whether the receiver begins or ends with a text, or with one of a tuple of texts.
template <class Fits>
Value has_affix(Machine& machine, const Call& call, Value receiver, Fits fits) {
  const Arguments args(call, 1, 3);
  const std::string_view text = part_of(machine, call, receiver, args[1], args[2]).text;
  const Value wanted = args[0];
  if (wanted.is(Type::kString)) return Value(fits(text, wanted.text()));
  if (!wanted.is(Type::kTuple))
    fail(call, "got {}, want string or tuple of string", wanted.type_name());
  std::size_t place = 0;
  for (const Value one : wanted.items()) {
    if (!one.is(Type::kString))
      fail(call, "want string, got {}, for element {}", one.type_name(), place);
    if (fits(text, one.text())) return Value(true);
    ++place;
  }
  return Value(false);
}

Value startswith(Machine& machine, Call& call, Value receiver) {
  return has_affix(machine, call, receiver, [](std::string_view text, std::string_view affix) {
    return text.starts_with(affix);
  });
}

Value endswith(Machine& machine, Call& call, Value receiver) {
  return has_affix(machine, call, receiver, [](std::string_view text, std::string_view affix) {
    return text.ends_with(affix);
  });
}

Value format_(Machine& machine, Call& call, Value receiver) {
  return format(machine.heap(), text_of(machine, receiver), call.args, call.named);
}

Value join(Machine& machine, Call& call, Value receiver) {
  const Value parts = Arguments(call, 1, 1).iterable(0);
  const std::string_view separator = receiver.text();
  std::string text;
  bool first = true;
  for_each(machine.heap(), parts, [&](Value part) {
    if (!part.is(Type::kString)) fail(call, "in list, want string, got {}", part.type_name());
    if (!std::exchange(first, false)) text += separator;
    text += part.text();
    pay_bytes(machine.heap(), part.text().size() + separator.size());
    require(machine.heap(), text.size());
  });
  return machine.heap().string(text);
}

Value cut(Machine& machine, Call& call, Value receiver, bool last) {
  const std::string_view separator = Arguments(call, 1, 1).text(0);
  if (separator.empty()) fail(call, "empty separator");
  const std::string_view text = text_of(machine, receiver);
  const std::size_t at = last ? text.rfind(separator) : text.find(separator);
  Heap& heap = machine.heap();
  if (at != std::string_view::npos)
    return heap.tuple({heap.string(text.substr(0, at)), heap.string(separator),
                       heap.string(text.substr(at + separator.size()))});
  const Value nothing = heap.string("");
  return last ? heap.tuple({nothing, nothing, receiver}) : heap.tuple({receiver, nothing, nothing});
}

Value partition(Machine& machine, Call& call, Value receiver) {
  return cut(machine, call, receiver, false);
}
Value rpartition(Machine& machine, Call& call, Value receiver) {
  return cut(machine, call, receiver, true);
}

Value removeprefix(Machine& machine, Call& call, Value receiver) {
  const std::string_view prefix = Arguments(call, 1, 1).text(0);
  const std::string_view text = text_of(machine, receiver);
  return machine.heap().string(text.substr(text.starts_with(prefix) ? prefix.size() : 0));
}

Value removesuffix(Machine& machine, Call& call, Value receiver) {
  const std::string_view suffix = Arguments(call, 1, 1).text(0);
  const std::string_view text = text_of(machine, receiver);
  return machine.heap().string(
      text.substr(0, text.size() - (text.ends_with(suffix) ? suffix.size() : 0)));
}

Value replace(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 2, 3);
  const std::string_view from = args.text(0);
  const std::string_view to = args.text(1);
  std::int64_t left = args.integer(2, -1);
  std::string_view text = text_of(machine, receiver);
  std::string result;
  // There is an empty text between any two code points.
  for (bool first = true; left != 0; --left, first = false) {
    std::size_t at = text.find(from);
    if (from.empty() && !first) at = text.empty() ? std::string_view::npos : decode(text).size;
    if (at == std::string_view::npos) break;
    result += text.substr(0, at);
    result += to;
    text.remove_prefix(at + from.size());
    pay_bytes(machine.heap(), at + to.size());
    require(machine.heap(), result.size());
  }
  result += text;
  return machine.heap().string(result);
}

/// Words separated by white space; at most `most` splits unless negative, counted from the end if
/// `last`. The remainder keeps its white space at the far end.
std::vector<std::string_view> words(std::string_view text, std::int64_t most, bool last) {
  const auto next = [&] { return last ? decode_last(text) : decode(text); };
  const auto drop = [&](std::size_t size) {
    if (last)
      text.remove_suffix(size);
    else
      text.remove_prefix(size);
  };
  std::vector<std::string_view> result;
  while (true) {
    while (!text.empty() && is_space(next().code)) drop(next().size);
    if (text.empty()) break;
    if (most >= 0 && static_cast<std::int64_t>(result.size()) == most) {
      result.push_back(text);
      break;
    }
    const std::string_view rest = text;
    while (!text.empty() && !is_space(next().code)) drop(next().size);
    const std::size_t size = rest.size() - text.size();
    result.push_back(last ? rest.substr(text.size()) : rest.substr(0, size));
  }
  if (last) std::reverse(result.begin(), result.end());
  return result;
}

std::vector<std::string_view> parts(std::string_view text, std::string_view separator,
                                    std::int64_t most, bool last) {
  std::vector<std::string_view> result;
  while (most < 0 || static_cast<std::int64_t>(result.size()) < most) {
    const std::size_t at = last ? text.rfind(separator) : text.find(separator);
    if (at == std::string_view::npos) break;
    const std::size_t behind = at + separator.size();
    result.push_back(last ? text.substr(behind) : text.substr(0, at));
    text = last ? text.substr(0, at) : text.substr(behind);
  }
  result.push_back(text);
  if (last) std::reverse(result.begin(), result.end());
  return result;
}

Value split_text(Machine& machine, Call& call, Value receiver, bool last) {
  const Arguments args(call, 0, 2);
  const Value separator = args[0];
  const std::int64_t most = args.integer(1, -1);
  const std::string_view text = text_of(machine, receiver);
  if (!separator.is_none() && !separator.is(Type::kString))
    fault("split: got {} for separator, want string", separator.type_name());
  if (!separator.is_none() && separator.text().empty()) fault("split: empty separator");
  const auto pieces =
      separator.is_none() ? words(text, most, last) : parts(text, separator.text(), most, last);
  std::vector<Value> items;
  for (const std::string_view piece : pieces) items.push_back(machine.heap().string(piece));
  return machine.heap().list(std::move(items));
}

Value split(Machine& machine, Call& call, Value receiver) {
  return split_text(machine, call, receiver, false);
}
Value rsplit(Machine& machine, Call& call, Value receiver) {
  return split_text(machine, call, receiver, true);
}

Value splitlines(Machine& machine, Call& call, Value receiver) {
  const bool keep_ends = Arguments(call, 0, 1).boolean(0);
  std::vector<Value> lines;
  for (std::string_view text = text_of(machine, receiver); !text.empty();) {
    const std::size_t end = text.find('\n');
    const bool ended = end != std::string_view::npos;
    lines.push_back(machine.heap().string(text.substr(0, ended && keep_ends ? end + 1 : end)));
    text = ended ? text.substr(end + 1) : std::string_view();
  }
  return machine.heap().list(std::move(lines));
}

Value stripped(Machine& machine, const Call& call, Value receiver, bool front, bool back) {
  const std::string_view set = Arguments(call, 0, 1).text(0);
  std::string_view text = text_of(machine, receiver);
  const auto is_in_set = [set](CodePoint code) {
    if (set.empty()) return is_space(code);
    std::string wanted;
    append(wanted, code);
    return set.find(wanted) != std::string_view::npos;
  };
  while (front && !text.empty() && is_in_set(decode(text).code))
    text.remove_prefix(decode(text).size);
  while (back && !text.empty() && is_in_set(decode_last(text).code))
    text.remove_suffix(decode_last(text).size);
  return machine.heap().string(text);
}

Value strip(Machine& machine, Call& call, Value receiver) {
  return stripped(machine, call, receiver, true, true);
}
Value lstrip(Machine& machine, Call& call, Value receiver) {
  return stripped(machine, call, receiver, true, false);
}
Value rstrip(Machine& machine, Call& call, Value receiver) {
  return stripped(machine, call, receiver, false, true);
}

constexpr NamedFunction kStringMethods[] = {{"capitalize", capitalize},
                                            {"codepoint_ords", codepoint_ords},
                                            {"codepoints", codepoints},
                                            {"count", count},
                                            {"elem_ords", elem_ords},
                                            {"elems", elems},
                                            {"endswith", endswith},
                                            {"find", find},
                                            {"format", format_},
                                            {"index", index},
                                            {"isalnum", isalnum},
                                            {"isalpha", isalpha},
                                            {"isdigit", isdigit},
                                            {"islower", islower},
                                            {"isspace", isspace},
                                            {"istitle", istitle},
                                            {"isupper", isupper},
                                            {"join", join},
                                            {"lower", lower},
                                            {"lstrip", lstrip},
                                            {"partition", partition},
                                            {"removeprefix", removeprefix},
                                            {"removesuffix", removesuffix},
                                            {"replace", replace},
                                            {"rfind", rfind},
                                            {"rindex", rindex},
                                            {"rpartition", rpartition},
                                            {"rsplit", rsplit},
                                            {"rstrip", rstrip},
                                            {"split", split},
                                            {"splitlines", splitlines},
                                            {"startswith", startswith},
                                            {"strip", strip},
                                            {"title", title},
                                            {"upper", upper}};

constexpr NamedFunction kBytesMethods[] = {{"elems", elems}};

}  // namespace

std::span<const NamedFunction> string_methods() { return kStringMethods; }
std::span<const NamedFunction> bytes_methods() { return kBytesMethods; }

}  // namespace portico::starlark::internal
