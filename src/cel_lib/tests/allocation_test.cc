// Evaluations that give a number or a short text allocate no memory: counted, not timed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/template_env.h"

namespace {
// The replaced operators apply to the whole program, so the counter must be global too.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local std::size_t allocations = 0;
}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads): the forms that are missing call these.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace portico::cel_lib {
namespace {

using cel::Value;

std::size_t allocations_of(std::string_view expression) {
  const cel::Env env = *template_env();
  const auto program = env.compile(expression);
  if (!program) throw std::runtime_error(program.error().what);
  const Value labels = Value::map({{Value::string("region"), Value::string("us-east1")},
                                   {Value::string("tier"), Value::string("gold")}});
  const Value object = Value::map(
      {{Value::string("name"), Value::string("edge-17")}, {Value::string("labels"), labels}});
  const cel::Variables variables({{"repoDefault", Value::string("deployments")},
                                  {"packageDefault", Value::string("web")},
                                  {"target", object},
                                  {"repository", object}});
  const std::size_t before = allocations;
  const auto result = program->evaluate(variables);
  const std::size_t after = allocations;
  if (!result) throw std::runtime_error(result.error().what);
  return after - before;
}

TEST(Allocations, NoneForShortResults) {
  for (const char* expression : {
           "repoDefault",
           "target.labels.region + '-repo'",
           "repository.labels['region'] + '-endpoints'",
           "target.name + '-' + packageDefault",
           "has(target.labels.region) ? target.labels.region : 'none'",
           "target.labels[?'missing'].orValue('default')",
           "target.labels.tier in ['gold', 'silver', 'bronze', 'none', 'a', 'b', 'c', 'd']",
           "size(target.name) * 2 + 1 > 10 || target.name.matches('^[a-z]+-[0-9]+$')",
           "['a', 'b', 'c'].exists(x, x == target.labels.region)",
           "double(size(target.name)) / 2.5 < 10.0",
           "timestamp('2026-11-21T11:22:40Z') < timestamp('2026-11-21T12:00:00Z')",
       })
    EXPECT_EQ(allocations_of(expression), 0U) << expression;
}

TEST(Allocations, OneForALongText) {
  EXPECT_EQ(allocations_of("target.name + '-is-a-name-of-many-characters'"), 1U);
}

}  // namespace
}  // namespace portico::cel_lib
