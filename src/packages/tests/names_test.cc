#include "packages/names.h"

#include <gtest/gtest.h>

#include "krm/meta.h"

namespace portico::packages {
namespace {

TEST(Names, OfObjects) {
  EXPECT_EQ(object_name("edge", "web", "v1"), "edge.web.v1");
  EXPECT_EQ(object_name("edge", "networks/core/web", "packagevariant-1"),
            "edge.networks.core.web.packagevariant-1");
  EXPECT_TRUE(check_object_name("edge", "a/b-c/d", "v1"));
  EXPECT_FALSE(check_object_name("Edge", "a", "v1"));
  EXPECT_FALSE(check_object_name("edge", "a//b", "v1"));
  EXPECT_FALSE(check_object_name("edge", "", "v1"));
  EXPECT_FALSE(check_object_name("edge", "a.b", "v1")) << "a dot is a slash already";
  EXPECT_FALSE(check_object_name("edge", "a", "v1.2"));
  EXPECT_FALSE(check_object_name(std::string(63, 'r'),
                                 std::string(63, 'a') + "/" + std::string(63, 'b'),
                                 std::string(63, 'w')))
      << "255 characters";
  EXPECT_TRUE(check_object_name(std::string(61, 'r'),
                                std::string(63, 'a') + "/" + std::string(63, 'b'),
                                std::string(63, 'w')))
      << "253 characters";
}

TEST(Names, OfObjectsWhosePathsAreNoNames) {
  const std::string restricted = object_name("catalog", "spire-restrictedSA", "v1");
  EXPECT_TRUE(restricted.starts_with("catalog.spire-restrictedsa.v1-")) << restricted;
  EXPECT_NE(restricted, object_name("catalog", "spire-restrictedsa", "v1"));
  EXPECT_NE(object_name("r", "a.b", "v1"), object_name("r", "a/b", "v1"));
  EXPECT_EQ(object_name("r", "a", "v2.0.0"), "r.a.v2.0.0") << "as Porch names such tags";
  for (const std::string& package :
       {std::string("A_b/-c-/.d."), std::string("ä"), std::string("_"), std::string(300, 'p'),
        std::string(250, '-') + "/x", std::string()})
    for (const char* workspace : {"v1", "V_1", "_"})
      EXPECT_TRUE(krm::is_dns1123_subdomain(object_name("r", package, workspace)))
          << object_name("r", package, workspace);
}

TEST(Names, OfWorkspaces) {
  for (const char* good : {"v1", "a", "packagevariant-12", "1"})
    EXPECT_TRUE(check_workspace(good)) << good;
  for (const char* bad : {"", "-a", "a-", "A", "a_b", "a.b", "a/b", "ä"})
    EXPECT_FALSE(check_workspace(bad)) << bad;
  EXPECT_TRUE(check_workspace(std::string(63, 'a')));
  EXPECT_FALSE(check_workspace(std::string(64, 'a')));
}

}  // namespace
}  // namespace portico::packages
