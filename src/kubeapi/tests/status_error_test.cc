// HTTP status and reason of the errors of modules.
#include "kubeapi/status_error.h"

#include <gtest/gtest.h>

#include "base/world_error.h"

namespace portico::kubeapi {
namespace {

TEST(StatusErrorOf, OnlyAClientWithoutValidCredentialsIsUnauthorized) {
  const StatusError client = status_error_of(invalid("x").because(Reason::kUnauthorized));
  EXPECT_EQ(client.code, 401);
  EXPECT_EQ(client.reason, "Unauthorized");
  const StatusError own = status_error_of(unavailable("x").because(Reason::kUnauthorized));
  EXPECT_EQ(own.code, 503);
  EXPECT_EQ(own.reason, "ServiceUnavailable");
  const StatusError behind = status_error_of(refused("x"));
  EXPECT_EQ(behind.code, 403);
  EXPECT_EQ(behind.reason, "Forbidden");
}

}  // namespace
}  // namespace portico::kubeapi
