// Calls, from instructions and from built-in functions.
#include <fmt/format.h>

#include <algorithm>

#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/machine.h"

namespace portico::starlark::internal {

namespace {

constexpr int kMostNested = 50;

}  // namespace

void Machine::call_instruction(const CallShape& shape) {
  const std::size_t fixed = shape.positional + 2 * shape.named;
  const std::size_t extra = (shape.star ? 1 : 0) + (shape.star_star ? 1 : 0);
  const std::size_t first = stack_.size() - extra - fixed;  // of the positional arguments
  const std::size_t return_to = first - (shape.method ? 2 : 1);
  const Value function = stack_[first - 1];
  const Value receiver = shape.method ? stack_[return_to] : Access::unset();

  // The common case: the arguments become the first locals in place.
  FunctionObject* target = as_function(function);
  if (target != nullptr && fixed == shape.positional && extra == 0) {
    const FunctionCode& code = *target->code;
    if (!code.has_star && !code.has_star_star && code.named_only == 0 &&
        shape.positional == code.parameters) {
      stack_.resize(first + code.locals.size(), Access::unset());
      enter(*target, first, return_to);
      return;
    }
  }

  std::vector<Value> args(stack_.begin() + static_cast<std::ptrdiff_t>(first),
                          stack_.begin() + static_cast<std::ptrdiff_t>(first + shape.positional));
  std::vector<Named> named;
  for (std::size_t i = 0; i < shape.named; ++i) {
    const std::size_t place = first + shape.positional + 2 * i;
    named.emplace_back(stack_[place], stack_[place + 1]);
  }
  if (shape.star_star) {
    const Value rest = top();
    if (!rest.is(Type::kDict))
      fault("argument after ** must be a mapping, not {}", rest.type_name());
    for (const Table::Entry& entry : as_dict(rest)->table.entries()) {
      if (Access::is_unset(entry.key)) continue;
      if (!entry.key.is(Type::kString))
        fault("keywords must be strings, not {}", entry.key.type_name());
      named.emplace_back(entry.key, entry.value);
    }
  }
  if (shape.star) {
    const Value rest = top(shape.star_star ? 1 : 0);
    if (!Iterator::over(rest)) fault("argument after * must be iterable, not {}", rest.type_name());
    const std::vector<Value> more = elements(heap_, rest);
    args.insert(args.end(), more.begin(), more.end());
  }
  start_call(function, receiver, args, named, return_to);
}

void Machine::start_call(Value function, Value receiver, std::span<const Value> args,
                         std::span<const Named> named, std::size_t return_to) {
  if (FunctionObject* target = as_function(function)) {
    stack_.resize(return_to);
    stack_.resize(return_to + target->code->locals.size(), Access::unset());
    // The caller's frame is still on top, so that a wrong call is an error at its line.
    bind(*target, return_to, args, named);
    enter(*target, return_to, return_to);
    return;
  }
  const BuiltinObject* builtin = as_builtin(function);
  if (builtin == nullptr) fault("invalid call of non-function ({})", function.type_name());
  const Value result =
      call_builtin(*builtin, builtin->bound ? builtin->receiver : receiver, args, named);
  stack_.resize(return_to);
  push(result);
}

void Machine::check_depth() {
  const int limit = Access::limits(heap_).depth;
  if (frames_.size() > static_cast<std::size_t>(std::max(limit, 0)))
    throw EvalError{Failure::Kind::kLimit,
                    fmt::format("call stack too deep (limit {} calls)", limit)};
}

void Machine::bind(const FunctionObject& function, std::size_t locals, std::span<const Value> args,
                   std::span<const Named> named) {
  const FunctionCode& code = *function.code;
  const std::string& name = code.name;
  if (code.parameters == 0 && !code.has_star && !code.has_star_star) {
    if (const std::size_t given = args.size() + named.size(); given > 0)
      fault("function {} accepts no arguments ({} given)", name, given);
    return;
  }

  // By position, with the surplus in *args.
  const std::size_t by_position = code.parameters - code.named_only;
  if (args.size() > by_position && !code.has_star)
    fault("function {} accepts {}{} positional argument{} ({} given)", name,
          code.defaults > code.named_only ? "at most " : "", by_position,
          by_position == 1 ? "" : "s", args.size());
  const std::size_t taken = std::min(args.size(), by_position);
  std::copy_n(args.begin(), taken, stack_.begin() + static_cast<std::ptrdiff_t>(locals));
  if (code.has_star) {
    const auto rest = args.subspan(taken);
    stack_[locals + code.parameters] = heap_.tuple({rest.begin(), rest.end()});
  }

  // By name, with the surplus in **kwargs.
  Value surplus = Access::unset();
  if (code.has_star_star) {
    surplus = heap_.dict();
    stack_[locals + code.parameters + (code.has_star ? 1 : 0)] = surplus;
  }
  const auto parameters = std::span(code.locals).first(code.parameters);
  for (const auto& [key, value] : named) {
    const auto found = std::find(parameters.begin(), parameters.end(), key.text());
    const auto place = static_cast<std::size_t>(found - parameters.begin());
    bool repeated = false;
    if (found != parameters.end()) {
      repeated = !Access::is_unset(stack_[locals + place]);
      stack_[locals + place] = value;
    } else if (code.has_star_star) {
      repeated = !as_dict(surplus)->table.set(heap_, key, value);
    } else {
      fault("function {} got an unexpected keyword argument {}", name, key.repr());
    }
    if (repeated) fault("function {} got multiple values for parameter {}", name, key.repr());
  }

  // The rest from defaults.
  std::string missing;
  std::size_t count = 0;
  const std::size_t first_default = code.parameters - code.defaults;
  for (std::size_t i = taken; i < code.parameters; ++i) {
    Value& local = stack_[locals + i];
    if (Access::is_unset(local) && i >= first_default) local = function.defaults[i - first_default];
    if (!Access::is_unset(local)) continue;
    missing += (count++ == 0 ? "" : ", ") + parameters[i];
  }
  if (count > 0)
    fault("function {} missing {} argument{} ({})", name, count, count == 1 ? "" : "s", missing);
}

void Machine::enter(FunctionObject& function, std::size_t locals, std::size_t return_to) {
  check_depth();
  require(heap_, stack_.size() * sizeof(Value));
  if (!code_->dialect.recursion)
    for (const CallFrame& frame : frames_)
      if (frame.code == function.code) fault("function {} called recursively", function.code->name);
  CallFrame frame;
  frame.code = function.code;
  frame.function = &function;
  frame.locals = locals;
  frame.return_to = return_to;
  frame.loops = loops_.size();
  frames_.push_back(frame);
  for (const std::uint32_t slot : function.code->cells) {
    Value& local = stack_[locals + slot];
    local = Access::value(Access::make<CellObject>(heap_, local));
  }
}

void Machine::return_value() {
  const Value result = pop();
  const CallFrame& frame = frames_.back();
  while (loops_.size() > frame.loops) loops_.pop_back();
  stack_.resize(frame.return_to);
  frames_.pop_back();
  push(result);
}

Value Machine::call_builtin(const BuiltinObject& builtin, Value receiver,
                            std::span<const Value> args, std::span<const Named> named) {
  check_depth();
  CallFrame frame;
  frame.builtin = &builtin;
  frame.return_to = stack_.size();
  frame.loops = loops_.size();
  frames_.push_back(frame);
  Call call(heap_, builtin.name, args, named);
  Value result;
  if (builtin.function != nullptr) {
    result = builtin.function(*this, call, receiver);
  } else {
    call.receiver = builtin.receiver;
    auto answer = builtin.native(call);
    if (!heap_.exhausted().empty()) exhausted(heap_);
    if (!answer) fault("{}", answer.error().text());
    result = *answer;
  }
  frames_.pop_back();
  return result;
}

Value Machine::call(Value function, std::span<const Value> args) {
  if (++nested_ > kMostNested)
    throw EvalError{
        Failure::Kind::kLimit,
        fmt::format("functions that call back nested too deep (limit {})", kMostNested)};
  const std::size_t frames = frames_.size();
  start_call(function, Access::unset(), args, {}, stack_.size());
  const Value result = execute(frames);
  --nested_;
  return result;
}

}  // namespace portico::starlark::internal
