// The protocol of one connection: turns bytes into requests, and answers into bytes. Uses no
// threads and never blocks; connection.h adds both.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/internal/budget.h"
#include "http/internal/output.h"
#include "http/internal/reactor.h"
#include "http/internal/request_parser.h"
#include "http/internal/transport.h"
#include "http/server.h"

namespace portico::http::internal {

/// The form required of the answer to the current request.
struct AnswerForm {
  bool head_only = false;
  bool keep_alive = true;
  bool http_10 = false;
  bool gzip = false;
};

/// What the owner of the exchange must do next.
struct Step {
  enum class What {
    kWait,      // for the socket, as wants_read and wants_write say, or for another call
    kRetryNow,  // call read() again, after other connections had a turn
    kHead,      // get the body limit for `request`, then call begin_body()
    kRequest,   // get `request` answered
    kRefuse,    // create a refusal from `status` and `why` and answer with it
  } what = What::kWait;
  Request request = {};
  int status = 0;
  std::string why = {};
  std::uint64_t serial = 0;  // for kRequest and kRefuse: passed to answer()
  AnswerForm form = {};
  Charge body = {};  // the request's part of the budget of bodies
};

struct ExchangeSettings {
  ParserLimits parser;
  Times times;
  std::size_t stream_bytes = 0;
};

/// Not thread-safe. After close() every call is a no-op.
class Exchange {
 public:
  enum class Phase { kHandshake, kReading, kHandling, kWriting, kStreaming, kLingering, kClosed };

  Exchange(Transport transport, const ExchangeSettings& settings, Budget& body, Budget& unsent);

  Phase phase() const { return phase_; }
  bool is_idle() const;  // no complete request head has arrived yet
  const Transport& transport() const { return transport_; }
  /// The client's certificate; call once, after the handshake.
  std::optional<ClientCertificate> take_certificate() { return transport_.take_certificate(); }

  // What to wait for, and when to call expire() (0: never).
  bool wants_read = false, wants_write = false;
  Instant deadline{};

  Step handshake(Instant now);
  /// Call when the socket is ready, or after kRetryNow.
  Step read(Instant now);
  Step write(Instant now);
  /// `head` is the request returned with kHead.
  Step begin_body(Request head, std::size_t most_bytes, Instant now);
  Step expire();

  /// The complete answer to request `serial`. `last`: the connection ends with it.
  Step answer(std::uint64_t serial, std::string bytes, std::string body, bool last, Instant now);
  /// The answer is a stream; returns false if it is too late for an answer.
  bool begin_stream(std::uint64_t serial, std::string head, bool last);
  enum class Pushed { kYes, kOver, kTooMuch };
  Pushed push(Chunk chunk);
  /// Returns whether there was a stream to end.
  bool end_stream();
  std::size_t waiting() const { return output_.bytes(); }
  /// Memory kept for input and output, in bytes, used or not.
  std::size_t kept() const { return input_.capacity() + output_.kept(); }

  /// Ends the connection gracefully: at once if nothing is in progress.
  Step wind_down(Instant now);
  void close();
  /// Call after close(): closes the socket, once it is no longer watched.
  void release_socket() { transport_.close(); }

  /// Since when the reader has kept a complete answer waiting.
  std::optional<Instant> waits_since() const;
  bool over_budget() const { return over_budget_; }

 private:
  Step parse(Instant now);
  Step parsed(const RequestParser::Fed& fed, Instant now);
  Step request_done(Instant now);
  Step hand_out(Step step);
  Step refuse(int status, std::string why);
  Step answered(Instant now);
  Step read_in_stream(Instant now);
  void give_back_input();
  Step linger();
  Step closed();

  Transport transport_;
  const ExchangeSettings& settings_;
  Phase phase_;
  std::unique_ptr<RequestParser> parser_;
  std::string input_;  // read but not parsed
  Output output_;
  Budget* body_budget_;
  Charge body_, unsent_;
  AnswerForm form_;
  std::uint64_t serial_ = 0;  // of the current request; a late answer to an older one is ignored
  std::size_t lingered_ = 0;
  Instant writing_since_{};
  bool in_body_ = false;
  bool last_ = false;    // the connection ends with this answer
  bool ending_ = false;  // the stream is ending
  bool winding_down_ = false;
  bool write_wants_read_ = false;
  bool over_budget_ = false;
};

}  // namespace portico::http::internal
