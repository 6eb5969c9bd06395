// Parse and check, compile, evaluate: the expressions that templates are made of.
#include <benchmark/benchmark.h>

#include <array>

#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"
#include "cel_lib/template_env.h"

namespace portico::cel_lib {
namespace {

using cel::Value;

constexpr std::array kExpressions = {
    "repository.labels['region'] + '-endpoints'",
    "target.labels.environment + '-repo'",
    "target.repo + '-' + target.package",
    "repoDefault",
    "'prefix-' + packageDefault",
    "packageDefault + '-' + repository.name",
    "upstream.name",
    "target.name.split('-')[0]",
    "repository.name.startsWith('edge')",
    "has(repository.labels.region) ? repository.labels.region : 'none'",
    "repository.labels[?'missing'].orValue('default')",
    "'region' in repository.labels",
    "target.labels.environment in ['dev', 'test', 'staging', 'prod', 'qa', 'demo', 'lab']",
    "target.name.matches('^[a-z]+-[0-9]+$')",
    "[1, 2, 3, 4].map(x, x * 2).filter(x, x > 2).size() == 3",
    "['a', 'b', 'c'].exists(x, x == target.labels.environment)",
    "1 + 2 * 3 - 4",
    "target.labels.environment == 'prod' && repository.labels.region != 'eu' || false",
    "'%s-%s-%d'.format([target.repo, target.package, 7])",
    "target.name.lowerAscii().replace('-', '_').substring(0, 4)",
    "semver('1.2.3').isLessThan(semver('1.10.0'))",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    "quantity('1.5Gi').isGreaterThan(quantity('1G'))",
    "timestamp('2026-11-21T11:22:40Z').getHours('Europe/Berlin') < 18",
};

// An object whose members are made when they are asked for, as the templates' are.
class LazyObject final : public cel::Map {
 public:
  LazyObject() {
    labels_ = Value::map({{Value::string("region"), Value::string("us-east1")},
                          {Value::string("environment"), Value::string("prod")},
                          {Value::string("tier"), Value::string("gold")}});
  }
  std::size_t size() const override { return 4; }
  std::optional<Value> find(const Value& key) const override {
    if (!key.is(cel::Kind::kString)) return std::nullopt;
    if (key.text() == "labels") return labels_;
    if (key.text() == "name") return Value::string("edge-17");
    if (key.text() == "repo") return Value::string("deployments");
    if (key.text() == "package") return Value::string("web");
    return std::nullopt;
  }
  std::vector<Value> keys() const override {
    return {Value::string("labels"), Value::string("name"), Value::string("repo"),
            Value::string("package")};
  }

 private:
  Value labels_;
};

cel::Variables variables() {
  const Value object = Value::map(cel::Ref<const cel::Map>(cel::make_ref<LazyObject>()));
  return cel::Variables({{"repoDefault", Value::string("deployments")},
                         {"packageDefault", Value::string("web")},
                         {"repository", object},
                         {"target", object},
                         {"upstream", object}});
}

const char* expression(const benchmark::State& state) {
  return kExpressions[static_cast<std::size_t>(state.range(0))];
}

void BM_Check(benchmark::State& state) {
  const cel::Env env = *template_env();
  state.SetLabel(expression(state));
  for (auto _ : state) benchmark::DoNotOptimize(env.check(expression(state)));
}

void BM_Compile(benchmark::State& state) {
  const cel::Env env = *template_env();
  state.SetLabel(expression(state));
  for (auto _ : state) benchmark::DoNotOptimize(env.compile(expression(state)));
}

void BM_Evaluate(benchmark::State& state) {
  const cel::Env env = *template_env();
  const auto program = env.compile(expression(state));
  if (!program) return state.SkipWithError(program.error().what.c_str());
  const cel::Variables values = variables();
  if (const auto once = program->evaluate(values); !once)
    return state.SkipWithError(once.error().what.c_str());
  state.SetLabel(expression(state));
  for (auto _ : state) benchmark::DoNotOptimize(program->evaluate(values));
}

void BM_MakeEnv(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(template_env());
}

BENCHMARK(BM_Check)->DenseRange(0, kExpressions.size() - 1);
BENCHMARK(BM_Compile)->DenseRange(0, kExpressions.size() - 1);
BENCHMARK(BM_Evaluate)->DenseRange(0, kExpressions.size() - 1);
BENCHMARK(BM_MakeEnv);

}  // namespace
}  // namespace portico::cel_lib
