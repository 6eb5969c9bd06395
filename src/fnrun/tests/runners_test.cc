#include "fnrun/runners.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "testing/cases.h"

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

krm::ResourceList one_service() {
  krm::ResourceList list;
  list.items.push_back({*krm::Object::parse("apiVersion: v1\nkind: Service # kept\nmetadata:\n"
                                            "  name: web\n"),
                        "a.yaml", 0, "", 0});
  return list;
}

/// A folder of programs that is first in PATH during its lifetime.
class Programs {
 public:
  Programs() : path_(std::getenv("PATH")) {
    ::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs() { ::setenv("PATH", path_.c_str(), 1); }

  std::string add(const std::string& name, const std::string& script) {
    const fs::path file = folder_.path() / name;
    testing::write_file(file, "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  fs::path file(const std::string& name) const { return folder_.path() / name; }

 private:
  testing::TempDir folder_;
  const std::string path_;
};

/// Changes the list in a way that works in every shell.
constexpr const char* kRename = "sed -e 's/name: web/name: web2/'";

ExecOptions unsafe() {
  ExecOptions options;
  options.sandbox = false;
  return options;
}

TEST(SplitCommand, AsAShell) {
  using Words = std::vector<std::string>;
  const std::vector<std::pair<const char*, Words>> cases{
      {"a", {"a"}},
      {"  a  b\tc ", {"a", "b", "c"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a\\ b c\"d\"e", {"a b", "cde"}},
      {"'it''s' \"\" ''", {"its", "", ""}},
      {"\"a\\\"b\\n\" '\\'", {"a\"b\\n", "\\"}},
  };
  for (const auto& [text, want] : cases) {
    const auto words = split_command(text);
    ASSERT_TRUE(words) << text;
    EXPECT_EQ(*words, want) << text;
  }
  for (const char* text : {"", "  ", "'a", "a \"b"}) EXPECT_FALSE(split_command(text)) << text;
}

TEST(Exec, RunsAProgram) {
  Programs programs;
  const std::string file = programs.add("rename", kRename + std::string("; echo done >&2"));
  const auto outcome = ExecRunner(unsafe()).run({"", file, ""}, one_service());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->stderr_text, "done\n");
  ASSERT_EQ(outcome->list.items.size(), 1u);
  EXPECT_EQ(outcome->list.items[0].object.text(),
            "apiVersion: v1\nkind: Service # kept\nmetadata:\n  name: web2\n");
  EXPECT_EQ(outcome->list.items[0].origin, 0);
  EXPECT_EQ(outcome->list.items[0].file, "a.yaml");
}

TEST(Exec, HandsBackTheResultsOfAFailure) {
  Programs programs;
  programs.add(
      "fails",
      "cat <<E\nkind: ResourceList\nitems: []\nresults:\n- message: no\n  severity: error\n"
      "  resourceRef: {apiVersion: v1, kind: Service, name: web}\n  field: {path: a.b}\n"
      "  file: {path: x.yaml, index: 2}\nE\necho why >&2\nexit 7\n");
  const auto outcome = ExecRunner(unsafe()).run({"", "fails", ""}, one_service());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->exit_code, 7);
  EXPECT_EQ(outcome->stderr_text, "why");
  const krm::FunctionResult want{"no",     "error", krm::ResourceRef{"v1", "Service", "", "web"},
                                 "x.yaml", 2,       "a.b"};
  ASSERT_EQ(outcome->list.results.size(), 1u);
  EXPECT_EQ(outcome->list.results[0], want);
}

TEST(Exec, RefusesWhatIsNoList) {
  Programs programs;
  for (const char* script :
       {"echo hello", "true", "echo '{'", "printf '\\000\\001'", "echo 'kind: List'"}) {
    programs.add("wrong", script);
    const auto outcome = ExecRunner(unsafe()).run({"", "wrong", ""}, one_service());
    ASSERT_FALSE(outcome) << script;
    EXPECT_NE(outcome.error().what.find("not a ResourceList"), std::string::npos);
  }
}

TEST(Exec, IsStoppedAtItsLimits) {
  Programs programs;
  programs.add("sleeps", "sleep 60");
  ExecOptions options = unsafe();
  options.limits.time = std::chrono::milliseconds(200);
  EXPECT_FALSE(ExecRunner(options).run({"", "sleeps", ""}, one_service()));
}

TEST(Exec, SaysThatThereIsNoSandbox) {
  Programs programs;
  programs.add("bwrap", "echo 'bwrap: no namespaces here' >&2; exit 1");
  const auto outcome = ExecRunner({}).run({"", "cat", ""}, one_service());
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().text().find("no namespaces here"), std::string::npos);
  EXPECT_NE(outcome.error().text().find("--no-sandbox"), std::string::npos);
}

TEST(Exec, InTheSandboxTouchesNothing) {
  if (auto outcome = ExecRunner({}).run({"", "cat", ""}, one_service()); !outcome)
    GTEST_SKIP() << outcome.error().text();
  Programs programs;
  const fs::path mark = programs.file("mark");
  const fs::path elsewhere = fs::current_path() / "portico-sandbox-mark";
  programs.add("tries", "echo x > " + mark.string() + "; echo x > " + elsewhere.string() +
                            "; ls /tmp > /tmp/own && cat /tmp/own >&2\n"
                            "echo \"secret=$PORTICO_SECRET\" >&2\n"
                            "cat /proc/net/route | wc -l >&2\ncat\n");
  ::setenv("PORTICO_SECRET", "s3cret", 1);
  const auto outcome = ExecRunner({}).run({"", "tries", ""}, one_service());
  ::unsetenv("PORTICO_SECRET");
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->exit_code, 0) << outcome->stderr_text;
  EXPECT_FALSE(fs::exists(mark));
  EXPECT_FALSE(fs::exists(elsewhere));
  EXPECT_NE(outcome->stderr_text.find("own"), std::string::npos) << "a /tmp to write to";
  EXPECT_NE(outcome->stderr_text.find("secret=\n"), std::string::npos) << outcome->stderr_text;
  EXPECT_NE(outcome->stderr_text.find("\n1\n"), std::string::npos) << "no route: only the head";
}

/// A fake docker that logs its arguments and acts as the function.
constexpr const char* kDocker = "echo \"$*\" >> \"$0.log\"\n[ \"$1\" = run ] && ";

TEST(Container, IsAskedForWithoutPrivileges) {
  Programs programs;
  programs.add("docker", kDocker + std::string(kRename));
  ContainerOptions options;
  options.runtime = "docker";
  options.environment = {"A=b"};
  options.mounts = {"type=bind,src=/a,dst=/b", "type=bind,src=/c,dst=/d,rw=true"};
  const auto outcome = ContainerRunner(options).run({"example.com/fn:v1", "", ""}, one_service());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->list.items[0].object.name(), "web2");
  std::string log = testing::read_file(programs.file("docker.log"));
  const std::size_t name = log.find("--name ") + 7;
  log.replace(name, log.find(' ', name) - name, "NAME");
  const std::size_t asker = log.find("asker=") + 6;
  log.replace(asker, log.find(' ', asker) - asker, "PROCESS");
  EXPECT_EQ(log,
            "ps --all --filter label=portico.asker --format {{.ID}} {{.Label \"portico.asker\"}}\n"
            "run --rm -i --name NAME --label portico.asker=PROCESS --network none --user nobody "
            "--cap-drop=ALL --security-opt=no-new-privileges --read-only "
            "--tmpfs /tmp:rw,exec,nosuid,nodev,size=256m,mode=1777 --pids-limit=1024 "
            "--memory=4294967296 --memory-swap=4294967296 --pull missing "
            "--mount type=bind,src=/a,dst=/b,readonly --mount type=bind,src=/c,dst=/d -e A=b "
            "example.com/fn:v1\n");
}

TEST(Container, IsRemovedWhenItsTimeIsOver) {
  Programs programs;
  programs.add("docker", kDocker + std::string("sleep 60"));
  ContainerOptions options;
  options.runtime = "docker";
  options.limits.time = std::chrono::milliseconds(200);
  EXPECT_FALSE(ContainerRunner(options).run({"example.com/fn:v1", "", ""}, one_service()));
  EXPECT_NE(testing::read_file(programs.file("docker.log")).find("rm -f portico-"),
            std::string::npos);
}

TEST(Container, IsRemovedWhenItIsStoppedByARuntimeThatHangs) {
  Programs programs;
  programs.add("docker", "echo \"$*\" >> \"$0.log\"\nsleep 60");
  ContainerOptions options;
  options.runtime = "docker";
  options.limits.time = std::chrono::milliseconds(200);
  const auto from = std::chrono::steady_clock::now();
  EXPECT_FALSE(ContainerRunner(options).run({"example.com/fn:v1", "", ""}, one_service()));
  EXPECT_LT(std::chrono::steady_clock::now() - from, std::chrono::seconds(30));
  EXPECT_NE(testing::read_file(programs.file("docker.log")).find("rm -f portico-"),
            std::string::npos);
}

// A fake docker whose containers are files: running ones with their label, and removed ones.
constexpr const char* kServer = R"sh(
folder=$(dirname "$0")/containers
mkdir -p "$folder"
case $1 in
ps) for id in $(ls "$folder"); do echo "$id $(cat "$folder/$id")"; done ;;
rm) shift 2; for id in "$@"; do rm "$folder/$id"; done ;;
run) for word in "$@"; do case $word in portico.asker=*) label=${word#portico.asker=} ;; esac; done
  echo "$label" > "$folder/now$$"; cat; [ -e "$folder/../stays" ] || rm "$folder/now$$" ;;
esac
)sh";

TEST(Container, WhatAKilledProcessLeftIsRemovedByTheNext) {
  Programs programs;
  programs.add("docker", kServer);
  ContainerOptions options;
  options.runtime = "docker";
  testing::write_file(programs.file("stays"), "");
  const auto containers = [&] {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(programs.file("containers")))
      out.push_back(entry.path().filename().string());
    return out;
  };
  // Another process is killed while its container exists.
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto done = ContainerRunner(options).run({"example.com/fn:v1", "", ""}, one_service());
    ::raise(done ? SIGKILL : SIGTERM);
  }
  ASSERT_GE(killed, 0);
  ::waitpid(killed, nullptr, 0);
  ASSERT_EQ(containers().size(), 1u);
  const std::string left = containers()[0];

  const ContainerRunner runner(options);
  ASSERT_TRUE(runner.run({"example.com/fn:v1", "", ""}, one_service()));
  ASSERT_EQ(containers().size(), 1u);
  EXPECT_NE(containers()[0], left) << "that of this process stays, that of the killed one is gone";
  const auto removed = remove_left_containers(options);
  ASSERT_TRUE(removed) << removed.error().text();
  EXPECT_EQ(*removed, 0u);
  EXPECT_EQ(containers().size(), 1u);
}

TEST(Container, ARuntimeThatCannotListIsNoFailureOfAFunction) {
  Programs programs;
  programs.add("docker", "[ \"$1\" = run ] && exec cat\necho no daemon >&2; exit 1\n");
  ContainerOptions options;
  options.runtime = "docker";
  EXPECT_TRUE(ContainerRunner(options).run({"example.com/fn:v1", "", ""}, one_service()));
  EXPECT_NE(remove_left_containers(options).error().text().find("docker ps failed: no daemon"),
            std::string::npos);
}

TEST(Container, NeedsARuntimeAndAnImage) {
  ContainerOptions options;
  options.runtime = "lxc";
  EXPECT_FALSE(ContainerRunner(options).run({"example.com/fn:v1", "", ""}, {}));
  for (const char* image : {"", "--privileged"})
    EXPECT_FALSE(ContainerRunner({}).run({image, "", ""}, {})) << image;
  EXPECT_FALSE(ContainerRunner({}).run({"example.com/fn:~1", "", "~1"}, {}));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const auto outcome = ContainerRunner({}).run({"example.com/fn:v1", "", ""}, {});
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("docker or podman"), std::string::npos);
}

TEST(Runners, ChooseByWhatTheFunctionIs) {
  Programs programs;
  programs.add("docker", kDocker + std::string("cat"));
  RunnersOptions options;
  options.exec.sandbox = false;
  options.container.runtime = "docker";
  const render::FunctionRef format{"example.com/format:v1", "", ""};
  ASSERT_TRUE(Runners(options).run(format, one_service()));
  EXPECT_FALSE(fs::exists(programs.file("docker.log"))) << "format is built in";
  ASSERT_TRUE(Runners(options).run({"", "cat", ""}, one_service()));
  EXPECT_FALSE(fs::exists(programs.file("docker.log"))) << "cat is a program";
  ASSERT_TRUE(Runners(options).run({"example.com/other:v1", "", ""}, one_service()));
  EXPECT_TRUE(fs::exists(programs.file("docker.log")));
  fs::remove(programs.file("docker.log"));
  options.builtin = false;
  ASSERT_TRUE(Runners(options).run(format, one_service()));
  EXPECT_TRUE(fs::exists(programs.file("docker.log"))) << "built-in ones are off";
}

}  // namespace
}  // namespace portico::fnrun
