// The median package of a real catalog (8 files, 11 resources, 8 kB) through 0, 2 and 8 functions.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "fnrun/runners.h"
#include "functions/catalog.h"
#include "render/render.h"

namespace portico::fnrun {
namespace {

std::string deployment(int i) {
  std::string text = fmt::format(
      "# workload {0}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{0}\n"
      "  labels:\n    app: web-{0}\nspec:\n  replicas: 3\n  selector:\n    matchLabels:\n"
      "      app: web-{0}\n  template:\n    metadata:\n      labels:\n        app: web-{0}\n"
      "    spec:\n      containers:\n",
      i);
  for (int c = 0; c < 2; ++c)
    text += fmt::format(
        "      - name: c{0}\n        image: \"registry.example.com/team/app-{0}:1.2.3\"\n"
        "        env:\n        - name: LOG_LEVEL\n          value: info # as in production\n"
        "        resources:\n          requests:\n            cpu: 100m\n            memory: "
        "64Mi\n",
        c);
  return text;
}

std::string small(const char* kind, int i) {
  return fmt::format(
      "apiVersion: v1\nkind: {0}\nmetadata:\n  name: {0}-{1}\ndata:\n  key: value\n"
      "  other: \"3\"\n",
      kind, i);
}

krm::Package median_package(int functions) {
  krm::Package package;
  std::string kptfile =
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n  annotations:\n"
      "    config.kubernetes.io/local-config: \"true\"\npipeline:\n  mutators:";
  for (int i = 0; i < functions; ++i)
    kptfile += fmt::format("\n    - image: {}\n      configMap:\n        {}: value-{}",
                           i % 2 == 0 ? "set-namespace:latest" : "set-annotations:latest",
                           i % 2 == 0 ? "namespace" : "owner", i / 2);
  package.set("Kptfile", kptfile + (functions == 0 ? " []\n" : "\n"));
  for (int i = 0; i < 4; ++i) package.set(fmt::format("deployment-{}.yaml", i), deployment(i));
  package.set("config.yaml", small("ConfigMap", 0) + "---\n" + small("ConfigMap", 1) + "---\n" +
                                 small("ConfigMap", 2) + "---\n" + small("Secret", 3));
  package.set("service.yaml", small("Service", 4));
  package.set("README.md", "# web\n");
  return package;
}

void BM_Render(benchmark::State& state) {
  const krm::Package package = median_package(static_cast<int>(state.range(0)));
  const BuiltinRunner runner;
  for (auto _ : state) {
    auto rendered = render::render(package, runner);
    if (!rendered || rendered->failure) state.SkipWithError("render failed");
    benchmark::DoNotOptimize(rendered);
  }
}
BENCHMARK(BM_Render)->Arg(0)->Arg(2)->Arg(8);

krm::ResourceList median_list() {
  krm::ResourceList list;
  const krm::Package package = median_package(0);
  for (const auto& [path, file] : package.files) {
    if (!path.ends_with(".yaml")) continue;
    const std::vector<krm::Object> objects = *krm::Object::parse_file(file.text());
    for (const krm::Object& object : objects)
      list.items.push_back({object, path, 0, "", static_cast<int>(list.items.size())});
  }
  return list;
}

/// One function on already parsed resources of the package.
void BM_Function(benchmark::State& state, const std::string& image, const std::string& data) {
  krm::ResourceList list = median_list();
  list.function_config =
      *krm::Object::parse("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n" + data);
  const functions::Function function = functions::find(image)->run;
  for (auto _ : state) benchmark::DoNotOptimize(function(list));
}
BENCHMARK_CAPTURE(BM_Function, set_labels, "set-labels", "  tier: backend\n");
BENCHMARK_CAPTURE(BM_Function, set_annotations, "set-annotations", "  owner: a\n");
BENCHMARK_CAPTURE(BM_Function, set_namespace, "set-namespace", "  namespace: new\n");
BENCHMARK_CAPTURE(BM_Function, apply_setters, "apply-setters", "  tag: v2\n");
BENCHMARK_CAPTURE(BM_Function, search_replace, "search-replace",
                  "  by-value: info\n  put-value: debug\n");
BENCHMARK_CAPTURE(BM_Function, create_setters, "create-setters", "  level: info\n");
BENCHMARK_CAPTURE(BM_Function, set_image, "set-image",
                  "  name: registry.example.com/team/app-0\n  newTag: v2\n");

BENCHMARK_CAPTURE(BM_Function, starlark, "starlark",
                  "  source: |\n    for r in ctx.resource_list['items']:\n"
                  "      r['metadata']['labels'] = {'tier': 'backend'}\n");
BENCHMARK_CAPTURE(BM_Function, kubeval, "kubeval", "  ignore_missing_schemas: 'true'\n");
BENCHMARK_CAPTURE(BM_Function, format, "format", "  a: b\n");

/// A program that changes nothing, on the same resources: without sandbox, in the sandbox, and with
/// a cached result.
void BM_Program(benchmark::State& state, bool sandbox, std::size_t cache_bytes) {
  const krm::ResourceList list = median_list();
  RunnersOptions options;
  options.exec.sandbox = sandbox;
  options.cache_bytes = cache_bytes;
  const Runners runners(std::move(options));
  for (auto _ : state) {
    auto outcome = runners.run({"", "cat", ""}, list);
    if (!outcome) state.SkipWithError(outcome.error().text().c_str());
    benchmark::DoNotOptimize(outcome);
  }
}
BENCHMARK_CAPTURE(BM_Program, plain, false, 0)->UseRealTime();
BENCHMARK_CAPTURE(BM_Program, sandboxed, true, 0)->UseRealTime();
BENCHMARK_CAPTURE(BM_Program, cached, true, std::size_t{1} << 20)->UseRealTime();

}  // namespace
}  // namespace portico::fnrun
