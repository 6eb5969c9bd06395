#include "base/tracer.h"

#include <chrono>

namespace portico {
namespace {

using Steady = std::chrono::steady_clock;

Span*& current_of_thread() {
  // The current span belongs to one thread.
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  thread_local Span* current = nullptr;
  return current;
}

std::string kept(std::string_view text) { return std::string(text.substr(0, kMostOfSpanText)); }

}  // namespace

struct Span::Work {
  Tracer& tracer;
  // All times of a trace are measured from the beginning of the process's first span: setting the
  // system clock meanwhile leaves no child outside of its parent.
  std::int64_t began_at = 0;
  Steady::time_point began{};
  Span* outer = nullptr;
  FinishedSpan span{};

  std::int64_t now() const {
    return began_at +
           std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now() - began).count();
  }
};

Span::Span(std::string_view name, SpanKind kind) {
  const Span* const outer = current();
  if (outer == nullptr) return;
  const Work& whole = *outer->work_;
  auto work = std::make_unique<Work>(Work{whole.tracer, whole.began_at, whole.began});
  work->span.context = whole.span.context;
  work->span.context.span = whole.tracer.next_span();
  work->span.parent = whole.span.context.span;
  begin(std::move(work), name, kind);
}

Span::Span(Tracer* tracer, std::string_view name, SpanKind kind,
           const std::optional<SpanContext>& parent) {
  if (tracer == nullptr) return;
  const auto context = tracer->begin(parent);
  if (!context) return;
  auto work = std::make_unique<Work>(Work{*tracer, tracer->now(), Steady::now()});
  work->span.context = *context;
  work->span.parent = parent ? parent->span : 0;
  begin(std::move(work), name, kind);
}

void Span::begin(std::unique_ptr<Work> work, std::string_view name, SpanKind kind) {
  work->span.name = name;
  work->span.kind = kind;
  work->span.begin = work->now();
  work->outer = std::exchange(current_of_thread(), this);
  work_ = std::move(work);
}

Span::~Span() {
  if (work_ == nullptr) return;
  current_of_thread() = work_->outer;
  work_->span.end = work_->now();
  try {
    work_->tracer.take(std::move(work_->span));
  } catch (...) {  // out of memory: the work itself goes on
  }
}

void Span::rename(std::string_view name) {
  if (work_ != nullptr) work_->span.name = kept(name);
}

void Span::set(std::string_view key, std::string_view value) {
  if (work_ == nullptr || value.empty()) return;
  work_->span.attributes.push_back({std::string(key), kept(value)});
}

void Span::set(std::string_view key, std::int64_t value) {
  if (work_ != nullptr) work_->span.attributes.push_back({std::string(key), value});
}

void Span::fail(std::string_view why) {
  if (work_ != nullptr) work_->span.error = kept(why);
}

Span* Span::current() { return current_of_thread(); }

std::string Span::traceparent() {
  const Span* const span = current();
  return span == nullptr ? "" : traceparent_text(span->work_->span.context);
}

}  // namespace portico
