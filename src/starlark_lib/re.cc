// re.star: regular expressions in RE2 syntax, which is that of Go's regexp.
#include <re2/re2.h>

#include <optional>

#include "starlark/call.h"
#include "starlark_lib/internal/libraries.h"
#include "starlark_syntax/utf8.h"

namespace portico::starlark_lib {

using starlark::Call;
using starlark::Heap;
using starlark::Value;

namespace {

/// Memory limit in bytes for the automaton of a program's pattern.
constexpr std::int64_t kMostMemory = 8 << 20;
constexpr std::size_t kMostPattern = 10000;

using Pattern = std::unique_ptr<RE2>;
/// The whole match first, then its groups; data() is null for a group that did not participate.
using Match = std::vector<re2::StringPiece>;

Result<Pattern> compile(std::string_view source) {
  if (source.size() > kMostPattern)
    return invalid("error parsing regexp: pattern of {} bytes is too long", source.size());
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  auto pattern = std::make_unique<RE2>(re2::StringPiece(source.data(), source.size()), options);
  if (!pattern->ok()) return invalid("error parsing regexp: {}", pattern->error());
  return pattern;
}

std::string_view view(const re2::StringPiece& piece) { return {piece.data(), piece.size()}; }

/// Non-overlapping matches from left to right; an empty match directly after another is skipped.
Result<std::vector<Match>> all_matches(Heap& heap, const RE2& pattern, std::string_view text) {
  std::vector<Match> matches;
  const re2::StringPiece whole(text.data(), text.size());
  const auto groups = static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1;
  std::size_t at = 0;
  const char* previous_end = nullptr;
  while (at <= text.size()) {
    if (!heap.spend((text.size() - at) / 64 + groups)) return invalid("{}", heap.exhausted());
    Match match(groups);
    if (!pattern.Match(whole, at, text.size(), RE2::UNANCHORED, match.data(),
                       static_cast<int>(groups)))
      break;
    const char* begin = match[0].data();
    const auto end = static_cast<std::size_t>(begin + match[0].size() - text.data());
    const bool empty = match[0].empty();
    if (!empty || begin != previous_end) matches.push_back(std::move(match));
    previous_end = text.data() + end;
    // After an empty match, the search continues one code point later.
    at = empty ? end + std::max<std::size_t>(1, starlark::decode(text.substr(end)).size) : end;
  }
  return matches;
}

Value strings(Heap& heap, const std::vector<std::string_view>& texts) {
  std::vector<Value> items;
  for (const std::string_view text : texts) items.push_back(heap.string(text));
  return heap.tuple(std::move(items));
}

Result<Value> search(Heap& heap, const RE2& pattern, std::string_view text) {
  re2::StringPiece found;
  if (!heap.spend(text.size() / 64 + 1)) return invalid("{}", heap.exhausted());
  if (!pattern.Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED, &found, 1))
    return Value();
  const auto begin = found.data() - text.data();
  return heap.list({Value(std::int64_t{begin}),
                    Value(std::int64_t{begin} + static_cast<std::int64_t>(found.size()))});
}

Result<Value> match(Heap& heap, const RE2& pattern, std::string_view text) {
  PORTICO_TRY(const auto matches, all_matches(heap, pattern, text));
  std::vector<Value> items;
  for (const Match& one : matches) {
    std::vector<std::string_view> texts;
    for (const re2::StringPiece& group : one) texts.push_back(view(group));
    items.push_back(strings(heap, texts));
  }
  return heap.list(std::move(items));
}

Result<Value> findall(Heap& heap, const RE2& pattern, std::string_view text) {
  PORTICO_TRY(const auto matches, all_matches(heap, pattern, text));
  std::vector<std::string_view> texts;
  for (const Match& one : matches) texts.push_back(view(one[0]));
  return strings(heap, texts);
}

/// At most `most` pieces, unless `most` is 0.
Result<Value> split(Heap& heap, const RE2& pattern, std::string_view text, std::int64_t most) {
  PORTICO_TRY(const auto matches, all_matches(heap, pattern, text));
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const Match& one : matches) {
    if (most > 0 && static_cast<std::int64_t>(pieces.size()) == most - 1) break;
    end = static_cast<std::size_t>(one[0].data() - text.data());
    const std::size_t behind = end + one[0].size();
    if (behind != 0) pieces.push_back(text.substr(begin, end - begin));
    begin = behind;
  }
  if (end != text.size() || text.empty()) pieces.push_back(text.substr(begin));
  return strings(heap, pieces);
}

/// Expands $1, ${1} and ${name} in a replacement; $$ is a dollar sign.
void expand(std::string& result, const RE2& pattern, std::string_view replacement,
            const Match& match) {
  while (!replacement.empty()) {
    const std::size_t dollar = replacement.find('$');
    result += replacement.substr(0, dollar);
    if (dollar == std::string_view::npos) return;
    replacement.remove_prefix(dollar + 1);
    if (replacement.starts_with('$')) {
      result += '$';
      replacement.remove_prefix(1);
      continue;
    }
    const bool braced = replacement.starts_with('{');
    const std::string_view rest = replacement.substr(braced ? 1 : 0);
    std::size_t size = 0;
    while (size < rest.size() &&
           (std::isalnum(static_cast<unsigned char>(rest[size])) != 0 || rest[size] == '_'))
      ++size;
    if (size == 0 || (braced && rest.substr(size, 1) != "}")) {
      result += '$';
      continue;
    }
    const std::string name(rest.substr(0, size));
    replacement.remove_prefix(size + (braced ? 2 : 0));
    std::size_t group = match.size();
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      if (name.size() < 6) group = static_cast<std::size_t>(std::stoi(name));
    } else if (const auto named = pattern.NamedCapturingGroups().find(name);
               named != pattern.NamedCapturingGroups().end()) {
      group = static_cast<std::size_t>(named->second);
    }
    if (group < match.size()) result += view(match[group]);
  }
}

Result<Value> sub(Heap& heap, const RE2& pattern, std::string_view replacement,
                  std::string_view text) {
  PORTICO_TRY(const auto matches, all_matches(heap, pattern, text));
  std::string result;
  std::size_t at = 0;
  for (const Match& one : matches) {
    const auto begin = static_cast<std::size_t>(one[0].data() - text.data());
    result += text.substr(at, begin - at);
    expand(result, pattern, replacement, one);
    at = begin + one[0].size();
    if (!heap.spend(result.size() / 4096 + 1)) return invalid("{}", heap.exhausted());
  }
  result += text.substr(at);
  return heap.string(result);
}

using Simple = Result<Value> (*)(Heap&, const RE2&, std::string_view);

/// The pattern of a call: the compiled expression's, or the first argument.
Result<Pattern> pattern_of(const Call& call) {
  if (!call.receiver.is_none()) return compile(call.receiver.text());
  PORTICO_TRY(const auto source, call.text(0));
  return compile(source);
}

template <Simple function>
Result<Value> on_text(Call& call) {
  const bool compiled = !call.receiver.is_none();
  if (compiled) {
    PORTICO_DO(call.bind({"string", "flags?"}));
  } else {
    PORTICO_DO(call.bind({"pattern", "string", "flags?"}));
  }
  PORTICO_TRY(const Pattern pattern, pattern_of(call));
  PORTICO_TRY(const auto text, call.text(compiled ? 0 : 1));
  return function(call.heap, *pattern, text);
}

Result<Value> call_split(Call& call) {
  const std::size_t first = call.receiver.is_none() ? 1 : 0;
  if (first == 0) {
    PORTICO_DO(call.bind({"string", "maxsplit?", "flags?"}));
  } else {
    PORTICO_DO(call.bind({"pattern", "string", "maxsplit?", "flags?"}));
  }
  PORTICO_TRY(const Pattern pattern, pattern_of(call));
  PORTICO_TRY(const auto text, call.text(first));
  PORTICO_TRY(const auto most, call.integer(first + 1));
  return split(call.heap, *pattern, text, most);
}

Result<Value> call_sub(Call& call) {
  const std::size_t first = call.receiver.is_none() ? 1 : 0;
  if (first == 0) {
    PORTICO_DO(call.bind({"repl", "string", "count?", "flags?"}));
  } else {
    PORTICO_DO(call.bind({"pattern", "repl", "string", "count?", "flags?"}));
  }
  PORTICO_TRY(const Pattern pattern, pattern_of(call));
  PORTICO_TRY(const auto replacement, call.text(first));
  PORTICO_TRY(const auto text, call.text(first + 1));
  return sub(call.heap, *pattern, replacement, text);
}

constexpr std::pair<std::string_view, starlark::Native> kFunctions[] = {
    {"findall", on_text<findall>},
    {"match", on_text<match>},
    {"search", on_text<search>},
    {"split", call_split},
    {"sub", call_sub}};

Result<Value> compile_call(Call& call) {
  PORTICO_DO(call.bind({"pattern", "flags?"}));
  PORTICO_TRY(const auto source, call.text(0));
  PORTICO_TRY(const Pattern pattern, compile(source));
  std::vector<std::pair<std::string, Value>> methods;
  for (const auto& [name, function] : kFunctions)
    methods.emplace_back(name, call.heap.method(name, function, call[0]));
  return call.heap.structure(std::move(methods));
}

}  // namespace

Value re_module(Heap& heap) {
  std::vector<std::pair<std::string, Value>> members{
      {"compile", heap.builtin("compile", compile_call)}};
  for (const auto& [name, function] : kFunctions)
    members.emplace_back(name, heap.builtin(name, function));
  return heap.module("re", std::move(members));
}

}  // namespace portico::starlark_lib
