// Cgroups for programs: where they may be created, and what they limit.
#include "process/internal/cgroup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "process/process.h"
#include "testing/cases.h"

namespace portico::process {
namespace {

using std::chrono::seconds;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// Where this process can create cgroups; "" if it cannot.
std::string real_base() {
  return cgroup_base(own_cgroup(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup")));
}

std::optional<Cgroup> real_cgroup(const CgroupLimits& limits = {}) {
  return Cgroup::make(real_base(), limits);
}

class OwnCgroup : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(OwnCgroup, MatchesItsFile) {
  GetParam().expect("want", own_cgroup(GetParam()["mountinfo"], GetParam()["cgroup"]) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Data, OwnCgroup,
                         ::testing::ValuesIn(portico::testing::cases("process/tests/data/cgroup")),
                         portico::testing::case_name);

TEST(CgroupBase, IsWhereLimitsCanBePassedOn) {
  const testing::TempDir folder;
  const std::string own = folder.path().string();
  testing::write_file(own + "/cgroup.controllers", "cpu memory pids\n");
  testing::write_file(own + "/cgroup.subtree_control", "memory pids\n");
  EXPECT_EQ(cgroup_base(own), own);
  // After the process has moved there.
  EXPECT_EQ(cgroup_base(own + "/portico"), own);
  // Other processes are in the cgroup, so the kernel would refuse.
  testing::write_file(own + "/cgroup.subtree_control", "\n");
  testing::write_file(own + "/cgroup.procs", "1\n2\n");
  EXPECT_EQ(cgroup_base(own), "");
  EXPECT_EQ(cgroup_base(own + "/not-there"), "");
  EXPECT_EQ(cgroup_base(""), "");
  // In a plain folder no cgroup can be made, and the attempt leaves nothing behind.
  EXPECT_FALSE(Cgroup::make(own, {}));
  for (const auto& entry : std::filesystem::directory_iterator(own))
    EXPECT_FALSE(entry.is_directory()) << entry.path();
}

TEST(Cgroup, KillsAllThatIsInIt) {
  auto cgroup = real_cgroup();
  if (!cgroup) GTEST_SKIP() << "no cgroups of version 2 can be made here";
  const std::string path = cgroup->path();
  EXPECT_FALSE(cgroup->is_populated());
  const auto begin = std::chrono::steady_clock::now();
  std::jthread program([&] {
    Limits limits;
    limits.time = seconds(60);
    (void)run({{"sh", "-c", "echo $$ > " + path + "/cgroup.procs; setsid sleep 60 & sleep 60"},
               own_environment(),
               ""},
              limits);
  });
  while (!cgroup->is_populated() && std::chrono::steady_clock::now() - begin < seconds(30))
    std::this_thread::yield();
  cgroup->kill(seconds(30));
  EXPECT_FALSE(cgroup->is_populated());
  program.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(50));
  cgroup.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Cgroup, OfAProcessThatIsGoneIsRemoved) {
  const std::string base = real_base();
  if (!real_cgroup()) GTEST_SKIP() << "no cgroups of version 2 can be made here";
  // Higher than any pid.
  const std::string stale = base + "/portico-run-2000000000-x";
  ASSERT_TRUE(std::filesystem::create_directory(stale));
  EXPECT_TRUE(real_cgroup());
  EXPECT_FALSE(std::filesystem::exists(stale));
}

TEST(Cgroup, OfAProgramIsGoneWithIt) {
  if (!real_cgroup()) GTEST_SKIP() << "no cgroups of version 2 can be made here";
  Limits limits;
  limits.cgroup = true;
  const auto done = run_to_end(
      {{"sh", "-c", "setsid sleep 61 & cat /proc/self/cgroup; echo $!"}, own_environment(), ""},
      limits);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_NE(done->output.find("/portico-run-"), std::string::npos) << done->output;
  std::istringstream lines(done->output);
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  const std::string state = text_of("/proc/" + last + "/stat");
  EXPECT_TRUE(state.empty() || state.find(") Z") != std::string::npos)
      << "what left the group still runs: " << state;
}

TEST(Cgroup, LimitsMemoryOfAllTogetherAndTheirNumber) {
  const auto probe = real_cgroup({.memory_bytes = 1u << 30, .processes = 10});
  if (!probe || !probe->limits_memory())
    GTEST_SKIP() << "no cgroup here has a controller of memory";
  Limits limits;
  limits.cgroup = true;
  limits.memory_bytes = 300u << 20;
  const std::string one = "perl -e '$x = \"a\" x 100000000; sleep 60' & ";
  const auto much =
      run_to_end({{"sh", "-c", one + one + one + one + "wait"}, own_environment(), "", {}}, limits);
  ASSERT_FALSE(much);
  EXPECT_NE(much.error().text().find("bytes of memory"), std::string::npos);
  limits.processes = 5;
  const auto many = run_to_end(
      {{"sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 60 & done"}, own_environment(), "", {}},
      limits);
  ASSERT_TRUE(many) << many.error().text();
  EXPECT_NE(many->exit_code, 0) << "it could not start them all";
}

}  // namespace
}  // namespace portico::process
