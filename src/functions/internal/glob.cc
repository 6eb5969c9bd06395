#include "functions/internal/glob.h"

#include <functional>
#include <vector>

namespace portico::functions {

namespace {

using Steps = std::vector<std::string_view>;

Steps split(std::string_view text, char separator) {
  Steps steps;
  while (true) {
    const std::size_t at = text.find(separator);
    steps.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return steps;
    text.remove_prefix(at + 1);
  }
}

/// "**" matches any number of steps, any other pattern step exactly one. At worst quadratic.
bool match_steps(const Steps& pattern, const Steps& path,
                 const std::function<bool(std::string_view, std::string_view)>& match) {
  std::vector<bool> reached(path.size() + 1, false);
  reached[0] = true;
  for (const std::string_view step : pattern) {
    std::vector<bool> next(path.size() + 1, false);
    bool any = false;
    for (std::size_t i = 0; i <= path.size(); ++i) {
      any = any || reached[i];
      if (step == "**") {
        next[i] = any;
      } else if (i < path.size() && reached[i] && match(step, path[i])) {
        next[i + 1] = true;
      }
    }
    reached = std::move(next);
  }
  return reached[path.size()];
}

bool match_field(std::string_view pattern, std::string_view step) {
  if (pattern == "*" || pattern == step) return true;
  if (!pattern.ends_with("[*]") || !step.ends_with("]")) return false;
  pattern.remove_suffix(3);
  step = step.substr(0, step.rfind('['));
  return match_field(pattern, step);
}

bool match_name(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string field_path(const krm::Path& path) {
  std::string text;
  for (const krm::Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (!text.empty()) text += '.';
      text += *name;
    } else {
      text += '[' + std::to_string(std::get<std::size_t>(step)) + ']';
    }
  }
  return text;
}

bool matches_field_path(std::string_view pattern, std::string_view path) {
  return match_steps(split(pattern, '.'), split(path, '.'), match_field);
}

bool matches_file_path(std::string_view pattern, std::string_view path) {
  return match_steps(split(pattern, '/'), split(path, '/'), match_name);
}

}  // namespace portico::functions
