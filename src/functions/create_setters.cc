#include "functions/create_setters.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "functions/internal/config.h"
#include "functions/internal/glob.h"
#include "functions/internal/lists.h"
#include "functions/internal/outcome.h"
#include "functions/internal/plain_text.h"
#include "json/text.h"

namespace portico::functions {

namespace {

struct Scalar {
  std::string name, value;
};
struct List {
  std::string name;
  std::vector<std::string> values;  // sorted
};

struct Config {
  std::vector<Scalar> scalars;  // longest value first, then by name
  std::vector<List> lists;
};

std::string quoted(std::string_view text) {
  std::string result;
  json::append_quoted(result, text);
  return result;
}

std::string item_text(const krm::Object& object, krm::Path path, std::size_t index) {
  path.emplace_back(index);
  return text_at(object, path).value_or("");
}

std::optional<std::vector<std::string>> sorted_list(const std::string& text) {
  const auto parsed = krm::Object::parse(text);
  if (!parsed || !parsed->value().is_array()) return std::nullopt;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < parsed->value().size(); ++i)
    values.push_back(item_text(*parsed, {}, i));
  std::sort(values.begin(), values.end());
  return values;
}

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  const auto data = config ? texts(*config, "data") : std::map<std::string, std::string>();
  if (data.empty()) return invalid("config map cannot be empty");
  for (const auto& [name, value] : data) {
    if (auto values = sorted_list(value)) {
      result.lists.push_back({name, *std::move(values)});
    } else if (!value.empty()) {
      result.scalars.push_back({name, value});
    }
  }
  std::stable_sort(result.scalars.begin(), result.scalars.end(),
                   [](const auto& a, const auto& b) { return a.value.size() > b.value.size(); });
  return result;
}

/// Replaces every value in `text`, from left to right; nullopt if it contains none.
std::optional<std::string> pattern_of(std::string_view text, const std::vector<Scalar>& setters) {
  std::string pattern;
  bool found = false;
  while (!text.empty()) {
    const auto setter = std::find_if(setters.begin(), setters.end(), [&](const Scalar& one) {
      return text.starts_with(one.value);
    });
    if (setter == setters.end()) {
      pattern += text.front();
      text.remove_prefix(1);
    } else {
      pattern += "${" + setter->name + "}";
      text.remove_prefix(setter->value.size());
      found = true;
    }
  }
  return found ? std::optional(pattern) : std::nullopt;
}

class Creation {
 public:
  Creation(const Config& config, krm::Item& item) : config_(config), item_(item) {}

  Result<Done> run() {
    if (!takes_comments(item_)) return Done{};
    visit_lists(item_.object, [&](const krm::Path& path, const json::Value& list,
                                  const std::string&) { visit_list(path, list); });
    item_.object.visit_scalars([&](const krm::ScalarRef& scalar) { visit_scalar(scalar); });
    krm::Object changed = item_.object;
    std::vector<krm::Path> commented;
    for (const auto& [path, comment] : comments_) commented.push_back(path);
    PORTICO_DO(make_room_for_comments(changed, commented));
    for (const auto& [path, comment] : comments_)
      PORTICO_DO(changed.set_line_comment(path, "# kpt-set: " + comment));
    item_.object = std::move(changed);
    return Done{};
  }

  std::vector<krm::FunctionResult> results;

 private:
  void visit_list(const krm::Path& path, const json::Value& list) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.items()[i].is_object() || list.items()[i].is_array()) return;
      values.push_back(item_text(item_.object, path, i));
    }
    const std::string shown = fmt::format("[{}]", fmt::join(values, ", "));
    std::sort(values.begin(), values.end());
    const auto setter = std::find_if(config_.lists.begin(), config_.lists.end(),
                                     [&](const List& one) { return one.values == values; });
    if (setter != config_.lists.end()) add(path, "${" + setter->name + "}", shown);
  }

  void visit_scalar(const krm::ScalarRef& scalar) {
    if (scalar.value.is_null()) return;
    const std::string text = scalar.value.is_string() ? std::string(scalar.value.as_string())
                                                      : std::string(scalar.source);
    if (text.find('\n') != std::string::npos) return;
    if (const auto pattern = pattern_of(text, config_.scalars)) add(scalar.path, *pattern, text);
  }

  void add(const krm::Path& path, std::string pattern, const std::string& value) {
    results.push_back(plain_at(item_, field_path(path),
                               fmt::format("Added line comment {} for field with value {}",
                                           quoted("kpt-set: " + pattern), quoted(value))));
    comments_.emplace_back(path, std::move(pattern));
  }

  const Config& config_;
  krm::Item& item_;
  std::vector<std::pair<krm::Path, std::string>> comments_;
};

}  // namespace

Outcome create_setters(krm::ResourceList list) {
  constexpr const char* kFailed = "failed to create setters: ";
  const auto config = read_config(list.function_config);
  if (!config) return fail_framework(std::move(list), kFailed + config.error().text());
  std::vector<krm::FunctionResult> results;
  for (krm::Item& item : list.items) {
    Creation creation(*config, item);
    if (auto done = creation.run(); !done)
      return fail_framework(std::move(list), kFailed + done.error().text());
    for (krm::FunctionResult& result : creation.results) results.push_back(std::move(result));
  }
  if (results.empty() && !list.items.empty()) {
    results.push_back(plain("no matches for the input list of setters"));
    results.back().severity = "warning";
  }
  for (krm::FunctionResult& result : results) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
