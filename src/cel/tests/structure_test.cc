#include <gtest/gtest.h>

#include "cel/env.h"

namespace portico::cel {
namespace {

TEST(Structure, HasItsFieldsAndNoOther) {
  EnvBuilder builder;
  builder.structure("point", {{"x", TypeKind::kInt}, {"next", Type::message("point")}});
  builder.variable("self", Type::message("point")).variable("any", Type::message("unknown"));
  const auto env = builder.build();
  ASSERT_TRUE(env.ok());
  EXPECT_TRUE(env->compile("self.next.next.x == 1").ok());
  EXPECT_TRUE(env->compile("any.thing == 1").ok());
  const auto wrong = env->compile("self.y == 1");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().what, "1:5: undefined field 'y'");
  const auto mistyped = env->compile("self.x == 'a'");
  ASSERT_FALSE(mistyped.ok());
}

TEST(Structure, EvaluationsCanShareABudget) {
  const auto env = EnvBuilder().build();
  ASSERT_TRUE(env.ok());
  const auto program = env->compile("[1, 2, 3].all(x, x > 0)");
  ASSERT_TRUE(program.ok());
  Budget budget(1000);
  ASSERT_TRUE(program->evaluate(Variables(), budget).ok());
  const std::uint64_t once = budget.spent();
  EXPECT_GT(once, 0U);
  ASSERT_TRUE(program->evaluate(Variables(), budget).ok());
  EXPECT_EQ(budget.spent(), 2 * once);
  Budget small(once - 1);
  EXPECT_FALSE(program->evaluate(Variables(), small).ok());
}

}  // namespace
}  // namespace portico::cel
