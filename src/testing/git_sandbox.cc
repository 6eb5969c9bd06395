#include "testing/git_sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

extern char** environ;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

namespace portico::testing {

GitOutput git_try(const std::string& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"git",
                                 "-C",
                                 folder,
                                 "-c",
                                 "user.name=Tester",
                                 "-c",
                                 "user.email=tester@example.com",
                                 "-c",
                                 "init.defaultBranch=main",
                                 "-c",
                                 "protocol.file.allow=always"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  std::array<int, 2> ends{};
  GitOutput output;
  output.status = -1;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed == 0) {
    std::array<char, 65536> buffer;
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
      output.text.append(buffer.data(), static_cast<std::size_t>(got));
    int how = 0;
    ::waitpid(child, &how, 0);
    output.status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  }
  ::close(ends[0]);
  return output;
}

std::string git(const std::string& folder, const std::vector<std::string>& arguments) {
  GitOutput output = git_try(folder, arguments);
  EXPECT_EQ(output.status, 0) << "git " << (arguments.empty() ? "" : arguments[0]) << ": "
                              << output.text;
  if (output.text.ends_with('\n')) output.text.pop_back();
  return std::move(output.text);
}

std::string make_bare(const std::string& parent, const std::string& name,
                      const std::string& branch) {
  std::string path = parent + "/" + name;
  git(parent, {"init", "--quiet", "--bare", "--initial-branch=" + branch, path});
  const std::string tree = git(path, {"mktree"});  // empty input: the empty tree
  const std::string commit = git(path, {"commit-tree", tree, "-m", "start"});
  git(path, {"update-ref", "refs/heads/" + branch, commit});
  return path;
}

std::string fsck(const std::string& folder) {
  const GitOutput output =
      git_try(folder, {"fsck", "--full", "--strict", "--no-dangling", "--no-progress"});
  return output.status == 0 && output.text.empty() ? "" : "fsck: " + output.text;
}

}  // namespace portico::testing
