// Where the values of one run live, and what the run may cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "starlark/value.h"

namespace portico::starlark {

class Call;

/// A function of the host. An error ends the program, its text being the message; by custom it
/// begins with the function's name ("json.decode: ..."). No exception may leave it.
using Native = Result<Value> (*)(Call& call);

/// What a run may use before it is stopped. 0 stands for none at all, not for no limit.
struct Limits {
  /// Instructions, and a step for every few elements or bytes that a built-in function goes
  /// through.
  std::uint64_t steps = 100'000'000;
  /// Bytes of all values made, since nothing is given back before the end.
  std::size_t memory = std::size_t{256} << 20;
  /// Calls inside calls.
  int depth = 1000;
  /// Asked every few thousand steps; false stops the run. A deadline goes here.
  std::function<bool()> keep_going = nullptr;
};

/// Owns values. They are freed together, with the Heap: what a program makes may point in circles.
/// Not for several threads at once. A value of one Heap must not get into another.
class Heap {
 public:
  explicit Heap(Limits limits = {});
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  Value string(std::string_view text);
  Value bytes(std::string_view bytes);
  Value integer(std::uint64_t value);
  /// A finite number without its fraction.
  Value truncated(double value);
  /// Decimal digits, a sign allowed; nothing where there is anything else, or too many.
  std::optional<Value> integer(std::string_view digits);
  Value list(std::vector<Value> items = {});
  Value tuple(std::vector<Value> items = {});
  Value dict();
  /// Printed as struct(name = value, ...).
  Value structure(std::vector<std::pair<std::string, Value>> fields);
  /// Printed as <module "name">.
  Value module(std::string_view name, std::vector<std::pair<std::string, Value>> members);
  Value builtin(std::string_view name, Native function);
  /// The same with a receiver, which its calls get: printed as a method of it.
  Value method(std::string_view name, Native function, Value receiver);

  /// kInvalid where the dict is frozen or iterated over, or the key cannot be hashed.
  Result<Done> set(Value dict, Value key, Value value);
  /// kInvalid where the list is frozen or iterated over.
  Result<Done> append(Value list, Value item);
  /// Those of an iterable; nothing for what is none, and where the run is to stop.
  std::optional<std::vector<Value>> elements(Value iterable);
  /// From now on neither the value nor what it holds can be changed.
  void freeze(Value value);

  /// Counts `steps` of work; false where the run is to stop.
  bool spend(std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }
  std::size_t memory() const { return memory_; }
  /// Why the run is to stop; "" where it is not.
  const std::string& exhausted() const { return exhausted_; }

 private:
  friend struct internal::Access;
  void charge(std::size_t bytes);

  Limits limits_;
  std::uint64_t steps_ = 0;
  std::uint64_t asked_at_ = 0;
  std::size_t memory_ = 0;
  std::string exhausted_;
  internal::Object* objects_ = nullptr;
  std::vector<std::shared_ptr<const void>> kept_;  // programs whose literals are in use
};

}  // namespace portico::starlark
