#include "folder/folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "testing/cases.h"

namespace portico::folder {
namespace {

namespace fs = std::filesystem;
using krm::File;
using krm::FileMode;
using krm::Package;

File link(std::string target) { return File(std::move(target), FileMode::kSymlink); }

Package of(std::initializer_list<std::pair<const char*, File>> files) {
  Package out;
  for (const auto& [path, file] : files) out.files.emplace(path, file);
  return out;
}

/// A folder next to another one that must stay untouched.
class Folder : public ::testing::Test {
 protected:
  Folder() {
    fs::create_directories(outside() + "/d");
    testing::write_file(outside() + "/notes.txt", "precious");
    testing::write_file(outside() + "/d/f", "precious");
  }
  void TearDown() override {
    EXPECT_EQ(testing::read_file(outside() + "/notes.txt"), "precious");
    EXPECT_EQ(testing::read_file(outside() + "/d/f"), "precious");
    EXPECT_EQ(std::distance(fs::recursive_directory_iterator(outside()), {}), 3);
  }

  std::string dir() const { return (temp_.path() / "web").string(); }
  std::string outside() const { return (temp_.path() / "outside").string(); }
  std::string at(const std::string& path) const { return dir() + "/" + path; }
  void make(const Package& package) { ASSERT_TRUE(create(dir(), package).ok()); }
  Package there() const {
    auto out = read(dir());
    EXPECT_TRUE(out.ok()) << (out ? "" : out.error().text());
    return out ? *out : Package();
  }
  std::string error_of(const Package& before, const Package& after) {
    const auto done = change(dir(), before, after);
    return done ? "" : done.error().text();
  }

  testing::TempDir temp_;
};

TEST_F(Folder, IsReadAsItWasWritten) {
  const Package package = of({{"Kptfile", File("a")},
                              {"run.sh", File("b", FileMode::kExecutable)},
                              {"a/b/c.yaml", File("c")},
                              {"a/link", link("../Kptfile")}});
  make(package);
  EXPECT_EQ(there(), package);
  EXPECT_EQ(fs::status(dir()).permissions() & fs::perms::owner_all, fs::perms::owner_all);
}

TEST_F(Folder, KeepsWhatIsNotPartOfAChange) {
  const Package before = of({{"a.yaml", File("1")}, {"gone/x.yaml", File("2")}});
  make(before);
  testing::write_file(at("mine.txt"), "mine");
  fs::permissions(at("a.yaml"), fs::perms(0640));
  const Package after = of({{"a.yaml", File("changed")}, {"new/y.yaml", File("3")}});
  EXPECT_EQ(error_of(before, after), "");
  EXPECT_EQ(testing::read_file(at("mine.txt")), "mine");
  EXPECT_EQ(testing::read_file(at("a.yaml")), "changed");
  EXPECT_EQ(fs::status(at("a.yaml")).permissions(), fs::perms(0640));
  EXPECT_FALSE(fs::exists(at("gone")));
  EXPECT_FALSE(fs::exists(at(".portico-update")));
}

TEST_F(Folder, LinksAreNeitherFollowedNorDeletedThrough) {
  make(of({{"Kptfile", File("a")}}));
  fs::create_symlink("../outside/notes.txt", at("notes.txt"));
  fs::create_directory_symlink("../outside/d", at("d"));
  const Package before = there();
  EXPECT_EQ(before.find("notes.txt")->mode, FileMode::kSymlink);
  EXPECT_EQ(before.find("d")->mode, FileMode::kSymlink);
  EXPECT_EQ(before.find("d/f"), nullptr);
  Package after = before;
  after.files.insert_or_assign("notes.txt", File("ours"));
  after.files.erase("d");
  after.files.emplace("d/f", File("ours"));
  EXPECT_EQ(error_of(before, after), "");
  EXPECT_EQ(there(), after);
}

TEST_F(Folder, ALinkThatSomebodyPutInTheWayStopsAChange) {
  const Package before = of({{"Kptfile", File("a")}});
  make(before);
  fs::create_directory_symlink("../outside/d", at("d"));
  Package after = before;
  after.files.emplace("d/f", File("ours"));
  EXPECT_EQ(error_of(before, after), "\"d/f\" passes through the symbolic link \"d\"");
  EXPECT_EQ(there().files.size(), 2u);
}

TEST_F(Folder, LinksThatLeadOutAreLeftOutAndNamed) {
  const Package package = of({{"in", link("a/../b")},
                              {"in2", link("a/b")},
                              {"out", link("../outside/notes.txt")},
                              {"root", link("/etc/passwd")},
                              {"git", link(".git/config")},
                              {"x/up", link("../a")}});
  const auto written = create(dir(), package);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written->links_left_out, (std::vector<std::string>{"git", "in", "out", "root"}));
  EXPECT_EQ(there(), of({{"in2", link("a/b")}, {"x/up", link("../a")}}));
}

TEST_F(Folder, FilesFoldersAndLinksTurnIntoEachOther) {
  const Package one = of({{"x", File("1")}, {"y/a", File("2")}, {"z", link("x")}});
  const Package two = of({{"x/b", File("3")}, {"y", link("x/b")}, {"z/c/d", File("4")}});
  make(one);
  EXPECT_EQ(error_of(one, two), "");
  EXPECT_EQ(there(), two);
  EXPECT_EQ(error_of(two, one), "");
  EXPECT_EQ(there(), one);
}

TEST_F(Folder, NamesThatAreThereAlreadyAreNoReasonToRefuseAChange) {
  make(of({{"Kptfile", File("1")}}));
  for (const char* name : {"README", "readme", "odd\\name", "tab\tname"})
    testing::write_file(at(name), "mine");
  const Package before = there();
  Package after = before;
  after.set("Kptfile", "2");
  EXPECT_EQ(error_of(before, after), "");
  EXPECT_EQ(there(), after);
  after.set("ReadMe", "a third one");
  EXPECT_NE(error_of(there(), after), "");
}

TEST_F(Folder, AFolderThatHoldsWhatIsNotPartOfTheChangeStays) {
  const Package before = of({{"y/a", File("2")}});
  make(before);
  testing::write_file(at("y/mine"), "mine");
  EXPECT_EQ(error_of(before, of({{"y", File("1")}})),
            "cannot replace directory \"y\" with a file: it contains \"mine\"");
  EXPECT_EQ(testing::read_file(at("y/a")), "2");
}

TEST_F(Folder, AnEditMeanwhileIsNotOverwritten) {
  const Package before = of({{"a.yaml", File("1")}, {"b.yaml", File("1")}});
  make(before);
  testing::write_file(at("b.yaml"), "edited");
  EXPECT_EQ(
      error_of(before, of({{"a.yaml", File("2")}, {"b.yaml", File("2")}})),
      "\"b.yaml\" was modified since it was read: nothing was written, run the command again");
  EXPECT_EQ(testing::read_file(at("a.yaml")), "1");
  EXPECT_EQ(
      error_of(of({{"a.yaml", File("1")}}), of({{"a.yaml", File("1")}, {"b.yaml", File("2")}})),
      "\"b.yaml\" already exists and would be overwritten");
}

TEST_F(Folder, AnInterruptedChangeIsCompletedBeforeAFileIsRead) {
  make(of({{"a.yaml", File("old")}}));
  // The process died after it had moved the old file aside, before it moved the new one in.
  const std::string staging = at(".portico-update");
  fs::create_directory(staging);
  fs::rename(at("a.yaml"), staging + "/old-0");
  testing::write_file(staging + "/0", "new");
  testing::write_file(staging + "/plan",
                      "a.yaml" + std::string(1, '\0') + sha256_hex("new") + std::string(3, '\0'));
  EXPECT_EQ(*read_file(dir(), "a.yaml"), "new");
  EXPECT_FALSE(fs::exists(staging));
}

TEST_F(Folder, WhatCannotBeWrittenChangesNothing) {
  if (::geteuid() == 0) {
    // root may write anywhere, but cannot use a name that is too long.
    const Package before = of({{"a", File("1")}});
    make(before);
    Package after = of({{"a", File("2")}});
    after.files.emplace(std::string(300, 'n'), File("x"));
    EXPECT_NE(error_of(before, after), "");
    EXPECT_EQ(there(), before);
    EXPECT_FALSE(fs::exists(at(".portico-update")));
  }
  const std::string failed = (temp_.path() / "x/y/z").string();
  EXPECT_FALSE(create(failed, of({{"a", File("1")}, {"a/b", File("1")}})).ok());
  EXPECT_FALSE(fs::exists(temp_.path() / "x"));
}

TEST_F(Folder, SpecialFilesAreNamedAndHoldNothingUp) {
  make(of({{"Kptfile", File("a")}}));
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const auto read_it = read(dir());
  ASSERT_FALSE(read_it.ok());
  EXPECT_EQ(read_it.error().text(), ".: \"pipe\" is neither a file nor a directory");
  EXPECT_EQ(read_it.error().code, Code::kInvalid);
}

TEST_F(Folder, GitsOwnFilesAreNotRead) {
  const Package package = of({{"Kptfile", File("a")}});
  make(package);
  fs::create_directories(at(".git"));
  testing::write_file(at(".git/config"), "x");
  fs::create_directories(at("sub"));
  testing::write_file(at("sub/.git"), "gitdir: ../x");
  testing::write_file(at(kRevisionMetadata), "x");
  EXPECT_EQ(there(), package);
}

TEST_F(Folder, IsNotChangedByTwoAtOnce) {
  const Package before = of({{"a", File("1")}});
  make(before);
  const int other = ::open(dir().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const auto done = change(dir(), before, of({{"a", File("2")}}));
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  ::close(other);
  EXPECT_TRUE(change(dir(), before, of({{"a", File("2")}})).ok());
}

TEST_F(Folder, ANewFolderMustNotBeThere) {
  make(of({{"a", File("1")}}));
  const auto again = create(dir(), of({{"b", File("1")}}));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().text(),
            "directory \"" + dir() + "\" already exists, please delete the directory and retry");
  EXPECT_EQ(there(), of({{"a", File("1")}}));
}

/// Few names, so that files, folders and links conflict.
rc::Gen<Package> packages() {
  const auto path = rc::gen::map(
      rc::gen::nonEmpty(rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(
                                               rc::gen::element<std::string>("a", "b", "c")))),
      [](const std::vector<std::string>& parts) {
        std::string out;
        for (const std::string& part : parts) out += (out.empty() ? "" : "/") + part;
        return out;
      });
  const auto file = rc::gen::map(rc::gen::inRange(0, 8), [](int n) {
    if (n == 0) return link("a");
    return File(std::string(1, static_cast<char>('0' + n)),
                n == 1 ? FileMode::kExecutable : FileMode::kRegular);
  });
  return rc::gen::map(rc::gen::container<std::map<std::string, File>>(path, file),
                      [](const std::map<std::string, File>& files) {
                        Package out;
                        for (const auto& [name, content] : files) {
                          bool clash = false;
                          for (const auto& [other, ignored] : out.files)
                            clash = clash || name.starts_with(other + "/") ||
                                    other.starts_with(name + "/");
                          if (!clash) out.files.emplace(name, content);
                        }
                        return out;
                      });
}

RC_GTEST_PROP(Folders, BecomeWhatTheyAreToBe, ()) {
  const Package one = *packages(), two = *packages();
  const testing::TempDir temp;
  const std::string dir = (temp.path() / "p").string();
  RC_ASSERT(create(dir, one).ok());
  RC_ASSERT(*read(dir) == one);
  const auto changed = change(dir, one, two);
  if (!changed) RC_FAIL(changed.error().text());
  RC_ASSERT(*read(dir) == two);
  RC_ASSERT(!fs::exists(dir + "/.portico-update"));
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (fs::is_directory(entry.symlink_status())) RC_ASSERT(!fs::is_empty(entry.path()));
  }
}

}  // namespace
}  // namespace portico::folder
