#include "starlark/internal/print.h"

#include <fmt/format.h>

#include <algorithm>

#include "starlark/internal/code.h"
#include "starlark/internal/object.h"
#include "starlark_syntax/number.h"
#include "starlark_syntax/quoting.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark::internal {

namespace {

constexpr std::size_t kDepth = 200;
/// A value that contains the same list many times on many levels would take forever to print.
constexpr std::size_t kMostText = std::size_t{64} << 20;

class Printer {
 public:
  explicit Printer(std::string& text) : text_(text) {}

  void print(Value value) {
    switch (value.type()) {
      case Type::kNone:
        text_ += "None";
        break;
      case Type::kBool:
        text_ += value.as_bool() ? "True" : "False";
        break;
      case Type::kInt:
        text_ += Access::is_small_int(value) ? std::to_string(Access::small_int(value))
                                             : as_big_int(value)->value.text();
        break;
      case Type::kFloat:
        text_ += format_float(value.as_float());
        break;
      case Type::kString:
      case Type::kBytes:
        text_ += quote(value.text(), value.is(Type::kBytes));
        break;
      case Type::kList:
        nested(value, '[', ']', [&] { items(value.items()); });
        break;
      case Type::kTuple:
        nested(value, '(', ')', [&] {
          items(value.items());
          if (value.items().size() == 1) text_ += ',';
        });
        break;
      case Type::kDict:
        nested(value, '{', '}', [&] { dict(as_dict(value)->table); });
        break;
      case Type::kSet:
        text_ += "set(";
        nested(value, '[', ']', [&] { set(as_set(value)->table); });
        text_ += ')';
        break;
      case Type::kStruct:
        text_ += as_record(value)->name;
        nested(value, '(', ')', [&] { fields(*as_record(value)); });
        break;
      default:
        leaf(value);
    }
  }

 private:
  void leaf(Value value) {
    switch (value.type()) {
      case Type::kRange: {
        const RangeObject& range = *as_range(value);
        if (range.step != 1)
          text_ += fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
        else if (range.start != 0)
          text_ += fmt::format("range({}, {})", range.start, range.stop);
        else
          text_ += fmt::format("range({})", range.stop);
        break;
      }
      case Type::kView: {
        constexpr std::string_view kMethods[] = {".elems()", ".elem_ords()", ".codepoints()",
                                                 ".codepoint_ords()", ".elems()"};
        print(as_view(value)->text);
        text_ += kMethods[static_cast<std::size_t>(as_view(value)->view)];
        break;
      }
      case Type::kFunction:
        text_ += fmt::format("<function {}>", as_function(value)->code->name);
        break;
      case Type::kModule:
        text_ += fmt::format("<module {}>", quote(as_record(value)->name));
        break;
      default: {
        const BuiltinObject& builtin = *as_builtin(value);
        text_ += builtin.bound ? fmt::format("<built-in method {} of {} value>", builtin.name,
                                             builtin.receiver.type_name())
                               : fmt::format("<built-in function {}>", builtin.name);
      }
    }
  }

  template <class Content>
  void nested(Value value, char open, char close, Content content) {
    text_ += open;
    const bool inside = std::find(path_.begin(), path_.end(), value.identity()) != path_.end();
    if (inside || path_.size() == kDepth || text_.size() > kMostText) {
      text_ += "...";
    } else {
      path_.push_back(value.identity());
      content();
      path_.pop_back();
    }
    text_ += close;
  }

  void separate(bool& first) {
    if (!first) text_ += ", ";
    first = false;
  }

  void items(std::span<const Value> items) {
    bool first = true;
    for (const Value item : items) {
      separate(first);
      print(item);
    }
  }

  void dict(const Table& table) {
    bool first = true;
    for (const Table::Entry& entry : table.entries()) {
      if (Access::is_unset(entry.key)) continue;
      separate(first);
      print(entry.key);
      text_ += ": ";
      print(entry.value);
    }
  }

  void set(const Table& table) {
    bool first = true;
    for (const Table::Entry& entry : table.entries()) {
      if (Access::is_unset(entry.key)) continue;
      separate(first);
      print(entry.key);
    }
  }

  void fields(const RecordObject& record) {
    bool first = true;
    for (const auto& [name, value] : record.fields) {
      separate(first);
      text_ += name;
      text_ += " = ";
      print(value);
    }
  }

  std::string& text_;
  std::vector<std::uintptr_t> path_;
};

}  // namespace

void write(std::string& text, Value value) { Printer(text).print(value); }

}  // namespace portico::starlark::internal
