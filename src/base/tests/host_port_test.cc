#include "base/host_port.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

TEST(HostPort, IsReadAndPrinted) {
  for (const char* text : {"127.0.0.1:9090", "localhost:0", "[::1]:65535", ":6443"})
    EXPECT_EQ(parse_host_port(text)->text(), text);
  EXPECT_EQ(parse_host_port("[::1]:80")->host, "::1");
}

TEST(HostPort, IsRefused) {
  for (const char* text : {"", "localhost", "localhost:", "localhost:http", "localhost:65536",
                           "localhost:-1", "localhost: 1", "::1:80", "[::1]", "a]:1"}) {
    const auto place = parse_host_port(text);
    ASSERT_FALSE(place.ok()) << text;
    EXPECT_EQ(place.error().code, Code::kInvalid);
  }
}

}  // namespace
}  // namespace portico
