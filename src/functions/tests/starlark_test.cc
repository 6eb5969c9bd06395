// Properties of the starlark function outside its results: stderr, and the location of resources.
#include "functions/starlark.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "krm/object.h"

namespace portico::functions {
namespace {

krm::ResourceList list_of(std::string_view source) {
  json::Value config = json::Value::object(
      {{"apiVersion", "fn.kpt.dev/v1alpha1"}, {"kind", "StarlarkRun"}, {"source", source}});
  krm::ResourceList list;
  list.function_config = krm::Object::from_value(config);
  for (const int index : {0, 1}) {
    const auto object = krm::Object::parse("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c" +
                                           std::to_string(index) + "\n");
    list.items.push_back({*object, "dir/file.yaml", index, "sub", index});
  }
  return list;
}

TEST(Starlark, PrintsOnStderr) {
  const Outcome outcome = starlark(list_of("print('one', 2)\nprint(set(['three']))"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.stderr_text, "one 2\nset([\"three\"])");
  EXPECT_TRUE(outcome.list.results.empty());
}

TEST(Starlark, WhatIsSaidHasALimit) {
  const Outcome printed = starlark(list_of("[print('x' * 1000000) for _ in range(20)]"));
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_LE(printed.stderr_text.size(), 1u << 20);
  EXPECT_GE(printed.stderr_text.size(), 1'000'000u);
  const Outcome letters = starlark(list_of("print('xy' + '\\u20ac' * 400000)"));
  EXPECT_LE(letters.stderr_text.size(), 1u << 20);
  EXPECT_TRUE(is_utf8(letters.stderr_text)) << "it is cut between characters";
  const Outcome refused = starlark(list_of("fail('x' * 20000000)"));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_LE(refused.list.results[0].message.size(), 1u << 20);
  EXPECT_TRUE(refused.list.results[0].message.starts_with("fail: x"));
}

TEST(Starlark, AProgramThatRefusesSaysNoMoreThanItsResult) {
  const Outcome outcome = starlark(list_of("print('before')\nfail('no')"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.stderr_text, "before\nfailed to evaluate function: error: function failure");
  EXPECT_EQ(outcome.list.results[0].message, "fail: no");
}

TEST(Starlark, AMistakeIsShownWithItsPlace) {
  const Outcome outcome = starlark(
      list_of("def f(r):\n  return r['spec']\n[f(r) for r in ctx.resource_list['items']]"));
  EXPECT_EQ(outcome.list.results[0].message, "key \"spec\" not in dict");
  EXPECT_EQ(outcome.stderr_text,
            "Traceback (most recent call last):\n"
            "  starlark-function-run:3:3: in <toplevel>\n"
            "  starlark-function-run:2:11: in f\n"
            "Error: key \"spec\" not in dict\n"
            "failed to evaluate function: error: function failure");
}

TEST(Starlark, ResourcesKeepTheirPlaceOrMove) {
  const Outcome outcome = starlark(list_of(R"(
items = ctx.resource_list["items"]
items[0]["metadata"]["annotations"]["config.kubernetes.io/path"] = "dir/moved.yaml"
items[0]["metadata"]["annotations"]["config.kubernetes.io/index"] = 3
items.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "new",
    "annotations": {"internal.config.kubernetes.io/path": "../up.yaml", "config.kubernetes.io/index": 0}}})
)"));
  ASSERT_EQ(outcome.list.items.size(), 3U);
  const auto& [moved, kept, made] =
      std::tie(outcome.list.items[0], outcome.list.items[1], outcome.list.items[2]);
  EXPECT_EQ(moved.file, "dir/moved.yaml");
  EXPECT_EQ(moved.index, 3);
  EXPECT_EQ(moved.origin, 0);
  EXPECT_EQ(moved.package, "sub");
  EXPECT_EQ(moved.object.text(), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c0\n");
  EXPECT_EQ(kept.file, "dir/file.yaml");
  EXPECT_EQ(kept.index, 1);
  EXPECT_EQ(kept.origin, 1);
  EXPECT_EQ(made.file, "../up.yaml");  // refused by the caller of the function
  EXPECT_EQ(made.index, 0);
  EXPECT_EQ(made.origin, -1);
  EXPECT_EQ(made.object.text(), "apiVersion: v1\nkind: Secret\nmetadata:\n  name: new\n");
}

TEST(Starlark, AResourceThatStandsTwiceIsItselfOnce) {
  const Outcome outcome =
      starlark(list_of("ctx.resource_list['items'].append(ctx.resource_list['items'][0])"));
  ASSERT_EQ(outcome.list.items.size(), 3U);
  EXPECT_EQ(outcome.list.items[0].origin, 0);
  EXPECT_EQ(outcome.list.items[2].origin, -1);
  EXPECT_EQ(outcome.list.items[2].file, "dir/file.yaml");
}

}  // namespace
}  // namespace portico::functions
