// Recorded exchanges with an API server, replayed on ours in this process.
#pragma once

#include <string>
#include <vector>

#include "apiserver/server.h"
#include "conformance/internal/kube_api.h"
#include "http/handler.h"
#include "json/value.h"

namespace portico::conformance {

/// Who a request is from stands in headers of the test's own. What has a token, or nothing, is left
/// to `others`, if there are any.
class ByHeader : public apiserver::Authenticator {
 public:
  explicit ByHeader(apiserver::Authenticator* others = nullptr) : others_(others) {}
  Result<access::User> who(const http::Request& request) override;
  Result<apiserver::ReviewedToken> review(std::string_view token,
                                          const std::vector<std::string>& audiences) override;

 private:
  apiserver::Authenticator* others_;
};

/// How a suite reads its files where they do not say what an answer of ours is to be, letter by
/// letter.
class ReplayRules {
 public:
  virtual ~ReplayRules() = default;
  /// The request of a step as it is sent.
  virtual json::Value request(const json::Value& recorded) { return recorded; }
  /// Whether an answer is right that has another status than `want`, the step's response.
  virtual bool fits(const json::Value& want, int status, const json::Value& body);
  /// Both bodies (or objects of events) as they are compared.
  virtual void adjust(json::Value& want, json::Value& have);
  /// The events of a watch, recorded or ours, as they are compared.
  virtual std::vector<json::Value> events(std::vector<json::Value> all) { return all; }
};

/// Requests of one case to `server`, and its answers against the recorded ones. All that it is
/// given must outlive it.
class Replay {
 public:
  Replay(http::Handler& server, ReplayRules& rules) : server_(server), rules_(rules) {}

  /// "" where the answer to a step's request is the recorded one.
  std::string run(const json::Value& step);
  /// As an administrator; an error where it is not answered with 201.
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
