// A change that is killed at any of its system calls leaves the old package or the new one.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "folder/folder.h"
#include "testing/cases.h"

namespace portico::folder {
namespace {

using krm::File;
using krm::FileMode;
using krm::Package;

// Runs `what` in a child that is killed at its `calls`-th system call stop (two per call). True if
// it finished before that; nullopt if this machine does not allow tracing.
template <class F>
std::optional<bool> killed_at(int calls, F&& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    ::_exit(what() ? 0 : 1);
  }
  int status = 0;
  for (int stop = 0;; ++stop) {
    if (::waitpid(child, &status, 0) != child) return std::nullopt;
    if (WIFEXITED(status)) {
      if (WEXITSTATUS(status) == 77) return std::nullopt;
      EXPECT_EQ(WEXITSTATUS(status), 0);
      return true;
    }
    if (stop == calls) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return false;
    }
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  }
}

Package before() {
  Package out;
  out.set("Kptfile", "one");
  out.set("a.yaml", "old");
  out.set("folder/b.yaml", "old");
  out.files.emplace("link", File("a.yaml", FileMode::kSymlink));
  return out;
}

Package after() {
  Package out;
  out.set("Kptfile", "two");
  out.set("a.yaml", "new");
  out.set("folder", "a file now");
  out.set("link/c.yaml", "a folder now");
  return out;
}

TEST(Killed, AChangeIsDoneOrNot) {
  bool was_old = false, was_new = false;
  for (int calls = 1;; ++calls) {
    const testing::TempDir temp;
    const std::string dir = (temp.path() / "p").string();
    ASSERT_TRUE(create(dir, before()).ok());
    const auto ended = killed_at(calls, [&] { return change(dir, before(), after()).ok(); });
    if (!ended) GTEST_SKIP() << "this machine does not allow tracing";
    const auto found = read(dir);
    ASSERT_TRUE(found.ok()) << calls << ": " << found.error().text();
    was_old = was_old || *found == before();
    was_new = was_new || *found == after();
    ASSERT_TRUE(*found == before() || *found == after()) << "killed at call " << calls;
    // In either state the next change succeeds.
    ASSERT_TRUE(change(dir, *found, before()).ok()) << calls;
    if (*ended) break;
  }
  EXPECT_TRUE(was_old && was_new);
}

TEST(Killed, ANewFolderIsThereOrNot) {
  for (int calls = 1;; ++calls) {
    const testing::TempDir temp;
    const std::string dir = (temp.path() / "p").string();
    const auto ended = killed_at(calls, [&] { return create(dir, after()).ok(); });
    if (!ended) GTEST_SKIP() << "this machine does not allow tracing";
    const auto found = read(dir);
    if (*ended) {
      ASSERT_TRUE(found.ok() && *found == after());
      break;
    }
    if (found) {
      ASSERT_EQ(*found, after()) << "killed at call " << calls;
    }
  }
}

}  // namespace
}  // namespace portico::folder
