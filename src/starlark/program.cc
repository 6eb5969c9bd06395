#include "starlark/program.h"

#include <fmt/format.h>

#include "starlark/internal/compiler.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/machine.h"
#include "starlark_syntax/lexer.h"
#include "starlark_syntax/parser.h"
#include "starlark_syntax/resolver.h"

namespace portico::starlark {

namespace {

/// Far more than a hand-written program has; instructions and positions are counted in 32 bits.
constexpr std::size_t kMostSource = std::size_t{4} << 20;

std::string place(std::string_view file, Position where) {
  return where.line == 0 ? std::string(file)
                         : fmt::format("{}:{}:{}", file, where.line, where.column);
}

}  // namespace

std::string Failure::text() const {
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
    if (frame->position.line != 0)
      return fmt::format("{}: {}", place(frame->file, frame->position), message);
  return message;
}

std::string Failure::traceback() const {
  std::string text;
  const bool in_builtin = !stack.empty() && stack.back().position.line == 0;
  const std::size_t shown = stack.size() - (in_builtin ? 1 : 0);
  if (shown > 0) text += "Traceback (most recent call last):\n";
  constexpr std::size_t kMostShown = 20;
  for (std::size_t i = 0; i < shown; ++i) {
    if (shown > kMostShown && i == kMostShown / 2) {
      text += fmt::format("  ... {} more calls\n", shown - kMostShown);
      i = shown - kMostShown / 2;
    }
    text +=
        fmt::format("  {}: in {}\n", place(stack[i].file, stack[i].position), stack[i].function);
  }
  text += in_builtin ? fmt::format("Error in {}: {}", stack.back().function, message)
                     : fmt::format("Error: {}", message);
  return text;
}

Result<Program> Program::compile(std::string_view source, std::string_view name,
                                 const std::vector<std::string>& predeclared, Dialect dialect) {
  if (source.size() > kMostSource)
    return invalid("{}: program of {} bytes is too large (limit {})", name, source.size(),
                   kMostSource);
  try {
    SyntaxTree tree;
    parse(source, tree);
    resolve(tree, predeclared, dialect, name);
    return Program(internal::compile(tree, name, predeclared, dialect));
  } catch (const SyntaxError& why) {
    return invalid("{}: {}", place(name, why.where), why.message);
  }
}

Outcome Program::run(Heap& heap, const Environment& environment) const {
  internal::Access::keep(heap, code_);
  return internal::Machine(heap, environment).run(*code_);
}

const std::string& Program::name() const { return code_->name; }

}  // namespace portico::starlark
