#include "repo/commit_text.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "testing/cases.h"

namespace portico::repo {
namespace {

using portico::testing::Case;

std::string section(const Case& one, std::string_view name) {
  std::string text = one[name];
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class CommitText : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Data, CommitText, ::testing::ValuesIn(portico::testing::cases("repo/tests/data/commit_text")),
    portico::testing::case_name);

TEST_P(CommitText, IsWrittenAndReadBack) {
  const Case& one = GetParam();
  Message message{section(one, "subject"), section(one, "body"),
                  section(one, "task"),    section(one, "variant"),
                  section(one, "set"),     section(one, "pristine"),
                  section(one, "pin"),     {}};
  for (std::string_view rest = one["decisions"]; !rest.empty();) {
    message.decisions.emplace_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), message.decisions.back().size() + 1));
  }
  const auto text = commit_text(message, "apps/web", "w1", 0);
  one.expect("text", text ? *text : "error\n");
  if (!text) return;
  std::string read;
  for (const Annotation& note : annotations_of(*text))
    read += fmt::format("{} {} {} {}\n", note.package, note.workspace, note.revision,
                        json::print(note.task));
  const Trailers trailers = trailers_of(*text);
  read += fmt::format("variant {} set {}\n", trailers.variant, trailers.variant_set);
  if (!trailers.pristine_package.empty())
    read += fmt::format("pristine {} {}\n", trailers.pristine_package, trailers.pristine_inputs);
  if (!trailers.pin_package.empty())
    read += fmt::format("pin {} {}\n", trailers.pin_package, trailers.pin);
  for (const std::string& each : trailers.decisions) read += "decision " + each + "\n";
  one.expect("read", read);
}

TEST(CommitTextOfAnAuthor, SaysWhoMadeIt) {
  Message message;
  message.subject = "Upgrading";
  message.body = "Portico-User: Mallory <m@example.com>\n\nPortico-User: Mallory <m@example.com>";
  const auto plain = commit_text(message, "web", "w1", 0);
  ASSERT_TRUE(plain);
  EXPECT_EQ(trailers_of(*plain).user, "");
  const std::string text = with_user(*plain, "Ann <ann@example.com>\nPortico-User: Bob <b>");
  EXPECT_EQ(trailers_of(text).user, "Ann <ann@example.com> Portico-User: Bob <b>");
  EXPECT_EQ(annotation_of(text, "web")->workspace, "w1");

  message.variant = "default/web";
  const auto owned = commit_text(message, "web", "w1", 0);
  ASSERT_TRUE(owned);
  const Trailers trailers = trailers_of(with_user(*owned, "Ann <ann@example.com>"));
  EXPECT_EQ(trailers.user, "Ann <ann@example.com>");
  EXPECT_EQ(trailers.variant, "default/web");
  EXPECT_EQ(trailers_of(with_user("Delete web\n", "Ann <>")).user, "Ann <>");
}

TEST(CommitTextOfOthers, IsReadAsFarAsItGoes) {
  const std::string text =
      "Squashed\n\n  kpt:{\"package\":\"a\",\"workspaceName\":\"x\"}\r\nkpt:{broken\nkpt:[1]\n"
      "kpt:{\"package\":7}\nkpt:{\"package\":\"b\",\"revision\":\"v3\",\"task\":{\"type\":\"init\"}"
      "}";
  EXPECT_EQ(annotations_of(text).size(), 3u);
  EXPECT_EQ(annotation_of(text, "a")->workspace, "x");
  EXPECT_EQ(annotation_of(text, "b")->revision, "v3");
  EXPECT_FALSE(annotation_of(text, "c"));
  EXPECT_EQ(trailers_of("Portico-Variant: in/subject").variant, "");
  EXPECT_EQ(trailers_of("s\n\nPortico-Variant: a/b\n\nafter").variant, "");
  EXPECT_EQ(trailers_of("s\n\nPortico-Variant: a/b\nPortico-Variant: c/d\n\n").variant, "c/d");
  EXPECT_EQ(trailers_of("").variant, "");
}

}  // namespace
}  // namespace portico::repo
