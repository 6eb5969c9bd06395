// Regular expressions beyond matches(), and the find functions of Kubernetes.
#include "cel_lib/internal/regex.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <memory>

#include "cel/utf8.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::Regex;

using re2::RE2;
using re2::StringPiece;

StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(StringPiece text) { return {text.data(), text.size()}; }

bool charge(const Regex& regex, std::string_view text, Budget& budget) {
  return budget.spend_for(text.size() * regex.cost_factor());
}

// Calls `visit` for each match from left to right, with its groups (0 is the whole match), until it
// returns false. An empty match directly after another match does not count.
template <class Visit>
void for_each_match(const RE2& re, std::string_view text, const Visit& visit) {
  std::vector<StringPiece> groups(static_cast<std::size_t>(re.NumberOfCapturingGroups()) + 1);
  const StringPiece subject = piece(text);
  std::size_t at = 0;
  std::size_t last_end = std::string_view::npos;
  while (at <= text.size() && re.Match(subject, at, text.size(), RE2::UNANCHORED, groups.data(),
                                       static_cast<int>(groups.size()))) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
    const std::size_t end = begin + groups[0].size();
    if (!(groups[0].empty() && begin == last_end)) {
      last_end = end;
      if (!visit(groups)) return;
    }
    at = end;
    if (!groups[0].empty()) continue;
    if (at >= text.size()) return;
    cel::next_code_point(text, at);
  }
}

// A function of a text and a pattern; a constant pattern is compiled only once.
using OnRegex = Value (*)(const Regex& regex, Args args, Budget& budget);

Implementation plain(OnRegex function) {
  return [function](Args args, Budget& budget) {
    const Regex regex(args[1].text());
    return regex.ok() ? function(regex, args, budget) : Value::error(regex.error());
  };
}

Preparation prepared(OnRegex function) {
  return [function](std::span<const Value* const> constants) -> Implementation {
    if (constants[1] == nullptr) return {};
    auto regex = std::make_shared<const Regex>(constants[1]->text());
    if (!regex->ok()) return {};
    return [regex, function](Args args, Budget& budget) { return function(*regex, args, budget); };
  };
}

Value too_many_groups(const Regex& regex) {
  return Value::error("regular expression has more than one capturing group: " +
                      go_quoted(regex.re().pattern()));
}

Value extract(const Regex& regex, Args args, Budget& budget) {
  const int groups = regex.re().NumberOfCapturingGroups();
  if (groups > 1) return too_many_groups(regex);
  if (!charge(regex, args[0].text(), budget)) return budget.exhausted();
  Value out = Value::optional_none();
  for_each_match(regex.re(), args[0].text(), [&](const std::vector<StringPiece>& found) {
    if (groups == 0 || !found[1].empty())
      out = Value::optional_of(Value::string(view(found.back())));
    return false;
  });
  return out;
}

Value extract_all(const Regex& regex, Args args, Budget& budget) {
  const int groups = regex.re().NumberOfCapturingGroups();
  if (groups > 1) return too_many_groups(regex);
  if (!charge(regex, args[0].text(), budget)) return budget.exhausted();
  std::vector<Value> out;
  for_each_match(regex.re(), args[0].text(), [&](const std::vector<StringPiece>& found) {
    if (groups == 0 || !found[1].empty()) out.push_back(Value::string(view(found.back())));
    return budget.spend(1);
  });
  return budget.over() ? budget.exhausted() : Value::list(std::move(out));
}

// The error in a replacement text, or null.
Value check_replacement(std::string_view text, int groups) {
  for (std::size_t at = text.find('\\'); at != std::string_view::npos;
       at = text.find('\\', at + 2)) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '\\') continue;
    if (next < '0' || next > '9')
      return Value::error(
          fmt::format("invalid replacement string: '{}' \\ must be followed by a digit", text));
    if (next - '0' > groups)
      return Value::error(
          fmt::format("replacement string references group {} but regex has only {} group(s)",
                      next - '0', groups));
  }
  return Value();
}

void append_replacement(std::string& out, std::string_view text,
                        const std::vector<StringPiece>& groups) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else if (text[++i] == '\\') {
      out += '\\';
    } else {
      out += view(groups[static_cast<std::size_t>(text[i] - '0')]);
    }
  }
}

Value replace(const Regex& regex, Args args, Budget& budget) {
  const std::string_view text = args[0].text();
  const std::string_view by = args[2].text();
  const std::int64_t most = args.size() > 3 ? args[3].as_int() : -1;
  if (most == 0) return args[0];
  if (Value error = check_replacement(by, regex.re().NumberOfCapturingGroups()); error.is_error())
    return error;
  if (!charge(regex, text, budget)) return budget.exhausted();
  std::string out;
  std::size_t done = 0;
  std::int64_t count = 0;
  for_each_match(regex.re(), text, [&](const std::vector<StringPiece>& found) {
    const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
    const std::size_t before = out.size();
    out += text.substr(done, begin - done);
    append_replacement(out, by, found);
    done = begin + found[0].size();
    return ++count != most && budget.spend_for(out.size() - before);
  });
  if (budget.over()) return budget.exhausted();
  out += text.substr(done);
  return Value::string(out);
}

Value find(const Regex& regex, Args args, Budget& budget) {
  if (!charge(regex, args[0].text(), budget)) return budget.exhausted();
  Value out = Value::string("");
  for_each_match(regex.re(), args[0].text(), [&](const std::vector<StringPiece>& found) {
    out = Value::string(view(found[0]));
    return false;
  });
  return out;
}

Value find_all(const Regex& regex, Args args, Budget& budget) {
  const std::int64_t most = args.size() > 2 ? args[2].as_int() : -1;
  if (!charge(regex, args[0].text(), budget)) return budget.exhausted();
  std::vector<Value> out;
  if (most != 0) {
    for_each_match(regex.re(), args[0].text(), [&](const std::vector<StringPiece>& found) {
      out.push_back(Value::string(view(found[0])));
      return static_cast<std::int64_t>(out.size()) != most && budget.spend(1);
    });
  }
  return budget.over() ? budget.exhausted() : Value::list(std::move(out));
}

}  // namespace

Library regex() {
  Declarations to;
  to.global("regex.extract", {kString, kString}, Type::optional(kString), plain(extract),
            prepared(extract));
  to.global("regex.extractAll", {kString, kString}, Type::list(kString), plain(extract_all),
            prepared(extract_all));
  to.global("regex.replace", {kString, kString, kString}, kString, plain(replace),
            prepared(replace));
  to.global("regex.replace", {kString, kString, kString, kInt}, kString, plain(replace),
            prepared(replace));
  Library out;
  out.name = "regex";
  out.functions = to.take();
  return out;
}

Library kubernetes::regex() {
  Declarations to;
  to.member("find", {kString, kString}, kString, plain(find), prepared(find));
  to.member("findAll", {kString, kString}, Type::list(kString), plain(find_all),
            prepared(find_all));
  to.member("findAll", {kString, kString, kInt}, Type::list(kString), plain(find_all),
            prepared(find_all));
  Library out;
  out.name = "k8s.regex";
  out.functions = to.take();
  return out;
}

}  // namespace portico::cel_lib
