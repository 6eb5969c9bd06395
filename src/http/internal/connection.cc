#include "http/internal/connection.h"

#include <chrono>
#include <utility>

#include "http/internal/give_back.h"

namespace portico::http::internal {
namespace {

using What = Step::What;
using Phase = Exchange::Phase;

constexpr std::chrono::seconds kRetryAfter{1};

Instant now() { return std::chrono::steady_clock::now(); }

// The writer's end of one stream. Its connection may carry later streams.
class StreamEnd final : public Stream {
 public:
  StreamEnd(std::shared_ptr<Connection> connection, std::uint64_t serial)
      : connection_(std::move(connection)), serial_(serial) {}

  bool write(Chunk chunk) override { return connection_->write(serial_, std::move(chunk)); }
  void end() override { connection_->end(serial_); }
  std::size_t waiting() const override { return connection_->waiting(serial_); }
  void on_close(std::function<void()> closed) override {
    connection_->on_close(serial_, std::move(closed));
  }
  void on_room(std::function<void()> room) override {
    connection_->on_room(serial_, std::move(room));
  }

 private:
  std::shared_ptr<Connection> connection_;
  std::uint64_t serial_;
};

}  // namespace

Connection::Connection(Shared& shared, Transport transport, Peer peer, std::string client)
    : shared_(shared),
      client_(std::move(client)),
      state_(std::move(transport), shared.settings, shared.body, shared.unsent) {
  state_.with([&](State& state) { state.peer = std::make_shared<const Peer>(std::move(peer)); });
}

bool Connection::start() {
  const bool is_watched = state_.with([&](State& state) {
    Exchange& exchange = state.exchange;
    state.watched = Watched::make(*shared_.reactor, exchange.transport().fd());
    if (!state.watched) return false;
    const Times& times = shared_.options.times;
    exchange.wants_read = true;
    exchange.deadline =
        now() + (exchange.phase() == Phase::kHandshake ? times.handshake : times.idle);
    arm(state);
    return true;
  });
  if (!is_watched) close();
  return is_watched;
}

template <class F>
void Connection::go(F&& step) {
  std::unique_ptr<OpenStream> ended;
  bool is_gone = false;
  Step next = state_.with([&](State& state) {
    Step after = step(state);
    arm(state);
    if (state.exchange.phase() != Phase::kStreaming) ended = std::move(state.stream);
    if (state.exchange.phase() == Phase::kClosed) is_gone = !std::exchange(state.is_gone, true);
    return after;
  });
  if (ended) {
    shared_.workers->close_stream(ended->share, ended->flow);
    if (ended->closed) (*ended->closed)();
  }
  if (is_gone) shared_.roster.remove(this, client_);
  act(std::move(next));
}

void Connection::arm(State& state) {
  Exchange& exchange = state.exchange;
  if (exchange.phase() == Phase::kClosed) {
    // In this order: the descriptor of a closed socket may be reused at once.
    state.watched.reset();
    exchange.release_socket();
    Deadlines::clear(*this);
    return;
  }
  if (exchange.wants_read && !std::exchange(state.reads, true))
    state.watched->wait_readable(shared_from_this());
  if (exchange.wants_write && !std::exchange(state.writes, true))
    state.watched->wait_writable(shared_from_this());
  exchange.wants_read = exchange.wants_write = false;
  if (exchange.deadline == Instant{}) {
    Deadlines::clear(*this);
  } else {
    shared_.deadlines.set(shared_from_this(), exchange.deadline);
  }
}

void Connection::readable() {
  bool shakes_hands = false;
  go([&](State& state) {
    state.reads = false;
    shakes_hands = state.exchange.phase() == Phase::kHandshake;
    return shakes_hands ? Step{} : state.exchange.read(now());
  });
  if (shakes_hands) shared_.handshakes.add(shared_from_this());
}

void Connection::writable() {
  enum class Then { kNothing, kHandshake, kFlush } then = Then::kNothing;
  go([&](State& state) {
    state.writes = false;
    switch (state.exchange.phase()) {
      case Phase::kHandshake:
        then = Then::kHandshake;
        return Step{};
      case Phase::kStreaming:
        then = Then::kFlush;
        return Step{};
      default:
        return state.exchange.write(now());
    }
  });
  if (then == Then::kHandshake) shared_.handshakes.add(shared_from_this());
  if (then == Then::kFlush) flush();
}

void Connection::handshake() {
  go([&](State& state) {
    Exchange& exchange = state.exchange;
    if (exchange.phase() != Phase::kHandshake) return Step{};
    Step next = exchange.handshake(now());
    if (exchange.phase() != Phase::kHandshake && exchange.phase() != Phase::kClosed) {
      Peer peer = *state.peer;
      peer.certificate = exchange.take_certificate();
      state.peer = std::make_shared<const Peer>(std::move(peer));
    }
    return next;
  });
}

void Connection::expire(Instant when) {
  go([&](State& state) {
    const Instant deadline = state.exchange.deadline;
    const bool is_due = deadline != Instant{} && deadline <= when;
    return is_due ? state.exchange.expire() : Step{};
  });
}

void Connection::act(Step step) {
  switch (step.what) {
    case What::kWait:
      return;
    case What::kRetryNow:
      return shared_.reactor->post([self = shared_from_this()] {
        self->go([](State& state) { return state.exchange.read(now()); });
      });
    case What::kHead: {
      step.request.peer = state_.with([](State& state) { return state.peer; });
      const std::size_t most = shared_.handler->body_limit(step.request);
      return go([&](State& state) {
        return state.exchange.begin_body(std::move(step.request), most, now());
      });
    }
    case What::kRequest:
      return ask(std::move(step));
    case What::kRefuse:
      return refuse(std::move(step));
  }
}

void Connection::ask(Step step) {
  step.request.stopping = shared_.stopping.get_token();
  const Place place = shared_.handler->place(step.request);
  auto dropped = shared_.workers->submit(
      place, Job{.connection = shared_from_this(), .step = std::move(step)});
  if (!dropped) return;
  const auto its = std::move(dropped->connection);
  its->refuse(std::move(dropped->step), 429, "too many requests: try again later");
}

void Connection::refuse(Step step, int status, std::string why) {
  step.status = status;
  step.why = std::move(why);
  refuse(std::move(step));
}

void Connection::refuse(Step step) {
  give_back(step.request.body);
  step.body = {};  // before the answer: its receiver may rely on that room
  if (!step.request.peer) step.request.peer = state_.with([](State& state) { return state.peer; });
  Refusal refusal{.status = step.status, .why = step.why, .request = &step.request};
  if (step.status == 429) refusal.retry_after = kRetryAfter;
  Response response = shared_.handler->refuse(refusal);
  if (step.status == 429) response.headers.set("Retry-After", std::to_string(kRetryAfter.count()));
  respond(step, std::move(response), !step.form.keep_alive);
}

void Connection::run(Job job) {
  Step step = std::move(job.step);
  Request request = std::move(step.request);
  Request head;  // as much as a refusal needs
  head.method = request.method;
  head.target = request.target;
  head.peer = request.peer;
  Answer answer = shared_.handler->handle(std::move(request));
  step.request = std::move(head);
  step.body = {};
  if (auto* const whole = std::get_if<Response>(&answer))
    return respond(step, std::move(*whole), !step.form.keep_alive);
  stream(std::move(step), job.share, job.flow, std::get<Streaming>(answer));
}

void Connection::respond(const Step& step, Response response, bool last) {
  const AnswerForm& form = step.form;
  last = last || shared_.stopping.stop_requested();
  const bool has_body = response.status >= 200 && response.status != 204 && response.status != 304;
  if (!has_body) response.body.clear();
  if (form.gzip && response.body.size() > shared_.options.gzip_from &&
      !response.headers.has("Content-Encoding")) {
    if (std::string packed = gzip(response.body); !packed.empty()) {
      response.body = std::move(packed);
      response.headers.add("Content-Encoding", "gzip");
      response.headers.add("Vary", "Accept-Encoding");
    }
  }
  constexpr std::size_t kJoined = 8u << 10;  // one piece is cheaper than two
  std::string bytes = response_head(response, {.keep_alive = !last,
                                               .http_10 = form.http_10,
                                               .has_length = has_body,
                                               .length = response.body.size(),
                                               .date = shared_.date()});
  if (form.head_only) response.body.clear();
  if (response.body.size() <= kJoined) {
    bytes += response.body;
    response.body.clear();
  }
  bool over_budget = false;
  go([&](State& state) {
    Exchange& exchange = state.exchange;
    Step next =
        exchange.answer(step.serial, std::move(bytes), std::move(response.body), last, now());
    over_budget = exchange.over_budget();
    return next;
  });
  if (over_budget) shared_.drop_slowest();
}

void Connection::stream(Step step, std::size_t share, const std::string& flow,
                        const Streaming& streaming) {
  const AnswerForm& form = step.form;
  if (!form.head_only && !shared_.workers->open_stream(share, flow))
    return refuse(std::move(step), 429, "too many streams are open: try again later");
  const bool last = !form.keep_alive || form.http_10 || shared_.stopping.stop_requested();
  std::string head = response_head(streaming.head, {.keep_alive = !last,
                                                    .http_10 = form.http_10,
                                                    .chunked = !form.http_10,
                                                    .has_length = false,
                                                    .date = shared_.date()});
  if (form.head_only)
    return go([&](State& state) {
      return state.exchange.answer(step.serial, std::move(head), {}, last, now());
    });
  bool begun = false;
  go([&](State& state) {
    begun = state.exchange.begin_stream(step.serial, std::move(head), last);
    if (!begun) return Step{};
    state.stream = std::make_unique<OpenStream>();
    state.stream->serial = step.serial;
    state.stream->share = share;
    state.stream->flow = flow;
    return state.exchange.write(now());
  });
  if (!begun) return shared_.workers->close_stream(share, flow);
  streaming.start(std::make_shared<StreamEnd>(shared_from_this(), step.serial));
  // A stop that began meanwhile has missed this stream.
  if (shared_.stopping.stop_requested()) wind_down();
}

void Connection::schedule_flush(OpenStream& stream) {
  if (!std::exchange(stream.flushing, true)) shared_.flushes.add(shared_from_this());
}

bool Connection::write(std::uint64_t serial, Chunk chunk) {
  return state_.with([&](State& state) {
    OpenStream* const stream = state.stream_of(serial);
    if (stream == nullptr) return false;
    const auto pushed = state.exchange.push(std::move(chunk));
    if (pushed == Exchange::Pushed::kOver) return false;
    stream->cut_off = pushed == Exchange::Pushed::kTooMuch;
    stream->owes_room = true;
    schedule_flush(*stream);
    return !stream->cut_off;
  });
}

void Connection::end(std::uint64_t serial) {
  state_.with([&](State& state) {
    OpenStream* const stream = state.stream_of(serial);
    if (stream != nullptr && state.exchange.end_stream()) schedule_flush(*stream);
  });
}

std::size_t Connection::waiting(std::uint64_t serial) const {
  return state_.with([&](const State& state) {
    return state.stream_of(serial) != nullptr ? state.exchange.waiting() : 0;
  });
}

void Connection::on_close(std::uint64_t serial, std::function<void()> closed) {
  const Call call = std::make_shared<const std::function<void()>>(std::move(closed));
  const bool is_open = state_.with([&](State& state) {
    OpenStream* const stream = state.stream_of(serial);
    if (stream != nullptr) stream->closed = call;
    return stream != nullptr;
  });
  if (!is_open) (*call)();
}

void Connection::on_room(std::uint64_t serial, std::function<void()> room) {
  const Call call = std::make_shared<const std::function<void()>>(std::move(room));
  state_.with([&](State& state) {
    if (OpenStream* const stream = state.stream_of(serial)) stream->room = call;
  });
}

void Connection::flush() {
  std::uint64_t serial = 0;
  Call room;
  go([&](State& state) {
    Exchange& exchange = state.exchange;
    if (!state.stream) return Step{};
    state.stream->flushing = false;
    if (state.stream->cut_off) {
      exchange.close();
      return Step{};
    }
    Step next = exchange.write(now());
    serial = state.stream->serial;
    room = take_room(state);
    return next;
  });
  while (room) {
    (*room)();
    room = state_.with([&](State& state) {
      OpenStream* const stream = state.stream_of(serial);
      if (stream != nullptr) stream->in_room = false;
      return stream != nullptr ? take_room(state) : nullptr;
    });
  }
}

// Returns on_room's callback if everything has been sent; only one thread at a time runs it.
Connection::Call Connection::take_room(State& state) {
  OpenStream& stream = *state.stream;
  const bool is_empty =
      state.exchange.phase() == Phase::kStreaming && state.exchange.waiting() == 0;
  if (!is_empty || !stream.room || !stream.owes_room || stream.in_room) return nullptr;
  stream.owes_room = false;
  stream.in_room = true;
  return stream.room;
}

std::optional<Instant> Connection::idle_until() const {
  return state_.with([](const State& state) -> std::optional<Instant> {
    if (!state.exchange.is_idle()) return std::nullopt;
    return state.exchange.deadline;
  });
}

std::optional<Instant> Connection::waits_since() const {
  return state_.with([](const State& state) { return state.exchange.waits_since(); });
}

void Connection::wind_down() {
  go([](State& state) { return state.exchange.wind_down(now()); });
}

void Connection::close() {
  go([](State& state) {
    state.exchange.close();
    return Step{};
  });
}

}  // namespace portico::http::internal
