// Owns the values of one run and enforces its limits.
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

/// A host function. An error ends the program with the error's text as message; by convention it
/// begins with the function's name ("json.decode: ..."). Must not throw.
using Native = Result<Value> (*)(Call& call);

/// Limits of a run; reaching one stops it. 0 means none at all, not unlimited.
struct Limits {
  /// Instructions, plus one step for every few elements or bytes that a built-in function
  /// processes.
  std::uint64_t steps = 100'000'000;
  /// Bytes of all values created; nothing is freed before the end of the run.
  std::size_t memory = std::size_t{256} << 20;
  /// Depth of nested calls.
  int depth = 1000;
  /// Called every few thousand steps; returning false stops the run. Use it for deadlines.
  std::function<bool()> keep_going = nullptr;
};

/// Owns values and frees them together when it is destroyed: values can refer to each other in
/// cycles. Not thread-safe. A value of one Heap must not be put into another.
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
  /// Parses decimal digits with an optional sign; nullopt for anything else, or for too many
  /// digits.
  std::optional<Value> integer(std::string_view digits);
  Value list(std::vector<Value> items = {});
  Value tuple(std::vector<Value> items = {});
  Value dict();
  /// Printed as struct(name = value, ...).
  Value structure(std::vector<std::pair<std::string, Value>> fields);
  /// Printed as <module "name">.
  Value module(std::string_view name, std::vector<std::pair<std::string, Value>> members);
  Value builtin(std::string_view name, Native function);
  /// The same with a receiver, which is passed to its calls; printed as a method of the receiver.
  Value method(std::string_view name, Native function, Value receiver);

  /// kInvalid if the dict is frozen or being iterated over, or if the key is not hashable.
  Result<Done> set(Value dict, Value key, Value value);
  /// kInvalid if the list is frozen or being iterated over.
  Result<Done> append(Value list, Value item);
  /// The elements of an iterable; nullopt if it is not iterable or the run must stop.
  std::optional<std::vector<Value>> elements(Value iterable);
  /// Makes the value and everything in it immutable.
  void freeze(Value value);

  /// Charges `steps` of work; returns false if the run must stop.
  bool spend(std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }
  std::size_t memory() const { return memory_; }
  /// The reason why the run must stop; "" if it may continue.
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
