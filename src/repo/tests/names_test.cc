#include "repo/names.h"

#include <gtest/gtest.h>

#include "krm/meta.h"

namespace portico::repo {
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

TEST(Names, NextWorkspaceIsAboveAllThatCount) {
  using Taken = std::vector<std::string>;
  EXPECT_EQ(next_workspace("packagevariant-", Taken{}), "packagevariant-1");
  EXPECT_EQ(next_workspace("packagevariant-",
                           Taken{"packagevariant-2", "packagevariant-10", "main", "v99",
                                 "packagevariant-11x", "packagevariant-", "packagevariant--7"}),
            "packagevariant-11");
  EXPECT_EQ(next_workspace("v", Taken{"v99999999999999999999"}), "v1") << "too large to count";
}

TEST(Names, OfDirectories) {
  EXPECT_EQ(*clean_directory("/infra//capi/./x/"), "infra/capi/x");
  EXPECT_EQ(*clean_directory("/"), "");
  EXPECT_EQ(*clean_directory(""), "");
  EXPECT_FALSE(clean_directory("a/../b"));
  EXPECT_FALSE(clean_directory(".git"));
  EXPECT_EQ(join_path("", "a/b"), "a/b");
  EXPECT_EQ(join_path("d", ""), "d");
  EXPECT_EQ(below("d/a/b", "d"), "a/b");
  EXPECT_EQ(below("d", "d"), "");
  EXPECT_EQ(below("dx/a", "d"), "");
  EXPECT_EQ(below("a", ""), "a");
}

TEST(Names, OfTags) {
  EXPECT_EQ(revision_of_tag("v1"), 1);
  EXPECT_EQ(revision_of_tag("v120"), 120);
  for (const char* other :
       {"v0", "v01", "v", "1", "v1.0", "v-1", "v+1", "V1", "v1 ", "main", "v99999999999", ""})
    EXPECT_EQ(revision_of_tag(other), -1) << other;
  EXPECT_EQ(split_last("a/b/v1")->path, "a/b");
  EXPECT_EQ(split_last("a/b/v1")->last, "v1");
  EXPECT_FALSE(split_last("v1"));
  EXPECT_FALSE(split_last("/v1"));
  EXPECT_FALSE(split_last("a/"));
}

TEST(Names, OfFiles) {
  for (const char* good : {"a", "a/b.yaml", ".gitignore", ".github/x", "a/..b", "ä ö", "a\\b"})
    EXPECT_TRUE(check_file_path(good)) << good;
  for (const char* bad : {"", "/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", ".git", "a/.Git/b",
                          ".git./x", ".git /x", "git~1"})
    EXPECT_FALSE(check_file_path(bad)) << bad;
  EXPECT_FALSE(check_file_path(std::string("a\0b", 3)));
  EXPECT_FALSE(check_file_path(std::string(300, 'a')));
}

}  // namespace
}  // namespace portico::repo
