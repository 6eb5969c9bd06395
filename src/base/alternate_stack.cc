#include "base/alternate_stack.h"

#include <csignal>
#include <cstddef>
#include <memory>

namespace portico {
namespace {

class AlternateStack {
 public:
  AlternateStack() {
    stack_t stack{};
    if (::sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
    room_.reset(new char[kSize]);  // not initialized, so that the kernel need not provide it
    stack = {};
    stack.ss_sp = room_.get();
    stack.ss_size = kSize;
    if (::sigaltstack(&stack, nullptr) != 0) room_.reset();
  }
  ~AlternateStack() {
    if (!room_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  static constexpr std::size_t kSize = 1 << 16;
  std::unique_ptr<char[]> room_;
};

}  // namespace

void prepare_alternate_stack() {
  static thread_local const AlternateStack stack;
  static_cast<void>(stack);
}

}  // namespace portico
