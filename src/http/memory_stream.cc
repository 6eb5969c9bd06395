#include "http/memory_stream.h"

#include <utility>

namespace portico::http {

bool MemoryStream::write(Chunk chunk) {
  return state_.change([&](State& state) {
    if (state.ended || state.closed) return false;
    state.bytes += chunk->size();
    state.closed = state.bytes > most_;
    if (!state.closed) state.chunks.push_back(std::move(chunk));
    return !state.closed;
  });
}

void MemoryStream::end() {
  state_.change([](State& state) { state.ended = true; });
}

std::size_t MemoryStream::waiting() const {
  return state_.with([](const State& state) { return state.bytes; });
}

void MemoryStream::on_close(std::function<void()> closed) {
  const bool is_late = state_.with([&](State& state) {
    if (!state.told) state.on_close = closed;
    return state.told;
  });
  if (is_late) closed();
}

void MemoryStream::on_room(std::function<void()> room) {
  state_.with([&](State& state) { state.on_room = std::move(room); });
}

std::string MemoryStream::read(std::chrono::steady_clock::time_point deadline) {
  std::function<void()> room;
  std::string text = state_.wait_until(
      deadline,
      [](const State& state) { return !state.chunks.empty() || state.ended || state.closed; },
      [&](State& state) {
        std::string joined;
        for (const Chunk& chunk : std::exchange(state.chunks, {})) joined += *chunk;
        state.bytes = 0;
        if (!joined.empty() && !state.ended && !state.closed) room = state.on_room;
        return joined;
      });
  if (room) room();
  if (is_over()) tell_close();
  return text;
}

bool MemoryStream::is_over() const {
  return state_.with(
      [](const State& state) { return state.closed || (state.ended && state.chunks.empty()); });
}

void MemoryStream::close() {
  state_.change([](State& state) { state.closed = true; });
  tell_close();
}

void MemoryStream::tell_close() {
  const auto closed = state_.with([](State& state) -> std::function<void()> {
    return std::exchange(state.told, true) ? nullptr : std::move(state.on_close);
  });
  if (closed) closed();
}

}  // namespace portico::http
