#include "functions/internal/replacement_path.h"

#include <re2/re2.h>

#include <charconv>
#include <optional>

#include "functions/internal/fields.h"

namespace portico::functions {

namespace {

const json::Value kNull{};

std::optional<std::size_t> index_of(std::string_view step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (step.empty() || error != std::errc() || end != step.data() + step.size()) return std::nullopt;
  return index;
}

bool is_list_match(std::string_view step) {
  return step.size() >= 2 && step.front() == '[' && step.back() == ']';
}

struct ListMatch {
  std::string field, value;  // field "": the item itself
};

Result<ListMatch> list_match(std::string_view step) {
  const std::string_view inner = step.substr(1, step.size() - 2);
  const std::size_t equals = inner.find('=');
  if (equals == std::string_view::npos)
    return invalid("\"{}\" must have the form [field=value]", step);
  return ListMatch{std::string(inner.substr(0, equals)), std::string(inner.substr(equals + 1))};
}

/// The kind of node to which `step` applies.
CreateAs kind_for(std::string_view step, CreateAs leaf) {
  if (step.empty()) return leaf;
  const bool in_list = index_of(step).has_value() || is_list_match(step) || step == "*";
  return in_list ? CreateAs::kList : CreateAs::kMap;
}

json::Value made_as(CreateAs kind) {
  switch (kind) {
    case CreateAs::kMap:
      return json::Value::object();
    case CreateAs::kList:
      return json::Value::array();
    case CreateAs::kScalar:
    case CreateAs::kNothing:
      break;
  }
  return {};
}

class Replacer {
 public:
  Replacer(CreateAs create, const ReplaceAt& replace, std::size_t& matches)
      : create_(create), replace_(replace), matches_(matches) {}

  Result<json::Value> run(const json::Value& have, std::span<const std::string> steps, bool made) {
    if (steps.empty()) {
      ++matches_;
      return replace_(at_, have, made);
    }
    const std::string& step = steps.front();
    if (index_of(step)) return at_index(have, *index_of(step), steps);
    if (is_list_match(step)) return at_matching(have, steps);
    if (step == "*") return at_every(have, steps);
    return at_member(have, steps);
  }

 private:
  bool creates() const { return create_ != CreateAs::kNothing; }

  json::Value make(std::span<const std::string> rest) const {
    return made_as(kind_for(rest.empty() ? "" : rest.front(), create_));
  }

  Result<json::Value> step_into(krm::Step step, const json::Value& have,
                                std::span<const std::string> rest, bool made) {
    at_.push_back(std::move(step));
    auto result = run(have, rest, made);
    at_.pop_back();
    return result;
  }

  Result<json::Value> at_member(const json::Value& have, std::span<const std::string> steps) {
    const std::string& name = steps.front();
    if (have.is_null() && !creates()) return have;
    if (!have.is_object() && !have.is_null())
      return invalid("cannot look up \"{}\": not a map", name);
    const json::Value* member = have.find(name);
    const bool missing = member == nullptr || (member->is_null() && steps.size() > 1);
    if (missing && !creates()) return have;
    const json::Value old = missing ? make(steps.subspan(1)) : *member;
    PORTICO_TRY(json::Value changed, step_into(name, old, steps.subspan(1), missing));
    if (!missing && changed.same_as(*member)) return have;
    return have.with(name, std::move(changed));
  }

  Result<json::Value> at_index(const json::Value& have, std::size_t index,
                               std::span<const std::string> steps) {
    if (!have.is_array()) return invalid("cannot look up index {}: not a list", index);
    if (index == have.size() && creates()) {
      PORTICO_TRY(json::Value item,
                  step_into(index, make(steps.subspan(1)), steps.subspan(1), true));
      return have.with_appended(std::move(item));
    }
    if (index >= have.size())
      return invalid("index {} specified but only {} elements found", index, have.size());
    return at_item(have, index, steps.subspan(1));
  }

  Result<json::Value> at_item(const json::Value& list, std::size_t index,
                              std::span<const std::string> rest) {
    const json::Value old = list.items()[index];
    PORTICO_TRY(json::Value changed, step_into(index, old, rest, false));
    return changed.same_as(old) ? list : list.with_item(index, std::move(changed));
  }

  Result<json::Value> at_every(const json::Value& have, std::span<const std::string> steps) {
    if (!have.is_array()) return invalid("cannot look up \"*\": not a list");
    json::Value result = have;
    for (std::size_t i = 0; i < have.size(); ++i) {
      PORTICO_TRY(result, at_item(result, i, steps.subspan(1)));
    }
    return result;
  }

  Result<json::Value> at_matching(const json::Value& have, std::span<const std::string> steps) {
    PORTICO_TRY(const ListMatch match, list_match(steps.front()));
    if (!have.is_array()) return invalid("cannot look up \"{}\": not a list", steps.front());
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 pattern(match.value, options);
    if (!pattern.ok())
      return invalid("invalid regular expression \"{}\": {}", match.value, pattern.error());
    json::Value result = have;
    const std::size_t before = matches_;
    for (std::size_t i = 0; i < have.size(); ++i) {
      const json::Value& item = have.items()[i];
      if (!match.field.empty() && item.find(match.field) == nullptr) continue;
      const json::Value& field = match.field.empty() ? item : item[match.field];
      if (!RE2::PartialMatch(scalar_text(field), pattern)) continue;
      PORTICO_TRY(result, at_item(result, i, steps.subspan(1)));
    }
    if (matches_ != before || !creates()) return result;
    const json::Value item = match.field.empty()
                                 ? json::Value(match.value)
                                 : json::Value::object({{match.field, json::Value(match.value)}});
    PORTICO_TRY(json::Value made, step_into(have.size(), item, steps.subspan(1), false));
    return have.with_appended(std::move(made));
  }

  const CreateAs create_;
  const ReplaceAt& replace_;
  std::size_t& matches_;
  krm::Path at_;
};

}  // namespace

std::vector<std::string> split_field_path(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '.') {
      parts.back() += text[++i];
    } else if (text[i] == '.') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string step = parts[i];
    if (!step.starts_with("[") || step.ends_with("]")) {
      steps.push_back(std::move(step));
      continue;
    }
    while (i + 1 < parts.size()) {
      step += "." + parts[++i];
      if (step.ends_with("]")) break;
    }
    if (step.find('=') == std::string::npos) {
      step.erase(0, step.find_first_not_of("[]"));
      step.erase(step.find_last_not_of("[]") + 1);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

Result<krm::Path> locate(const json::Value& root, std::span<const std::string> steps) {
  krm::Path path;
  const json::Value* at = &root;
  for (const std::string& step : steps) {
    std::optional<std::size_t> index;
    if (at->is_array()) {
      index = index_of(step);
      if (step == "-" && !at->empty()) index = at->size() - 1;
      if (is_list_match(step)) {
        PORTICO_TRY(const ListMatch match, list_match(step));
        for (std::size_t i = 0; i < at->size() && !index; ++i) {
          const json::Value& item = at->items()[i];
          const json::Value& field = match.field.empty() ? item : item[match.field];
          if (!field.is_null() && scalar_text(field) == match.value) index = i;
        }
      }
      if (!index || *index >= at->size()) return not_found("item \"{}\" not found", step);
      at = &at->items()[*index];
      path.emplace_back(*index);
    } else {
      const json::Value* member = at->find(step);
      if (member == nullptr) return not_found("field \"{}\" not found", step);
      at = member;
      path.emplace_back(step);
    }
  }
  return path;
}

const json::Value& value_at(const json::Value& root, const krm::Path& path) {
  const json::Value* at = &root;
  for (const krm::Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      at = &(*at)[*name];
    } else {
      at = &(*at)[std::get<std::size_t>(step)];
    }
  }
  return *at;
}

Result<json::Value> replace_matches(const json::Value& root, std::span<const std::string> steps,
                                    CreateAs create, const ReplaceAt& replace,
                                    std::size_t& matches) {
  return Replacer(create, replace, matches).run(root, steps, false);
}

}  // namespace portico::functions
