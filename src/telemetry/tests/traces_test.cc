// What reaches a collector, and what happens to spans that the collector does not accept.
#include "telemetry/traces.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/monitor.h"
#include "http/server.h"
#include "json/text.h"
#include "json/value.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace portico::telemetry {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{60};

/// Sends the given responses in order, then 200, and keeps the requests.
class Collector : public http::Handler {
 public:
  explicit Collector(std::vector<http::Response> answers = {}) {
    std::reverse(answers.begin(), answers.end());
    state_.with([&](State& state) { state.answers = std::move(answers); });
  }

  http::Answer handle(http::Request request) override {
    return state_.change([&](State& state) -> http::Response {
      state.requests.push_back(std::move(request));
      if (state.answers.empty()) return {.body = "{}"};
      http::Response out = std::move(state.answers.back());
      state.answers.pop_back();
      return out;
    });
  }

  /// Waits until there are `count` requests.
  std::vector<http::Request> requests(std::size_t count) {
    return state_.wait_until(
        Steady::now() + kPatience,
        [&](const State& state) { return state.requests.size() >= count; },
        [&](const State& state) {
          EXPECT_GE(state.requests.size(), count);
          return state.requests;
        });
  }
  /// The names of the spans in all requests.
  std::vector<std::string> names(std::size_t requests_at_least) {
    std::vector<std::string> out;
    const std::size_t first = 0;
    for (const http::Request& request : requests(requests_at_least)) {
      const auto body = json::parse(request.body);
      EXPECT_TRUE(body);
      const json::Value spans = (*body)["resourceSpans"][first]["scopeSpans"][first]["spans"];
      for (const json::Value& span : spans.items()) out.emplace_back(span["name"].as_string());
    }
    return out;
  }

 private:
  struct State {
    std::vector<http::Response> answers;
    std::vector<http::Request> requests;
  };
  Monitor<State> state_;
};

class TracesTest : public ::testing::Test {
 protected:
  void listen(std::vector<http::Response> answers = {}) {
    collector_ = std::make_shared<Collector>(std::move(answers));
    http::Options options;
    options.listeners = {http::Listener{.tls = false}};
    auto server = http::Server::start(std::move(options), collector_);
    ASSERT_TRUE(server) << server.error().text();
    server_ = *std::move(server);
    port_ = server_->ports().front();
  }

  TracesOptions options() {
    TracesOptions out;
    out.settings.server = fmt::format("http://127.0.0.1:{}", port_);
    out.settings.target = "/v1/traces";
    out.settings.headers = {{"x-tenant", "a"}};
    out.version = "1.2.3";
    out.random = random_numbers();
    out.log = log_;
    out.meter = metrics_.get();
    out.settings.wait = milliseconds(10);
    out.pause = milliseconds(10);
    return out;
  }
  static std::unique_ptr<Traces> start(TracesOptions options) {
    auto traces = Traces::start(std::move(options));
    EXPECT_TRUE(traces) << traces.error().text();
    return *std::move(traces);
  }

  double counted(const std::string& metric) {
    const std::string text = "\n" + metrics_->text();
    const std::size_t at = text.find("\n" + metric + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + metric.size() + 2));
  }
  double dropped(const std::string& reason) {
    return counted("portico_trace_spans_dropped_total{reason=\"" + reason + "\"}");
  }
  std::size_t said(const std::string& message) const {
    std::size_t out = 0;
    const std::string text = lines_.str();
    for (std::size_t at = 0; (at = text.find(message, at)) != std::string::npos; ++at) ++out;
    return out;
  }

  std::ostringstream lines_;
  std::shared_ptr<Log> log_ = make_log(LogFormat::kText, LogLevel::kInfo, lines_);
  std::unique_ptr<Metrics> metrics_ = Metrics::make();
  std::shared_ptr<Collector> collector_;
  std::unique_ptr<http::Server> server_;
  std::uint16_t port_ = 0;
};

TEST_F(TracesTest, SendsWhatIsHandedOver) {
  listen();
  const auto traces = start(options());
  EXPECT_EQ(traces->url(), fmt::format("http://127.0.0.1:{}/v1/traces", port_));
  {
    const Span whole(traces.get(), "whole");
    const Span part("part");
  }
  const auto requests = collector_->requests(1);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/v1/traces");
  EXPECT_EQ(requests[0].headers.get("Content-Type"), "application/json");
  EXPECT_EQ(requests[0].headers.get("x-tenant"), "a");
  EXPECT_EQ(requests[0].headers.get("User-Agent"), "portico/1.2.3");
  EXPECT_NE(requests[0].body.find(R"("service.version","value":{"stringValue":"1.2.3"})"),
            std::string::npos)
      << requests[0].body;
}

TEST_F(TracesTest, SendsAFullBatchAtOnceAndTheRestAtTheEnd) {
  listen();
  TracesOptions options = this->options();
  options.batch = 3;
  options.settings.wait = std::chrono::hours(1);
  options.last = kPatience;
  auto traces = start(std::move(options));
  for (const char* name : {"a", "b", "c", "d"}) const Span span(traces.get(), name);
  EXPECT_EQ(collector_->names(1), (std::vector<std::string>{"a", "b", "c"}));
  traces.reset();
  EXPECT_EQ(collector_->names(2), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(counted("portico_trace_spans_sent_total"), 4);
  EXPECT_EQ(dropped("queue"), 0);
  EXPECT_EQ(lines_.str(), "");
}

TEST_F(TracesTest, SendsAgainWhatTheCollectorHasNoTimeFor) {
  listen({{.status = 503}, {.status = 429, .headers = {{"Retry-After", "0"}}}, {.status = 502}});
  TracesOptions options = this->options();
  options.last = kPatience;
  auto traces = start(std::move(options));
  { const Span span(traces.get(), "a"); }
  EXPECT_EQ(collector_->names(4), (std::vector<std::string>{"a", "a", "a", "a"}));
  traces.reset();
  EXPECT_EQ(counted("portico_trace_spans_sent_total"), 1);
  EXPECT_EQ(said("warning \"trace export failed\"") + said("warning trace export failed"), 1u)
      << lines_.str();
  EXPECT_EQ(said("trace export works again"), 1u) << lines_.str();
}

TEST_F(TracesTest, DropsWhatIsRefusedAndGoesOn) {
  listen({{.status = 400, .body = "password=hunter2hunter2"}});
  TracesOptions options = this->options();
  options.batch = 1;
  options.last = kPatience;
  auto traces = start(std::move(options));
  { const Span span(traces.get(), "a"); }
  collector_->requests(1);
  { const Span span(traces.get(), "b"); }
  EXPECT_EQ(collector_->names(2), (std::vector<std::string>{"a", "b"}));
  traces.reset();
  EXPECT_EQ(dropped("refused"), 1);
  EXPECT_EQ(counted("portico_trace_spans_sent_total"), 1);
  EXPECT_EQ(said("status 400"), 1u) << lines_.str();
  EXPECT_EQ(said("hunter2"), 0u) << lines_.str();
}

TEST_F(TracesTest, CountsWhatACollectorDidNotKeep) {
  listen({{.body = R"({"partialSuccess":{"rejectedSpans":"1"}})"}});
  TracesOptions options = this->options();
  options.settings.wait = std::chrono::hours(1);
  options.last = kPatience;
  auto traces = start(std::move(options));
  for (const char* name : {"a", "b", "c"}) const Span span(traces.get(), name);
  traces.reset();
  EXPECT_EQ(counted("portico_trace_spans_sent_total"), 2);
  EXPECT_EQ(dropped("refused"), 1);
}

TEST_F(TracesTest, OfACollectorThatIsAwayALineTells) {
  listen();
  server_.reset();  // nothing listens on its port any more
  TracesOptions options = this->options();
  options.queue = 10;
  options.settings.wait = std::chrono::hours(1);
  options.last = kPatience;
  auto traces = start(std::move(options));
  for (int i = 0; i < 25; ++i) const Span span(traces.get(), "a");
  traces.reset();
  EXPECT_EQ(dropped("queue"), 15);
  EXPECT_EQ(dropped("stopped"), 10);
  EXPECT_EQ(said("trace export failed"), 1u) << lines_.str();
}

TEST_F(TracesTest, ACollectorThatSaysNothingHoldsUpNobody) {
  // Accepts the connection and never answers.
  struct Silent : http::Handler {
    Monitor<bool> over{false};
    http::Answer handle(http::Request) override {
      return over.wait([](bool now) { return now; }, [](bool&) { return http::Response{}; });
    }
  };
  const auto silent = std::make_shared<Silent>();
  http::Options http;
  http.listeners = {http::Listener{.tls = false}};
  auto server = http::Server::start(std::move(http), silent);
  ASSERT_TRUE(server) << server.error().text();
  port_ = (*server)->ports().front();
  TracesOptions options = this->options();
  options.batch = 2;
  options.call = std::chrono::hours(1);
  options.last = milliseconds(50);
  auto traces = start(std::move(options));
  for (int i = 0; i < 10; ++i) const Span span(traces.get(), "a");
  traces.reset();  // the test: the destructor returns
  EXPECT_EQ(dropped("stopped"), 10);
  silent->over.change([](bool& now) { now = true; });
}

TEST_F(TracesTest, RecordsAsItIsTold) {
  listen();
  TracesOptions options = this->options();
  options.settings.sampling = {.as_parent = true, .ratio = 0};
  const auto traces = start(std::move(options));
  const Span ours(traces.get(), "ours");
  EXPECT_FALSE(ours);
  const SpanContext theirs{1, 2, 3, true};
  const auto context = traces->begin(theirs);
  ASSERT_TRUE(context);
  EXPECT_EQ(context->trace_id(), theirs.trace_id());
  EXPECT_NE(context->span, theirs.span);
}

TEST_F(TracesTest, RefusesWhatIsNoServer) {
  TracesOptions options = this->options();
  options.settings.server = "collector";
  EXPECT_FALSE(Traces::start(std::move(options)));
}

TEST(RandomNumbers, DoNotComeAgain) {
  const auto random = random_numbers(), other = random_numbers();
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10'000; ++i) seen.insert({random(), other()});
  EXPECT_EQ(seen.size(), 20'000u);
}

}  // namespace
}  // namespace portico::telemetry
