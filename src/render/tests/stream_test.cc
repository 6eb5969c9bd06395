#include "render/stream.h"

#include <gtest/gtest.h>

#include "render/eval.h"
#include "render/tests/packages.h"
#include "testing/cases.h"

namespace portico::render {
namespace {

using testing::Case;

/// An external function that returns a fixed text.
class TextRunner final : public FunctionRunner {
 public:
  explicit TextRunner(std::string answer) : answer_(std::move(answer)) {}

  Result<FunctionOutcome> run(const FunctionRef&, krm::ResourceList list) const override {
    PORTICO_TRY(given, function_input_text(list));
    PORTICO_TRY(krm::ResourceList output, function_output(answer_, list));
    return FunctionOutcome{std::move(output), "", 0};
  }

  mutable std::string given;

 private:
  const std::string answer_;
};

class Stream : public ::testing::TestWithParam<Case> {};

/// Shows the text passed to the function for `package`, and the package after the function returned
/// `answer`.
TEST_P(Stream, MatchesItsFile) {
  const krm::Package package = package_of(GetParam()["package"]);
  Evaluation evaluation;
  evaluation.function.image = "t/text";
  evaluation.function.config_map = {{"a", "b"}};
  TextRunner runner(GetParam()["answer"]);
  const auto rendered = evaluate(package, evaluation, runner);
  ASSERT_TRUE(rendered) << rendered.error().text();
  if (GetParam().has("given")) GetParam().expect("given", runner.given);
  std::string out = rendered->failure ? rendered->failure->text() + "\n" : "";
  GetParam().expect("changes", changes(package, rendered->package) + out);
}

INSTANTIATE_TEST_SUITE_P(Data, Stream,
                         ::testing::ValuesIn(testing::cases("render/tests/data/stream")),
                         testing::case_name);

TEST(StreamText, ComesBackAsItWas) {
  const krm::Package package = package_of(
      "== Kptfile ==\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
      "== a.yaml ==\n# Licence\n# head\napiVersion: v1 # of the core\nkind: "
      "ConfigMap\nmetadata:\n"
      "  name: a\n  annotations:\n    config.kubernetes.io/local-config: 'true'\ndata:\n"
      "  text: |\n    one\n\n      two\n  \"quoted\": 'it''s'\n---\napiVersion: v1\nkind: X\n"
      "metadata: {name: b}\nlist:\n  - 1\n  # foot\n"
      "== it's/b.yaml ==\napiVersion: v1\nkind: X\nmetadata:\n  name: c\n"
      "== j.json ==\n{\"kind\": \"X\", \"apiVersion\": \"v1\",\n\"metadata\": {\n   \"name\": "
      "\"j\"}}\n"
      "== k.json ==\n{\"kind\": \"X\", \"apiVersion\": \"v1\"}\n---\n{\"kind\": "
      "\"Y\",\"apiVersion\": \"v1\"}\n"
      "== l.yaml ==\n# head\n{kind: X, apiVersion: v1, metadata: {name: l}, # why\n list: [1,\n  "
      "2]}\n");
  const auto items = source(package, "");
  ASSERT_TRUE(items) << items.error().text();
  const std::string text = write_stream(*items, std::nullopt);
  const auto list = read_stream(text);
  ASSERT_TRUE(list) << list.error().text() << text;
  EXPECT_EQ(write_stream(list->items, std::nullopt), text);
  const auto back = sink(list->items);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(changes(package, *back), "");
}

TEST(StreamText, EmptyLists) {
  EXPECT_EQ(write_stream({}, std::nullopt),
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n");
  for (const char* text : {"kind: ResourceList\nitems: []\n", "kind: ResourceList\nitems:\n",
                           "kind: ResourceList\n"}) {
    const auto list = read_stream(text);
    ASSERT_TRUE(list) << list.error().text();
    EXPECT_TRUE(list->items.empty());
  }
}

TEST(StreamText, RefusesWhatIsNoList) {
  const std::string wrong_index =
      "kind: ResourceList\nitems:\n- metadata: {annotations: {config.kubernetes.io/index: x}}\n";
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("a: b"),
        std::string("kind: List\nitems: []\n"), std::string("kind: ResourceList\nitems: {}\n"),
        std::string("kind: ResourceList\nitems: [1]\n"), wrong_index,
        std::string("kind: ResourceList\n---\nkind: ResourceList\n"), std::string("{"),
        std::string("\tx: 1")})
    EXPECT_FALSE(read_stream(text)) << text;
}

TEST(StreamText, SinkStaysInItsFolder) {
  for (const char* path : {"../x.yaml", "a/../../x.yaml", ".git/config", "a/.git/x", "."}) {
    krm::Item item{*krm::Object::parse("kind: X\nmetadata: {name: a}\n"), path, 0, "", -1};
    EXPECT_FALSE(sink({item})) << path;
  }
  krm::Item item{*krm::Object::parse("kind: X\nmetadata: {name: a, namespace: n}\n"), "", 0, "",
                 -1};
  const auto package = sink({item});
  ASSERT_TRUE(package) << package.error().text();
  EXPECT_NE(package->find("n/x_a.yaml"), nullptr);
}

}  // namespace
}  // namespace portico::render
