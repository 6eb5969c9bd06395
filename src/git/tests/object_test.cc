#include "git/object.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "git/internal/packed_refs.h"
#include "git/ref_name.h"
#include "git/remote.h"
#include "git/staging.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::git {
namespace {

using portico::testing::git_try;

TEST(ObjectId, IsGits) {
  EXPECT_EQ(object_id(ObjectType::kBlob, "").hex(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(object_id(ObjectType::kTree, "").hex(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  EXPECT_EQ(object_id(ObjectType::kBlob, "hello\n").hex(),
            "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST(ObjectId, ReadsHexOnly) {
  const std::string text = "CE013625030ba8dba906f756967f9e9ca394464a";
  EXPECT_EQ(parse_oid(text)->hex(), "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_FALSE(parse_oid(text.substr(1)));
  EXPECT_FALSE(parse_oid(text + "0"));
  EXPECT_FALSE(parse_oid("ge013625030ba8dba906f756967f9e9ca394464a"));
}

TEST(Tree, IsSortedAsGitSorts) {
  const Oid id = object_id(ObjectType::kBlob, "");
  const std::string bytes = encode_tree({{kModeFile, "a0", id},
                                         {kModeTree, "a", id},
                                         {kModeFile, "a.b", id},
                                         {kModeFile, "a-b", id},
                                         {kModeFile, "B", id}});
  std::string names;
  const auto entries = parse_tree(bytes);
  ASSERT_TRUE(entries);
  for (const TreeEntry& entry : *entries) names += entry.name + " ";
  EXPECT_EQ(names, "B a-b a.b a a0 ");
  EXPECT_EQ(find_in_tree(bytes, "a")->mode, kModeTree);
  EXPECT_EQ(find_in_tree(bytes, "b").error().code, Code::kNotFound);
}

TEST(Tree, RefusesWhatIsNone) {
  for (const std::string& bytes :
       {std::string("100644"), std::string("100644 a"), std::string("100644 a\0short", 14),
        std::string("x a\0", 4), std::string("100644 \0", 8), std::string("77777777 a\0", 11)}) {
    EXPECT_FALSE(parse_tree(bytes)) << bytes;
    EXPECT_FALSE(diff_trees(bytes, "")) << bytes;
  }
}

std::vector<TreeEntry> some_entries() {
  std::vector<TreeEntry> entries;
  const auto names = *rc::gen::container<std::set<std::string>>(rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab-./0")))));
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) continue;
    const bool tree = *rc::gen::arbitrary<bool>();
    entries.push_back(
        {tree ? kModeTree : kModeFile, name,
         object_id(ObjectType::kBlob, *rc::gen::elementOf(std::string("xyz")) == 'x' ? "1" : "2")});
  }
  return entries;
}

RC_GTEST_PROP(Tree, DiffIsWhatDiffers, ()) {
  const auto before = some_entries(), after = some_entries();
  const auto changes = diff_trees(encode_tree(before), encode_tree(after));
  RC_ASSERT(changes.ok());
  std::vector<TreeEntry> gone, made;
  for (const TreeChange& change : *changes) {
    if (change.before) gone.push_back(*change.before);
    if (change.after) made.push_back(*change.after);
  }
  const auto has = [](const std::vector<TreeEntry>& all, const TreeEntry& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  for (const TreeEntry& entry : before) RC_ASSERT(has(gone, entry) == !has(after, entry));
  for (const TreeEntry& entry : after) RC_ASSERT(has(made, entry) == !has(before, entry));
  RC_ASSERT(gone.size() <= before.size());
  RC_ASSERT(made.size() <= after.size());
}

TEST(CommitObject, KeepsWhatItIsGiven) {
  Commit commit;
  commit.tree = object_id(ObjectType::kTree, "");
  commit.parents = {object_id(ObjectType::kBlob, "1"), object_id(ObjectType::kBlob, "2")};
  commit.author = {"Zoë <x>\n", "zoe@example.com",
                   std::chrono::sys_seconds(std::chrono::seconds(1'600'000'000)), -90};
  commit.committer = {"", "", std::chrono::sys_seconds(std::chrono::seconds(0)), 330};
  commit.message = "subject\n\nbody with tree 1234\n";
  const std::string bytes = encode_commit(commit);
  EXPECT_NE(bytes.find("author Zoë x <zoe@example.com> 1600000000 -0130\n"), std::string::npos);
  EXPECT_NE(bytes.find("committer  <> 0 +0530\n"), std::string::npos);
  const auto back = parse_commit(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->tree, commit.tree);
  EXPECT_EQ(back->parents, commit.parents);
  EXPECT_EQ(back->author.name, "Zoë x");
  EXPECT_EQ(back->author.when, commit.author.when);
  EXPECT_EQ(back->author.offset, -90);
  EXPECT_EQ(back->message, commit.message);
}

TEST(CommitObject, PassesOverSignatures) {
  const std::string tree = object_id(ObjectType::kTree, "").hex();
  const auto commit = parse_commit("tree " + tree +
                                   "\nauthor A <a> 5 +0000\ncommitter B <b> 6 +0000\n"
                                   "gpgsig -----BEGIN\n parent of nothing\n \n -----END\n\ntext\n");
  ASSERT_TRUE(commit);
  EXPECT_TRUE(commit->parents.empty());
  EXPECT_EQ(commit->message, "text\n");
  EXPECT_FALSE(parse_commit("tree " + tree + "\n\nno committer"));
  EXPECT_FALSE(parse_commit("author A <a> 5 +0000\n"));
}

// Every rule of git check-ref-format, with git as the oracle.
TEST(RefName, RulesAreGits) {
  const std::vector<std::string> names{
      "main", "a/b/c",  "Größe", "日本/語", "a b", "a~b",  "a^b",     "a:b",      "a?b",
      "a*b",  "a[b",    "a\\b",  "a..b",    ".a",  "a/.b", "a.lock",  "a.lock/b", "a/b.lock",
      "a.",   "a/b.",   "a./b",  "a//b",    "/a",  "a/",   "@",       "a@b",      "a@{b",
      "{",    "a\177b", "a\tb",  "-a",      "a-",  "HEAD", "a.lockx", "..",       "\xff",
  };
  for (const std::string& name : names) {
    const bool git_says = git_try("/", {"check-ref-format", "refs/heads/" + name}).status == 0;
    EXPECT_EQ(check_ref_name("refs/heads/" + name).ok(), git_says) << name;
  }
  EXPECT_FALSE(check_ref_name("refs/heads/" + std::string(2000, 'a')));
  EXPECT_FALSE(check_ref_name("heads/a"));
}

TEST(PackedRefs, ComeBackAsTheyWere) {
  const std::string one(40, '1'), two(40, '2');
  const std::string text = "# pack-refs with: peeled fully-peeled sorted \n" + one +
                           " refs/heads/main\n" + two + " refs/tags/v1\n^" + one + "\n";
  const auto packed = parse_packed_refs(text);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->refs.size(), 2u);
  EXPECT_EQ(print_packed_refs(*packed), text);
  EXPECT_EQ(packed->find("refs/tags/v1")->peeled->hex(), one);
  EXPECT_EQ(packed->find("refs/tags/v"), nullptr);
  // Unsorted files written by other tools can be read too.
  const auto unsorted = parse_packed_refs(two + " refs/b\n" + one + " refs/a\n");
  ASSERT_TRUE(unsorted);
  EXPECT_NE(unsorted->find("refs/a"), nullptr);
  EXPECT_FALSE(unsorted->fully_peeled);
  EXPECT_FALSE(parse_packed_refs("^" + one + "\n"));
  EXPECT_FALSE(parse_packed_refs("nonsense\n"));
}

TEST(Staging, ForgetsFromTheEnd) {
  Staging staging;
  const Oid a = staging.add(ObjectType::kBlob, "a");
  staging.add(ObjectType::kBlob, "a");
  const Oid b = staging.add(ObjectType::kTree, "");
  EXPECT_EQ(staging.objects().size(), 2u);
  EXPECT_EQ(staging.find(b)->raw, "");
  staging.truncate(1);
  EXPECT_NE(staging.find(a), nullptr);
  EXPECT_EQ(staging.find(b), nullptr);
}

TEST(RemoteAddress, TakesSecretsOutOfTheUrl) {
  const auto remote = parse_remote("https://al%40ice:s%3Acret@example.com/a/b.git");
  ASSERT_TRUE(remote);
  EXPECT_EQ(remote->url, "https://example.com/a/b.git");
  EXPECT_EQ(remote->username, "al@ice");
  EXPECT_EQ(remote->password, "s:cret");
  EXPECT_EQ(parse_remote("git@example.com:a/b.git")->url, "git@example.com:a/b.git");
  EXPECT_EQ(parse_remote("ssh://git@example.com/a")->url, "ssh://git@example.com/a");
  EXPECT_EQ(parse_remote("https://example.com/a@b")->url, "https://example.com/a@b");
}

TEST(RemoteAddress, RefusesWhatWouldRunPrograms) {
  for (const char* url : {"--upload-pack=touch /tmp/x", "ext::sh -c touch", "fd::7", "",
                          "foo://example.com/a", "https://example.com/a\nb"})
    EXPECT_EQ(parse_remote(url).error().code, Code::kInvalid) << url;
}

}  // namespace
}  // namespace portico::git
