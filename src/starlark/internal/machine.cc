#include "starlark/internal/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/spelling.h"
#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/operators.h"
#include "starlark_syntax/resolver.h"

namespace portico::starlark::internal {

namespace {

constexpr std::uint32_t kInstructionsPerPayment = 64;

}  // namespace

Outcome Machine::run(const Code& code) {
  Outcome outcome;
  code_ = &code;
  module_ = Access::make<ModuleObject>(heap_);
  module_->code = &code;
  module_->globals.assign(code.globals.size(), Access::unset());
  universe_.assign(universe().size(), Access::unset());
  try {
    for (const std::string& name : code.predeclared) {
      const auto found = environment_.predeclared.find(name);
      if (found == environment_.predeclared.end()) fault("no value for predeclared name {}", name);
      module_->predeclared.push_back(found->second);
    }
    CallFrame top;
    top.code = &code.top;
    stack_.assign(code.top.locals.size(), Access::unset());
    for (const std::uint32_t slot : code.top.cells)
      stack_[slot] = Access::value(Access::make<CellObject>(heap_, Access::unset()));
    frames_.push_back(top);
    execute(0);
    if (!heap_.exhausted().empty()) exhausted(heap_);
  } catch (const EvalError& why) {
    outcome.failure = Failure{why.kind, why.message, stack_of_calls()};
  }
  loops_.clear();
  for (std::size_t i = 0; i < code.globals.size(); ++i) {
    if (Access::is_unset(module_->globals[i])) continue;
    heap_.freeze(module_->globals[i]);
    outcome.globals.emplace(code.globals[i], module_->globals[i]);
  }
  return outcome;
}

std::vector<Frame> Machine::stack_of_calls() const {
  std::vector<Frame> frames;
  for (const CallFrame& frame : frames_) {
    if (frame.code == nullptr) {
      frames.push_back({frame.builtin->name, "<builtin>", {}});
      continue;
    }
    const auto& instructions = frame.code->instructions;
    const Position where = frame.next == 0 ? frame.code->where : instructions[frame.next - 1].where;
    frames.push_back({frame.code->name, code_->name, where});
  }
  return frames;
}

Value Machine::execute(std::size_t frames) {
  while (frames_.size() > frames) {
    if (++unpaid_ == kInstructionsPerPayment) {
      pay(heap_, unpaid_);
      unpaid_ = 0;
    }
    CallFrame& frame = frames_.back();
    const Instruction& instruction = frame.code->instructions[frame.next++];
    step(frame, instruction);
  }
  return pop();
}

void Machine::step(CallFrame& frame, const Instruction& instruction) {
  const std::uint32_t arg = instruction.arg;
  switch (instruction.op) {
    case Op::kPop:
      stack_.pop_back();
      break;
    case Op::kDuplicate:
      push(top());
      break;
    case Op::kDuplicateTwo:
      push(top(1));
      push(top(1));
      break;
    case Op::kConstant:
      push(code_->constants[arg]);
      break;
    case Op::kUnset:
      push(Access::unset());
      break;
    case Op::kLocal: {
      const Value value = stack_[frame.locals + arg];
      if (Access::is_unset(value)) unassigned("local", frame.code->locals[arg]);
      push(value);
      break;
    }
    case Op::kSetLocal:
      stack_[frame.locals + arg] = pop();
      break;
    case Op::kGlobal:
      if (Access::is_unset(module_->globals[arg])) unassigned("global", code_->globals[arg]);
      push(module_->globals[arg]);
      break;
    case Op::kSetGlobal:
      module_->globals[arg] = pop();
      break;
    case Op::kBinary: {
      const Value y = pop();
      top() = binary(heap_, static_cast<BinaryOp>(arg), top(), y);
      break;
    }
    case Op::kNot:
      top() = Value(!top().truth());
      break;
    case Op::kJump:
      frame.next = arg;
      break;
    case Op::kJumpIf:
      if (pop().truth()) frame.next = arg;
      break;
    case Op::kJumpUnless:
      if (!pop().truth()) frame.next = arg;
      break;
    case Op::kIterate: {
      const Value sequence = pop();
      auto loop = Iterator::over(sequence);
      if (!loop) fault("{} value is not iterable", sequence.type_name());
      loops_.push_back(*std::move(loop));
      break;
    }
    case Op::kNext: {
      Value element;
      if (loops_.back().next(heap_, element))
        push(element);
      else
        frame.next = arg;
      break;
    }
    case Op::kEndLoop:
      loops_.pop_back();
      break;
    case Op::kCall:
      call_instruction(CallShape::unpacked(arg));
      break;
    case Op::kReturn:
      return_value();
      break;
    default:
      step_data(frame, instruction);
  }
}

void Machine::step_data(CallFrame& frame, const Instruction& instruction) {
  const std::uint32_t arg = instruction.arg;
  switch (instruction.op) {
    case Op::kLocalCell: {
      const Value value = as_cell(stack_[frame.locals + arg])->value;
      if (Access::is_unset(value)) unassigned("local", frame.code->locals[arg]);
      push(value);
      break;
    }
    case Op::kSetLocalCell:
      as_cell(stack_[frame.locals + arg])->value = pop();
      break;
    case Op::kFreeCell: {
      const Value value = frame.function->free[arg]->value;
      if (Access::is_unset(value)) unassigned("local", frame.code->free[arg]);
      push(value);
      break;
    }
    case Op::kCell:
      push(stack_[frame.locals + arg]);
      break;
    case Op::kFree:
      push(Access::value(frame.function->free[arg]));
      break;
    case Op::kPredeclared:
      push(module_->predeclared[arg]);
      break;
    case Op::kUniversal:
      push(universal(arg));
      break;
    case Op::kAddInPlace: {
      const Value y = pop();
      top() = add_in_place(heap_, top(), y);
      break;
    }
    case Op::kOrInPlace: {
      const Value y = pop();
      top() = or_in_place(heap_, top(), y);
      break;
    }
    case Op::kUnary:
      top() = unary(heap_, static_cast<UnaryOp>(arg), top());
      break;
    case Op::kIndex: {
      const Value key = pop();
      top() = get_index(heap_, top(), key);
      break;
    }
    case Op::kSetIndex: {
      const Value third = pop();
      const Value second = pop();
      const Value first = pop();
      if (arg == 1)
        set_index(heap_, second, third, first);
      else
        set_index(heap_, first, second, third);
      break;
    }
    case Op::kSlice: {
      const Value step = pop();
      const Value high = pop();
      const Value low = pop();
      top() = slice(heap_, top(), low, high, step);
      break;
    }
    case Op::kAttribute:
      top() = attribute(top(), code_->names[arg]);
      break;
    case Op::kMethod:
      push_method(pop(), code_->names[arg]);
      break;
    case Op::kSetField:
      fault("can't assign to .{} field of {}", code_->names[arg >> 1],
            top((arg & 1) != 0 ? 0 : 1).type_name());
    case Op::kTuple:
    case Op::kList: {
      std::vector<Value> items(stack_.end() - static_cast<std::ptrdiff_t>(arg), stack_.end());
      stack_.resize(stack_.size() - arg);
      push(instruction.op == Op::kList ? heap_.list(std::move(items))
                                       : heap_.tuple(std::move(items)));
      break;
    }
    case Op::kDict:
      push(heap_.dict());
      break;
    case Op::kAppend: {
      const Value item = pop();
      internal::push(heap_, *as_list(pop()), item);
      break;
    }
    case Op::kInsert:
    case Op::kPut: {
      const Value value = pop();
      const Value key = pop();
      const bool added = as_dict(top())->table.set(heap_, key, value);
      if (instruction.op == Op::kPut)
        stack_.pop_back();
      else if (!added)
        fault("duplicate key: {}", key.repr());
      break;
    }
    case Op::kUnpack:
      unpack(pop(), arg);
      break;
    case Op::kFunction:
      make_function(frame, arg);
      break;
    case Op::kLoad:
      load(code_->loads[arg]);
      break;
    default:
      fault("unknown instruction {}", static_cast<int>(instruction.op));
  }
}

void Machine::unassigned(std::string_view kind, std::string_view name) {
  fault("{} variable {} referenced before assignment", kind, name);
}

void Machine::unpack(Value sequence, std::size_t count) {
  std::vector<Value> items;
  bool more = false;
  const auto size = length(sequence);
  auto iterator = Iterator::over(sequence);
  if (!iterator) fault("got {} in sequence assignment", sequence.type_name());
  for (Value element; !more && iterator->next(heap_, element);) {
    more = items.size() == count;
    if (!more) items.push_back(element);
  }
  if (more) fault("too many values to unpack (got {}, want {})", size.value_or(-1), count);
  if (items.size() < count)
    fault("too few values to unpack (got {}, want {})", items.size(), count);
  stack_.insert(stack_.end(), items.rbegin(), items.rend());
}

void Machine::make_function(CallFrame& /*frame*/, std::size_t index) {
  const FunctionCode& code = *code_->functions[index];
  auto* function = Access::make<FunctionObject>(heap_, &code, module_);
  const std::size_t cells = code.free.size();
  Access::charge(heap_, (cells + code.defaults) * sizeof(Value));
  const std::size_t first = stack_.size() - cells - code.defaults;
  for (std::size_t i = 0; i < code.defaults; ++i) function->defaults.push_back(stack_[first + i]);
  for (std::size_t i = 0; i < cells; ++i)
    function->free.push_back(as_cell(stack_[first + code.defaults + i]));
  stack_.resize(first);
  push(Access::value(function));
}

void Machine::load(const LoadCode& load) {
  if (!environment_.load) fault("load not implemented by this application");
  auto members = environment_.load(heap_, load.module);
  if (!members) fault("cannot load {}: {}", load.module, members.error().text());
  for (auto name = load.names.rbegin(); name != load.names.rend(); ++name) {
    const auto found = members->find(*name);
    if (found == members->end()) {
      std::vector<std::string_view> names;
      for (const auto& member : *members) names.push_back(member.first);
      fault("load: name {} not found in module {}{}", *name, load.module, hint(*name, names));
    }
    push(found->second);
  }
}

Value Machine::universal(std::size_t index) {
  Value& value = universe_[index];
  if (!Access::is_unset(value)) return value;
  const std::string_view name = universe()[index];
  if (name == "None") return value = Value();
  if (name == "True" || name == "False") return value = Value(name == "True");
  for (const NamedFunction& one : built_in_functions())
    if (one.name == name) return value = Access::value(unbound(one));
  fault("no built-in function {}", name);
}

// Attributes.

BuiltinObject* Machine::unbound(const NamedFunction& method) {
  const auto place = std::lower_bound(
      unbound_.begin(), unbound_.end(), &method,
      [](const auto& one, const NamedFunction* wanted) { return one.first < wanted; });
  if (place != unbound_.end() && place->first == &method) return place->second;
  auto* builtin = Access::make<BuiltinObject>(heap_, method.name);
  builtin->function = method.function;
  unbound_.insert(place, {&method, builtin});
  return builtin;
}

namespace {

const NamedFunction* find_method(Value x, std::string_view name) {
  const auto methods = methods_of(x);
  const auto found =
      std::lower_bound(methods.begin(), methods.end(), name,
                       [](const NamedFunction& one, std::string_view n) { return one.name < n; });
  return found != methods.end() && found->name == name ? &*found : nullptr;
}

[[noreturn]] void no_attribute(Value x, std::string_view name) {
  const std::string near = hint(name, attribute_names(x), ".");
  if (x.is(Type::kStruct)) fault("struct has no .{} attribute{}", name, near);
  fault("{} has no .{} field or method{}", x.type_name(), name, near);
}

}  // namespace

std::optional<Value> Machine::find_attribute(Value x, std::string_view name) {
  if (as_record(x) != nullptr) return x.find(name);
  const NamedFunction* method = find_method(x, name);
  if (method == nullptr) return std::nullopt;
  auto* builtin = Access::make<BuiltinObject>(heap_, method->name);
  builtin->function = method->function;
  builtin->receiver = x;
  builtin->bound = true;
  return Access::value(builtin);
}

Value Machine::attribute(Value x, std::string_view name) {
  const auto found = find_attribute(x, name);
  if (!found) no_attribute(x, name);
  return *found;
}

void Machine::push_method(Value x, std::string_view name) {
  if (const NamedFunction* method = find_method(x, name)) {
    push(x);
    push(Access::value(unbound(*method)));
    return;
  }
  const Value function = attribute(x, name);
  push(Access::unset());
  push(function);
}

}  // namespace portico::starlark::internal
