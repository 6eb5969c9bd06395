#include <gtest/gtest.h>

#include "testing/cases.h"
#include "yaml/comments.h"
#include "yaml/document.h"
#include "yaml/tests/text.h"

namespace portico::yaml {
namespace {

using testing::Case;

const char* name(const Node& node) {
  switch (node.kind) {
    case Kind::kMap:
      return node.style == Style::kFlow ? "map{}" : "map";
    case Kind::kSeq:
      return node.style == Style::kFlow ? "list[]" : "list";
    case Kind::kAlias:
      return "alias";
    case Kind::kScalar:
      break;
  }
  switch (node.style) {
    case Style::kSingle:
      return "'";
    case Style::kDouble:
      return "\"";
    case Style::kLiteral:
      return "|";
    case Style::kFolded:
      return ">";
    default:
      return node.is_absent() ? "absent" : "plain";
  }
}

/// One line per node: "BEGIN-END kind &anchor <tag> value # comment".
void show(const Document& document, NodeId id, const std::string& indent, std::string& out) {
  const Node& node = document[id];
  out += indent + document.place(node.begin) + "-" + document.place(node.end) + " " + name(node);
  if (node.lead != node.props) out += " lead " + document.place(node.lead);
  if (node.kind == Kind::kAlias)
    out += " *" + std::string(document.anchor(id)) + " is " +
           document.place(document[document.target(id)].begin);
  if (node.has_anchor) out += " &" + std::string(document.anchor(id));
  if (node.has_tag) out += " <" + document.tag(id) + ">";
  if (node.kind == Kind::kScalar && !node.is_absent())
    out += " [" + on_one_line(document.scalar(id)) + "]";
  const Span comment = line_comment(document, id);
  out += " " + document.text().substr(comment.begin, comment.end - comment.begin);
  while (out.ends_with(' ')) out.pop_back();
  out += "\n";
  for (NodeId child = document.first_child(id); child != kNoNode;
       child = document.next_sibling(id, child))
    show(document, child, indent + "  ", out);
}

std::string shown(const std::string& text, const ParseOptions& options) {
  const auto parts = parse_stream(text, options);
  if (!parts) return "error: " + parts.error().text() + "\n";
  std::string out, joined;
  for (const StreamPart& part : *parts) {
    if (!part.before.empty()) out += "before [" + on_one_line(part.before) + "]\n";
    show(part.document, Document::root(), "", out);
    if (!part.after.empty()) out += "after [" + on_one_line(part.after) + "]\n";
    joined += part.before + part.document.text() + part.after;
  }
  if (!parts->empty()) {
    EXPECT_EQ(joined, text);
  }
  return out;
}

class ParseCases : public ::testing::TestWithParam<Case> {};

/// Sections "text N" (or "strict N", for strict YAML 1.2.2) and "tree N".
TEST_P(ParseCases, GivesTheNodesOfItsFile) {
  const Case& one = GetParam();
  for (int i = 1;; ++i) {
    const std::string number = " " + std::to_string(i);
    const bool strict = one.has("strict" + number);
    if (!strict && !one.has("text" + number)) break;
    const std::string text = unveiled(one[(strict ? "strict" : "text") + number]);
    one.expect("tree" + number,
               shown(text, {.dialect = strict ? Dialect::kStrict : Dialect::kKpt}));
  }
}
INSTANTIATE_TEST_SUITE_P(Data, ParseCases,
                         ::testing::ValuesIn(testing::cases("yaml/tests/data/parse")),
                         testing::case_name);

class ErrorCases : public ::testing::TestWithParam<Case> {};

TEST_P(ErrorCases, RefusesWithTheTextOfItsFile) {
  const Case& one = GetParam();
  for (int i = 1;; ++i) {
    const std::string number = " " + std::to_string(i);
    const bool strict = one.has("strict" + number);
    if (!strict && !one.has("text" + number)) break;
    const std::string text = unveiled(one[(strict ? "strict" : "text") + number]);
    const auto parts = parse_stream(text, {.dialect = strict ? Dialect::kStrict : Dialect::kKpt});
    one.expect("error" + number, parts ? "accepted\n" : parts.error().text() + "\n");
  }
}
INSTANTIATE_TEST_SUITE_P(Data, ErrorCases,
                         ::testing::ValuesIn(testing::cases("yaml/tests/data/errors")),
                         testing::case_name);

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string refusal(const std::string& text, const ParseOptions& options = {}) {
  const auto document = Document::parse(text, options);
  return document ? "" : document.error().text();
}

TEST(Limits, Bytes) {
  EXPECT_EQ(refusal("a: 1\n", {.bytes = 5}), "");
  EXPECT_EQ(refusal("a: 12\n", {.bytes = 5}), "6 bytes of YAML, more than the limit of 5");
}

TEST(Limits, Depth) {
  EXPECT_EQ(refusal(repeated("[", 512) + repeated("]", 512)),
            "1:512: nested deeper than 512 levels");
  EXPECT_EQ(refusal(repeated("[", 500) + repeated("]", 500)), "");
  EXPECT_EQ(refusal(repeated("- ", 500) + "x\n"), "");
  EXPECT_NE(refusal(repeated("- ", 600) + "x\n").find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(repeated("{a: ", 100'000)).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(repeated("? ", 100'000)).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(repeated("[a, ", 3), {.depth = 2}).find("nested deeper"), std::string::npos);
}

/// With more than linear time this test would not finish.
TEST(Limits, LongTexts) {
  const std::size_t size = 1u << 20;
  std::string all;
  for (const std::string_view line :
       {"- a: a plain value\n", "- {a: 1, b: [2, 3]} # comment\n", "- &a b: &c 1\n  d: *c\n",
        "# comment\n", "-  'quoted'\n", "- ? a\n  : b\n", "\n", "- |\n  text\n\n",
        "- \"\\u00e9\"\n", "- a\n  b\n"}) {
    const std::string text = repeated(line, size / line.size());
    const auto document = Document::parse(text);
    ASSERT_TRUE(document) << line << document.error().text();
    all += text;
  }
  const auto document = Document::parse(std::move(all));
  ASSERT_TRUE(document) << document.error().text();
  EXPECT_GT(document->text().size(), 10'000'000u);
  EXPECT_TRUE(parse_stream(repeated("---\na: 1\n", size / 9)));
  EXPECT_TRUE(Document::parse("[" + repeated("a: b, ", size / 6) + "]"));
  EXPECT_TRUE(Document::parse("'" + repeated("a\n  ", size / 4) + "'"));
}

TEST(Limits, ManyAnchorsInKeys) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "- &a" + std::to_string(i) + " b: 1\n";
  text += "- *a0\n- *a199999\n";
  const auto document = Document::parse(text);
  ASSERT_TRUE(document) << document.error().text();
  const NodeId last = static_cast<NodeId>(document->nodes().size() - 1);
  EXPECT_EQ(document->place((*document)[document->target(last)].begin), "200000:12");
  EXPECT_EQ(document->place((*document)[document->target(last - 1)].begin), "1:7");
}

}  // namespace
}  // namespace portico::yaml
