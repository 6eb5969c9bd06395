// The result cache, and the choice of executors.
#include "fnrun/cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "fnrun/choice.h"
#include "testing/cases.h"

namespace portico::fnrun {
namespace {

// Counts its runs, marks the first item, and on request fails or returns a bad answer.
class Counting final : public render::FunctionRunner {
 public:
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override {
    ++runs;
    if (function.image.find("broken") != std::string::npos) return unavailable("not there");
    const int exit_code = function.image.find("failing") != std::string::npos ? 1 : 0;
    return render::FunctionOutcome{std::move(input), "run " + std::to_string(runs), exit_code};
  }
  mutable int runs = 0;
};

krm::ResourceList list_of(const std::string& name) {
  krm::ResourceList list;
  const std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n";
  list.items.push_back({*krm::Object::parse(text), "a.yaml", 0, "", 0});
  return list;
}

const std::string kFixed = "example.com/f:v1";

TEST(Cache, RunsOnceForOneQuestion) {
  const Counting runner;
  const ResultCache cache(1 << 20);
  for (int i = 0; i < 3; ++i) {
    const auto outcome = cache.run(runner, "x", {kFixed, "", ""}, list_of("a"));
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->stderr_text, "run 1");
    EXPECT_EQ(outcome->list.items[0].object.name(), "a");
  }
  EXPECT_EQ(runner.runs, 1);
  EXPECT_EQ(cache.counts().hits, 2U);
  EXPECT_EQ(cache.counts().misses, 1U);
}

TEST(Cache, AnyOtherQuestionRuns) {
  const Counting runner;
  const ResultCache cache(1 << 20);
  const auto run = [&](const std::string& where, const std::string& image,
                       const krm::ResourceList& list) {
    EXPECT_TRUE(cache.run(runner, where, {image, "", ""}, list));
  };
  run("x", kFixed, list_of("a"));
  run("y", kFixed, list_of("a"));
  run("x", "example.com/g:v1", list_of("a"));
  run("x", "example.com/f:v2", list_of("a"));
  run("x", kFixed, list_of("b"));
  krm::ResourceList moved = list_of("a");
  moved.items[0].file = "b.yaml";
  run("x", kFixed, moved);
  krm::ResourceList configured = list_of("a");
  configured.function_config = list_of("config").items[0].object;
  run("x", kFixed, configured);
  EXPECT_EQ(runner.runs, 7);
}

TEST(Cache, WhatMovesOrFailsRunsAgain) {
  const Counting runner;
  const ResultCache cache(1 << 20);
  int expected = 0;
  for (const char* image : {"example.com/f", "example.com/f:latest", "example.com/f:unstable",
                            "host:5000/f", "example.com/failing:v1", "example.com/broken:v1"})
    for (int i = 0; i < 2; ++i, ++expected)
      static_cast<void>(cache.run(runner, "x", {image, "", ""}, list_of("a")));
  for (int i = 0; i < 2; ++i, ++expected)
    static_cast<void>(cache.run(runner, "x", {kFixed, "", "~1.2"}, list_of("a")));
  EXPECT_EQ(runner.runs, expected);
  EXPECT_EQ(cache.counts().entries, 0U);
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(cache.run(runner, "x", {"host:5000/f@sha256:12", "", ""}, list_of("a")));
  EXPECT_EQ(runner.runs, expected + 1);
}

TEST(Cache, ForgetsTheOldestFirst) {
  const Counting runner;
  const ResultCache one(1 << 20);
  EXPECT_TRUE(one.run(runner, "x", {kFixed, "", ""}, list_of("a")));
  const std::size_t bytes = one.counts().bytes;

  const ResultCache cache(2 * bytes + bytes / 2);
  const auto ask = [&](const char* name) {
    const int before = runner.runs;
    EXPECT_TRUE(cache.run(runner, "x", {kFixed, "", ""}, list_of(name)));
    return runner.runs > before;
  };
  EXPECT_TRUE(ask("a"));
  EXPECT_TRUE(ask("b"));
  EXPECT_FALSE(ask("a"));
  EXPECT_TRUE(ask("c"));  // b is evicted
  EXPECT_FALSE(ask("a"));
  EXPECT_TRUE(ask("b"));
  EXPECT_LE(cache.counts().bytes, 2 * bytes + bytes / 2);
  EXPECT_EQ(cache.counts().entries, 2U);

  const ResultCache none(0);
  EXPECT_TRUE(none.run(runner, "x", {kFixed, "", ""}, list_of("a")));
  EXPECT_EQ(none.counts().misses, 0U);
}

TEST(Cache, AProgramThatChangedRunsAgain) {
  const testing::TempDir folder;
  const std::string program = (folder.path() / "check.sh").string();
  const auto write = [&](const char* text) { testing::write_file(program, text); };
  const Counting runner;
  const ResultCache cache(1 << 20);
  const auto ask = [&] {
    EXPECT_TRUE(cache.run(runner, "program", {"", "sh " + program, ""}, list_of("a")));
    return runner.runs;
  };
  write("exit 0\n");
  EXPECT_EQ(ask(), 1);
  EXPECT_EQ(ask(), 1);
  // The same size in the same file, so that only the time differs.
  write("exit 1\n");
  std::filesystem::last_write_time(
      program, std::filesystem::last_write_time(program) + std::chrono::seconds(1));
  EXPECT_EQ(ask(), 2);
}

api::FunctionConfig config(const std::string& image) {
  api::FunctionConfig out;
  out.spec.image = image;
  return out;
}

TEST(Choice, GoesByNamePrefixAndTag) {
  api::FunctionConfig one = config("set-namespace");
  one.spec.prefixes = {"ghcr.io/kptdev/krm-functions-catalog/", ""};
  one.spec.go_executor = api::GoExecutor{{"v0.4.1", "latest"}, ""};
  one.spec.binary_executor = api::BinaryExecutor{{"v0.3.0"}, "/functions/set-namespace"};
  one.spec.pod_executor = api::PodExecutor{};
  const std::vector configs{config("other"), one};

  const auto chosen = [&](const char* image) {
    const auto choice = choose(configs, image);
    if (!choice) return std::string("none");
    const char* names[] = {"builtin", "program", "remote", "container"};
    return std::string(names[static_cast<int>(choice->executor)]) + " " + choice->what;
  };
  EXPECT_EQ(chosen("set-namespace:v0.4.1"), "builtin set-namespace");
  EXPECT_EQ(chosen("ghcr.io/kptdev/krm-functions-catalog/set-namespace"), "builtin set-namespace");
  EXPECT_EQ(chosen("set-namespace:v0.3.0"), "program /functions/set-namespace");
  EXPECT_EQ(chosen("set-namespace:v9"), "container ");
  EXPECT_EQ(chosen("example.com/set-namespace:v0.4.1"), "none");
  EXPECT_EQ(chosen("set-labels:v0.4.1"), "none");
}

TEST(Choice, AServerWithoutTagsTakesAll) {
  api::FunctionConfig one = config("ours");
  one.spec.grpc_executor = api::GrpcExecutor{{}, "runner:9445"};
  const auto choice = choose({one}, "registry.example.com:5000/team/ours:v3");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->executor, Executor::kRemote);
  EXPECT_EQ(choice->what, "runner:9445");
}

}  // namespace
}  // namespace portico::fnrun
