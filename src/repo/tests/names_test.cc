#include "repo/names.h"

#include <gtest/gtest.h>

namespace portico::repo {
namespace {

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
