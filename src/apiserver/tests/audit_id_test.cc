// The audit id of a request: in its response, in the audit log and in log lines.
#include <gtest/gtest.h>

#include <regex>

#include "apiserver/server.h"
#include "json/text.h"
#include "store/embedded.h"

namespace portico::apiserver {
namespace {

class Admin : public Authenticator {
 public:
  Result<access::User> who(const http::Request&) override {
    return access::User{.name = "ada", .groups = {"system:masters"}};
  }
  Result<ReviewedToken> review(std::string_view, const std::vector<std::string>&) override {
    return invalid("there are no tokens").because(Reason::kUnauthorized);
  }
};

class LastAuditId : public Log {
 public:
  void write(LogLevel, std::string_view, std::initializer_list<LogField> fields) override {
    for (const LogField& field : fields)
      if (field.key == "audit_id") id = field.value;
  }
  std::string id;
};

class LastEvent : public AuditLog {
 public:
  void write(std::string line) override { event = *json::parse(line); }
  json::Value event;
};

class AuditId : public ::testing::Test {
 protected:
  http::Answer answer(std::string method, std::string target, std::string body = {},
                      const char* id = nullptr) {
    http::Request request{.method = std::move(method), .target = std::move(target)};
    request.headers.set("Content-Type", "application/json");
    if (id != nullptr) request.headers.set("Audit-ID", id);
    request.body = std::move(body);
    request.peer = std::make_shared<http::Peer>();
    return server_->handle(std::move(request));
  }
  /// The Audit-Id in the response to the creation of a Repository.
  std::string created(const std::string& name, const char* id = nullptr) {
    const http::Answer made = answer(
        "POST", "/apis/config.porch.kpt.dev/v1alpha1/namespaces/default/repositories",
        R"({"apiVersion":"config.porch.kpt.dev/v1alpha1","kind":"Repository","metadata":{"name":")" +
            name + R"("},"spec":{"git":{"repo":"https://a/b.git"}}})",
        id);
    EXPECT_EQ(std::get<http::Response>(made).status, 201) << std::get<http::Response>(made).body;
    return std::string(std::get<http::Response>(made).headers.get("Audit-Id"));
  }

  LastAuditId log_;
  LastEvent audit_;
  SystemClock clock_;
  Admin admin_;
  std::unique_ptr<registry::Registry> registry_ = *store::open_embedded({});
  std::unique_ptr<http::Handler> server_ = *make_server({.registry = *registry_,
                                                         .authenticator = admin_,
                                                         .clock = clock_,
                                                         .audit = &audit_,
                                                         .log = &log_},
                                                        {.address = "server", .version = "test"});
};

TEST_F(AuditId, IsTheSameEverywhere) {
  const std::string id = created("edge");
  EXPECT_TRUE(std::regex_match(id, std::regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))) << id;
  EXPECT_EQ(log_.id, id);
  EXPECT_EQ(audit_.event["auditID"].as_string(), id);
  EXPECT_NE(created("second"), id);
}

TEST_F(AuditId, IsTheOneOfTheServerInFront) {
  EXPECT_EQ(created("edge", "id-1_of.front"), "id-1_of.front");
  EXPECT_EQ(log_.id, "id-1_of.front");
  EXPECT_EQ(audit_.event["auditID"].as_string(), "id-1_of.front");
}

TEST_F(AuditId, IsReplacedIfItIsNoId) {
  const std::string longest(64, 'a'), longer(65, 'a');
  EXPECT_EQ(created("longest", longest.c_str()), longest);
  EXPECT_EQ(created("longer", longer.c_str()).size(), 36u);
  EXPECT_EQ(created("words", "two words").size(), 36u);
  EXPECT_EQ(created("empty", "").size(), 36u);
}

TEST_F(AuditId, IsInRefusalsAndStreams) {
  const http::Answer missing = answer("GET", "/api/v1/namespaces/default/secrets/none");
  EXPECT_EQ(std::get<http::Response>(missing).status, 404);
  EXPECT_EQ(std::get<http::Response>(missing).headers.get("Audit-Id").size(), 36u);
  const http::Answer watch = answer("GET", "/api/v1/secrets?watch=true");
  EXPECT_EQ(std::get<http::Streaming>(watch).head.headers.get("Audit-Id").size(), 36u);
}

}  // namespace
}  // namespace portico::apiserver
