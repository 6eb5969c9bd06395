#include "http/internal/exchange.h"

#include <array>
#include <utility>

#include "http/internal/give_back.h"

namespace portico::http::internal {
namespace {

using Then = Transport::Moved::Then;
using State = RequestParser::State;
using What = Step::What;

constexpr std::size_t kReadBytes = 16u << 10;
constexpr std::size_t kTurnBytes = 512u << 10;  // read before other connections get a turn
constexpr std::size_t kKeptInput = 1u << 10;    // of an idle connection
// After a refusal, read what the client still sends, up to these limits, so that it gets to read
// the answer.
constexpr std::size_t kLingerBytes = 16u << 20;
constexpr auto kLinger = std::chrono::seconds(5);

}  // namespace

Exchange::Exchange(Transport transport, const ExchangeSettings& settings, Budget& body,
                   Budget& unsent)
    : transport_(std::move(transport)),
      settings_(settings),
      phase_(transport_.is_tls() ? Phase::kHandshake : Phase::kReading),
      body_budget_(&body),
      body_(body),
      unsent_(unsent) {}

bool Exchange::is_idle() const {
  return phase_ == Phase::kHandshake || phase_ == Phase::kLingering ||
         (phase_ == Phase::kReading && !in_body_);
}

std::optional<Instant> Exchange::waits_since() const {
  if (phase_ != Phase::kWriting) return std::nullopt;
  return writing_since_;
}

Step Exchange::closed() {
  close();
  return {};
}

void Exchange::close() {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  ++serial_;
  wants_read = wants_write = false;
  deadline = {};
  parser_.reset();
  give_back(input_);
  output_.give_back_all();
  // The budgets may be destroyed before this object.
  body_ = {};
  unsent_ = {};
}

Step Exchange::handshake(Instant now) {
  if (phase_ != Phase::kHandshake) return {};
  switch (transport_.handshake().then) {
    case Then::kOk:
      phase_ = Phase::kReading;
      deadline = now + settings_.times.idle;
      return read(now);
    case Then::kWantRead:
      wants_read = true;
      return {};
    case Then::kWantWrite:
      wants_write = true;
      return {};
    default:
      return closed();
  }
}

Step Exchange::read(Instant now) {
  if (phase_ == Phase::kStreaming) return read_in_stream(now);
  if (phase_ == Phase::kLingering) return linger();
  if (phase_ == Phase::kWriting && write_wants_read_) return write(now);
  if (phase_ != Phase::kReading) return {};
  std::size_t turn = 0;
  for (;;) {
    if (!input_.empty()) {
      Step step = parse(now);
      if (step.what != What::kWait) return step;
    }
    if (turn >= kTurnBytes) return {.what = What::kRetryNow};
    std::array<char, kReadBytes> bytes;
    const auto moved = transport_.read(bytes.data(), bytes.size());
    switch (moved.then) {
      case Then::kOk:
        turn += moved.bytes;
        input_.append(bytes.data(), moved.bytes);
        break;
      case Then::kWantRead:
        wants_read = true;
        give_back_input();
        return {};
      case Then::kWantWrite:
        wants_write = true;
        return {};
      case Then::kEnd:
      case Then::kBroken:
        return closed();
    }
  }
}

Step Exchange::parse(Instant now) {
  const bool is_new = !parser_;
  if (is_new) parser_ = std::make_unique<RequestParser>(settings_.parser);
  const auto fed = parser_->feed(input_);
  input_.erase(0, fed.used);
  if (is_new && fed.state == State::kMore) {
    if (parser_->began()) {
      deadline = now + settings_.times.head;
    } else {
      parser_.reset();  // blank lines only
    }
  }
  return parsed(fed, now);
}

Step Exchange::parsed(const RequestParser::Fed& fed, Instant now) {
  switch (fed.state) {
    case State::kMore:
      if (!body_.set(parser_ ? parser_->body_bytes() : 0))
        return refuse(429, "too many bytes of requests are being read: try again later");
      return {};
    case State::kHead:
      deadline = now + settings_.times.body;
      return {.what = What::kHead, .request = parser_->take()};
    case State::kDone:
      return request_done(now);
    case State::kBad:
      break;
  }
  return refuse(parser_->status(), parser_->why());
}

Step Exchange::begin_body(Request head, std::size_t most_bytes, Instant now) {
  if (phase_ != Phase::kReading) return {};
  parser_->give_back(std::move(head));
  in_body_ = true;
  switch (parser_->begin_body(most_bytes)) {
    case State::kDone:
      return request_done(now);
    case State::kBad:
      return refuse(parser_->status(), parser_->why());
    default:
      break;
  }
  if (parser_->expects_continue() && input_.empty()) {
    output_.add("HTTP/1.1 100 Continue\r\n\r\n");
    Output::Pieces pieces;
    const auto moved = transport_.write(output_.front(pieces));
    output_.clear();
    // A client that waits for this has room for these few bytes.
    if (moved.then != Then::kOk) return closed();
  }
  return read(now);
}

Step Exchange::request_done(Instant now) {
  deadline = now + settings_.times.request;
  Step step{.what = What::kRequest};
  if (!body_.set(parser_->body_bytes())) {
    step.what = What::kRefuse;
    step.status = 429;
    step.why = "too many bytes of requests are being handled: try again later";
  }
  return hand_out(std::move(step));
}

Step Exchange::refuse(int status, std::string why) {
  deadline = {};
  winding_down_ = true;  // the rest of the input cannot be trusted
  return hand_out({.what = What::kRefuse, .status = status, .why = std::move(why)});
}

Step Exchange::hand_out(Step step) {
  phase_ = Phase::kHandling;
  in_body_ = false;
  form_ = {.keep_alive = !winding_down_};
  if (parser_) {
    step.request = parser_->take();
    form_.head_only = step.request.method == "HEAD";
    form_.keep_alive = form_.keep_alive && parser_->keeps_alive();
    form_.http_10 = !parser_->has_chunks();
    form_.gzip = accepts_gzip(step.request.headers);
  }
  parser_.reset();
  step.serial = ++serial_;
  step.form = form_;
  step.body = std::exchange(body_, Charge(*body_budget_));
  return step;
}

Step Exchange::expire() {
  switch (phase_) {
    case Phase::kHandshake:
    case Phase::kWriting:
    case Phase::kStreaming:
    case Phase::kLingering:
      return closed();
    case Phase::kReading:
      if (!parser_) return closed();
      return refuse(408, "the request was not received in time");
    case Phase::kHandling:
      return refuse(504, "the request did not complete in time");
    case Phase::kClosed:
      break;
  }
  return {};
}

Step Exchange::answer(std::uint64_t serial, std::string bytes, std::string body, bool last,
                      Instant now) {
  if (phase_ != Phase::kHandling || serial != serial_) return {};
  phase_ = Phase::kWriting;
  last_ = last || winding_down_;
  writing_since_ = now;
  output_.add(std::move(bytes));
  output_.add(std::move(body));
  return write(now);
}

bool Exchange::begin_stream(std::uint64_t serial, std::string head, bool last) {
  if (phase_ != Phase::kHandling || serial != serial_) return false;
  phase_ = Phase::kStreaming;
  last_ = last;
  ending_ = false;
  deadline = {};
  output_.add(std::move(head));
  if (input_.empty()) give_back(input_);  // a stream may last for hours
  wants_read = true;                      // to notice when the reader disconnects
  return true;
}

Exchange::Pushed Exchange::push(Chunk chunk) {
  if (phase_ != Phase::kStreaming || ending_) return Pushed::kOver;
  if (output_.bytes() + chunk->size() > settings_.stream_bytes) {
    ending_ = true;
    return Pushed::kTooMuch;
  }
  output_.add(std::move(chunk), !form_.http_10);
  return Pushed::kYes;
}

bool Exchange::end_stream() {
  if (phase_ != Phase::kStreaming || ending_) return false;
  ending_ = true;
  if (!form_.http_10) output_.add("0\r\n\r\n");
  return true;
}

Step Exchange::write(Instant now) {
  if (phase_ != Phase::kWriting && phase_ != Phase::kStreaming) {
    // A handshake or read had to write first.
    return phase_ == Phase::kHandshake ? handshake(now) : read(now);
  }
  const bool streams = phase_ == Phase::kStreaming;
  bool moved_some = false;
  while (!output_.empty()) {
    Output::Pieces pieces;
    const auto moved = transport_.write(output_.front(pieces));
    if (moved.then == Then::kOk) {
      output_.sent(moved.bytes);
      moved_some = true;
      continue;
    }
    if (moved.then != Then::kWantRead && moved.then != Then::kWantWrite) return closed();
    write_wants_read_ = moved.then == Then::kWantRead;
    (write_wants_read_ ? wants_read : wants_write) = true;
    if (moved_some || deadline == Instant{}) deadline = now + settings_.times.stalled;
    over_budget_ = !streams && !unsent_.set(output_.bytes());
    return {};
  }
  unsent_.set(0);
  over_budget_ = false;
  write_wants_read_ = false;
  if (streams && !ending_) {
    deadline = {};
    return {};
  }
  return answered(now);
}

Step Exchange::answered(Instant now) {
  if (last_ || winding_down_) {
    transport_.finish();
    phase_ = Phase::kLingering;
    lingered_ = 0;
    deadline = now + kLinger;
    return linger();
  }
  phase_ = Phase::kReading;
  deadline = now + settings_.times.idle;
  if (!input_.empty() || transport_.has_more()) return {.what = What::kRetryNow};
  give_back_input();
  wants_read = true;
  return {};
}

void Exchange::give_back_input() {
  if (input_.empty() && input_.capacity() > kKeptInput) give_back(input_);
}

// Closing a connection while the peer still sends would reset it and lose the answer.
Step Exchange::linger() {
  for (;;) {
    const auto moved = transport_.discard();
    if (moved.then == Then::kWantRead) {
      wants_read = true;
      return {};
    }
    lingered_ += moved.bytes;
    if (moved.then != Then::kOk || lingered_ > kLingerBytes) return closed();
  }
}

Step Exchange::read_in_stream(Instant now) {
  for (;;) {
    std::array<char, kReadBytes> bytes;
    const auto moved = transport_.read(bytes.data(), bytes.size());
    if (moved.then == Then::kOk) {
      // Pipelined requests may arrive, but only a few are buffered.
      input_.append(bytes.data(), moved.bytes);
      if (input_.size() > settings_.parser.header_bytes) return closed();
      continue;
    }
    if (moved.then != Then::kWantRead && moved.then != Then::kWantWrite) return closed();
    (moved.then == Then::kWantRead ? wants_read : wants_write) = true;
    return write_wants_read_ ? write(now) : Step{};
  }
}

Step Exchange::wind_down(Instant now) {
  winding_down_ = true;
  form_.keep_alive = false;
  switch (phase_) {
    case Phase::kHandshake:
      return closed();
    case Phase::kReading:
      if (parser_ || !input_.empty()) return {};
      transport_.finish();
      return closed();
    case Phase::kStreaming:
      end_stream();
      return write(now);
    default:
      return {};
  }
}

}  // namespace portico::http::internal
