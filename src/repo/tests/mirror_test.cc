// Damaged mirrors: fetched again; refs that are in no remote are transferred or kept.
#include "repo/mirror.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "repo/repository.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::repo {
namespace {

namespace fs = std::filesystem;
using portico::testing::git;
using portico::testing::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Lines : public Log {
 public:
  void write(LogLevel, std::string_view message, std::initializer_list<LogField> fields) override {
    std::string line(message);
    for (const LogField& field : fields) line += fmt::format(" {}={}", field.key, field.value);
    lines.push_back(std::move(line));
  }
  std::vector<std::string> lines;
};

class SetClock : public Clock {
 public:
  TimePoint now() const override { return time; }
  TimePoint time{};
};

/// The mirror of a remote with a published package, and a draft that exists only in the mirror.
class MirrorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    location_.url = portico::testing::make_bare(temp_.path().string(), "origin.git");
    location_.push_drafts = false;
    options_.always_mirror = true;
    options_.log = log_;
    const auto repository = open_it();
    const Revision web = draft(*repository, "web", "v1");
    published_ = *repository->publish(*repository->propose(web), 1, {});
    local_ = draft(*repository, "api", "v1");
  }

  std::shared_ptr<Repository> open_it() {
    auto repository = open(location_, mirror_, options_);
    if (!repository) throw std::runtime_error(repository.error().text());
    return *std::move(repository);
  }
  static Revision draft(Repository& repository, const std::string& package,
                        const std::string& workspace) {
    DraftWrite write;
    write.package = package;
    write.workspace = workspace;
    write.content.set(
        "Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: " + package + "\n");
    write.message.subject = "Draft";
    auto saved = repository.save_draft(write);
    if (!saved) throw std::runtime_error(saved.error().text());
    return *std::move(saved);
  }

  /// Unpacks every object into its own file, so that single ones can be truncated.
  void unpack() const {
    std::vector<fs::path> packs;
    for (const auto& entry : fs::directory_iterator(mirror_ + "/objects/pack"))
      packs.push_back(entry.path());
    for (const fs::path& pack : packs) {
      const fs::path moved = temp_.path() / pack.filename();
      fs::rename(pack, moved);
      if (moved.extension() == ".pack")
        git(temp_.path().string(),
            {"-c",
             "alias.unpack=!git -C '" + mirror_ + "' unpack-objects -q < '" + moved.string() + "'",
             "unpack"});
    }
  }
  void cut_off(const std::string& id) const {
    const fs::path file = fs::path(mirror_) / "objects" / id.substr(0, 2) / id.substr(2);
    ASSERT_TRUE(fs::exists(file)) << id;
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    fs::resize_file(file, fs::file_size(file) / 2);
  }
  /// Replaces the packs that contain an object with the output of `how`.
  void damage_pack_of(const std::string& id,
                      const std::function<std::string(std::string)>& how) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(mirror_ + "/objects/pack"))
      if (entry.path().extension() == ".idx" &&
          git(mirror_, {"verify-pack", "-v", entry.path().string()}).find(id) != std::string::npos)
        found.push_back(fs::path(entry.path()).replace_extension(".pack"));
    ASSERT_FALSE(found.empty());
    for (const fs::path& pack : found) {
      const std::string bytes = portico::testing::read_file(pack);
      fs::remove(pack);
      write_file(pack, how(bytes));
    }
  }
  std::vector<std::string> beside() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(temp_.path()))
      if (entry.path().filename().string().starts_with("mirror.git."))
        out.push_back(entry.path().filename().string());
    return out;
  }

  portico::testing::TempDir temp_{portico::testing::memory_folder()};
  const std::string mirror_ = (temp_.path() / "mirror.git").string();
  std::shared_ptr<Lines> log_ = std::make_shared<Lines>();
  Location location_;
  Options options_;
  Revision published_, local_;
};

TEST_F(MirrorTest, ACommitThatIsInNoRemoteIsNotFetchedForAtEachCall) {
  const auto clock = std::make_shared<SetClock>();
  options_.clock = clock;
  const auto repository = open_it();
  const std::string origin = location_.url;
  const auto unpushed = [&](const std::string& parent) {
    return git(origin, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit-tree",
                        "main^{tree}", "-p", parent, "-m", "another"});
  };
  const std::string first = unpushed("main"), second = unpushed(first);
  ASSERT_TRUE(repository->know(first)) << "that nobody has it is told where it is read";
  git(origin, {"update-ref", "refs/heads/main", first});
  ASSERT_TRUE(repository->know(first));
  EXPECT_NE(*repository->head(), first) << "it was missed just now";
  clock->time += std::chrono::seconds(11);
  ASSERT_TRUE(repository->know(first));
  EXPECT_EQ(*repository->head(), first);

  ASSERT_TRUE(repository->know(second));
  git(origin, {"update-ref", "refs/heads/main", second});
  ASSERT_TRUE(repository->fetch());
  EXPECT_EQ(*repository->head(), second) << "a sync asks whatever was missed";
  const std::string third = unpushed(second);
  ASSERT_TRUE(repository->know(third));
  ASSERT_TRUE(repository->fetch());
  git(origin, {"update-ref", "refs/heads/main", third});
  ASSERT_TRUE(repository->know(third));
  EXPECT_EQ(*repository->head(), third) << "what was missed before a sync is asked for again";
}

TEST_F(MirrorTest, IsFetchedAnewWhenARemotesObjectIsDamaged) {
  unpack();
  {
    const auto repository = open_it();
    cut_off(published_.tree);
    const auto read = repository->read(published_.tree);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::kUnavailable);
    EXPECT_THAT(read.error().text(), HasSubstr("is damaged"));
    EXPECT_TRUE(repository->is_damaged());
    EXPECT_THAT(damage_of(mirror_), HasSubstr(published_.tree));
  }
  EXPECT_THAT(log_->lines, IsEmpty());
  const auto repository = open_it();
  EXPECT_TRUE(repository->read(published_.tree));
  EXPECT_TRUE(repository->read(local_.tree)) << "the local draft is brought over";
  EXPECT_EQ(repository->discover()->size(), 3U);
  ASSERT_EQ(log_->lines.size(), 1U);
  EXPECT_THAT(log_->lines[0], HasSubstr("mirror refetched"));
  EXPECT_THAT(beside(), IsEmpty());
  EXPECT_EQ(damage_of(mirror_), "");
  EXPECT_EQ(portico::testing::fsck(mirror_), "");
}

// Git refetches missing objects, so everything can be read, but the broken file stays broken.
TEST_F(MirrorTest, IsFetchedAnewWhenAPackIsCutShort) {
  damage_pack_of(published_.commit, [](std::string bytes) {
    bytes.pop_back();
    return bytes;
  });
  EXPECT_TRUE(open_it()->read(published_.tree));
  const auto repository = open_it();
  EXPECT_FALSE(repository->is_damaged());
  EXPECT_TRUE(repository->read(published_.tree));
  EXPECT_TRUE(repository->read(local_.tree));
  EXPECT_EQ(portico::testing::fsck(mirror_), "");
  ASSERT_EQ(log_->lines.size(), 1U);
  EXPECT_THAT(log_->lines[0], HasSubstr(".idx"));
  EXPECT_THAT(beside(), IsEmpty());
}

TEST_F(MirrorTest, APackThatIsDamagedMattersThoughNobodyReadsFromIt) {
  const auto repository = open_it();
  EXPECT_FALSE(repository->is_damaged());
  damage_pack_of(local_.commit, [](std::string bytes) {
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    return bytes;
  });
  EXPECT_FALSE(repository->read(std::string(40, '1'))) << "it is looked for in new packs, too";
  EXPECT_TRUE(repository->is_damaged());
}

TEST_F(MirrorTest, IsKeptWhenALocalDraftIsDamaged) {
  unpack();
  cut_off(local_.commit);
  const auto repository = open_it();
  EXPECT_EQ(repository->discover()->size(), 2U) << "what the remote has";
  ASSERT_EQ(log_->lines.size(), 1U);
  EXPECT_THAT(log_->lines[0], HasSubstr(local_.ref));
  EXPECT_THAT(beside(), ElementsAre("mirror.git.damaged-1"));
}

TEST_F(MirrorTest, StaysAsItIsWhileTheRemoteIsAway) {
  mark_damaged(mirror_, "a test says so");
  const std::string away = location_.url + ".away";
  fs::rename(location_.url, away);
  EXPECT_FALSE(open(location_, mirror_, options_));
  EXPECT_EQ(damage_of(mirror_), "a test says so");
  EXPECT_TRUE(fs::exists(mirror_ + "/HEAD"));
  fs::rename(away, location_.url);
  EXPECT_EQ(open_it()->discover()->size(), 3U);
}

TEST_F(MirrorTest, IsFetchedAnewWhereItCannotBeOpened) {
  write_file(fs::path(mirror_) / "packed-refs", "what is this\n");
  const auto repository = open_it();
  EXPECT_EQ(repository->discover()->size(), 2U);
  ASSERT_EQ(log_->lines.size(), 1U) << "which drafts there were cannot be read";
  EXPECT_THAT(beside(), ElementsAre("mirror.git.damaged-1"));
}

TEST_F(MirrorTest, NothingIsRemovedOfARepositoryThatIsNoMirror) {
  options_.always_mirror = false;
  location_.push_drafts = true;
  const auto repository = open_it();
  const std::string objects = location_.url + "/objects";
  for (const auto& entry : fs::recursive_directory_iterator(objects))
    if (entry.is_regular_file()) {
      fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
      fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
  const auto found = open(location_, "", options_);
  const auto revisions =
      found ? (*found)->discover() : Result<std::vector<Revision>>(found.error());
  ASSERT_FALSE(revisions);
  EXPECT_EQ(revisions.error().code, Code::kUnavailable);
  EXPECT_THAT(revisions.error().text(), HasSubstr("replace it with a clone"));
  EXPECT_FALSE(repository->is_damaged());
}

}  // namespace
}  // namespace portico::repo
