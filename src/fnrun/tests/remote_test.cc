// Functions on a fake server, and serving our own.
#include "fnrun/remote.h"

#include <gtest/gtest.h>

#include "fnrun/answer.h"

namespace portico::fnrun {
namespace {

class Played final : public Evaluator {
 public:
  explicit Played(std::function<Result<EvaluateReply>(const EvaluateRequest&)> play)
      : play_(std::move(play)) {}
  Result<EvaluateReply> evaluate(const EvaluateRequest& request) const override {
    return play_(request);
  }

 private:
  std::function<Result<EvaluateReply>(const EvaluateRequest&)> play_;
};

RemoteRunner on(std::function<Result<EvaluateReply>(const EvaluateRequest&)> play) {
  return {"runner:9445", std::make_unique<Played>(std::move(play))};
}

krm::ResourceList one_map() {
  krm::ResourceList list;
  list.items.push_back({*krm::Object::parse("apiVersion: v1\nkind: ConfigMap # kept\nmetadata:\n"
                                            "  name: a\n"),
                        "a.yaml", 0, "sub", 0});
  list.function_config = *krm::Object::parse(
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\ndata:\n  tier: web\n");
  return list;
}

TEST(Remote, RunsTheImageThereAndKeepsTheText) {
  std::string image;
  const RemoteRunner runner = on([&](const EvaluateRequest& request) {
    image = request.image;
    return evaluate_builtin({"set-labels", request.resource_list});
  });
  const auto outcome = runner.run({"example.com/any:v1", "", ""}, one_map());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(image, "example.com/any:v1");
  EXPECT_EQ(outcome->exit_code, 0);
  ASSERT_EQ(outcome->list.items.size(), 1U);
  const krm::Item& item = outcome->list.items[0];
  EXPECT_EQ(item.object.text(),
            "apiVersion: v1\nkind: ConfigMap # kept\nmetadata:\n  name: a\n  labels:\n"
            "    tier: web\n");
  EXPECT_EQ(item.file, "a.yaml");
  EXPECT_EQ(item.package, "sub");
  ASSERT_EQ(outcome->list.results.size(), 1U);
  EXPECT_EQ(outcome->list.results[0].message, "set 1 labels in total");
}

TEST(Remote, AFunctionThatFailsThereIsAnOutcome) {
  const RemoteRunner runner = on([](const EvaluateRequest& request) {
    return evaluate_builtin({"set-namespace", request.resource_list});
  });
  const auto outcome = runner.run({"example.com/f:v1", "", ""}, one_map());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->exit_code, 1);
  EXPECT_NE(outcome->stderr_text.find("`data.namespace` should not be empty"), std::string::npos)
      << outcome->stderr_text;
  EXPECT_EQ(outcome->list.items[0].object.text(), one_map().items[0].object.text());
}

TEST(Remote, TellsWhatStopsAndWhatMayPass) {
  const auto code = [](Error error, const render::FunctionRef& function) {
    const RemoteRunner runner =
        on([error](const EvaluateRequest&) -> Result<EvaluateReply> { return error; });
    const auto outcome = runner.run(function, one_map());
    EXPECT_FALSE(outcome);
    return outcome ? Code::kInternal : outcome.error().code;
  };
  const render::FunctionRef image{"example.com/f:v1", "", ""};
  EXPECT_EQ(code(not_found("no f"), image), Code::kUnavailable) << "it may learn it";
  EXPECT_EQ(code(unavailable("nobody there"), image), Code::kUnavailable);
  EXPECT_EQ(code(not_found("not asked"), {"", "./program", ""}), Code::kInvalid);
  EXPECT_EQ(code(not_found("not asked"), {"example.com/f", "", "~1.2"}), Code::kInvalid);
}

TEST(Remote, AnAnswerThatIsNoListIsRefused) {
  for (const char* text : {"", "kind: ConfigMap\n", "kind: ResourceList\nitems: 3\n", "a: [\n"}) {
    const RemoteRunner runner = on([text](const EvaluateRequest&) {
      return Result(EvaluateReply{text, ""});
    });
    const auto outcome = runner.run({"example.com/f:v1", "", ""}, one_map());
    ASSERT_FALSE(outcome) << text;
    EXPECT_EQ(outcome.error().code, Code::kInvalid);
    EXPECT_NE(outcome.error().text().find("runner:9445"), std::string::npos);
  }
}

TEST(Answer, NamesWhatIsWrong) {
  EXPECT_EQ(answer("example.com/unknown:v1", "").error().code, Code::kNotFound);
  const auto broken = answer("set-labels", "kind: ResourceList\nitems: [\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Code::kInvalid);
}

}  // namespace
}  // namespace portico::fnrun
