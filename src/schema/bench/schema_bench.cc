// What an API server does to write a custom resource of about 5 kB.
#include <benchmark/benchmark.h>

#include "json/text.h"
#include "schema/object.h"
#include "schema/validate.h"

namespace portico::schema {
namespace {

constexpr std::string_view kSchema = R"({"type":"object","properties":{"spec":{"type":"object",
 "x-kubernetes-validations":[{"rule":"self.low <= self.high"}],
 "required":["low","high"],
 "properties":{"low":{"type":"integer","minimum":0},"high":{"type":"integer","maximum":100000},
 "name":{"type":"string","maxLength":63,"pattern":"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
 "labels":{"type":"object","additionalProperties":{"type":"string","maxLength":63}},
 "parts":{"type":"array","maxItems":100,"x-kubernetes-list-type":"map",
 "x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],
 "properties":{"name":{"type":"string"},"image":{"type":"string","minLength":3},
 "count":{"type":"integer","default":1,"minimum":0},
 "mode":{"type":"string","enum":["Auto","Manual"],"default":"Auto"},
 "when":{"type":"string","format":"date-time"},
 "size":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}}}}}}}})";

Schema schema() { return *parse(*json::parse(kSchema)); }

json::Value object() {
  std::string parts, labels;
  for (int i = 0; i < 30; ++i)
    parts += fmt::format(R"({}{{"name":"part-{}","image":"registry.example.com/team/image:{}",)"
                         R"("count":{},"when":"2024-01-01T00:00:00Z","size":"{}Mi"}})",
                         i == 0 ? "" : ",", i, i, i, i);
  for (int i = 0; i < 20; ++i)
    labels += fmt::format(R"({}"example.com/label-{}":"value-{}")", i == 0 ? "" : ",", i, i);
  return *json::parse(fmt::format(
      R"({{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"a","namespace":"b"}},)"
      R"("spec":{{"low":1,"high":2,"name":"some-name","labels":{{{}}},"parts":[{}]}}}})",
      labels, parts));
}

ObjectRules rules(const Schema& schema) {
  return {.rules = Rules::compile(schema),
          .namespaced = true,
          .name = NameRule::kSubdomain,
          .scale = std::nullopt};
}

void BM_TakeIn(benchmark::State& state) {
  const Schema s = schema();
  const json::Value o = object();
  state.counters["bytes"] = static_cast<double>(json::print(o).size());
  for (auto _ : state) benchmark::DoNotOptimize(take_in(o, s));
}
BENCHMARK(BM_TakeIn);

void BM_Validate(benchmark::State& state) {
  const Schema s = schema();
  const json::Value o = take_in(object(), s)->object;
  for (auto _ : state) benchmark::DoNotOptimize(validate(o, s));
}
BENCHMARK(BM_Validate);

void BM_CreateCauses(benchmark::State& state) {
  const Schema s = schema();
  const json::Value o = take_in(object(), s)->object;
  const ObjectRules r = rules(s);
  for (auto _ : state) benchmark::DoNotOptimize(create_causes(o, s, r));
}
BENCHMARK(BM_CreateCauses);

void BM_UpdateOneField(benchmark::State& state) {
  const Schema s = schema();
  const json::Value old = take_in(object(), s)->object;
  const json::Value o = old.with_at({"spec", "high"}, 7);
  const ObjectRules r = rules(s);
  for (auto _ : state) benchmark::DoNotOptimize(update_causes(o, old, s, r));
}
BENCHMARK(BM_UpdateOneField);

}  // namespace
}  // namespace portico::schema
