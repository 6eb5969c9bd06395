// Helpers for declaring functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/library.h"

namespace portico::cel_lib {

using cel::Args;
using cel::Budget;
using cel::Expr;
using cel::ExprKind;
using cel::Fold;
using cel::Function;
using cel::Implementation;
using cel::Kind;
using cel::Library;
using cel::Macro;
using cel::MacroContext;
using cel::Overload;
using cel::Preparation;
using cel::Type;
using cel::TypeKind;
using cel::Value;

inline const Type kString = TypeKind::kString;
inline const Type kBytes = TypeKind::kBytes;
inline const Type kBool = TypeKind::kBool;
inline const Type kInt = TypeKind::kInt;
inline const Type kUint = TypeKind::kUint;
inline const Type kDouble = TypeKind::kDouble;

/// Collects overloads by function name. An overload's id consists of the name and the parameters.
class Declarations {
 public:
  void global(const std::string& name, std::vector<Type> params, Type result, Implementation call,
              Preparation prepare = {}) {
    add(name, false, std::move(params), std::move(result), std::move(call), std::move(prepare));
  }
  void member(const std::string& name, std::vector<Type> params, Type result, Implementation call,
              Preparation prepare = {}) {
    add(name, true, std::move(params), std::move(result), std::move(call), std::move(prepare));
  }
  std::vector<Function> take() { return std::move(functions_); }

 private:
  void add(const std::string& name, bool member, std::vector<Type> params, Type result,
           Implementation call, Preparation prepare) {
    std::string id = member ? "member_" + name : name;
    for (const Type& param : params) id += "_" + param.text();
    if (functions_.empty() || functions_.back().name != name) functions_.push_back({name, {}});
    functions_.back().overloads.push_back({std::move(id), std::move(params), std::move(result),
                                           member, std::move(call), std::move(prepare)});
  }

  std::vector<Function> functions_;
};

inline Value of_int(std::int64_t number) { return Value(number); }
inline Value of_size(std::size_t number) { return Value(static_cast<std::int64_t>(number)); }

/// The elements of a list, for loops.
inline std::vector<Value> elements(const Value& list) {
  std::vector<Value> out;
  out.reserve(list.as_list().size());
  for (std::size_t i = 0; i < list.as_list().size(); ++i) out.push_back(list.as_list().at(i));
  return out;
}

/// Whether the call is namespace.name(...), for the macros of a namespace.
inline bool in_namespace(const Expr& call, std::string_view name) {
  return call.target != nullptr && call.target->kind == ExprKind::kIdent &&
         call.target->name == name;
}

/// `text` in double quotes, as Go's %q writes it.
std::string go_quoted(std::string_view text);

}  // namespace portico::cel_lib
