#include "process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/world_error.h"
#include "testing/cases.h"

namespace portico::process {
namespace {

using std::chrono::seconds;

Result<Finished> shell(const std::string& script, const std::string& input = "",
                       const Limits& limits = {}) {
  return run_to_end({{"sh", "-c", script}, own_environment(), input}, limits);
}

TEST(Process, EndsWhenItIsStopped) {
  const testing::TempDir folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  StopSource stop;
  Limits limits;
  limits.stopped = stop.stop();
  std::jthread asks([&] {
    std::ifstream(pipe).get();  // opened once the program runs
    stop.ask();
  });
  const auto finished = shell("echo > " + pipe + "; sleep 60", "", limits);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, Code::kUnavailable);
  EXPECT_FALSE(shell("sleep 60", "", limits)) << "as long as somebody asks";
  asks.join();
  stop.take_back();
  EXPECT_TRUE(shell("true", "", limits));
  limits.stopped = stop.stop(std::chrono::steady_clock::now() + std::chrono::milliseconds(50));
  EXPECT_FALSE(shell("sleep 60", "", limits)) << "or when it is time";
}

TEST(Process, DescriptorsThatWereInheritedAreNotHandedOn) {
  const testing::TempDir folder;
  const std::string file = (folder.path() / "file").string();
  const int inherited = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);  // without O_CLOEXEC
  ASSERT_GE(inherited, 0);
  const std::string look =
      "if [ -e /proc/self/fd/" + std::to_string(inherited) + " ]; then echo open; fi";
  EXPECT_EQ(shell(look)->output, "");
  const auto meant = run({{"sh", "-c", look}, own_environment(), "", {inherited}}, {});
  ::close(inherited);
  ASSERT_TRUE(meant);
  EXPECT_EQ(meant->output, "open\n");
}

TEST(Process, GivesInputAndTakesOutput) {
  const auto done = shell("cat; echo told >&2; exit 3", "some text");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->output, "some text");
  EXPECT_EQ(done->stderr_text, "told\n");
  EXPECT_EQ(done->exit_code, 3);
}

TEST(Process, ReadsAndWritesAtTheSameTime) {
  // More than both pipes can buffer.
  const std::string much(8u << 20, 'x');
  const auto done = shell("cat", much);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->output.size(), much.size());
}

TEST(Process, NeedNotReadItsInput) {
  const auto done = shell("exec 0<&-; echo done", std::string(1u << 20, 'x'));
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->output, "done\n");
}

TEST(Process, SaysWhichSignalEndedIt) {
  const auto done = shell("kill -9 $$");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->exit_code, 128 + 9);
}

TEST(Process, IsStoppedAfterItsTime) {
  Limits limits;
  limits.time = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  const auto done = shell("sleep 60", "", limits);
  ASSERT_FALSE(done);
  EXPECT_EQ(remedy_of(done.error()), Remedy::kOperator);
  EXPECT_NE(done.error().what.find("0.2 s"), std::string::npos) << done.error().what;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(20));
}

TEST(Process, IsStoppedWhenItWritesTooMuch) {
  Limits limits;
  limits.output_bytes = 100000;
  const auto done = shell("yes", "", limits);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().what.find("100000 bytes"), std::string::npos) << done.error().what;
}

TEST(Process, LosesOnlyTheRestOfALongStderr) {
  Limits limits;
  limits.stderr_bytes = 10;
  const auto done = shell("yes | head -c 1000000 >&2; echo fine", "", limits);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->stderr_text.size(), 10u);
  EXPECT_EQ(done->output, "fine\n");
}

TEST(Process, TakesItsChildrenAlong) {
  const testing::TempDir folder;
  const std::string file = (folder.path() / "child").string();
  // The child keeps the output open.
  const auto done = shell("sh -c 'echo $$ > " + file + "; sleep 60' & while ! [ -s " + file +
                          " ]; do :; done; echo parent");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->output, "parent\n");
  std::ifstream in(file);
  pid_t child = 0;
  ASSERT_TRUE(in >> child);
  // Gone, or a zombie until init collects it.
  for (int i = 0; i < 1000 && ::kill(child, 0) == 0; ++i) {
    std::ifstream state("/proc/" + std::to_string(child) + "/stat");
    std::string text;
    if (!std::getline(state, text) || text.find(") Z") != std::string::npos) break;
    std::this_thread::yield();
    ASSERT_LT(i, 999) << "still runs: " << text;
  }
}

TEST(Process, IsKilledWithItsChildrenByWhoDies) {
  const testing::TempDir folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<bool> over = false;
  std::jthread dies([&] {
    std::ifstream(pipe).get();  // opened once the program's child runs
    for (; !over; std::this_thread::yield()) kill_all();
  });
  const auto done = shell("(echo > " + pipe + "; exec sleep 60) & wait");
  over = true;
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->exit_code, 128 + SIGKILL);
  dies.join();
  kill_all();  // no group is recorded any more
  EXPECT_EQ(shell("echo after")->output, "after\n");
}

TEST(Process, HasALimitOfMemory) {
  const auto keeping = [](const std::string& bytes) {  // tail keeps that much in memory
    return "export LC_ALL=C; head -c 200000000 /dev/zero | tail -c " + bytes + " | wc -c";
  };
  const auto without = shell(keeping("160000000"), "", {});
  ASSERT_TRUE(without) << without.error().text();
  ASSERT_EQ(without->output, "160000000\n") << without->stderr_text;
  Limits limits;
  limits.memory_bytes = 64u << 20;
  const auto little = shell(keeping("1000"), "", limits);
  ASSERT_TRUE(little) << little.error().text();
  ASSERT_EQ(little->output, "1000\n") << little->stderr_text;
  const auto done = shell(keeping("160000000"), "", limits);
  // Either the limit on its address space stops tail, or the sampled total exceeds the limit first.
  if (done)
    EXPECT_NE(done->output, "160000000\n");
  else
    EXPECT_NE(done.error().text().find("bytes of memory"), std::string::npos)
        << done.error().text();
}

TEST(Process, HasALimitOfFiles) {
  const testing::TempDir folder;
  Limits limits;
  limits.file_bytes = 10000;
  const auto done =
      shell("head -c 100000 /dev/zero > " + (folder.path() / "big").string(), "", limits);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_NE(done->exit_code, 0);
  EXPECT_LE(std::filesystem::file_size(folder.path() / "big"), 10000u);
}

TEST(Process, GetsOnlyItsEnvironment) {
  const auto done = run_to_end({{"sh", "-c", "echo $A-$HOME-"}, {"A=b"}, ""}, {});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->output, "b--\n");
}

TEST(Process, ThatIsNotThere) {
  const testing::TempDir folder;
  const std::string text = (folder.path() / "text").string();
  testing::write_file(text, "no program");
  for (const std::string& name :
       {std::string("no-such-program-of-portico"), std::string("./no/such"), std::string(""), text,
        std::string("/")}) {
    const auto done = run_to_end({{name}, {}, ""}, {});
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(remedy_of(done.error()), Remedy::kOperator);
  }
  // It is executable, but cannot be run.
  std::filesystem::permissions(text, std::filesystem::perms::owner_all);
  const auto done = run_to_end({{text}, {}, ""}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(remedy_of(done.error()), Remedy::kOperator);
}

TEST(Process, WhatLeavesTheGroupHoldsNothingUp) {
  const auto start = std::chrono::steady_clock::now();
  const auto done =
      run_to_end({{"sh", "-c", "setsid sleep 60 & echo done"}, own_environment(), "", {}}, {});
  ASSERT_TRUE(done.ok()) << done.error().text();
  EXPECT_EQ(done->output, "done\n");
  EXPECT_EQ(done->exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Process, MemoryIsThatOfAllItStarted) {
  Limits limits;
  limits.memory_bytes = 300u << 20;
  // Four processes with 100 MB each: only their sum exceeds the limit.
  const std::string one = "perl -e '$x = \"a\" x 100000000; sleep 60' & ";
  const auto done =
      run_to_end({{"sh", "-c", one + one + one + one + "wait"}, own_environment(), "", {}}, limits);
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().text().find("bytes of memory"), std::string::npos) << done.error().text();
  EXPECT_EQ(done.error().code, Code::kInvalid);
}

TEST(OwnEnvironment, HasNoKeyOfSecrets) {
  ::setenv("PORTICO_SECRETS_KEY", "secret", 1);
  ::setenv("PORTICO_TEST_WORD", "shown", 1);
  const auto all = own_environment();
  ::unsetenv("PORTICO_SECRETS_KEY");
  ::unsetenv("PORTICO_TEST_WORD");
  const auto has = [&](std::string_view entry) {
    return std::find(all.begin(), all.end(), entry) != all.end();
  };
  EXPECT_TRUE(has("PORTICO_TEST_WORD=shown"));
  EXPECT_FALSE(has("PORTICO_SECRETS_KEY=secret"));
}

}  // namespace
}  // namespace portico::process
