// The stack on which a thread handles its own stack overflow.
#pragma once

namespace portico {

/// Gives this thread an alternate signal stack until it ends, so that a handler with SA_ONSTACK can
/// report a stack overflow. No-op if the thread has one, for example from a sanitizer.
void prepare_alternate_stack();

}  // namespace portico
