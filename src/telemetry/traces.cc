#include "telemetry/traces.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <deque>
#include <iterator>
#include <random>
#include <stop_token>
#include <thread>

#include "base/monitor.h"
#include "http/client.h"
#include "telemetry/otlp.h"

namespace portico::telemetry {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr milliseconds kLongestPause = std::chrono::seconds(30);
constexpr std::size_t kMostAnswer = std::size_t{1} << 20, kMostQuoted = 200;

bool is_passing(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

// The value of Retry-After in seconds; nullopt for a date.
std::optional<milliseconds> wait_asked_for(const http::Response& response) {
  const std::string_view text = response.headers.get("Retry-After");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return std::chrono::seconds(seconds);
}

class TracesImpl : public Traces {
 public:
  TracesImpl(TracesOptions options, std::unique_ptr<http::Client> client)
      : options_(std::move(options)),
        client_(std::move(client)),
        url_(options_.settings.server + options_.settings.target),
        resource_{{"service.name", options_.settings.service},
                  {"service.version", options_.version}} {
    count_dropped("queue", 0);
    thread_ = std::jthread([this] { work(); });
  }
  ~TracesImpl() override {
    const auto until = Steady::now() + options_.last;
    state_.change([&](State& state) {
      state.stopping = true;
      state.until = until;
    });
    const bool ended = state_.wait_until(
        until, [](const State& state) { return state.ended; },
        [](const State& state) { return state.ended; });
    if (!ended) cut_.request_stop();
    thread_.join();
  }

  const std::string& url() const override { return url_; }

  std::optional<SpanContext> begin(const std::optional<SpanContext>& parent) override {
    SpanContext out;
    if (parent)
      out = *parent;
    else
      out.trace_high = number(), out.trace_low = number();
    if (!options_.settings.sampling.takes(out, parent)) return std::nullopt;
    out.sampled = true;
    out.span = number();
    return out;
  }
  std::uint64_t next_span() override { return number(); }
  std::int64_t now() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

  void take(FinishedSpan span) override {
    bool wake = false;
    const bool taken = state_.with([&](State& state) {
      if (state.stopping || state.queue.size() >= options_.queue) return false;
      state.queue.push_back(std::move(span));
      wake = state.queue.size() == 1 || state.queue.size() == options_.batch;
      return true;
    });
    if (wake) state_.change([](State&) {});
    if (!taken) count_dropped("queue", 1);
  }

 private:
  using Batch = std::vector<FinishedSpan>;
  struct State {
    std::deque<FinishedSpan> queue;
    bool stopping = false, ended = false;
    Steady::time_point until{};  // the deadline once `stopping` is set
  };
  /// How a request ended.
  struct Sent {
    bool again = false;   // a retry may succeed
    std::string error{};  // "" on success
    std::optional<milliseconds> after{};
  };

  std::uint64_t number() const {
    for (;;)
      if (const std::uint64_t out = options_.random(); out != 0) return out;
  }

  void work() {
    for (Batch batch = next(); !batch.empty(); batch = next()) deliver(batch);
    state_.change([](State& state) { state.ended = true; });
  }

  // Empty once the object is stopping and all spans are sent.
  Batch next() {
    state_.wait([](const State& state) { return state.stopping || !state.queue.empty(); },
                [](State&) {});
    return state_.wait_until(
        Steady::now() + options_.settings.wait,
        [&](const State& state) { return state.stopping || state.queue.size() >= options_.batch; },
        [&](State& state) {
          const auto end = state.queue.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min(options_.batch, state.queue.size()));
          Batch out(std::move_iterator(state.queue.begin()), std::move_iterator(end));
          state.queue.erase(state.queue.begin(), end);
          return out;
        });
  }

  void deliver(const Batch& batch) {
    const std::string body = otlp_traces(resource_, batch);
    bool last = false;
    for (milliseconds pause = options_.pause;; pause = std::min(2 * pause, kLongestPause)) {
      const Sent sent = post(body, batch.size());
      if (sent.error.empty()) return tell_taken();
      tell_not_taken(sent.error);
      if (!sent.again) return count_dropped("refused", batch.size());
      if (last) return count_dropped("stopped", batch.size());
      last = !rest(std::clamp(sent.after.value_or(pause), pause, kLongestPause));
    }
  }

  Sent post(const std::string& body, std::size_t count) {
    const auto until = state_.with([](const State& state) {
      return state.stopping ? state.until : Steady::time_point::max();
    });
    http::Call call{.method = "POST", .target = options_.settings.target, .body = body};
    call.headers = {{"Content-Type", "application/json"}};
    call.time = options_.call;
    if (until != Steady::time_point::max())
      call.time = std::clamp(std::chrono::duration_cast<milliseconds>(until - Steady::now()),
                             milliseconds(1), options_.call);
    call.stop = cut_.get_token();
    const auto response = client_->send(call);
    if (!response) return {.again = true, .error = response.error().text()};
    if (response->status < 200 || response->status >= 300)
      return {.again = is_passing(response->status),
              .error = fmt::format("status {}: {}", response->status,
                                   response->body.substr(0, kMostQuoted)),
              .after = wait_asked_for(*response)};
    const Rejected rejected = rejected_spans(response->body);
    const std::size_t lost = std::min(rejected.spans, count);
    if (lost > 0) {
      count_dropped("refused", lost);
      options_.log->debug("the collector rejected some spans", {{"why", rejected.why}});
    }
    if (options_.meter != nullptr)
      options_.meter->count("portico_trace_spans_sent_total", "Spans that the collector accepted.",
                            {}, static_cast<double>(count - lost));
    return {};
  }

  // False if it is stopping.
  bool rest(milliseconds time) {
    return state_.wait_until(
        Steady::now() + time, [](const State& state) { return state.stopping; },
        [](const State& state) { return !state.stopping; });
  }

  void tell_taken() {
    if (std::exchange(failing_, false))
      options_.log->info("trace export works again", {{"collector", url_}});
  }
  void tell_not_taken(const std::string& error) {
    options_.log->write(std::exchange(failing_, true) ? LogLevel::kDebug : LogLevel::kWarning,
                        "trace export failed", {{"collector", url_}, {"error", error}});
  }
  void count_dropped(const char* why, std::size_t spans) {
    if (options_.meter == nullptr) return;
    options_.meter->count("portico_trace_spans_dropped_total",
                          "Spans that were dropped, by reason.", {{"reason", why}},
                          static_cast<double>(spans));
  }

  const TracesOptions options_;
  const std::unique_ptr<http::Client> client_;
  const std::string url_;
  const std::map<std::string, std::string> resource_;
  bool failing_ = false;  // used by the thread only
  std::stop_source cut_;  // aborts the request in progress
  Monitor<State> state_;
  std::jthread thread_;  // last: it uses the members above
};

}  // namespace

Result<std::unique_ptr<Traces>> Traces::start(TracesOptions options) {
  PORTICO_TRY(auto client, http::Client::make({.server = options.settings.server,
                                               .user_agent = "portico/" + options.version,
                                               .headers = options.settings.headers,
                                               .connect = options.call,
                                               .response_bytes = kMostAnswer}));
  return std::unique_ptr<Traces>(
      std::make_unique<TracesImpl>(std::move(options), std::move(client)));
}

std::function<std::uint64_t()> random_numbers() {
  std::random_device device;
  const std::uint64_t seed = std::uint64_t{device()} << 32 | device();
  return [seed, last = std::make_shared<std::atomic<std::uint64_t>>(0)] {
    std::uint64_t bits = seed + 0x9e3779b97f4a7c15u * ++*last;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  };
}

}  // namespace portico::telemetry
