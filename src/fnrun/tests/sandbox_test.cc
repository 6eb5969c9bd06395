#include "fnrun/sandbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "process/process.h"
#include "testing/cases.h"

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

/// The output of a shell script in the sandbox.
class Caging : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string said = in_cage("echo fine"); said != "fine\n")
      GTEST_SKIP() << "no cage here: " << said;
  }

  std::string in_cage(const std::string& script, const Sandbox& cage = {},
                      const process::Limits& limits = {}) {
    const auto made = caged({"sh", "-c", script}, cage);
    if (!made) return made.error().text();
    process::Command command{made->argv, {"PATH=/usr/bin:/bin"}, "", {}};
    for (const Fd& one : made->open) command.open.push_back(one.get());
    const auto done = process::run_to_end(command, limits);
    return done ? done->output + done->stderr_text : done.error().text();
  }
};

TEST_F(Caging, IsNobodyWithoutRights) {
  const std::string said =
      in_cage("id -u; grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status");
  EXPECT_NE(said.find("65534\n"), std::string::npos) << said;
  EXPECT_NE(said.find("CapEff:\t0000000000000000"), std::string::npos) << said;
  EXPECT_NE(said.find("CapBnd:\t0000000000000000"), std::string::npos) << said;
  EXPECT_NE(said.find("NoNewPrivs:\t1"), std::string::npos) << said;
  EXPECT_NE(said.find("Seccomp:\t2"), std::string::npos) << said;
}

TEST_F(Caging, SeesLittleOfTheMachine) {
  const testing::TempDir temp;
  testing::write_file(temp.path() / "private", "s3cret");
  const std::string said = in_cage("cat /etc/shadow /root/.bashrc /home/*/.ssh/* " +
                                   (temp.path() / "private").string() + "; ls /; hostname");
  EXPECT_EQ(said.find("s3cret"), std::string::npos) << said;
  EXPECT_EQ(said.find("root:"), std::string::npos) << said;
  for (const char* hidden : {"home\n", "root\n", "run\n", "srv\n", "sys\n", "boot\n"})
    EXPECT_EQ(said.find(hidden), std::string::npos) << said;
  EXPECT_NE(said.find("function\n"), std::string::npos) << said;
}

TEST_F(Caging, CannotChangeWhereItIs) {
  for (const char* attempt : {"mount -o remount,rw,bind /usr", "mount -t tmpfs none /usr",
                              "umount /proc", "unshare -U true", "unshare -m true", "chroot / true",
                              "touch /usr/mark", "hostname other", "mknod /tmp/disk b 8 0",
                              "date -s 2000-01-01", "nsenter -t 1 -m true", "kill -9 1 && sleep 1"})
    EXPECT_EQ(in_cage("exec 2>/dev/null; " + std::string(attempt) + " >/dev/null && echo did"), "")
        << attempt;
}

TEST_F(Caging, HasATemporaryFolderOfItsOwn) {
  EXPECT_EQ(in_cage("echo x > /tmp/x && echo x > /var/tmp/x && echo x > /dev/shm/x && cat /tmp/x"),
            "x\n");
  Sandbox cage;
  cage.temporary_bytes = 1 << 20;
  EXPECT_NE(in_cage("head -c 4000000 /dev/zero > /tmp/x", cage).find("No space left"),
            std::string::npos);
}

TEST_F(Caging, HasWhatIsMounted) {
  const testing::TempDir temp;
  fs::permissions(temp.path(), fs::perms(0777));
  testing::write_file(temp.path() / "file", "given");
  fs::permissions(temp.path() / "file", fs::perms(0644));
  Sandbox cage;
  cage.mounts = {"type=bind,src=" + temp.path().string() + ",dst=/data"};
  EXPECT_EQ(in_cage("cat /data/file; (echo x > /data/new) 2>/dev/null || echo no", cage),
            "givenno\n");
  cage.mounts = {"src=" + temp.path().string() + ",dst=/data,rw=true"};
  EXPECT_EQ(in_cage("echo x > /data/new && echo wrote", cage), "wrote\n");
  EXPECT_TRUE(fs::exists(temp.path() / "new"));
  for (const auto& [mount, why] : {std::pair{"type=tmpfs,dst=/x", "only type=bind"},
                                   std::pair{"src=/usr", "src=PATH and dst=PATH are required"},
                                   std::pair{"src=/no/such,dst=/x", "\"/no/such\" not found"},
                                   std::pair{"src=/usr,dst=x", "absolute"},
                                   std::pair{"source=/usr,dst=/x,z=1", "unknown key"}}) {
    cage.mounts = {mount};
    EXPECT_NE(in_cage("true", cage).find(why), std::string::npos) << mount;
  }
}

TEST_F(Caging, HasNoNetwork) {
  EXPECT_EQ(in_cage("wc -l < /proc/net/route"), "1\n") << "the head alone";
}

TEST_F(Caging, CannotStartWithoutEnd) {
  Sandbox cage;
  cage.processes = 20;
  const std::string said = in_cage("for i in $(seq 100); do sleep 5 & done; echo did", cage);
  EXPECT_NE(said.find("fork"), std::string::npos) << said;
}

TEST_F(Caging, WhatItLeavesRunningGoesWithIt) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(in_cage("setsid sleep 60 & echo done"), "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace portico::fnrun
