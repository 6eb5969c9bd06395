// Replays recorded exchanges with an API server on Portico's server in this process.
#pragma once

#include <string>
#include <vector>

#include "apiserver/server.h"
#include "conformance/internal/kube_api.h"
#include "http/handler.h"
#include "json/value.h"

namespace portico::conformance {

/// Takes the user of a request from test headers. Requests with a token, or without a user, go to
/// `others` if it is set.
class ByHeader : public apiserver::Authenticator {
 public:
  explicit ByHeader(apiserver::Authenticator* others = nullptr) : others_(others) {}
  Result<access::User> who(const http::Request& request) override;
  Result<apiserver::ReviewedToken> review(std::string_view token,
                                          const std::vector<std::string>& audiences) override;

 private:
  apiserver::Authenticator* others_;
};

/// How a suite relaxes the comparison where its files do not specify Portico's exact response.
class ReplayRules {
 public:
  virtual ~ReplayRules() = default;
  /// The request to send for a step.
  virtual json::Value request(const json::Value& recorded) { return recorded; }
  /// Whether a response is acceptable whose status differs from that of `want`, the step's
  /// response.
  virtual bool fits(const json::Value& want, int status, const json::Value& body);
  /// Normalizes both bodies (or objects of events) before the comparison.
  virtual void adjust(json::Value& want, json::Value& have);
  /// Normalizes the events of a watch, recorded or actual, before the comparison.
  virtual std::vector<json::Value> events(std::vector<json::Value> all) { return all; }
};

/// Sends the requests of one case to `server` and compares the responses with the recorded ones.
/// All constructor arguments must outlive it.
class Replay {
 public:
  Replay(http::Handler& server, ReplayRules& rules) : server_(server), rules_(rules) {}

  /// "" if the response to a step's request matches the recorded one.
  std::string run(const json::Value& step);
  /// Posts as an administrator; an error unless the response is 201.
  Result<Done> post(const std::string& path, const json::Value& body);
  Placeholders& placeholders() { return placeholders_; }

 private:
  http::Request request_of(const json::Value& step);
  std::string against_header(const json::Member& header, const http::Response& response);
  std::string against_body(const json::Value& step, json::Value want, json::Value have);
  std::string against_events(const json::Value& step, http::Answer& answer);
  std::string against_list(const json::Value& step, const std::vector<json::Value>& events);

  http::Handler& server_;
  ReplayRules& rules_;
  Placeholders placeholders_;
};

}  // namespace portico::conformance
