#include "krm/object.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "testing/cases.h"

namespace portico::krm {
namespace {

Object object(std::string_view text) {
  auto parsed = Object::parse(text);
  if (!parsed) throw std::runtime_error(parsed.error().text());
  return *std::move(parsed);
}

std::string error(std::string_view text) {
  auto parsed = Object::parse_file(text);
  return parsed ? "" : parsed.error().text();
}

TEST(Object, ReadsWhatIdentifiesAResource) {
  const Object one = object(
      "# about\napiVersion: apps/v1\nkind: Deployment # k\nmetadata:\n  name: web\n  namespace: "
      "prod\n"
      "  annotations:\n    a: 'b'\n    n: 1\nspec:\n  replicas: 3\n");
  EXPECT_TRUE(one.is_krm());
  EXPECT_EQ(one.id(), (ResourceId{"apps", "Deployment", "prod", "web"}));
  EXPECT_EQ(one.annotation("a"), "b");
  EXPECT_EQ(one.annotation("n"), std::nullopt);
  EXPECT_EQ(one.annotation("x"), std::nullopt);
  EXPECT_EQ(one.value()["spec"]["replicas"], json::Value(3));
  EXPECT_EQ(one.line_comment({"kind"}), "# k");
  EXPECT_FALSE(object("a: 1\n").is_krm());
  EXPECT_FALSE(object("- 1\n").is_krm());
}

TEST(Object, VisitsScalarsWithTheirComments) {
  const Object one = object(
      "a: 'x' # one\nb:\n- c: |\n    text\n- [1, # two\n   yes]\nd: &x {e: ~}\nf: *x\n<<: {g: "
      "1}\n");
  std::string seen;
  one.visit_scalars([&](const ScalarRef& scalar) {
    seen += path_text(scalar.path) + "=" + json::print(scalar.value) + " ";
    if (!scalar.line_comment.empty()) seen += std::string(scalar.line_comment) + " ";
  });
  EXPECT_EQ(seen, "a=\"x\" # one b[0].c=\"text\\n\" b[1][0]=1 # two b[1][1]=\"yes\" d.e=null ");
}

TEST(Object, ExpandsAliasesAndMergeKeys) {
  const Object one =
      object("base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\nl: *b\nd:\n  <<: [*m, *b]\n  z: 5\n");
  EXPECT_EQ(json::print(one.value()["d"]), R"({"x":1,"y":3,"z":5})");
  EXPECT_EQ(json::print(one.value()["l"]), R"({"x":1,"y":2})");
}

TEST(Object, KeysThatAreNoStringsGoByTheirText) {
  EXPECT_EQ(json::print(object("1: a\n0x10: b\ntrue: c\n? [d, e]\n: {{ f }}\n").value()),
            R"({"0x10":"b","1":"a","[d, e]":{"{ f }":null},"true":"c"})");
}

TEST(Object, RefusesWithLineAndColumn) {
  EXPECT_EQ(error("a: 1\nb: 2\na: 3\n"), "3:1: mapping key \"a\" already defined at 1:1");
  EXPECT_EQ(error("x: 1\n---\na: 1\na: 3\n"), "4:1: mapping key \"a\" already defined at 3:1");
  EXPECT_EQ(error("a: &a\n  b: *a\n"), "2:6: anchor value contains itself");
  EXPECT_EQ(error("a: 1\n<<: 2\n"),
            "2:5: map merge \"<<\" requires a map, an alias of one, or a list of these");
  EXPECT_EQ(error("a: !!int b\n"), "1:10: cannot decode \"b\" as int, the type of its tag");
  EXPECT_EQ(error("a: \"\n"), "1:4: unterminated quoted string");
}

TEST(Object, RefusesAliasesThatMultiply) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += before + (k < 9 ? ", " : "]\n");
  }
  EXPECT_NE(error(bomb).find("excessive aliasing"), std::string::npos);
}

TEST(Object, FilesComeBackByteForByte) {
  for (const std::string text :
       {"a: 1\n", "a: 1", "---\na: 1\n", "# license\n---\na: 1\n# end\n---\nb: 2\n",
        "a: 1\n---\n---\n# nothing\n---\nb: 2\n---\n", "\xef\xbb\xbf# a\r\na: 1\r\n---\r\nb: 2\r\n",
        "%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n---\nb: 2\n...\n",
        "--- {a: 1}\n--- # c\nb: |\n  x\n", "---\na: 1\n...\n...\n---\nb: 2",
        "null\n---\na: 1\n"}) {
    const auto objects = Object::parse_file(text);
    ASSERT_TRUE(objects) << text << objects.error().text();
    EXPECT_EQ(Object::join_file(*objects), text);
  }
}

TEST(Object, JoiningAddsTheSeparatorsThatAreMissing) {
  auto objects = *Object::parse_file("# head\na: 1\n---\nb: 2\n---\nc: 3");
  std::swap(objects[0], objects[2]);
  EXPECT_EQ(Object::join_file(objects), "c: 3\n---\nb: 2\n---\n# head\na: 1\n");
  EXPECT_EQ(Object::join_file({object("x: 1"), object("---\ny: 1\n")}), "x: 1\n---\ny: 1\n");
}

}  // namespace
}  // namespace portico::krm
