#include "krm/content_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace portico::krm {
namespace {

Package package(std::initializer_list<std::pair<std::string, File>> files) {
  Package made;
  for (const auto& [path, file] : files) made.files.insert_or_assign(path, file);
  return made;
}

TEST(ContentHash, IsTheSameEverywhere) {
  // The output of `printf '100644 %s\tKptfile\0' $(printf 'a: 1\n' | sha256sum) | sha256sum`. It
  // must never change, because hashes are stored.
  EXPECT_EQ(content_hash(package({{"Kptfile", File("a: 1\n")}})),
            "0a6222198e901ce86b302db9408e17621ac07fbb10e496999634424eaa5f3d84");
  EXPECT_EQ(content_hash({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(ContentHash, TellsApartWhatDiffers) {
  const Package packages[] = {
      {},
      package({{"a", File("x")}}),
      package({{"b", File("x")}}),
      package({{"a", File("y")}}),
      package({{"a", File("x", FileMode::kExecutable)}}),
      package({{"a", File("x", FileMode::kSymlink)}}),
      package({{"a", File("x")}, {"b", File("")}}),
      package({{"a", File("")}, {"b", File("x")}}),
      package({{"a/b", File("x")}}),
      package({{"a", File("x # with a comment")}}),
  };
  std::set<std::string> hashes;
  for (const Package& one : packages) EXPECT_TRUE(hashes.insert(content_hash(one)).second);
}

TEST(ContentHash, AsksForBytesOnly) {
  const Package made = package({{"b", File("x")}, {"a", File("y")}});
  EXPECT_EQ(content_hash(made), content_hash(unread(made)));
}

}  // namespace
}  // namespace portico::krm
