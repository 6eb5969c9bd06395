// Shared by benchmarks of the whole system: a fleet of real git repositories with a store and
// controllers in a temporary folder, a package of median size, and the report.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/log.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "drafts/drafts.h"
#include "fnrun/builtin.h"
#include "gitpackages/git_packages.h"
#include "json/text.h"
#include "krm/object.h"
#include "packages/lineage.h"
#include "store/embedded.h"

namespace portico::bench {

using json::Value;

[[noreturn]] inline void die(const std::string& text) {
  std::fprintf(stderr, "bench: %s\n", text.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) die(result.error().text());
  return *std::move(result);
}

inline Value object(std::string_view yaml) { return must(krm::Object::parse(yaml)).value(); }

// A package of the catalog's median size: 8 files, 11 resources, about 7.8 kB, two functions.
inline krm::Package median_package() {
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

inline double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// Resource usage of this process so far, without its children.
inline rusage used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}
inline double processor_seconds(const rusage& usage) {
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/// Wall-clock time in seconds.
template <class F>
double timed(F&& f) {
  const auto from = std::chrono::steady_clock::now();
  f();
  return seconds(std::chrono::steady_clock::now() - from);
}

/// Name and value; report() adds those of the process and the whole run.
using Rows = std::vector<std::pair<std::string, double>>;

// Sums up where drafts spend their time, over all threads.
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
  Result<std::vector<drafts::BuildStep>> build_steps(const drafts::DraftRequest& request,
                                                     const std::string& upstream) override {
    return inner_.build_steps(request, upstream);
  }
  drafts::DraftTimes take() {
    return sum_.with([](auto& sum) { return std::exchange(sum, {}); });
  }

 private:
  drafts::Drafts& inner_;
  Guarded<drafts::DraftTimes> sum_;
};

/// A set of variants of the package "web" in the repository "blueprints".
struct SetShape {
  std::size_t variants = 1000;
  std::size_t repositories = 0;  // 0: one per hundred variants; with `equal` one for each
  bool equal = false;            // every variant has the same inputs
  bool pinned = true;            // to revision 1; otherwise they follow the latest

  std::size_t targets() const {
    if (repositories != 0) return repositories;
    return equal ? variants : std::max<std::size_t>(1, variants / 100);
  }
};

inline Value region(const std::string& name, const std::string& value) {
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

inline std::string repository_name(std::size_t i) { return fmt::format("cluster-{:05}", i); }

/// Distributes the variants over the repositories. Of equal variants, only one injects "of-one", as
/// in an unequal set.
inline Value variant_set(const SetShape& shape) {
  std::string targets;
  std::size_t left = shape.variants;
  for (std::size_t i = 0, n = shape.targets(); i < n; ++i) {
    const std::size_t here = left / (n - i);
    left -= here;
    targets += fmt::format("    - name: {}\n      packageNames:\n", repository_name(i));
    for (std::size_t k = 0; k < here; ++k) targets += fmt::format("      - web-{}\n", k);
  }
  const char* context = shape.equal ? "" : R"y(
      packageContext:
        dataExprs:
        - key: target
          valueExpr: "target.repo + '/' + target.package")y";
  return object(fmt::format(R"y(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: default
spec:
  upstream:
    repo: blueprints
    package: web{}
  targets:
  - repositories:
{}
    template:
      labelExprs:
      - key: cluster
        valueExpr: "repository.name"{}
      injectors:
      - nameExpr: >-
          target.repo == 'cluster-00000' && target.package == 'web-0' ? 'of-one'
          : 'region-' + string(size(target.package) % 4)
)y",
                            shape.pinned ? "\n    revision: 1" : "", targets, context));
}

class Fleet {
 public:
  struct Options {
    int workers = 32;
    bool json = false, keep = false;
  };

  explicit Fleet(const Options& options) : options_(options) {
    namespace fs = std::filesystem;
    std::string pattern = (fs::temp_directory_path() / "portico-bench-XXXXXX").string();
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
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;
  ~Fleet() {
    manager_.reset();
    drafts_.reset();
    inner_.reset();
    packages_.reset();
    registry_.reset();
    if (!options_.keep) std::filesystem::remove_all(folder_);
  }

  registry::Registry& registry() { return *registry_; }
  packages::PackageStore& packages() { return *packages_; }
  TimedDrafts& drafts() { return *drafts_; }

  /// Creates the repositories of a set and the objects that its variants inject.
  void set_up(const SetShape& shape) {
    std::vector<registry::Write> writes;
    add_repository(writes, "blueprints", false);
    for (std::size_t i = 0; i < shape.targets(); ++i)
      add_repository(writes, repository_name(i), true);
    for (int i = 0; i < 4; ++i)
      writes.push_back({registry::Verb::kCreate, region(fmt::format("region-{}", i), "first")});
    writes.push_back({registry::Verb::kCreate, region("of-one", "first")});
    for (const auto& written : registry_->commit_each(writes)) must(written);
  }

  /// Starts the controllers.
  void start() {
    manager_ = controllers::Manager::make(
        {.registry = *registry_,
         .log = log_,
         .controllers = controllers::all_controllers({.registry = *registry_,
                                                      .packages = *packages_,
                                                      .drafts = *drafts_,
                                                      .repository_health = reach_,
                                                      .clock = clock_,
                                                      .workers = options_.workers})});
    must(manager_->start());
    settle();
  }
  void settle() {
    if (!manager_->wait_settled(std::chrono::minutes(30), [](const auto&) {}))
      die("not settled after 30 minutes");
  }
  void stop() { manager_->stop(); }

  /// Publishes the content as the next revision of a package.
  void publish(const std::string& repository, const std::string& package,
               const std::string& workspace, krm::Package content) {
    drafts::DraftRequest request;
    request.ns = "default";
    request.repository = repository;
    request.package = package;
    request.workspace = workspace;
    request.source = drafts::ReplaceSource{std::move(content)};
    request.actor = kActor;
    approve(must(drafts_->draft(request)).object);
  }
  /// Proposes and approves a draft.
  void approve(const Value& draft) {
    const krm::ObjectKey key = krm::object_key(draft);
    must(packages_->propose(key, kActor));
    must(packages_->approve(key, kActor));
  }

  std::vector<Value> all(const krm::GroupKind& kind) {
    return must(registry_->list({.type = kind, .ns = "default"})).objects;
  }
  /// The number of ready variants; prints one that is not.
  std::size_t ready() {
    std::size_t ready = 0;
    const Value* other = nullptr;
    const std::vector<Value> variants = all(api::variant_kind());
    for (const Value& variant : variants) {
      bool is_ready = false;
      for (const Value& condition : variant["status"]["conditions"].items())
        is_ready = is_ready || (condition["type"].as_string() == "Ready" &&
                                condition["status"].as_string() == "True");
      ready += is_ready ? 1 : 0;
      if (!is_ready) other = &variant;
    }
    if (other != nullptr) std::fprintf(stderr, "%s\n", json::print(*other).c_str());
    return ready;
  }

  /// Prints a table, or JSON.
  void report(Rows rows, std::size_t variants) const {
    const rusage usage = used();
    rows.emplace_back("cpu_seconds", processor_seconds(usage));
    rows.emplace_back("peak_megabytes", static_cast<double>(usage.ru_maxrss) / 1024);
    rows.emplace_back("git_bytes_per_variant",
                      static_cast<double>(bytes_in_git()) / static_cast<double>(variants));
    if (options_.json) {
      std::vector<json::Member> members;
      for (const auto& [name, value] : rows) members.push_back({Value(name), Value(value)});
      fmt::print("{}\n", json::print(Value::object(std::move(members))));
      return;
    }
    for (const auto& [name, value] : rows) fmt::print("{:<24}{:>14.3f}\n", name, value);
  }

  static inline const packages::Actor kActor{"bench", "bench@localhost"};

 private:
  void add_repository(std::vector<registry::Write>& writes, const std::string& name,
                      bool deployment) {
    const std::filesystem::path path = folder_ / (name + ".git");
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

  std::uintmax_t bytes_in_git() const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().string().find(".git/") != std::string::npos)
        bytes += entry.file_size();
    return bytes;
  }

  Options options_;
  std::filesystem::path folder_;
  SystemClock clock_;
  NoLog log_;
  controllers::RepositoryHealth reach_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  std::unique_ptr<packages::PackageStore> packages_;
  std::unique_ptr<drafts::Drafts> inner_;
  std::unique_ptr<TimedDrafts> drafts_;
  std::unique_ptr<controllers::Manager> manager_;
};

/// Parses a benchmark's arguments: the common ones, and its own.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}

  /// Advances to the next argument, which is then `name()`; false at the end.
  bool next() { return ++at_ < argc_; }
  std::string_view name() const { return argv_[at_]; }
  std::size_t number() {
    const std::string_view of = name();
    if (at_ + 1 == argc_) die(fmt::format("{} needs a number", of));
    return std::strtoul(argv_[++at_], nullptr, 10);
  }
  /// Handles --workers, --json and --keep; false for any other argument.
  bool common(Fleet::Options& options) {
    if (name() == "--workers")
      options.workers = static_cast<int>(number());
    else if (name() == "--json")
      options.json = true;
    else if (name() == "--keep")
      options.keep = true;
    else
      return false;
    return true;
  }
  [[noreturn]] void unknown(std::string_view known) const {
    die(fmt::format("unknown argument \"{}\"; there are {}, --workers N, --json, --keep", name(),
                    known));
  }

 private:
  int argc_ = 0;
  char** argv_ = nullptr;
  int at_ = 0;
};

}  // namespace portico::bench
