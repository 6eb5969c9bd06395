// Repositories with damaged files: reads return correct data or an error, and always terminate.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "git/internal/loose_objects.h"
#include "git/local.h"
#include "git/object_db.h"
#include "git/refs.h"
#include "git/store.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::git {
namespace {

namespace fs = std::filesystem;
using portico::testing::git;
using portico::testing::read_file;
using portico::testing::write_file;

/// A repository with packs (including deltas), loose objects, packed and loose refs, and an
/// annotated tag.
class Damaged : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = portico::testing::make_bare(temp_.path().string(), "x.git");
    const std::string work = (temp_.path() / "work").string();
    git(temp_.path().string(), {"clone", "--quiet", folder_, work});
    std::string text;
    for (int i = 0; i < 400; ++i) text += "a line with the number " + std::to_string(i * i) + "\n";
    for (int i = 0; i < 6; ++i) {
      text += "one more line\n";
      write_file(fs::path(work) / "folder" / "long.txt", text);
      write_file(fs::path(work) / ("f" + std::to_string(i)), std::to_string(i));
      git(work, {"add", "-A"});
      git(work, {"commit", "--quiet", "-m", "commit " + std::to_string(i)});
      if (i != 3) continue;
      git(work, {"tag", "-a", "-m", "a tag", "v1"});
      git(work, {"push", "--quiet", "origin", "HEAD:main", "v1"});
      git(folder_, {"repack", "-a", "-d", "-q"});
      git(folder_, {"pack-refs", "--all"});
    }
    git(work, {"push", "--quiet", "origin", "HEAD:main", "HEAD:drafts/x/v1"});
    git(folder_, {"config", "core.abbrev", "8"});
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = entry.path().string();
      if (!entry.is_regular_file() || name.find("/hooks/") != std::string::npos) continue;
      files_.push_back(name);
      fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
    }
    std::sort(files_.begin(), files_.end());
    const auto objects = ObjectDb::open(folder_);
    ASSERT_TRUE(objects);
    std::string all =
        git(folder_, {"cat-file", "--batch-all-objects", "--batch-check=%(objectname)"}) + "\n";
    for (std::size_t at = 0, end = 0; (end = all.find('\n', at)) != std::string::npos;
         at = end + 1) {
      const Oid id = *parse_oid(all.substr(at, end - at));
      objects_.emplace(id, (*objects)->read(id)->bytes);
    }
    refs_ = (*RefReader(folder_).snapshot())->refs;
    ASSERT_GT(objects_.size(), 20U);
    ASSERT_EQ(refs_.size(), 3U);
  }

  /// Reads everything; returns the number of failures.
  int read_all() const {
    int failed = 0;
    const auto store = Store::open(folder_);
    if (!store) return 1;
    for (const auto& [id, bytes] : objects_) {
      const auto object = (*store)->objects().read(id);
      if (object)
        EXPECT_EQ(object->bytes, bytes) << id.hex();
      else
        ++failed;
      static_cast<void>((*store)->objects().find_by_prefix(id.short_hex()));
      static_cast<void>((*store)->objects().has(id));
    }
    if (const auto refs = (*store)->refs().snapshot(); !refs || (*refs)->refs != refs_) ++failed;
    if (const auto head = (*store)->refs().head_branch(); !head || *head != "refs/heads/main")
      ++failed;
    return failed;
  }

  portico::testing::TempDir temp_{portico::testing::memory_folder()};
  std::string folder_;
  std::vector<std::string> files_;
  std::map<Oid, std::string> objects_;
  std::vector<Ref> refs_;
};

std::string damaged(std::string bytes, int how, std::size_t where, char with) {
  if (bytes.empty()) return "x";
  const std::size_t at = where % bytes.size();
  switch (how) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ (with == 0 ? 1 : with));
      break;
    case 2:
      bytes.assign(bytes.size(), '\0');
      break;
    case 3:
      bytes.replace(at, std::min<std::size_t>(64, bytes.size() - at), 64, with);
      break;
    default:
      bytes += std::string(1 + where % 100, with);
  }
  return bytes;
}

TEST_F(Damaged, IsAnErrorOrNoMatter) {
  ASSERT_EQ(read_all(), 0);
  int failures = 0;
  EXPECT_TRUE(rc::check("any file, in any way, at any place", [&] {
    for (int i = 0; i < 5; ++i) {
      const std::string& file = *rc::gen::elementOf(files_);
      const std::string whole = read_file(file);
      const int how = *rc::gen::inRange(0, 6);
      if (how == 5)
        fs::remove(file);
      else
        write_file(file, damaged(whole, how, *rc::gen::inRange<std::size_t>(0, 1u << 20),
                                 *rc::gen::arbitrary<char>()));
      const auto begin = std::chrono::steady_clock::now();
      if (read_all() > 0) ++failures;
      RC_ASSERT(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
      write_file(file, whole);
    }
  }));
  EXPECT_GT(failures, 50) << "most damage matters";
  EXPECT_EQ(read_all(), 0) << "and over when the files are as they were";
}

TEST_F(Damaged, SaysWhichObject) {
  for (const auto& [id, bytes] : objects_) {
    const std::string hex = id.hex();
    const fs::path file = fs::path(folder_) / "objects" / hex.substr(0, 2) / hex.substr(2);
    if (!fs::exists(file)) continue;
    const std::string whole = read_file(file);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto cut = parse_loose_object(std::string_view(whole).substr(0, length), id, 1u << 20);
      ASSERT_FALSE(cut) << length;
      EXPECT_EQ(cut.error().code, Code::kInternal);
      EXPECT_NE(cut.error().what.find(hex), std::string::npos);
    }
    EXPECT_EQ(parse_loose_object(whole, id, 1u << 20)->bytes, bytes);
    EXPECT_EQ(parse_loose_object(whole + "x", id, 1u << 20).error().code, Code::kInternal);
    if (!bytes.empty()) {
      EXPECT_EQ(parse_loose_object(whole, id, bytes.size() - 1).error().code, Code::kInvalid);
    }
    EXPECT_EQ(parse_loose_object(whole, Oid{}, 1u << 20).error().code, Code::kInternal);
  }
}

TEST_F(Damaged, IsReadWhereAnotherPlaceHasItWhole) {
  // Damaged as a loose object, undamaged in a pack.
  const Oid head = refs_[1].id;
  const std::string hex = head.hex();
  const fs::path file = fs::path(folder_) / "objects" / hex.substr(0, 2) / hex.substr(2);
  ASSERT_TRUE(fs::exists(file));
  git(folder_, {"repack", "-a", "-q"});
  write_file(file, "");
  const auto objects = ObjectDb::open(folder_);
  const auto read = (*objects)->read(head);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->bytes, objects_.at(head));
}

TEST_F(Damaged, IsNotInTheWayOfAlternates) {
  const std::string other = (temp_.path() / "y.git").string();
  git(temp_.path().string(), {"clone", "--quiet", "--bare", "--shared", folder_, other});
  const auto objects = ObjectDb::open(other);
  ASSERT_TRUE(objects);
  for (const auto& [id, bytes] : objects_) EXPECT_EQ((*objects)->read(id)->bytes, bytes);
  const Oid id = refs_[0].id;
  EXPECT_TRUE((*objects)->has(id));
  EXPECT_EQ(*(*objects)->find_by_prefix(id.hex().substr(0, 12)), id);
  // An alternate that leads back to itself.
  write_file(fs::path(folder_) / "objects/info/alternates", "../../y.git/objects\n# a comment\n\n");
  EXPECT_EQ((*ObjectDb::open(other))->read(id)->bytes, objects_.at(id));
}

TEST_F(Damaged, CutOffWhileItIsOpenIsAnError) {
  const auto objects = ObjectDb::open(folder_);
  ASSERT_TRUE(objects);
  for (const auto& [id, bytes] : objects_) ASSERT_EQ((*objects)->read(id)->bytes, bytes);
  for (const char* ending : {".idx", ".pack"}) {
    std::map<std::string, std::string> whole;
    for (const std::string& file : files_)
      if (file.ends_with(ending)) whole.emplace(file, read_file(file));
    ASSERT_FALSE(whole.empty());
    for (const auto& [file, bytes] : whole) fs::resize_file(file, 0);
    int failed = 0;
    for (const auto& [id, bytes] : objects_) {
      if (!(*objects)->read(id)) ++failed;
      static_cast<void>((*objects)->has(id));
      static_cast<void>((*objects)->find_by_prefix(id.hex().substr(0, 8)));
    }
    EXPECT_GT(failed, 0) << ending;
    for (const auto& [file, bytes] : whole) write_file(file, bytes);
    for (const auto& [id, bytes] : objects_) EXPECT_EQ((*objects)->read(id)->bytes, bytes);
  }
}

TEST_F(Damaged, ANamedPipeHoldsNobodyUp) {
  const std::string loose = refs_[1].id.hex();
  for (const std::string& name :
       {std::string("refs/heads/pipe"), std::string("packed-refs"), std::string("packed-refs.lock"),
        std::string("config"), std::string("HEAD"), std::string("objects/info/alternates"),
        "objects/" + loose.substr(0, 2) + "/" + loose.substr(2)}) {
    const fs::path path = fs::path(folder_) / name;
    const bool was = fs::exists(path);
    const std::string whole = was ? read_file(path) : "";
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0) << name;
    static_cast<void>(find_local(folder_));
    static_cast<void>(read_all());
    fs::remove(path);
    if (was) write_file(path, whole);
  }
  EXPECT_EQ(read_all(), 0);
}

TEST_F(Damaged, GoneIsNotEmptied) {
  RefReader refs(folder_);
  ASSERT_TRUE(refs.snapshot());
  for (const std::string& part :
       {std::string(), std::string("/refs"), std::string("/HEAD"), std::string("/objects")}) {
    fs::rename(folder_ + part, folder_ + ".away");
    const auto gone = refs.snapshot();
    ASSERT_FALSE(gone) << part;
    EXPECT_EQ(gone.error().code, Code::kUnavailable) << part;
    fs::rename(folder_ + ".away", folder_ + part);
    ASSERT_TRUE(refs.snapshot());
    EXPECT_EQ((*refs.snapshot())->refs, refs_) << part;
  }
}

}  // namespace
}  // namespace portico::git
