#include "starlark_syntax/operator.h"

namespace portico::starlark {

namespace {

constexpr std::string_view kSymbols[] = {
    "+",  "-",  "*",      "/",  "//", "%", "&",  "|", "^", "<<",
    ">>", "in", "not in", "==", "!=", "<", "<=", ">", ">="};

}  // namespace

std::string_view symbol(BinaryOp op) { return kSymbols[static_cast<std::size_t>(op)]; }

}  // namespace portico::starlark
