#include "repo/package_url.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::repo {
namespace {

std::string shown(std::string_view text) {
  const auto found = parse_package_url(text);
  if (!found) return "error: " + found.error().text();
  return found->repo + " " + found->directory + " " + found->ref;
}

TEST(PackageUrl, SaysWhereTheRepositoryEnds) {
  EXPECT_EQ(shown("https://git.example.com/a/b.git/web/db@v1"),
            "https://git.example.com/a/b /web/db v1");
  EXPECT_EQ(shown("https://git.example.com/a/b.git/"), "https://git.example.com/a/b / ");
  EXPECT_EQ(shown("https://git.example.com/a/b.git@web/v1"),
            "https://git.example.com/a/b / web/v1");
  EXPECT_EQ(shown("git@git.example.com:a/b.git/web@v1"), "git@git.example.com:a/b /web v1");
  EXPECT_EQ(shown("ssh://git@git.example.com/b.git/web"), "ssh://git@git.example.com/b /web ");
  EXPECT_EQ(shown("file:///srv/git/b.git//web/"), "file:///srv/git/b /web ");
  EXPECT_EQ(shown("https://x/my.github/b.git/web"), "https://x/my.github/b /web ");
}

TEST(PackageUrl, KnowsGitHub) {
  EXPECT_EQ(shown("https://github.com/a/b/web@v1"), "https://github.com/a/b /web v1");
  EXPECT_EQ(shown("https://github.com/a/b"), "https://github.com/a/b / ");
  EXPECT_EQ(shown("https://github.com/a/b/tree/main/web/db"),
            "https://github.com/a/b /web/db main");
}

TEST(PackageUrl, FindsTheRepositoryOfAFolder) {
  const testing::TempDir folder;
  const std::string root = folder.path().string();
  const std::string bare = testing::make_bare(root, "catalog.git");
  EXPECT_EQ(shown(bare + "/web@v1"), root + "/catalog /web v1")
      << "'.git' is left out, as kpt does";
  testing::git(root, {"clone", "-q", bare, root + "/work"});
  std::filesystem::create_directories(root + "/work/a/b");
  EXPECT_EQ(shown(root + "/work/a/b@v1"), root + "/work /a/b v1");
  EXPECT_EQ(shown("file://" + root + "/work/a"), "file://" + root + "/work /a ");
  EXPECT_EQ(shown(root + "/work/.git/a"), root + "/work /a ");
}

TEST(PackageUrl, RefusesWhatIsNotClear) {
  EXPECT_EQ(shown("https://git.example.com/a/b@v1"),
            "error: ambiguous repo/dir@version \"https://git.example.com/a/b@v1\": specify '.git' "
            "where the repository ends");
  EXPECT_EQ(shown("https://ada:s3cret@git.example.com/a").find("s3cret"), std::string::npos);
  for (const char* bad : {"", "-x.git/a", "ext::sh.git/a", "https://x/b.git/a@",
                          "https://x/b.git/../a", "ftp://x/b.git/a"})
    EXPECT_TRUE(shown(bad).starts_with("error: ")) << bad << " " << shown(bad);
}

}  // namespace
}  // namespace portico::repo
