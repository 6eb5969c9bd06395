// How long a set of N variants takes from the applied set to N drafts in git, and one change at
// that size. Prints a table, or JSON with --json.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/log.h"
#include "controllers/manager.h"
#include "drafts/drafts.h"
#include "fnrun/builtin.h"
#include "gitpackages/git_packages.h"
#include "json/text.h"
#include "krm/object.h"
#include "packages/lineage.h"
#include "store/embedded.h"

namespace {

using namespace portico;
using json::Value;
namespace fs = std::filesystem;

constexpr int kChanges = 9;  // of which the median is reported

struct Options {
  std::size_t variants = 1000;
  std::size_t repositories = 0;  // 0: one for every hundred variants
  int workers = 16;
  bool json = false, keep = false;
};

[[noreturn]] void die(const std::string& text) {
  std::fprintf(stderr, "fanout: %s\n", text.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) die(result.error().text());
  return *std::move(result);
}

// A package of the catalog's median size: 8 files, 11 resources, about 7.8 kB, two functions.
krm::Package median_package() {
  krm::Package package;
  package.set("Kptfile", R"(apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
  annotations:
    config.kubernetes.io/local-config: "true"
info:
  description: a service of the median size
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
    configMap:
      namespace: web
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
    configMap:
      app.kubernetes.io/part-of: web
)");
  package.set("package-context.yaml", R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: example
)");
  package.set("region.yaml", R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: region
  annotations:
    kpt.dev/config-injection: optional
    config.kubernetes.io/local-config: "true"
data:
  region: none
)");
  package.set("README.md", "# web\n" + std::string(600, 'x') + "\n");
  std::string deployments, others;
  for (int i = 0; i < 4; ++i) {
    deployments += fmt::format(R"({}apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{}
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web-{}
  template:
    metadata:
      labels:
        app: web-{}
    spec:
      containers:
      - name: server
        image: registry.example.com/web/server:1.4.{}
        args: ["--listen=:8080", "--log-format=json", "--cache-size=256Mi"]
        ports:
        - name: http
          containerPort: 8080
          protocol: TCP
        env:
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        readinessProbe:
          httpGet:
            path: /ready
            port: http
          periodSeconds: 5
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
          limits:
            memory: 256Mi
)",
                               i == 0 ? "" : "---\n", i, i, i, i);
  }
  package.set("deployment.yaml", deployments);
  package.set("service.yaml", R"(apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web-0
  ports:
  - name: http
    port: 80
    targetPort: http
)");
  for (int i = 0; i < 3; ++i)
    others += fmt::format(R"({}apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-{}
data:
  # keep in step with the server's release
  settings.json: |
    {{"timeouts": {{"read": "5s", "write": "10s"}}, "features": ["a", "b", "c"], "limits": {}}}
)",
                          i == 0 ? "" : "---\n", i, i);
  package.set("config.yaml", others);
  package.set("rbac.yaml", R"(apiVersion: v1
kind: ServiceAccount
metadata:
  name: web
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: web
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: web
subjects:
- kind: ServiceAccount
  name: web
)");
  return package;
}

Value object(std::string_view yaml) { return must(krm::Object::parse(yaml)).value(); }

// Adds up where drafts spend their time, over all threads.
class TimedDrafts : public drafts::Drafts {
 public:
  explicit TimedDrafts(drafts::Drafts& inner) : inner_(inner) {}

  Result<drafts::Drafted> draft(const drafts::DraftRequest& request) override {
    auto drafted = inner_.draft(request);
    if (drafted)
      sum_.with([&](drafts::DraftTimes& sum) {
        sum.build += drafted->times.build;
        sum.render += drafted->times.render;
        sum.save += drafted->times.save;
      });
    return drafted;
  }
  Result<drafts::Built> build(const drafts::DraftRequest& request) override {
    return inner_.build(request);
  }
  drafts::DraftTimes take() {
    return sum_.with([](auto& sum) { return std::exchange(sum, {}); });
  }

 private:
  drafts::Drafts& inner_;
  Guarded<drafts::DraftTimes> sum_;
};

class Bench {
 public:
  explicit Bench(Options options) : options_(options) {
    std::string pattern = (fs::temp_directory_path() / "portico-fanout-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) die("no temporary folder");
    folder_ = pattern;
    store::EmbeddedOptions store_options;
    store_options.folder = folder_ / "state";
    fs::create_directories(store_options.folder);
    store_options.clock = &clock_;
    store_options.indexes = packages::indexes();
    registry_ = must(store::open_embedded(std::move(store_options)));
    runner_ = std::make_unique<fnrun::BuiltinRunner>();
    packages_ = gitpackages::make_git_packages(
        {.registry = *registry_, .clock = clock_, .mirrors = (folder_ / "mirrors").string()});
    inner_ = drafts::make_drafts(*registry_, *packages_, *runner_);
    drafts_ = std::make_unique<TimedDrafts>(*inner_);
  }
  ~Bench() {
    manager_.reset();
    drafts_.reset();
    inner_.reset();
    packages_.reset();
    registry_.reset();
    if (!options_.keep) fs::remove_all(folder_);
  }

  void run() {
    const std::size_t repositories = options_.repositories != 0
                                         ? options_.repositories
                                         : std::max<std::size_t>(1, options_.variants / 100);
    std::vector<registry::Write> setup;
    add_repository(setup, "blueprints", false);
    for (std::size_t i = 0; i < repositories; ++i)
      add_repository(setup, fmt::format("cluster-{:05}", i), true);
    for (int i = 0; i < 4; ++i)
      setup.push_back({registry::Verb::kCreate, region(fmt::format("region-{}", i), "first")});
    setup.push_back({registry::Verb::kCreate, region("of-one", "first")});
    for (const auto& written : registry_->commit_each(setup)) must(written);

    const double registered = timed([&] { start(); });
    publish_blueprint();
    settle();

    drafts_->take();
    const double total = timed([&] {
      apply_set(repositories);
      settle();
    });
    const drafts::DraftTimes phases = drafts_->take();
    const auto [ready, failed] = count();
    std::vector<double> drafted, settled;
    for (int i = 0; i < kChanges; ++i) one_change(i, drafted, settled);
    manager_->stop();
    report({{"variants", static_cast<double>(options_.variants)},
            {"repositories", static_cast<double>(repositories)},
            {"ready", static_cast<double>(ready)},
            {"failed", static_cast<double>(failed)},
            {"register_seconds", registered},
            {"fanout_seconds", total},
            {"variants_per_second", static_cast<double>(options_.variants) / total},
            {"thread_seconds_build", seconds(phases.build)},
            {"thread_seconds_render", seconds(phases.render)},
            {"thread_seconds_save", seconds(phases.save)},
            {"one_change_drafted_ms", median(drafted) * 1000},
            {"one_change_settled_ms", median(settled) * 1000}});
  }

 private:
  template <class F>
  static double timed(F&& f) {
    const auto from = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  }

  static double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
  }
  static double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }

  void add_repository(std::vector<registry::Write>& writes, const std::string& name,
                      bool deployment) {
    const fs::path path = folder_ / (name + ".git");
    if (std::system(fmt::format("git init -q --bare -b main {}", path.string()).c_str()) != 0)
      die("git init failed");
    writes.push_back(
        {registry::Verb::kCreate, object(fmt::format(R"(
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: {}
  namespace: default
spec:
  type: git
  deployment: {}
  git:
    repo: {}
    branch: main
    createBranch: true
)",
                                                     name, deployment, path.string()))});
  }

  void start() {
    manager_ = controllers::Manager::make({.registry = *registry_,
                                           .packages = *packages_,
                                           .drafts = *drafts_,
                                           .clock = clock_,
                                           .log = log_,
                                           .workers = options_.workers});
    must(manager_->start());
    settle();
  }

  void settle() {
    if (!manager_->wait_settled(std::chrono::minutes(30), [](const auto&) {}))
      die("not settled after 30 minutes");
  }

  void publish_blueprint() {
    drafts::DraftRequest request;
    request.ns = "default";
    request.repository = "blueprints";
    request.package = "web";
    request.workspace = "v1";
    request.source = drafts::ReplaceSource{median_package()};
    request.actor = {"bench", "bench@localhost"};
    const Value draft = must(drafts_->draft(request)).object;
    const krm::ObjectKey key = krm::object_key(draft);
    must(packages_->propose(key, request.actor));
    must(packages_->approve(key, request.actor));
  }

  void apply_set(std::size_t repositories) {
    std::string targets;
    std::size_t left = options_.variants;
    for (std::size_t i = 0; i < repositories; ++i) {
      const std::size_t here = left / (repositories - i);
      left -= here;
      targets += fmt::format("    - name: cluster-{:05}\n      packageNames:\n", i);
      for (std::size_t k = 0; k < here; ++k) targets += fmt::format("      - web-{}\n", k);
    }
    must(registry_->commit({{registry::Verb::kCreate, object(fmt::format(R"y(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: default
spec:
  upstream:
    repo: blueprints
    package: web
    revision: 1
  targets:
  - repositories:
{}
    template:
      labelExprs:
      - key: cluster
        valueExpr: "repository.name"
      packageContext:
        dataExprs:
        - key: target
          valueExpr: "target.repo + '/' + target.package"
      injectors:
      - nameExpr: >-
          target.repo == 'cluster-00000' && target.package == 'web-0' ? 'of-one'
          : 'region-' + string(size(target.package) % 4)
)y",
                                                                         targets))}}));
  }

  std::pair<std::size_t, std::size_t> count() {
    const auto variants = must(
        registry_->list({.type = {std::string(api::kConfigGroup), std::string(api::kVariantKind)},
                         .ns = "default"}));
    std::size_t ready = 0;
    for (const Value& variant : variants.objects)
      for (const Value& condition : variant["status"]["conditions"].items())
        ready +=
            condition["type"].as_string() == "Ready" && condition["status"].as_string() == "True"
                ? 1
                : 0;
    if (ready != options_.variants)
      for (const Value& variant : variants.objects)
        if (json::print(variant["status"]).find("\"True\"") == std::string::npos) {
          std::fprintf(stderr, "%s\n", json::print(variant).c_str());
          break;
        }
    return {ready, options_.variants - ready};
  }

  static Value region(const std::string& name, const std::string& value) {
    return object(fmt::format(R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: {}
  namespace: default
data:
  region: {}
)",
                              name, value));
  }

  // The object that one variant of all injects changes: until its new content is in git and its
  // object stored, and until nothing is left to do (the set has counted its variants).
  void one_change(int i, std::vector<double>& drafted, std::vector<double>& settled) {
    const auto from = std::chrono::steady_clock::now();
    const auto so_far = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    };
    const auto watch =
        registry_->watch({.type = packages::revision_key("", "").type}, registry_->version());
    must(registry_->commit(
        {{registry::Verb::kUpdate, region("of-one", fmt::format("change-{}", i))}}));
    const auto events = watch->next(std::chrono::minutes(1));
    if (!events || events->empty()) die("the change made no new draft");
    drafted.push_back(so_far());
    settle();
    settled.push_back(so_far());
    // As changes of people do, the next one comes later.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }

  std::uintmax_t bytes_in_git() const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().string().find(".git/") != std::string::npos)
        bytes += entry.file_size();
    return bytes;
  }

  void report(std::vector<std::pair<std::string, double>> rows) const {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds_of = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    rows.emplace_back("cpu_seconds", seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
    rows.emplace_back("peak_megabytes", static_cast<double>(usage.ru_maxrss) / 1024);
    rows.emplace_back("git_bytes_per_variant",
                      static_cast<double>(bytes_in_git()) / static_cast<double>(options_.variants));
    if (options_.json) {
      std::vector<json::Member> members;
      for (const auto& [name, value] : rows) members.push_back({Value(name), Value(value)});
      fmt::print("{}\n", json::print(Value::object(std::move(members))));
      return;
    }
    for (const auto& [name, value] : rows) fmt::print("{:<24}{:>14.3f}\n", name, value);
  }

  Options options_;
  fs::path folder_;
  SystemClock clock_;
  NoLog log_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  std::unique_ptr<packages::PackageStore> packages_;
  std::unique_ptr<drafts::Drafts> inner_;
  std::unique_ptr<TimedDrafts> drafts_;
  std::unique_ptr<controllers::Manager> manager_;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = [&]() -> std::size_t {
      if (i + 1 == argc) die(fmt::format("{} needs a number", argument));
      return std::strtoul(argv[++i], nullptr, 10);
    };
    if (argument == "--variants")
      options.variants = number();
    else if (argument == "--repositories")
      options.repositories = number();
    else if (argument == "--workers")
      options.workers = static_cast<int>(number());
    else if (argument == "--json")
      options.json = true;
    else if (argument == "--keep")
      options.keep = true;
    else
      die(
          fmt::format("unknown argument \"{}\"; there are --variants N, --repositories N, "
                      "--workers N, --json, --keep",
                      argument));
  }
  if (options.variants == 0) die("--variants must be at least 1");
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  Bench(parse(argc, argv)).run();
  return 0;
}
