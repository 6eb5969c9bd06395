// A writer that is killed at any time loses no acknowledged write.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <thread>

#include "store/tests/store_fixture.h"
#include "testing/cases.h"

namespace portico::store {

using registry::Verb;

namespace {

constexpr char kFolderVariable[] = "PORTICO_TEST_STORE_FOLDER";
constexpr int kWriters = 4;

/// Run in a child process by the test below: threads write increasing numbers to their object (and
/// create and delete others), and print each one when the store has acknowledged it.
TEST(KilledWriter, DISABLED_WritesUntilKilled) {
  const char* folder = std::getenv(kFolderVariable);
  if (folder == nullptr) GTEST_SKIP() << "run by KilledWriter.LosesNothing only";
  const auto store = open_or_die({.folder = folder, .watch_window = 50});
  std::vector<std::jthread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&store, i] {
      const std::string name = "w" + std::to_string(i);
      const auto found = store->get(thing_key(name));
      std::int64_t n = found ? (*found)["spec"]["n"].as_int() : 0;
      const json::Value side = thing(name + "-side");
      if (!found && !store->commit({{Verb::kCreate, thing(name)}})) std::abort();
      for (bool there = store->get(krm::object_key(side)).ok();; there = !there) {
        // Both or neither: the side object exists when n is odd.
        if (!store->commit(
                {{Verb::kUpdate, thing(name, ++n)}, {there ? Verb::kDelete : Verb::kCreate, side}}))
          std::abort();
        const std::string line = std::to_string(i) + " " + std::to_string(n) + "\n";
        if (write(STDERR_FILENO, line.data(), line.size()) < 0) std::abort();
      }
    });
  }
}

TEST(KilledWriter, LosesNothing) {
  testing::TempDir folder;
  ASSERT_EQ(setenv(kFolderVariable, folder.path().c_str(), 1), 0);
  std::map<int, std::int64_t> acknowledged;
  for (int round = 0; round < 8; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
    std::string program = std::filesystem::read_symlink("/proc/self/exe");
    std::string filter = "--gtest_filter=KilledWriter.DISABLED_WritesUntilKilled";
    std::string disabled = "--gtest_also_run_disabled_tests";
    char* arguments[] = {program.data(), filter.data(), disabled.data(), nullptr};
    pid_t pid = 0;
    ASSERT_EQ(posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);

    std::string said;
    char bytes[4096];
    // Each round is killed at another point, after so many bytes of acknowledgments.
    const std::size_t enough = 100 + static_cast<std::size_t>(round) * 397;
    bool killed = false;
    for (ssize_t size; (size = read(pipe_ends[0], bytes, sizeof bytes)) > 0;) {
      said.append(bytes, static_cast<std::size_t>(size));
      if (said.size() >= enough && !killed) {
        kill(pid, SIGKILL);
        killed = true;
      }
    }
    close(pipe_ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(killed && WIFSIGNALED(status)) << said;
    for (std::size_t at = 0, end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string line = said.substr(at, end - at);
      acknowledged[line[0] - '0'] = std::stoll(line.substr(2));
    }

    const auto store = open_or_die({.folder = folder.path(), .watch_window = 50});
    for (const auto& [writer, n] : acknowledged) {
      const std::string name = "w" + std::to_string(writer);
      const auto object = store->get(thing_key(name));
      ASSERT_TRUE(object) << name;
      const std::int64_t stored = (*object)["spec"]["n"].as_int();
      EXPECT_GE(stored, n) << name;
      EXPECT_LE(stored, n + 1) << name << ": at most the one that was not acknowledged";
      EXPECT_EQ(store->get(thing_key(name + "-side")).ok(), stored % 2 == 1);
    }
    const auto events = store->watch({}, store->version() - 50)->next(std::chrono::milliseconds(0));
    ASSERT_TRUE(events);
    EXPECT_EQ(events->size(), 50u);
  }
  EXPECT_EQ(acknowledged.size(), static_cast<std::size_t>(kWriters));
  unsetenv(kFolderVariable);
}

}  // namespace
}  // namespace portico::store
