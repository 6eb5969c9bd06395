#include "jsonpath/path.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "json/text.h"

namespace portico::jsonpath {

using json::Value;

// One step from a list of values to the next.
struct Step {
  enum class Kind {
    kNames,    // members with these names, in order
    kEvery,    // every member or item
    kIndices,  // items at these indices; negative ones count from the end
    kSlice,    // [from:to:by]
    kDescend,  // the value and everything below it
    kFilter,   // items for which a comparison is true
  };
  Kind kind = Kind::kEvery;
  std::vector<std::string> names;
  std::vector<std::int64_t> indices;
  std::optional<std::int64_t> from, to;
  std::int64_t by = 1;

  struct Side {
    bool is_path = false;
    Path path;
    Value value;
  };
  Side left, right;
  std::string op;  // "", "==", "!=", "<", "<=", ">", ">="; "": the left side exists
};

namespace {

constexpr int kMostSteps = 64;  // steps, including those in nested filters
constexpr int kDeepest = 8;     // nesting of filters

using Steps = std::vector<std::shared_ptr<const Step>>;

bool is_name_end(char c) {
  return std::string_view(".[]{}()<>=!,'\"? \t\n|&").find(c) != std::string_view::npos;
}

}  // namespace

class PathParser {
 public:
  PathParser(std::string_view text, int depth) : text_(text), depth_(depth) {}

  Result<Steps> run() {
    if (depth_ > kDeepest) return fail("filters are nested too deeply");
    if (!done() && (now() == '$' || now() == '@')) ++at_;
    while (!done()) {
      if (steps_.size() >= kMostSteps) return fail("the path has too many steps");
      if (now() == '.') {
        PORTICO_DO(read_member());
      } else if (now() == '[') {
        PORTICO_DO(read_bracket());
      } else if (steps_.empty()) {
        PORTICO_DO(read_name());  // "metadata.name", which kubectl accepts
      } else {
        return fail(fmt::format("unexpected '{}'", now()));
      }
    }
    return std::move(steps_);
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char now() const { return text_[at_]; }
  Error fail(std::string_view why) const { return invalid("column {}: {}", at_ + 1, why); }
  void add(Step step) { steps_.push_back(std::make_shared<const Step>(std::move(step))); }

  Result<Done> read_member() {
    ++at_;
    if (!done() && now() == '.') {
      Step descend;
      descend.kind = Step::Kind::kDescend;
      add(std::move(descend));
      ++at_;
      if (done()) return fail("expected a name after '..'");
    }
    if (done()) return Done{};  // "." is the value itself
    if (now() == '[') return Done{};
    if (now() == '*') {
      ++at_;
      add(Step{});
      return Done{};
    }
    return read_name();
  }

  Result<Done> read_name() {
    std::string name;
    while (!done() && !is_name_end(now())) {
      if (now() == '\\' && at_ + 1 < text_.size()) ++at_;  // "a\.b" is one name
      name += text_[at_++];
    }
    if (name.empty()) return fail("expected a name");
    Step step;
    step.kind = Step::Kind::kNames;
    step.names.push_back(std::move(name));
    add(std::move(step));
    return Done{};
  }

  void skip_blanks() {
    while (!done() && (now() == ' ' || now() == '\t')) ++at_;
  }

  // The text up to the bracket that matches the one at at_ - 1; quoted text is skipped.
  Result<std::string_view> inside(char open, char close) {
    const std::size_t start = at_;
    int depth = 1;
    char quote = 0;
    for (; !done(); ++at_) {
      if (quote != 0) {
        if (now() == '\\')
          ++at_;
        else if (now() == quote)
          quote = 0;
      } else if (now() == '\'' || now() == '"') {
        quote = now();
      } else if (now() == open) {
        ++depth;
      } else if (now() == close && --depth == 0) {
        return text_.substr(start, at_++ - start);
      }
    }
    at_ = start;
    return fail(fmt::format("'{}' is not closed", open));
  }

  Result<Done> read_bracket() {
    ++at_;
    const std::size_t start = at_;
    PORTICO_TRY(std::string_view text, inside('[', ']'));
    Step step;
    if (text == "*") {
      add(std::move(step));
      return Done{};
    }
    if (text.starts_with("?(") && text.ends_with(")"))
      return read_filter(text.substr(2, text.size() - 3));
    const std::size_t end = at_;
    at_ = start;
    if (text.starts_with('\'') || text.starts_with('"')) {
      step.kind = Step::Kind::kNames;
      for (;;) {
        PORTICO_TRY(std::string name, quoted());
        step.names.push_back(std::move(name));
        if (at_ + 1 >= end) break;
        if (now() != ',') return fail("expected ',' between names");
        ++at_;
        skip_blanks();
      }
    } else if (text.find(':') != std::string_view::npos) {
      step.kind = Step::Kind::kSlice;
      PORTICO_DO(read_slice(text, step));
    } else {
      step.kind = Step::Kind::kIndices;
      for (;;) {
        const std::size_t comma = text.find(',');
        PORTICO_TRY(const std::int64_t index, number(text.substr(0, comma)));
        step.indices.push_back(index);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
      }
    }
    at_ = end;
    add(std::move(step));
    return Done{};
  }

  Result<Done> read_slice(std::string_view text, Step& step) {
    std::optional<std::int64_t> numbers[3];
    for (std::size_t i = 0;; ++i) {
      if (i == 3) return fail("invalid slice: must be [from:to:step]");
      const std::size_t colon = text.find(':');
      if (const std::string_view part = text.substr(0, colon); !part.empty()) {
        PORTICO_TRY(numbers[i], number(part));
      }
      if (colon == std::string_view::npos) break;
      text.remove_prefix(colon + 1);
    }
    step.from = numbers[0];
    step.to = numbers[1];
    step.by = numbers[2].value_or(1);
    if (step.by < 1) return fail("invalid slice: step must be 1 or more");
    return Done{};
  }

  Result<std::int64_t> number(std::string_view text) const {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    std::int64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      return fail(fmt::format("invalid array index \"{}\"", text));
    return out;
  }

  Result<std::string> quoted() {
    const char quote = now();
    if (quote != '\'' && quote != '"') return fail("expected a quoted name");
    std::string out;
    for (++at_; !done() && now() != quote; ++at_) {
      if (now() == '\\' && at_ + 1 < text_.size()) ++at_;
      out += now();
    }
    if (done()) return fail("unterminated quoted string");
    ++at_;
    return out;
  }

  Result<Done> read_filter(std::string_view text) {
    Step step;
    step.kind = Step::Kind::kFilter;
    std::size_t split = std::string_view::npos;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (quote != 0) {
        if (text[i] == '\\')
          ++i;
        else if (text[i] == quote)
          quote = 0;
      } else if (text[i] == '\'' || text[i] == '"') {
        quote = text[i];
      } else if (std::string_view("=!<>").find(text[i]) != std::string_view::npos) {
        split = i;
        break;
      }
    }
    if (split != std::string_view::npos) {
      const std::size_t size = text.substr(split + 1).starts_with('=') ? 2 : 1;
      step.op = text.substr(split, size);
      if (step.op == "=" || step.op == "!")
        return fail(fmt::format("unknown operator \"{}\"", step.op));
      PORTICO_TRY(step.right, side(text.substr(split + size)));
    }
    PORTICO_TRY(step.left, side(text.substr(0, split)));
    add(std::move(step));
    return Done{};
  }

  Result<Step::Side> side(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    Step::Side out;
    if (text.empty()) return fail("expected a value on both sides of the operator");
    if (text.front() == '\'' || text.front() == '"') {
      PathParser inner(text, depth_);
      PORTICO_TRY(const std::string value, inner.quoted());
      if (!inner.done()) return fail("unexpected text after the quotes");
      out.value = Value(value);
      return out;
    }
    if (text.front() == '@' || text.front() == '$' || text.front() == '.') {
      out.is_path = true;
      PORTICO_TRY(out.path.steps_, PathParser(text, depth_ + 1).run());
      return out;
    }
    PORTICO_TRY(out.value, json::parse(text), "filter");
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_;
  Steps steps_;
};

namespace {

int compare(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number())
    return a.as_double() < b.as_double() ? -1 : a.as_double() > b.as_double() ? 1 : 0;
  if (a.is_string() && b.is_string()) return a.as_string().compare(b.as_string());
  return a == b ? 0 : 2;  // 2: different and unordered
}

bool holds(const Step& step, const Value& item) {
  const auto values = [&](const Step::Side& side) {
    return side.is_path ? side.path.evaluate(item, 1) : std::vector<Value>{side.value};
  };
  const std::vector<Value> left = values(step.left);
  if (step.op.empty()) return !left.empty();
  const std::vector<Value> right = values(step.right);
  if (left.empty() || right.empty()) return false;
  const int order = compare(left.front(), right.front());
  if (step.op == "==") return order == 0;
  if (step.op == "!=") return order != 0;
  if (order == 2) return false;
  if (step.op == "<") return order < 0;
  if (step.op == "<=") return order <= 0;
  if (step.op == ">") return order > 0;
  return order >= 0;
}

void everything(const Value& value, std::vector<Value>& out, std::size_t most) {
  if (out.size() >= most) return;
  out.push_back(value);
  for (const Value& item : value.items()) everything(item, out, most);
  for (const json::Member& member : value.members()) everything(member.value, out, most);
}

void take_slice(const Step& step, std::span<const Value> items, std::vector<Value>& out) {
  const auto size = static_cast<std::int64_t>(items.size());
  const auto place = [size](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const std::int64_t end = place(step.to.value_or(size));
  for (std::int64_t i = place(step.from.value_or(0)); i < end; i += step.by)
    out.push_back(items[static_cast<std::size_t>(i)]);
}

void take(const Step& step, const Value& value, std::vector<Value>& out, std::size_t most) {
  switch (step.kind) {
    case Step::Kind::kNames:
      for (const std::string& name : step.names)
        if (const Value* member = value.find(name)) out.push_back(*member);
      break;
    case Step::Kind::kEvery:
      for (const Value& item : value.items()) out.push_back(item);
      for (const json::Member& member : value.members()) out.push_back(member.value);
      break;
    case Step::Kind::kIndices:
      for (const std::int64_t index : step.indices) {
        const auto size = static_cast<std::int64_t>(value.items().size());
        const std::int64_t place = index < 0 ? index + size : index;
        if (place >= 0 && place < size)
          out.push_back(value.items()[static_cast<std::size_t>(place)]);
      }
      break;
    case Step::Kind::kSlice:
      take_slice(step, value.items(), out);
      break;
    case Step::Kind::kDescend:
      everything(value, out, most);
      break;
    case Step::Kind::kFilter:
      for (const Value& item : value.items())
        if (holds(step, item)) out.push_back(item);
      for (const json::Member& member : value.members())
        if (holds(step, member.value)) out.push_back(member.value);
  }
}

}  // namespace

Result<Path> Path::parse(std::string_view text) {
  Path out;
  PORTICO_TRY(out.steps_, PathParser(text, 0).run());
  return out;
}

std::vector<Value> Path::evaluate(const Value& root, std::size_t most) const {
  // Only the last step may stop at `most`: earlier steps may need all of their values.
  constexpr std::size_t kMost = 100'000;
  std::vector<Value> now = {root};
  for (std::size_t i = 0; i < steps_.size() && !now.empty(); ++i) {
    const std::size_t limit = i + 1 == steps_.size() ? most : kMost;
    std::vector<Value> next;
    for (const Value& value : now) {
      take(*steps_[i], value, next, limit);
      if (next.size() >= limit) break;
    }
    if (next.size() > limit) next.resize(limit);
    now = std::move(next);
  }
  return now;
}

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

}  // namespace portico::jsonpath
