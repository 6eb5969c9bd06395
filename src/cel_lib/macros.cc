// Macro libraries: local names, two-variable comprehensions, blocks.
#include <fmt/format.h>

#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

Expr* expand_bind(MacroContext& context, const Expr& call) {
  if (!in_namespace(call, "cel")) return nullptr;
  const Expr& name = *call.args[0];
  if (name.kind != ExprKind::kIdent || name.absolute)
    return context.refuse(name, "cel.bind() variable names must be simple identifiers");
  return context.bind(name.name, call.args[1], call.args[2]);
}

// name(key, value, body), or name(key, value, filter, body) with `filtered`.
Macro over_pairs(std::string name, Fold fold, bool filtered) {
  return {std::move(name), filtered ? 4 : 3, true,
          [fold, filtered](MacroContext& context, const Expr& call) -> Expr* {
            const std::string* first = cel::loop_variable(context, *call.args[0]);
            if (first == nullptr) return nullptr;
            const std::string* second = cel::loop_variable(context, *call.args[1]);
            if (second == nullptr) return nullptr;
            if (*first == *second)
              return context.refuse(*call.args[1], "duplicate variable name: " + *first);
            return context.fold(fold, call.target, *first, *second,
                                filtered ? call.args[2] : nullptr, call.args.back());
          }};
}

// The literal int at `index` if it is small and not negative.
std::optional<std::int64_t> small_literal(const Expr& call, std::size_t index) {
  const Expr& arg = *call.args[index];
  if (arg.kind != ExprKind::kLiteral || !arg.value.is(Kind::kInt)) return std::nullopt;
  const std::int64_t number = arg.value.as_int();
  return number >= 0 && number < 1'000'000 ? std::optional(number) : std::nullopt;
}

Expr* expand_block(MacroContext& context, const Expr& call) {
  if (!in_namespace(call, "cel")) return nullptr;
  // Each value may contain the one before it: this limit also limits the nesting of values.
  constexpr std::size_t kMostValues = 250;
  Expr* values = call.args[0];
  if (values->kind != ExprKind::kList)
    return context.refuse(*values, "cel.block requires the first arg to be a list literal");
  if (values->args.size() > kMostValues)
    return context.refuse(*values, fmt::format("cel.block takes up to {} values", kMostValues));
  for (std::size_t i = 0; i < values->args.size(); ++i)
    if (values->optional_items[i])
      return context.refuse(*values, "cel.block takes no optional values");
  Expr* out = context.make(ExprKind::kBlock);
  out->target = call.args[1];
  out->args = values->args;
  return out;
}

Expr* expand_index(MacroContext& context, const Expr& call) {
  if (!in_namespace(call, "cel")) return nullptr;
  const auto index = small_literal(call, 0);
  if (!index)
    return context.refuse(*call.args[0],
                          "cel.index requires a single non-negative int constant arg");
  return context.ident(fmt::format("@index{}", *index));
}

Macro variable(const std::string& name, const std::string& prefix) {
  return {name, 2, true, [name, prefix](MacroContext& context, const Expr& call) -> Expr* {
            if (!in_namespace(call, "cel")) return nullptr;
            const auto depth = small_literal(call, 0);
            const auto unique = small_literal(call, 1);
            if (!depth || !unique)
              return context.refuse(
                  call, fmt::format("cel.{} requires two non-negative int constant args", name));
            return context.ident(fmt::format("{}:{}:{}", prefix, *depth, *unique));
          }};
}

}  // namespace

Library bindings() {
  Library out;
  out.name = "bindings";
  out.macros = {{"bind", 3, true, expand_bind}};
  return out;
}

Library two_variable_comprehensions() {
  Library out;
  out.name = "comprehensions2";
  out.macros = {over_pairs("all", Fold::kAll, false),
                over_pairs("exists", Fold::kExists, false),
                over_pairs("existsOne", Fold::kExistsOne, false),
                over_pairs("exists_one", Fold::kExistsOne, false),
                over_pairs("transformList", Fold::kMap, false),
                over_pairs("transformList", Fold::kMap, true),
                over_pairs("transformMap", Fold::kTransformMap, false),
                over_pairs("transformMap", Fold::kTransformMap, true),
                over_pairs("transformMapEntry", Fold::kTransformMapEntry, false),
                over_pairs("transformMapEntry", Fold::kTransformMapEntry, true)};
  return out;
}

Library block() {
  Library out;
  out.name = "block";
  out.macros = {{"block", 2, true, expand_block},
                {"index", 1, true, expand_index},
                variable("iterVar", "@it"),
                variable("accuVar", "@ac")};
  return out;
}

}  // namespace portico::cel_lib
