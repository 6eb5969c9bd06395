#include "resources/awaited.h"

#include <algorithm>
#include <vector>

#include "base/spelling.h"
#include "krm/meta.h"

namespace portico::resources {
namespace {

using json::Value;

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// The end of a path: after its closing brace, or before the last '=' if it has no braces.
std::size_t end_of_path(std::string_view text) {
  if (!text.starts_with('{')) return std::min(text.rfind('='), text.size());
  const std::size_t brace = text.rfind('}');
  return brace == std::string_view::npos ? text.size() : brace + 1;
}

// The generation for which the condition was written; nullopt if it is not recorded.
std::optional<std::int64_t> observed(const Value& condition, const Value& status) {
  for (const Value* at : {&condition["observedGeneration"], &status["observedGeneration"]})
    if (at->is_number() && at->as_int() > 0) return at->as_int();
  return std::nullopt;
}

}  // namespace

Result<Awaited> Awaited::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string word = small(text.substr(0, equals));
  const std::string_view rest =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  Awaited out;
  if (equals == std::string_view::npos && (word == "create" || word == "delete")) {
    out.kind_ = word == "create" ? Kind::kCreate : Kind::kDelete;
    return out;
  }
  if (word == "condition" && !rest.empty()) {
    const std::size_t value = rest.find('=');
    out.condition_ = small(rest.substr(0, value));
    out.value_ = value == std::string_view::npos ? "true" : small(rest.substr(value + 1));
    if (!out.condition_.empty() && !out.value_.empty()) return out;
  }
  if (word == "jsonpath" && !rest.empty()) {
    const std::string_view all = unquoted(rest);
    const std::size_t end = end_of_path(all);
    std::string_view path = unquoted(all.substr(0, end));
    if (path.starts_with('{') && path.ends_with('}')) path = path.substr(1, path.size() - 2);
    PORTICO_TRY(out.path_, jsonpath::Path::parse(path), "jsonpath");
    out.kind_ = Kind::kPath;
    out.any_value_ = end == all.size();
    if (!out.any_value_ && all[end] != '=')
      return invalid("invalid condition \"{}\": must be jsonpath={{PATH}}=VALUE", text);
    if (!out.any_value_) out.value_ = unquoted(all.substr(end + 1));
    return out;
  }
  const bool known = word == "condition" || word == "jsonpath";
  return invalid(
      "unrecognized condition: \"{}\"{}; must be create, delete, condition=TYPE[=STATUS] or "
      "jsonpath={{PATH}}[=VALUE]",
      text, known ? "" : hint(word, {"create", "delete", "condition", "jsonpath"}));
}

bool Awaited::met(const Value& object) const {
  switch (kind_) {
    case Kind::kCreate:
      return !object.is_null();
    case Kind::kDelete:
      return object.is_null();
    case Kind::kCondition:
      for (const Value& condition : object["status"]["conditions"].items()) {
        if (small(condition["type"].as_string()) != condition_) continue;
        const auto generation = observed(condition, object["status"]);
        return (!generation || *generation >= krm::generation_of(object)) &&
               small(condition["status"].as_string()) == value_;
      }
      return false;
    case Kind::kPath: {
      const std::vector<Value> found = path_->evaluate(object);
      return !found.empty() && std::all_of(found.begin(), found.end(), [&](const Value& value) {
        return any_value_ || jsonpath::text_of(value) == value_;
      });
    }
  }
  return false;
}

}  // namespace portico::resources
