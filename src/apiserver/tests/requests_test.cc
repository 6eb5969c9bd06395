// Requests to a server over an empty store, and its answers, as transcripts.
#include <atomic>
#include <regex>
#include <sstream>

#include "apiserver/internal/placing.h"
#include "apiserver/server.h"
#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "store/embedded.h"
#include "testing/cases.h"

namespace portico::apiserver {
namespace {

using json::Value;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

/// Advances one second with each line of a script.
class ManualClock : public Clock {
 public:
  TimePoint now() const override { return TimePoint(std::chrono::seconds(now_)); }
  void tick() { ++now_; }

 private:
  std::atomic<std::int64_t> now_ = 1'700'000'000;  // servers have threads
};

/// "USER" or "USER,GROUP,..." in a header; "none" has no credentials. A bearer token "token NS NAME
/// UID" is that of a service account.
class ByHeader : public Authenticator, public TokenIssuer {
 public:
  Result<access::User> who(const http::Request& request) override {
    if (const std::string_view given = request.headers.get("Authorization"); !given.empty()) {
      PORTICO_TRY(ReviewedToken found, review(given.substr(given.find(' ') + 1), {}));
      return std::move(found.user);
    }
    std::istringstream in{std::string(request.headers.get("X-Test-User"))};
    access::User user;
    std::getline(in, user.name, ',');
    if (user.name == "none") return invalid("no credentials").because(Reason::kUnauthorized);
    for (std::string group; std::getline(in, group, ',');) user.groups.push_back(group);
    if (user.name == "admin") user.groups.emplace_back(access::kMasters);
    user.groups.emplace_back("system:authenticated");
    return user;
  }

  Result<ReviewedToken> review(std::string_view token,
                               const std::vector<std::string>& audiences) override {
    std::istringstream in{std::string(token)};
    std::string word, ns, name;
    std::getline(in, word, '/');
    std::getline(in, ns, '/');
    std::getline(in, name, '/');
    if (word != "token") return invalid("invalid bearer token").because(Reason::kUnauthorized);
    return ReviewedToken{{.name = access::service_account_user(ns, name),
                          .groups = {"system:serviceaccounts", "system:authenticated"},
                          .uid = "7"},
                         audiences};
  }

  Result<IssuedToken> issue(const TokenOrder& order) override {
    const std::vector<std::string> own = {"portico"};
    return IssuedToken{fmt::format("token/{}/{}", order.ns, order.name),
                       TimePoint(std::chrono::seconds(1'800'000'000) + order.lifetime),
                       order.audiences.empty() ? own : order.audiences};
  }
};

/// Lines of a script: USER METHOD TARGET [SECTION] [HEADER=VALUE ...], with the section as body in
/// YAML. Values that differ between runs are removed from answers.
class Transcript {
 public:
  explicit Transcript(const portico::testing::Case& one)
      : case_(one),
        registry_(must(store::open_embedded({.clock = &clock_}))),
        server_(must(make_server({.registry = *registry_,
                                  .authenticator = identities_,
                                  .clock = clock_,
                                  .tokens = &identities_},
                                 {.address = "server", .version = "test"}))) {}

  std::string run() {
    std::istringstream lines(case_["script"]);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with("#")) continue;
      clock_.tick();
      out += "$ " + line + "\n" + answer_to(line);
    }
    return out;
  }

 private:
  std::string answer_to(const std::string& line) {
    std::istringstream in(line);
    http::Request request;
    std::string user;
    in >> user >> request.method >> request.target;
    request.headers.set("X-Test-User", user);
    request.headers.set("User-Agent", "test");
    for (std::string word; in >> word;) {
      const std::size_t equal = word.find('=');
      if (equal != std::string::npos) {
        request.headers.add(word.substr(0, equal), word.substr(equal + 1));
        continue;
      }
      request.body = case_[word];
    }
    if (!request.headers.has("Content-Type"))
      request.headers.set("Content-Type", "application/yaml");
    request.peer = std::make_shared<http::Peer>();
    const http::Answer answer = server_->handle(std::move(request));
    return shown(std::get<http::Response>(answer));
  }

  static Value without_volatile(Value object) {
    for (const char* field : {"uid", "resourceVersion", "managedFields", "creationTimestamp"})
      object = object.without_at({"metadata", field});
    if (object["metadata"].empty()) object = object.without("metadata");
    return object;
  }

  static std::string shown(const http::Response& response) {
    std::string out = std::to_string(response.status) + "\n";
    for (const std::string_view warning : response.headers.all("Warning"))
      out += "Warning: " + std::string(warning) + "\n";
    const auto body = json::parse(response.body);
    if (!body) return out + response.body + "\n";
    if ((*body)["kind"].as_string() == "Status" && response.status >= 400)
      return out + std::string((*body)["reason"].as_string()) + ": " +
             std::string((*body)["message"].as_string()) + "\n";
    Value show = without_volatile(*body);
    for (std::size_t i = 0; i < show["items"].size(); ++i)
      show = show.with("items", show["items"].with_item(i, without_volatile(show["items"][i])));
    static const std::regex kUid("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    return out + std::regex_replace(krm::Object::from_value(show).text(), kUid, "<uid>");
  }

  const portico::testing::Case& case_;
  ManualClock clock_;
  ByHeader identities_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<http::Handler> server_;
};

class Requests : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Requests, AreAnsweredAsTheFileSays) {
  GetParam().expect("want", Transcript(GetParam()).run());
}

INSTANTIATE_TEST_SUITE_P(
    Access, Requests, ::testing::ValuesIn(portico::testing::cases("apiserver/tests/data/access")),
    portico::testing::case_name);
INSTANTIATE_TEST_SUITE_P(
    Namespaces, Requests,
    ::testing::ValuesIn(portico::testing::cases("apiserver/tests/data/namespaces")),
    portico::testing::case_name);

INSTANTIATE_TEST_SUITE_P(
    Versions, Requests,
    ::testing::ValuesIn(portico::testing::cases("apiserver/tests/data/versions")),
    portico::testing::case_name);

class Placing : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Placing, MatchesItsFile) {
  const std::vector<http::Share> all = shares();
  std::istringstream lines(GetParam()["requests"]);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const http::Request head{.method = line.substr(0, blank), .target = line.substr(blank + 1)};
    out += all.at(static_cast<std::size_t>(share_of(head))).name + " " + line + "\n";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(
    Data, Placing, ::testing::ValuesIn(portico::testing::cases("apiserver/tests/data/placing")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::apiserver
