// Executes code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "starlark/heap.h"
#include "starlark/internal/code.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/methods.h"
#include "starlark/internal/object.h"
#include "starlark/program.h"

namespace portico::starlark::internal {

/// One run. Calls of Starlark functions use a separate stack, so that the recursion depth of the
/// program does not depend on the C++ stack. Only functions that call back (sorted with a key)
/// nest, and those are counted.
class Machine {
 public:
  Machine(Heap& heap, const Environment& environment) : heap_(heap), environment_(environment) {}

  /// Runs the whole program.
  Outcome run(const Code& code);

  Heap& heap() { return heap_; }
  const Environment& environment() const { return environment_; }
  /// Calls back into the program. May throw an EvalError.
  Value call(Value function, std::span<const Value> args);

  /// x.name; nullopt if there is no such field or method.
  std::optional<Value> find_attribute(Value x, std::string_view name);

 private:
  using Named = Call::Named;

  struct CallFrame {
    const FunctionCode* code = nullptr;  // nullptr for a built-in function
    const BuiltinObject* builtin = nullptr;
    FunctionObject* function = nullptr;  // nullptr for the top of the program
    std::size_t next = 0;                // index of the next instruction
    std::size_t locals = 0;              // where they begin on the stack
    std::size_t return_to = 0;           // stack size after the return, without the result
    std::size_t loops = 0;               // loops of the callers
  };

  /// Runs until only `frames` frames are left; returns the result of the last one.
  Value execute(std::size_t frames);
  void step(CallFrame& frame, const Instruction& instruction);
  void step_data(CallFrame& frame, const Instruction& instruction);
  void call_instruction(const CallShape& shape);
  /// Enters a Starlark function, or calls a built-in one. Before a built-in's result is pushed, the
  /// stack is cut to `return_to`.
  void start_call(Value function, Value receiver, std::span<const Value> args,
                  std::span<const Named> named, std::size_t return_to);
  void enter(FunctionObject& function, std::size_t locals, std::size_t return_to);
  /// Stores arguments and defaults in the locals.
  void bind(const FunctionObject& function, std::size_t locals, std::span<const Value> args,
            std::span<const Named> named);
  Value call_builtin(const BuiltinObject& builtin, Value receiver, std::span<const Value> args,
                     std::span<const Named> named);
  void check_depth();
  void return_value();

  Value attribute(Value x, std::string_view name);
  void push_method(Value x, std::string_view name);
  BuiltinObject* unbound(const NamedFunction& method);
  void unpack(Value sequence, std::size_t count);
  void make_function(CallFrame& frame, std::size_t index);
  void load(const LoadCode& load);
  Value universal(std::size_t index);
  [[noreturn]] static void unassigned(std::string_view kind, std::string_view name);

  void push(Value value) { stack_.push_back(value); }
  Value pop() {
    const Value top = stack_.back();
    stack_.pop_back();
    return top;
  }
  Value& top(std::size_t below = 0) { return stack_[stack_.size() - 1 - below]; }
  std::vector<Frame> stack_of_calls() const;

  Heap& heap_;
  const Environment& environment_;
  const Code* code_ = nullptr;
  ModuleObject* module_ = nullptr;
  std::vector<Value> stack_;
  std::vector<CallFrame> frames_;
  std::vector<Iterator> loops_;
  std::vector<Value> universe_;                                           // unset until first used
  std::vector<std::pair<const NamedFunction*, BuiltinObject*>> unbound_;  // sorted
  int nested_ = 0;                                                        // execute() in execute()
  std::uint32_t unpaid_ = 0;                                              // instructions
};

}  // namespace portico::starlark::internal
