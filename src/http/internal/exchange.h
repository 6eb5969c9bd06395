// One connection: what is read becomes requests, answers become bytes. It knows no thread and never
// waits; connection.h gives it both.
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

/// How the answer to the request that was handed out has to look.
struct AnswerForm {
  bool head_only = false;
  bool keep_alive = true;
  bool http_10 = false;
  bool gzip = false;
};

/// What its owner has to do next.
struct Step {
  enum class What {
    kWait,     // for the socket, as wants_read and wants_write say, or for somebody's call
    kAgain,    // call read() again, after others had their turn
    kHead,     // ask for the limit of the body of `request`, then begin_body()
    kRequest,  // have `request` answered
    kRefuse,   // have a refusal made of `status` and `why`, then refuse()
  } what = What::kWait;
  Request request = {};
  int status = 0;
  std::string why = {};
  std::uint64_t serial = 0;  // of kRequest and kRefuse, for answer()
  AnswerForm form = {};
  Charge body = {};  // what the request takes of the budget of bodies
};

struct ExchangeSettings {
  ParserLimits parser;
  Times times;
  std::size_t stream_bytes = 0;
};

/// Not for several threads at once. After close() every call does nothing.
class Exchange {
 public:
  enum class Phase { kHandshake, kReading, kHandling, kWriting, kStreaming, kLingering, kClosed };

  Exchange(Transport transport, const ExchangeSettings& settings, Budget& body, Budget& unsent);

  Phase phase() const { return phase_; }
  bool is_idle() const;  // no request has come yet, or not all of its head
  const Transport& transport() const { return transport_; }
  /// What a client showed in the handshake; to be asked for once, after that.
  std::optional<ClientCertificate> take_certificate() { return transport_.take_certificate(); }

  // What to wait for, and when expire() is to be called (none: 0).
  bool wants_read = false, wants_write = false;
  Instant deadline{};

  Step handshake(Instant now);
  /// The socket is ready, or it is kAgain.
  Step read(Instant now);
  Step write(Instant now);
  /// `head` is what kHead has handed out.
  Step begin_body(Request head, std::size_t most_bytes, Instant now);
  Step expire();

  /// The answer to request `serial`, whole. `last`: the connection ends with it.
  Step answer(std::uint64_t serial, std::string bytes, std::string body, bool last, Instant now);
  /// The answer is a stream; false where it is too late for an answer.
  bool begin_stream(std::uint64_t serial, std::string head, bool last);
  enum class Pushed { kYes, kOver, kTooMuch };
  Pushed push(Chunk chunk);
  /// Whether there was something to end.
  bool end_stream();
  std::size_t waiting() const { return output_.bytes(); }
  /// Bytes of memory that it keeps for what comes in and goes out, used or not.
  std::size_t kept() const { return input_.capacity() + output_.kept(); }

  /// Ends when it can be done in good manners: at once where nothing is on its way.
  Step wind_down(Instant now);
  void close();
  /// Once it is closed: the socket goes, after whatever watches it.
  void release_socket() { transport_.close(); }

  /// Since when the reader of a whole answer lets it wait.
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
  std::string input_;  // read and not parsed
  Output output_;
  Budget* body_budget_;
  Charge body_, unsent_;
  AnswerForm form_;
  std::uint64_t serial_ = 0;  // of the request: an answer to an older one comes too late
  std::size_t lingered_ = 0;
  Instant writing_since_{};
  bool in_body_ = false;
  bool last_ = false;    // the connection ends with this answer
  bool ending_ = false;  // of a stream
  bool winding_down_ = false;
  bool write_wants_read_ = false;
  bool over_budget_ = false;
};

}  // namespace portico::http::internal
