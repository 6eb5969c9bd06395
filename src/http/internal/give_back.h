// Frees memory that a connection does not need at the moment.
#pragma once

namespace portico::http::internal {

/// Empties a string or vector and frees its memory, which clear() and `= {}` keep.
template <class Container>
void give_back(Container& held) {
  Container().swap(held);
}

}  // namespace portico::http::internal
