#include "base/remote_host.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

TEST(RemoteHost, IsThatOfEachForm) {
  EXPECT_EQ(remote_host("https://git.example.com/team/fleet.git"), "git.example.com");
  EXPECT_EQ(remote_host("https://ada:secret@git.example.com:8443/a:b@c"), "git.example.com");
  EXPECT_EQ(remote_host("ssh://git@git.example.com:22/fleet"), "git.example.com");
  EXPECT_EQ(remote_host("git@git.example.com:team/fleet.git"), "git.example.com");
  EXPECT_EQ(remote_host("http://[::1]:8080/fleet"), "[::1]");
  EXPECT_EQ(remote_host("http://[::1"), "[::1");
  EXPECT_EQ(remote_host("git://host"), "host");
  EXPECT_EQ(remote_host("file:///srv/fleet.git"), "");
  EXPECT_EQ(remote_host("/srv/a:b/fleet.git"), "");
  EXPECT_EQ(remote_host(""), "");
}

}  // namespace
}  // namespace portico
