#include "git/internal/pack_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "git/internal/file.h"
#include "git/object.h"
#include "testing/cases.h"

namespace portico::git {
namespace {

// The same 500 objects in a pack, with an index of the given version.
class OfVersion : public ::testing::TestWithParam<int> {
 protected:
  OfVersion() {
    std::string commands =
        "set -e; cd '" + folder_.path().string() + "'; git init -q --bare .; mkdir f; cd f;";
    commands += "for i in $(seq 500); do echo $i > $i; done;";
    commands +=
        "ls | sort -n | git --git-dir=.. hash-object -w --stdin-paths | "
        "git --git-dir=.. pack-objects -q --index-version=" +
        std::to_string(GetParam()) + " ../x > ../name; mv ../x-$(cat ../name).idx ../x.idx";
    EXPECT_EQ(std::system(commands.c_str()), 0);
    for (int i = 1; i <= 500; ++i)
      ids_.push_back(object_id(ObjectType::kBlob, std::to_string(i) + "\n"));
    std::sort(ids_.begin(), ids_.end());
  }
  std::string path() const { return folder_.path().string() + "/x.idx"; }

  portico::testing::TempDir folder_;
  std::vector<Oid> ids_;
};

TEST_P(OfVersion, HasWhatIsInThePackAndNothingElse) {
  const auto opened = PackIndex::open(path());
  ASSERT_TRUE(opened) << opened.error().text();
  const PackIndex& index = **opened;
  EXPECT_TRUE(index.is_whole());
  std::vector<Oid> found;
  for (unsigned first = 0; first < 256; ++first) {
    Oid of{};
    of.bytes[0] = static_cast<unsigned char>(first);
    for (const Oid& id : index.find(of.hex().substr(0, 2))) found.push_back(id);
  }
  EXPECT_EQ(found, ids_);
  for (const Oid& id : ids_) {
    EXPECT_TRUE(index.has(id));
    EXPECT_EQ(index.find(id.hex()), std::vector<Oid>{id});
    Oid other = id;
    other.bytes.back() ^= 1;
    EXPECT_FALSE(index.has(other));
  }
  EXPECT_FALSE(index.has(Oid{}));
}

TEST_P(OfVersion, CutOffOrChangedItIsRefusedOrNotWhole) {
  const auto text = read_whole(path());
  ASSERT_TRUE(text);
  for (std::size_t size = 0; size < text->size(); size += 37) {
    const auto cut = PackIndex::parse(text->substr(0, size), "cut.idx");
    EXPECT_TRUE(cut ? !(*cut)->is_whole() : cut.error().code == Code::kInvalid) << size;
  }
  for (std::size_t at = 0; at < text->size(); at += 11) {
    std::string changed = *text;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    const auto parsed = PackIndex::parse(changed, "changed.idx");
    if (!parsed) continue;
    EXPECT_FALSE((*parsed)->is_whole()) << at;
    for (const Oid& id : ids_) (void)(*parsed)->has(id);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, OfVersion, ::testing::Values(1, 2));

TEST(PackIndex, OfAFileThatIsNotThereIsNotFound) {
  EXPECT_EQ(PackIndex::open("/nowhere/x.idx").error().code, Code::kNotFound);
}

}  // namespace
}  // namespace portico::git
