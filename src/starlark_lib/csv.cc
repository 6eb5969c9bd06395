// encoding/csv.star: RFC 4180, parsed like Go's encoding/csv.
#include <algorithm>
#include <optional>

#include "starlark/call.h"
#include "starlark_lib/internal/libraries.h"

namespace portico::starlark_lib {

using starlark::Call;
using starlark::Heap;
using starlark::Value;

namespace {

struct Options {
  char comma = ',';
  char comment = '\0';
  bool lazy_quotes = false;
  bool trim_leading_space = false;
  std::int64_t fields = 0;  // of each record; 0: as many as the first one has, < 0: any number
  std::int64_t skip = 0;    // records
};

using Record = std::vector<std::string>;

class Reader {
 public:
  Reader(std::string_view text, const Options& options) : rest_(text), options_(options) {}

  /// nullopt at the end.
  Result<std::optional<Record>> next() {
    while (!rest_.empty()) {
      ++line_;
      const bool is_comment = options_.comment != '\0' && rest_[0] == options_.comment;
      if (!is_comment && rest_[0] != '\n') {
        PORTICO_TRY(Record record, fields());
        return std::optional(std::move(record));
      }
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
    }
    return std::optional<Record>();
  }

  std::size_t line() const { return line_; }

 private:
  Result<Record> fields() {
    Record record;
    const std::size_t start = line_;
    while (true) {
      if (options_.trim_leading_space)
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
      std::string field;
      if (rest_.starts_with('"')) {
        PORTICO_DO(quoted(field, start));
      } else {
        const char ends[] = {options_.comma, '\n'};
        const std::size_t size = std::min(rest_.find_first_of({ends, 2}), rest_.size());
        field = rest_.substr(0, size);
        if (!options_.lazy_quotes && field.find('"') != std::string::npos)
          return invalid("record on line {}: bare \" in non-quoted-field", start);
        rest_.remove_prefix(size);
      }
      record.push_back(std::move(field));
      if (rest_.empty()) return record;
      const char end = rest_[0];
      rest_.remove_prefix(1);
      if (end == '\n') return record;
    }
  }

  Result<Done> quoted(std::string& field, std::size_t start) {
    rest_.remove_prefix(1);
    while (true) {
      const std::size_t size = std::min(rest_.find('"'), rest_.size());
      field += rest_.substr(0, size);
      line_ += static_cast<std::size_t>(
          std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
      rest_.remove_prefix(size);
      if (rest_.empty()) {
        if (options_.lazy_quotes) return Done{};
        return invalid("record on line {}: extraneous or missing \" in quoted-field", start);
      }
      rest_.remove_prefix(1);
      const bool at_end = rest_.empty() || rest_[0] == '\n' || rest_[0] == options_.comma;
      if (at_end) return Done{};
      if (!rest_.starts_with('"') && !options_.lazy_quotes)
        return invalid("record on line {}: extraneous or missing \" in quoted-field", start);
      field += '"';
      if (rest_.starts_with('"')) rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  const Options& options_;
  std::size_t line_ = 0;
};

/// A parameter that is a single character; `otherwise` if it was not given.
Result<char> character(const Call& call, std::size_t parameter, std::string_view name,
                       char otherwise) {
  PORTICO_TRY(const auto text, call.text(parameter));
  if (text.empty()) return otherwise;
  if (text.size() != 1) return invalid("expected {} param to be a single-character string", name);
  return text[0];
}

/// Converts DOS and old Mac line ends to "\n".
std::string with_line_feeds(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && text.substr(i + 1, 1) == "\n") continue;
    result += text[i] == '\r' ? '\n' : text[i];
  }
  return result;
}

Result<Value> read_all(Call& call) {
  PORTICO_DO(call.bind({"source", "comma?", "comment?", "lazy_quotes?", "trim_leading_space?",
                        "fields_per_record?", "skip?"}));
  PORTICO_TRY(const auto source, call.text(0));
  Options options;
  PORTICO_TRY(options.comma, character(call, 1, "comma", ','));
  PORTICO_TRY(options.comment, character(call, 2, "comment", '\0'));
  PORTICO_TRY(options.lazy_quotes, call.boolean(3));
  PORTICO_TRY(options.trim_leading_space, call.boolean(4));
  PORTICO_TRY(options.fields, call.integer(5));
  PORTICO_TRY(options.skip, call.integer(6));
  const std::string text = with_line_feeds(source);
  if (!call.heap.spend(text.size() / 4)) return invalid("{}", call.heap.exhausted());
  Reader reader(text, options);
  std::vector<Value> rows;
  while (true) {
    PORTICO_TRY(const auto record, reader.next());
    if (!record) break;
    if (options.fields == 0) options.fields = static_cast<std::int64_t>(record->size());
    if (options.fields > 0 && static_cast<std::int64_t>(record->size()) != options.fields)
      return invalid("record on line {}: wrong number of fields", reader.line());
    if (options.skip-- > 0) continue;
    std::vector<Value> row;
    for (const std::string& field : *record) row.push_back(call.heap.string(field));
    rows.push_back(call.heap.list(std::move(row)));
  }
  return call.heap.list(std::move(rows));
}

std::string written(std::string_view field, char comma) {
  const bool quotes = field == "\\." || (!field.empty() && (field[0] == ' ' || field[0] == '\t')) ||
                      field.find(comma) != std::string_view::npos ||
                      field.find_first_of("\"\r\n") != std::string_view::npos;
  if (!quotes) return std::string(field);
  std::string text = "\"";
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

Result<Value> write_all(Call& call) {
  PORTICO_DO(call.bind({"source", "comma?"}));
  PORTICO_TRY(const char comma, character(call, 1, "comma", ','));
  using starlark::Type;
  const auto is_array = [](Value value) { return value.is(Type::kList) || value.is(Type::kTuple); };
  if (!is_array(call[0])) return invalid("expected value to be an array type");
  const Value source = call[0];
  std::string text;
  for (std::size_t i = 0; i < source.items().size(); ++i) {
    const Value row = source.items()[i];
    if (!is_array(row)) return invalid("row {} is not an array type", i);
    for (std::size_t j = 0; j < row.items().size(); ++j) {
      if (j > 0) text += comma;
      const Value cell = row.items()[j];
      // Non-text values as Go prints them.
      text += written(cell.is(Type::kBool) ? cell.as_bool() ? "true" : "false"
                      : cell.is_none()     ? "<nil>"
                                           : cell.str(),
                      comma);
    }
    text += '\n';
    if (!call.heap.spend(row.items().size() + 1)) return invalid("{}", call.heap.exhausted());
  }
  return call.heap.string(text);
}

}  // namespace

Value csv_module(Heap& heap) {
  return heap.module("csv", {{"read_all", heap.builtin("read_all", read_all)},
                             {"write_all", heap.builtin("write_all", write_all)}});
}

}  // namespace portico::starlark_lib
