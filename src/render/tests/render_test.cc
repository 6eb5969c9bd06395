#include "render/render.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "render/eval.h"
#include "render/report.h"
#include "render/tests/packages.h"
#include "testing/cases.h"

namespace portico::render {
namespace {

using testing::Case;

/// Simple functions, selected by the last part of their image.
class TestRunner final : public FunctionRunner {
 public:
  Result<FunctionOutcome> run(const FunctionRef& function, krm::ResourceList list) const override {
    std::string name = function.image.substr(function.image.rfind('/') + 1);
    name = name.substr(0, name.find(':'));
    if (name == "fail") {
      list.results.push_back({"it is wrong", "error", {}, "", 0, ""});
      return FunctionOutcome{std::move(list), "failure", 1};
    }
    if (name == "mark") {
      for (krm::Item& item : list.items) mark(item, list.function_config);
    } else if (name == "new") {
      list.items.push_back({made("made"), "", 0, "", -1});
    } else if (name == "second") {
      list.items.push_back({made("made"), "", 0, "", -1});
      list.items.push_back({made("made"), "", 0, "", -1});
    } else if (name == "drop") {
      std::erase_if(list.items, [](const auto& item) { return item.file != "Kptfile"; });
    } else if (name == "drop-all") {
      list.items.clear();
    } else if (name == "no-name") {
      list.items.push_back({*krm::Object::parse("apiVersion: v1\nkind: X\n"), "x.yaml", 0, "", -1});
    } else if (name == "many") {
      list.items.resize(1000, list.items.front());
    } else if (name == "move") {
      for (krm::Item& item : list.items)
        if (item.file != "Kptfile")
          item.file = list.function_config->value()["data"]["to"].as_string();
    } else {
      return invalid("no runner for function \"{}\"", function.image);
    }
    FunctionOutcome outcome{std::move(list), "", 0};
    if (function.image.ends_with(":~3.1")) outcome.image = "t/mark:v3.1.4";
    return outcome;
  }

 private:
  static krm::Object made(const std::string& name) {
    return *krm::Object::parse("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name +
                               "\n");
  }

  static void mark(krm::Item& item, const std::optional<krm::Object>& config) {
    const std::string mark(config ? config->value()["data"]["mark"].as_string() : "?");
    const std::string old = item.object.annotation("marks").value_or("");
    const krm::Path path{std::string("metadata"), std::string("annotations"), std::string("marks")};
    ASSERT_TRUE(item.object.set(path, old + mark));
  }
};

class Render : public ::testing::TestWithParam<Case> {};

TEST_P(Render, MatchesItsFile) {
  const krm::Package package = package_of(GetParam()["package"]);
  Options options;
  options.package_name = "pkg";
  options.max_items = 500;
  options.write_status = GetParam().has("status");
  auto rendered = render(package, TestRunner(), options);
  if (!rendered) {
    GetParam().expect("error", rendered.error().text() + "\n");
    return;
  }
  GetParam().expect("changes", changes(package, rendered->package));
  std::string log = log_text(*rendered);
  if (rendered->failure) log += rendered->failure->text() + "\n";
  GetParam().expect("log", log);
  if (rendered->failure && !rendered->saved_on_failure && !options.write_status) {
    EXPECT_EQ(rendered->package, package) << "a failure leaves the package as it is";
  }
}

INSTANTIATE_TEST_SUITE_P(Data, Render, ::testing::ValuesIn(testing::cases("render/tests/data")),
                         testing::case_name);

TEST(Render, SharesTheBytesOfWhatDidNotChange) {
  const krm::Package package = package_of(
      "== Kptfile ==\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n"
      "  mutators:\n  - image: t/mark\n    selectors:\n    - name: a\n"
      "== a.yaml ==\napiVersion: v1\nkind: X\nmetadata: {name: a}\n"
      "== b.yaml ==\napiVersion: v1\nkind: X\nmetadata: {name: b}   \n\n\n");
  const auto rendered = render(package, TestRunner());
  ASSERT_TRUE(rendered) << rendered.error().text();
  ASSERT_FALSE(rendered->failure) << rendered->failure->text();
  EXPECT_EQ(&rendered->package.find("b.yaml")->text(), &package.find("b.yaml")->text());
  EXPECT_NE(rendered->package.find("a.yaml")->text(), package.find("a.yaml")->text());
}

TEST(Evaluate, TakesTheWholeTreeAndLeavesTheConfigAlone) {
  const krm::Package package = package_of(
      "== a.yaml ==\napiVersion: v1\nkind: X\nmetadata:\n  name: a\n"
      "== sub/Kptfile ==\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n"
      "== fn.yaml ==\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: fn\ndata:\n  mark: m\n");
  Evaluation evaluation;
  evaluation.function.image = "t/mark";
  evaluation.config = *krm::Object::parse(package.find("fn.yaml")->text());
  evaluation.config_file = "fn.yaml";
  const auto rendered = evaluate(package, evaluation, TestRunner());
  ASSERT_TRUE(rendered) << rendered.error().text();
  ASSERT_FALSE(rendered->failure) << rendered->failure->text();
  EXPECT_EQ(rendered->package.find("fn.yaml")->text(), package.find("fn.yaml")->text());
  EXPECT_NE(rendered->package.find("a.yaml")->text().find("marks: m"), std::string::npos);
  EXPECT_NE(rendered->package.find("sub/Kptfile")->text().find("marks: m"), std::string::npos);
}

TEST(Evaluate, WritesNothingOnFailure) {
  const krm::Package package =
      package_of("== a.yaml ==\napiVersion: v1\nkind: X\nmetadata:\n  name: a\n");
  Evaluation evaluation;
  evaluation.function.image = "t/fail";
  const auto rendered = evaluate(package, evaluation, TestRunner());
  ASSERT_TRUE(rendered);
  ASSERT_TRUE(rendered->failure);
  EXPECT_EQ(rendered->failure->code, Code::kInvalid);
  EXPECT_EQ(rendered->package, package);
}

}  // namespace
}  // namespace portico::render
