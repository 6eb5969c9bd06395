#include "git/scratch.h"

#include <gtest/gtest.h>

#include "git/store.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::git {
namespace {

using portico::testing::make_bare;
using portico::testing::TempDir;

std::string run(const std::string& folder, const std::vector<std::string>& arguments) {
  return portico::testing::git(folder, arguments);
}

constexpr const char* kRefs = "--format=%(refname) %(objectname)";

TEST(Scratch, BeginsAsTheOtherAndKeepsWhatIsWrittenToIt) {
  const TempDir temp;
  const std::string origin = make_bare(temp.path().string(), "a.git");
  run(origin, {"branch", "drafts/web/v1", "main"});
  run(origin, {"tag", "-a", "-m", "one", "web/v1", "main"});
  run(origin, {"update-ref", "refs/portico/deletion/web", "main"});
  const std::string folder = (temp.path() / "scratch.git").string();
  ASSERT_TRUE(make_scratch(origin, folder).ok());
  const std::string refs = run(origin, {"for-each-ref", kRefs});
  EXPECT_EQ(run(folder, {"for-each-ref", kRefs}), refs);
  EXPECT_EQ(run(folder, {"rev-parse", "web/v1^{commit}"}), run(origin, {"rev-parse", "main"}));

  const auto store = *Store::open(folder);
  const Oid head = *parse_oid(run(origin, {"rev-parse", "main"}));
  EXPECT_TRUE(store->objects().read(head).ok()) << "what the other one has is read";
  ASSERT_TRUE(store
                  ->write([&](Batch& batch) -> Result<Done> {
                    PORTICO_TRY(const Oid was, batch.lock("refs/heads/main"));
                    EXPECT_EQ(was, head);
                    PORTICO_DO(batch.lock("refs/heads/drafts/web/v1"));
                    PORTICO_TRY(const Object object, batch.read(head));
                    const Oid next = batch.add(ObjectType::kCommit, object.bytes + "again\n");
                    PORTICO_DO(batch.set("refs/heads/main", next));
                    return batch.set("refs/heads/drafts/web/v1", Oid{});
                  })
                  .ok());
  EXPECT_EQ(run(folder, {"log", "-1", "--format=%T", "main"}),
            run(origin, {"log", "-1", "--format=%T", "main"}));
  EXPECT_NE(run(folder, {"rev-parse", "main"}), head.hex());
  EXPECT_EQ(run(folder, {"branch", "--list", "drafts/*"}), "");
  EXPECT_EQ(run(origin, {"for-each-ref", kRefs}), refs);
  EXPECT_EQ(portico::testing::fsck(folder), "");
}

TEST(Scratch, IsMadeOnce) {
  const TempDir temp;
  const std::string origin = make_bare(temp.path().string(), "a.git");
  const std::string folder = (temp.path() / "scratch.git").string();
  ASSERT_TRUE(make_scratch(origin, folder).ok());
  EXPECT_FALSE(make_scratch(origin, folder).ok()) << "it is there already";
}

}  // namespace
}  // namespace portico::git
