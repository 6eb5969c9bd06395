// Memory that a connection has no use for at the moment.
#pragma once

namespace portico::http::internal {

/// Empties a string or vector and gives its memory back: clear() and `= {}` keep it.
template <class Container>
void give_back(Container& held) {
  Container().swap(held);
}

}  // namespace portico::http::internal
