// Server-side apply of an object of about 5 kB of JSON with three owners.
#include <benchmark/benchmark.h>

#include <string>

#include "fieldset/apply.h"
#include "fieldset/managers.h"
#include "fieldset/typed.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using json::Value;

constexpr std::string_view kSchema = R"({"type":"object","properties":{
  "spec":{"type":"object","properties":{
    "replicas":{"type":"integer"},
    "template":{"type":"object","properties":{
      "labels":{"type":"object","additionalProperties":{"type":"string"}},
      "containers":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
        "items":{"type":"object","properties":{
          "name":{"type":"string"},"image":{"type":"string"},
          "args":{"type":"array","items":{"type":"string"}},
          "limits":{"type":"object","additionalProperties":{"x-kubernetes-int-or-string":true}},
          "env":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
            "items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"}}}},
          "ports":{"type":"array","x-kubernetes-list-type":"map",
            "x-kubernetes-list-map-keys":["port","protocol"],
            "items":{"type":"object","properties":{"port":{"type":"integer"},
              "protocol":{"type":"string","default":"TCP"}}}}}}}}},
    "notes":{"type":"object","additionalProperties":{"type":"string"}}}},
  "status":{"type":"object","properties":{
    "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],
      "items":{"type":"object","properties":{"type":{"type":"string"},"status":{"type":"string"},
        "reason":{"type":"string"},"message":{"type":"string"}}}}}}}})";

constexpr const char* kVersion = "bench.example.com/v1";

Value text_map(int count, const char* prefix) {
  std::vector<json::Member> members;
  for (int i = 0; i < count; ++i)
    members.push_back({prefix + std::to_string(i), "a value of some length " + std::to_string(i)});
  return Value::object(std::move(members));
}

Value container(int number) {
  std::vector<Value> env, ports;
  for (int i = 0; i < 8; ++i)
    env.push_back(Value::object({{"name", "VARIABLE_" + std::to_string(i)},
                                 {"value", "what the variable is set to, " + std::to_string(i)}}));
  for (int i = 0; i < 2; ++i) ports.push_back(Value::object({{"port", 8080 + i}}));
  return Value::object({{"name", "container-" + std::to_string(number)},
                        {"image", "registry.example.com/some/where/image:v1.2.3"},
                        {"args", Value::array({"--one", "--two=2", "--three"})},
                        {"limits", Value::object({{"cpu", 2}, {"memory", "512Mi"}})},
                        {"env", Value::array(std::move(env))},
                        {"ports", Value::array(std::move(ports))}});
}

Value applied() {
  std::vector<Value> containers;
  for (int i = 0; i < 6; ++i) containers.push_back(container(i));
  return Value::object({{"apiVersion", kVersion}, {"kind", "Thing"}})
      .with_at({"metadata", "name"}, "a-thing")
      .with_at({"metadata", "labels"}, text_map(4, "example.com/label-"))
      .with_at({"spec", "replicas"}, 3)
      .with_at({"spec", "template", "labels"}, text_map(4, "example.com/label-"))
      .with_at({"spec", "template", "containers"}, Value::array(std::move(containers)));
}

const Versions& versions() {
  static const Versions kVersions = [] {
    Versions all;
    all.types.emplace(kVersion, ObjectType(*schema::parse(*json::parse(kSchema))));
    return all;
  }();
  return kVersions;
}

Writer writer(const char* manager) {
  return {
      .manager = manager, .api_version = kVersion, .now = *parse_rfc3339("2026-01-01T00:00:00Z")};
}

/// Applied by one manager, notes applied by a second, status written by a third.
Value live() {
  Value object = *apply({}, applied(), false, versions(), writer("alice"));
  object = object.with_at({"metadata", "uid"}, "11111111-1111-1111-1111-111111111111");
  const Value notes = Value::object({{"apiVersion", kVersion}, {"kind", "Thing"}})
                          .with_at({"metadata", "name"}, "a-thing")
                          .with_at({"spec", "notes"}, text_map(5, "note-"));
  object = *apply(object, notes, false, versions(), writer("bob"));
  const Value condition = Value::object({{"type", "Ready"},
                                         {"status", "True"},
                                         {"reason", "AllIsWell"},
                                         {"message", "as it should be"}});
  const Value after = object.with_at({"status", "conditions"}, Value::array({condition}));
  Writer controller = writer("controller");
  controller.subresource = "status";
  return track(object, after, versions(), controller);
}

void BM_ApplyAgain(benchmark::State& state) {
  const Value object = live(), part = applied();
  state.counters["bytes"] = static_cast<double>(json::print(part).size());
  for (auto _ : state)
    benchmark::DoNotOptimize(apply(object, part, false, versions(), writer("alice")));
}
BENCHMARK(BM_ApplyAgain);

void BM_ApplyOneValue(benchmark::State& state) {
  const Value object = live(), part = applied().with_at({"spec", "replicas"}, 4);
  for (auto _ : state)
    benchmark::DoNotOptimize(apply(object, part, false, versions(), writer("alice")));
}
BENCHMARK(BM_ApplyOneValue);

void BM_ApplyGivesUpOne(benchmark::State& state) {
  const Value object = live(), part = applied().without_at({"spec", "replicas"});
  for (auto _ : state)
    benchmark::DoNotOptimize(apply(object, part, false, versions(), writer("alice")));
}
BENCHMARK(BM_ApplyGivesUpOne);

void BM_ApplyNew(benchmark::State& state) {
  const Value part = applied();
  for (auto _ : state)
    benchmark::DoNotOptimize(apply({}, part, false, versions(), writer("alice")));
}
BENCHMARK(BM_ApplyNew);

void BM_TrackOneValue(benchmark::State& state) {
  const Value before = live(), after = before.with_at({"spec", "replicas"}, 4);
  for (auto _ : state)
    benchmark::DoNotOptimize(track(before, after, versions(), writer("controller")));
}
BENCHMARK(BM_TrackOneValue);

void BM_ParseManagers(benchmark::State& state) {
  const Value managed_fields = live()["metadata"]["managedFields"];
  for (auto _ : state) benchmark::DoNotOptimize(parse_managers(managed_fields));
}
BENCHMARK(BM_ParseManagers);

void BM_PrintManagers(benchmark::State& state) {
  const Managers managers = *parse_managers(live()["metadata"]["managedFields"]);
  for (auto _ : state) benchmark::DoNotOptimize(to_value(managers));
}
BENCHMARK(BM_PrintManagers);

void BM_FieldsOf(benchmark::State& state) {
  const Value part = applied();
  const Type& type = versions().types.at(kVersion).root();
  for (auto _ : state) benchmark::DoNotOptimize(fields_of(part, type));
}
BENCHMARK(BM_FieldsOf);

void BM_Merged(benchmark::State& state) {
  const Value object = live(), part = applied();
  const Type& type = versions().types.at(kVersion).root();
  for (auto _ : state) benchmark::DoNotOptimize(merged(object, part, type));
}
BENCHMARK(BM_Merged);

}  // namespace
}  // namespace portico::fieldset
