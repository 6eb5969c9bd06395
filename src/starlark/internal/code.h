// The bytecode: output of the compiler, input of the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "starlark/internal/object.h"
#include "starlark/program.h"
#include "starlark/value.h"

namespace portico::starlark::internal {

/// Operands are on a stack; "a b -> c" shows what an instruction pops and pushes.
enum class Op : std::uint8_t {
  kPop,           // a ->
  kDuplicate,     // a -> a a
  kDuplicateTwo,  // a b -> a b a b
  kConstant,      // -> constants[arg]
  kUnset,         // -> a mark for "no default"
  kLocal,         // -> slot arg
  kSetLocal,      // a ->
  kLocalCell,     // -> the content of the cell in slot arg
  kSetLocalCell,  // a ->
  kFreeCell,      // -> the content of free cell arg
  kCell,          // -> the cell in slot arg itself, for a closure
  kFree,          // -> free cell arg itself
  kGlobal,        // -> global arg
  kSetGlobal,     // a ->
  kPredeclared,   // -> value arg of the environment
  kUniversal,     // -> built-in arg
  kBinary,        // a b -> a op b; arg is a BinaryOp
  kAddInPlace,    // a b -> a, or a + b
  kOrInPlace,     // a b -> a, or a | b
  kUnary,         // a -> op a; arg is a UnaryOp
  kNot,           // a -> not a
  kJump,          // to arg
  kJumpIf,        // a ->; to arg if a is true
  kJumpUnless,    // a ->; to arg if a is false
  kIterate,       // a ->; starts a loop over a
  kNext,          // -> the next element, or to arg at the end
  kEndLoop,       // ends the innermost loop
  kIndex,         // a key -> a[key]
  kSetIndex,      // a key value ->; value a key -> if arg is 1
  kSlice,         // a low high step -> a[low:high:step]
  kAttribute,     // a -> a.names[arg]
  kMethod,        // a -> receiver function, for a call of a.names[arg]; no receiver: unset
  kSetField,      // a value ->, names[arg / 2]; value a -> if arg is odd
  kTuple,         // arg values -> a tuple
  kList,          // arg values -> a list
  kDict,          // -> an empty dict
  kAppend,        // list a ->
  kInsert,        // dict key value -> dict; an error if the key exists
  kPut,           // dict key value ->
  kUnpack,        // a -> its arg elements, the first on top
  kFunction,      // defaults... cells... -> a function of functions[arg]
  kCall,          // [receiver] function positional... (name value)... [args] [kwargs] -> result
  kReturn,        // a ->
  kLoad,          // -> the members of loads[arg], the first on top
};

struct Instruction {
  Op op;
  std::uint32_t arg = 0;
  Position where;
};

/// The argument of kCall.
struct CallShape {
  std::uint32_t positional = 0;  // up to 255
  std::uint32_t named = 0;       // up to 255
  bool star = false;
  bool star_star = false;
  bool method = false;  // kMethod left a receiver below the function
  std::uint32_t packed() const {
    return positional | named << 8 | (star ? 1U << 16 : 0) | (star_star ? 1U << 17 : 0) |
           (method ? 1U << 18 : 0);
  }
  static CallShape unpacked(std::uint32_t arg) {
    const auto bit = [arg](int place) { return (arg >> place & 1) != 0; };
    return {arg & 0xFF, arg >> 8 & 0xFF, bit(16), bit(17), bit(18)};
  }
};

struct FunctionCode {
  std::string name;
  Position where;
  std::vector<Instruction> instructions;
  std::vector<std::string> locals;   // names; parameters first
  std::vector<std::string> free;     // names
  std::vector<std::uint32_t> cells;  // the slots that inner functions use
  std::uint32_t parameters = 0;      // excluding *args and **kwargs
  std::uint32_t named_only = 0;      // the last of these
  std::uint32_t defaults = 0;        // values that kFunction takes
  bool has_star = false;
  bool has_star_star = false;
};

struct LoadCode {
  std::string module;
  std::vector<std::string> names;
};

/// A compiled program. Immutable: it owns its literals, whose hashes are already computed.
struct Code {
  Code() = default;
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code();

  std::string name;
  Dialect dialect;
  FunctionCode top;
  std::vector<std::unique_ptr<FunctionCode>> functions;
  std::vector<Value> constants;
  std::vector<std::string> names;  // of attributes
  std::vector<std::string> globals;
  std::vector<std::string> predeclared;
  std::vector<LoadCode> loads;
  Object* objects = nullptr;  // of the constants
};

}  // namespace portico::starlark::internal
