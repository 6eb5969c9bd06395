#include "functions/apply_setters.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "functions/internal/config.h"
#include "functions/internal/lists.h"
#include "functions/internal/outcome.h"
#include "functions/internal/plain_text.h"
#include "functions/internal/setter_pattern.h"
#include "json/text.h"

namespace portico::functions {

namespace {

std::string quoted(std::string_view text) {
  std::string result;
  json::append_quoted(result, text);
  return result;
}

/// The edits that one object needs.
class Setting {
 public:
  Setting(const krm::Item& item, const Setters& setters)
      : edits(item.object), item_(item), setters_(setters) {}

  Result<Done> collect() {
    if (item_.object.text().find("kpt-set:") == std::string::npos) return Done{};
    std::optional<Error> error;
    const auto keep_first = [&](Result<Done> done) {
      if (!done && !error) error = std::move(done).error();
    };
    visit_lists(item_.object,
                [&](const krm::Path& path, const json::Value&, const std::string& comment) {
                  const auto pattern = setter_pattern(comment);
                  if (pattern && concerns(*pattern)) keep_first(set_list(path, *pattern));
                });
    item_.object.visit_scalars([&](const krm::ScalarRef& scalar) {
      const auto pattern = setter_pattern(scalar.line_comment);
      if (pattern && concerns(*pattern) && !in_flow_list(scalar.path))
        keep_first(set_scalar(scalar, *pattern));
    });
    if (error) return *std::move(error);
    return Done{};
  }

  TextEdits edits;
  std::vector<krm::FunctionResult> results;

 private:
  bool concerns(const std::string& pattern) const {
    const auto names = setter_names(pattern);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return setters_.contains(name); });
  }

  /// The comment after a single-line list belongs to the list, not to its last item.
  bool in_flow_list(const krm::Path& path) const {
    return std::any_of(flow_lists_.begin(), flow_lists_.end(), [&](const krm::Path& list) {
      return path.size() > list.size() && std::equal(list.begin(), list.end(), path.begin());
    });
  }

  Result<Done> set_list(const krm::Path& path, const std::string& pattern) {
    flow_lists_.push_back(path);
    const auto name = only_setter(pattern);
    if (!name) return invalid("invalid setter pattern for array node: {}", quoted(pattern));
    const std::string& text = setters_.at(*name);
    json::Value list = json::Value::array();
    if (!text.empty()) {
      const auto parsed = krm::Object::parse(text);
      if (!parsed || !parsed->value().is_array()) {
        return invalid("input to array setter must be an array of values, but found {}",
                       quoted(text));
      }
      list = parsed->value();
    }
    edits.set_list(path, list);
    report(path, text);
    return Done{};
  }

  Result<Done> set_scalar(const krm::ScalarRef& scalar, const std::string& pattern) {
    const bool quoted_source = scalar.value.is_string();
    const std::string have =
        quoted_source ? std::string(scalar.value.as_string()) : std::string(scalar.source);
    std::string text = filled(pattern, setters_);
    if (!setter_names(text).empty()) text = filled(text, derived(pattern, have));
    const auto missing = setter_names(text);
    if (!missing.empty()) {
      std::vector<std::string> shown;
      for (const std::string& name : missing) shown.push_back("${" + name + "}");
      return invalid("values for setters [{}] must be provided", fmt::join(shown, " "));
    }
    if (text != have) edits.set_text(scalar.path, text);
    report(scalar.path, text);
    return Done{};
  }

  void report(const krm::Path& path, const std::string& text) {
    results.push_back(plain_at(item_, krm::path_text(path), "set field value to " + quoted(text)));
  }

  const krm::Item& item_;
  const Setters& setters_;
  std::vector<krm::Path> flow_lists_;
};

}  // namespace

Outcome apply_setters(krm::ResourceList list) {
  constexpr const char* kFailed = "failed to apply setters: ";
  if (!list.function_config)
    return fail_framework(std::move(list), std::string(kFailed) + "function config is missing");
  const Setters setters = texts(*list.function_config, "data");
  std::vector<krm::FunctionResult> results;
  for (krm::Item& item : list.items) {
    Setting setting(item, setters);
    if (auto collected = setting.collect(); !collected)
      return fail_framework(std::move(list), kFailed + collected.error().text());
    if (!setting.edits.empty()) {
      krm::Object changed = item.object;
      if (auto edited = setting.edits.apply(changed); !edited)
        return fail_framework(std::move(list), kFailed + edited.error().text());
      item.object = std::move(changed);
    }
    for (krm::FunctionResult& result : setting.results) results.push_back(std::move(result));
  }
  if (results.empty()) results.push_back(plain("no matches for input setter(s)"));
  for (krm::FunctionResult& result : results) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
