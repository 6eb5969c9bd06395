#include "process/on_terminal.h"

#include <gtest/gtest.h>

#include <csignal>

namespace portico::process {
namespace {

TEST(OnTerminal, HandsBackHowTheProgramEnded) {
  EXPECT_EQ(*run_on_terminal({"true"}), 0);
  EXPECT_EQ(*run_on_terminal({"sh", "-c", "exit 7"}), 7);
  EXPECT_EQ(*run_on_terminal({"sh", "-c", "kill -TERM $$"}), 128 + SIGTERM);
}

TEST(OnTerminal, LeavesSignalsToTheProgram) {
  // The program dies from the signal that its parent, this process, ignores.
  EXPECT_EQ(*run_on_terminal({"sh", "-c", "kill -INT $PPID; kill -INT $$"}), 128 + SIGINT);
}

TEST(OnTerminal, TellsTheProgramToStop) {
  StopSource source;
  source.ask();
  for (const char* script : {"sleep 60", "trap '' TERM; while :; do sleep 0.1; done"}) {
    const auto ended = run_on_terminal({"sh", "-c", script}, source.stop());
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().code, Code::kUnavailable);
  }
}

TEST(OnTerminal, NamesAProgramThatIsNotThere) {
  const auto ended = run_on_terminal({"no-such-editor"});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, Code::kNotFound);
  EXPECT_EQ(ended.error().what, "program \"no-such-editor\" not found");
}

}  // namespace
}  // namespace portico::process
