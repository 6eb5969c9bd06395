#include "functions/search_replace.h"

#include <fmt/ranges.h>
#include <re2/re2.h>

#include <array>
#include <memory>

#include "functions/internal/config.h"
#include "functions/internal/glob.h"
#include "functions/internal/lists.h"
#include "functions/internal/outcome.h"
#include "functions/internal/plain_text.h"
#include "json/text.h"

namespace portico::functions {

namespace {

constexpr std::array<std::string_view, 6> kMatchers{"by-value", "by-file-path", "by-value-regex",
                                                    "by-path",  "put-value",    "put-comment"};

std::string quoted(std::string_view text) {
  std::string result;
  json::append_quoted(result, text);
  return result;
}

struct Config {
  std::string value, path, file_path, put_value, put_comment;
  std::shared_ptr<const RE2> regex;

  bool matches_values() const { return !value.empty() || regex != nullptr; }
  bool changes() const { return !put_value.empty() || !put_comment.empty(); }
  /// Whether the config names a single field, which is created in every resource that lacks it.
  bool names_one_field() const {
    return !path.empty() && path.find_first_of("*[") == std::string::npos && !matches_values() &&
           !put_value.empty();
  }
};

Result<Config> read_config(const std::optional<krm::Object>& config) {
  auto data = config ? texts(*config, "data") : std::map<std::string, std::string>();
  for (const auto& [key, value] : data) {
    if (std::find(kMatchers.begin(), kMatchers.end(), key) != kMatchers.end()) continue;
    return invalid("invalid matcher {}, must be one of [\"{}\"]", quoted(key),
                   fmt::join(kMatchers, "\" \""));
  }
  Config result{data["by-value"],  data["by-path"],     data["by-file-path"],
                data["put-value"], data["put-comment"], nullptr};
  const std::string& regex = data["by-value-regex"];
  if (!result.value.empty() && !regex.empty())
    return invalid("only one of [\"by-value\", \"by-value-regex\"] can be provided");
  if (regex.empty()) return result;
  RE2::Options options;
  options.set_log_errors(false);
  result.regex = std::make_shared<const RE2>(regex, options);
  if (!result.regex->ok())
    return invalid("invalid regular expression {} in by-value-regex: {}", quoted(regex),
                   result.regex->error());
  return result;
}

/// The groups of the first match of `regex` in `text`, the whole match first; nullopt for no match.
std::optional<std::vector<std::string>> groups_of(const RE2& regex, const std::string& text) {
  std::vector<re2::StringPiece> pieces(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) +
                                       1);
  if (!regex.Match(text, 0, text.size(), RE2::UNANCHORED, pieces.data(),
                   static_cast<int>(pieces.size())))
    return std::nullopt;
  std::vector<std::string> groups;
  for (const re2::StringPiece& piece : pieces) groups.emplace_back(piece.data(), piece.size());
  return groups;
}

/// `pattern` with every ${N} replaced; unchanged if there are no groups, since no regex is set.
Result<std::string> with_groups(std::string_view pattern, const std::vector<std::string>& groups) {
  if (groups.empty()) return std::string(pattern);
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find("${");
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string_view name = pattern.substr(open + 2, close - open - 2);
    const bool number = !name.empty() && name.size() < 4 &&
                        name.find_first_not_of("0123456789") == std::string_view::npos;
    out += pattern.substr(0, open);
    if (!number) {
      out += pattern.substr(open, close + 1 - open);
    } else {
      const std::size_t index = std::stoul(std::string(name));
      if (index >= groups.size())
        return invalid("unable to resolve capture groups in {}", quoted(pattern));
      out += groups[index];
    }
    pattern.remove_prefix(close + 1);
  }
  return out.append(pattern);
}

class Search {
 public:
  Search(const Config& config, krm::Item& item)
      : config_(config), item_(item), edits_(item.object) {}

  Result<Done> run() {
    std::optional<Error> error;
    if (!config_.path.empty() && !config_.put_comment.empty() && !config_.matches_values())
      comment_lists();
    item_.object.visit_scalars([&](const krm::ScalarRef& scalar) {
      if (error) return;
      if (auto visited = visit(scalar); !visited) error = std::move(visited).error();
    });
    if (error) return *std::move(error);
    if (config_.names_one_field() && !found_path_) add_field();
    if (!takes_comments(item_)) comments_.clear();
    krm::Object changed = item_.object;
    std::vector<krm::Path> commented;
    for (const auto& [path, comment] : comments_) commented.push_back(path);
    PORTICO_DO(make_room_for_comments(changed, commented));
    if (!edits_.empty()) PORTICO_DO(edits_.apply(changed));
    for (const auto& [path, comment] : comments_)
      PORTICO_DO(changed.set_line_comment(path, "# " + comment));
    item_.object = std::move(changed);
    return Done{};
  }

  std::vector<krm::FunctionResult> results;

 private:
  /// A setter comment for a whole list is on the list's key.
  void comment_lists() {
    visit_lists(item_.object, [&](const krm::Path& path, const json::Value& list,
                                  const std::string&) {
      const std::string shown = field_path(path);
      if (!matches_field_path(config_.path, shown)) return;
      std::vector<std::string> items;
      for (const json::Value& one : list.items())
        items.push_back(one.is_string() ? std::string(one.as_string()) : json::print(one));
      comments_.emplace_back(path, config_.put_comment);
      results.push_back(plain_at(item_, fmt::format("{} # {}", shown, config_.put_comment),
                                 fmt::format("Mutated field value to {}",
                                             quoted(fmt::format("[{}]", fmt::join(items, ", "))))));
    });
  }

  Result<Done> visit(const krm::ScalarRef& scalar) {
    if (scalar.value.is_null()) return Done{};
    const std::string text = scalar.value.is_string() ? std::string(scalar.value.as_string())
                                                      : std::string(scalar.source);
    const std::string shown = field_path(scalar.path);
    const bool path_matches = !config_.path.empty() && matches_field_path(config_.path, shown);
    found_path_ = found_path_ || path_matches;
    if (!config_.path.empty() && !path_matches) return Done{};
    std::vector<std::string> groups;
    if (config_.regex != nullptr) {
      auto found = groups_of(*config_.regex, text);
      if (!found) return Done{};
      groups = *std::move(found);
    } else if (!config_.value.empty()) {
      if (config_.value != text) return Done{};
    } else if (config_.path.empty()) {
      return Done{};
    }
    std::string now = text;
    if (!config_.put_value.empty()) {
      PORTICO_TRY(now, with_groups(config_.put_value, groups));
      if (now != text) edits_.set_text(scalar.path, now);
    }
    if (!config_.put_comment.empty()) {
      PORTICO_TRY(std::string comment, with_groups(config_.put_comment, groups));
      now += " # " + comment;
      comments_.emplace_back(scalar.path, std::move(comment));
    }
    results.push_back(
        plain_at(item_, shown,
                 fmt::format("{} field value {}{}", config_.changes() ? "Mutated" : "Matched",
                             config_.changes() ? "to " : "", quoted(now))));
    return Done{};
  }

  void add_field() {
    krm::Path path;
    std::string_view rest = config_.path;
    const json::Value* at = &item_.object.value();
    while (true) {
      const std::size_t dot = rest.find('.');
      path.emplace_back(std::string(rest.substr(0, dot)));
      // Only through maps: a scalar or list on the path is a different field.
      if (!at->is_object() && !at->is_null()) return;
      at = &(*at)[rest.substr(0, dot)];
      if (dot == std::string_view::npos) break;
      rest.remove_prefix(dot + 1);
    }
    if (!at->is_null()) return;
    edits_.set_text(path, config_.put_value);
    if (!config_.put_comment.empty()) comments_.emplace_back(path, config_.put_comment);
    results.push_back(
        plain_at(item_, config_.path, "Mutated field value to " + quoted(config_.put_value)));
  }

  const Config& config_;
  krm::Item& item_;
  TextEdits edits_;
  std::vector<std::pair<krm::Path, std::string>> comments_;
  bool found_path_ = false;
};

}  // namespace

Outcome search_replace(krm::ResourceList list) {
  const auto failed = [&](const Error& error) {
    return fail_framework(
        std::move(list),
        fmt::format("failed to perform search-replace operation: \"{}\"", error.text()));
  };
  auto config = read_config(list.function_config);
  if (!config) return failed(config.error());
  std::vector<krm::FunctionResult> results;
  for (krm::Item& item : list.items) {
    if (!config->file_path.empty() && !matches_file_path(config->file_path, item.file)) continue;
    Search search(*config, item);
    if (auto done = search.run(); !done) return failed(done.error());
    for (krm::FunctionResult& result : search.results) results.push_back(std::move(result));
  }
  if (results.empty()) results.push_back(plain("no matches"));
  for (krm::FunctionResult& result : results) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
