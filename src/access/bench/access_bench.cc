// Cost of a query in a large policy: 1,000 namespaces with a role and a binding each.
#include <benchmark/benchmark.h>

#include <string>

#include "access/policy.h"

namespace portico::access {
namespace {

using json::Value;

Value object(const char* kind, const std::string& ns) {
  return Value::object({{"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", kind}})
      .with_at({"metadata", "name"}, "r")
      .with_at({"metadata", "namespace"}, ns);
}

Value list(const char* text) { return Value::array({text}); }

Policy large() {
  Policy policy;
  for (int i = 0; i < 1000; ++i) {
    const std::string ns = "ns-" + std::to_string(i);
    policy.put(
        object("Role", ns)
            .with("rules", Value::array({Value::object({{"apiGroups", list("porch.kpt.dev")},
                                                        {"resources", list("packagerevisions")},
                                                        {"verbs", list("get")}})})));
    policy.put(
        object("RoleBinding", ns)
            .with("roleRef", Value::object({{"kind", "Role"}, {"name", "r"}}))
            .with("subjects", Value::array({Value::object(
                                  {{"kind", "Group"}, {"name", "team-" + std::to_string(i)}})})));
  }
  return policy;
}

const User& user() {
  static const User kUser{.name = "ada",
                          .groups = {"system:authenticated", "team-1", "team-500", "team-999"}};
  return kUser;
}

void BM_Allowed(benchmark::State& state) {
  const Policy policy = large();
  const Request request{
      .verb = "get", .group = "porch.kpt.dev", .resource = "packagerevisions", .ns = "ns-500"};
  for (auto _ : state) benchmark::DoNotOptimize(policy.authorize(user(), request));
}
BENCHMARK(BM_Allowed);

void BM_Denied(benchmark::State& state) {
  const Policy policy = large();
  const Request request{.verb = "get", .resource = "secrets", .ns = "ns-500"};
  for (auto _ : state) benchmark::DoNotOptimize(policy.authorize(user(), request));
}
BENCHMARK(BM_Denied);

void BM_OneBindingChanges(benchmark::State& state) {
  Policy policy = large();
  const Value binding =
      object("RoleBinding", "ns-500")
          .with("roleRef", Value::object({{"kind", "Role"}, {"name", "r"}}))
          .with("subjects", Value::array({Value::object({{"kind", "User"}, {"name", "ada"}})}));
  for (auto _ : state) policy.put(binding);
}
BENCHMARK(BM_OneBindingChanges);

// With a copy after each change, as readers get it.
void BM_OneBindingChangesUnderReaders(benchmark::State& state) {
  Policy policy = large();
  const Value binding =
      object("RoleBinding", "ns-500")
          .with("roleRef", Value::object({{"kind", "Role"}, {"name", "r"}}))
          .with("subjects", Value::array({Value::object({{"kind", "User"}, {"name", "ada"}})}));
  Policy shown;
  for (auto _ : state) {
    policy.put(binding);
    shown = policy;
    benchmark::DoNotOptimize(shown);
  }
}
BENCHMARK(BM_OneBindingChangesUnderReaders);

}  // namespace
}  // namespace portico::access
