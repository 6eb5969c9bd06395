// How long a set of N variants takes from the applied set to N drafts in git, and one change at
// that size. Prints a table, or JSON with --json.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "base/clock.h"
#include "base/log.h"
#include "controllers/manager.h"
#include "fnrun/builtin.h"
#include "json/text.h"
#include "krm/object.h"
#include "revisions/embedded.h"
#include "revisions/lineage.h"
#include "store/embedded.h"

namespace {

using namespace portico;
using json::Value;
namespace fs = std::filesystem;

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
    store_options.indexes = revisions::indexes();
    registry_ = must(store::open_embedded(std::move(store_options)));
    runner_ = std::make_unique<fnrun::BuiltinRunner>();
    revisions_ = revisions::make_embedded({.registry = *registry_,
                                           .runner = *runner_,
                                           .clock = clock_,
                                           .mirrors = (folder_ / "mirrors").string()});
  }
  ~Bench() {
    manager_.reset();
    revisions_.reset();
    registry_.reset();
    if (!options_.keep) fs::remove_all(folder_);
  }

  void run() {
    const std::size_t repositories = options_.repositories != 0
                                         ? options_.repositories
                                         : std::max<std::size_t>(1, options_.variants / 100);
    std::vector<store::Write> setup;
    add_repository(setup, "blueprints", false);
    for (std::size_t i = 0; i < repositories; ++i)
      add_repository(setup, fmt::format("cluster-{:05}", i), true);
    for (int i = 0; i < 4; ++i)
      setup.push_back({store::Verb::kCreate, object(fmt::format(R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: region-{}
  namespace: default
data:
  region: region-{}
)",
                                                                i, i))});
    for (const auto& written : registry_->commit_each(setup)) must(written);

    const double registered = timed([&] { start(); });
    publish_blueprint();
    settle();

    const double total = timed([&] {
      apply_set(repositories);
      settle();
    });
    const auto [ready, failed] = count();
    const double change = timed([&] {
      must(registry_->commit({{store::Verb::kUpdate, one_variant_changed()}}));
      settle();
    });
    manager_->stop();
    report(repositories, registered, total, change, ready, failed);
  }

 private:
  template <class F>
  static double timed(F&& f) {
    const auto from = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  }

  void add_repository(std::vector<store::Write>& writes, const std::string& name, bool deployment) {
    const fs::path path = folder_ / (name + ".git");
    if (std::system(fmt::format("git init -q --bare -b main {}", path.string()).c_str()) != 0)
      die("git init failed");
    writes.push_back({store::Verb::kCreate, object(fmt::format(R"(
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
                                           .revisions = *revisions_,
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
    revisions::DraftRequest request;
    request.ns = "default";
    request.repository = "blueprints";
    request.package = "web";
    request.workspace = "v1";
    request.source = revisions::ReplaceSource{median_package()};
    request.actor = {"bench", "bench@localhost"};
    const Value draft = must(revisions_->draft(request)).object;
    const krm::ObjectKey key = krm::object_key(draft);
    must(revisions_->propose(key, request.actor));
    must(revisions_->approve(key, request.actor));
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
    must(registry_->commit({{store::Verb::kCreate, object(fmt::format(R"y(
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
      - nameExpr: "'region-' + string(size(target.package) % 4)"
)y",
                                                                      targets))}}));
  }

  std::pair<std::size_t, std::size_t> count() {
    const auto variants = must(registry_->list(
        {{std::string(api::kConfigGroup), std::string(api::kVariantKind)}, "default", {}, {}, {}}));
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

  Value one_variant_changed() {
    const auto variants = must(registry_->list(
        {{std::string(api::kConfigGroup), std::string(api::kVariantKind)}, "default", {}, {}, {}}));
    // As a person would: the set's own variant, so a value that the set does not manage is changed.
    const Value& one = variants.objects.at(variants.objects.size() / 2);
    return one.with_at({"spec", "pipeline"},
                       object("mutators:\n- image: set-annotations:v0.1.4\n  configMap:\n"
                              "    changed: \"yes\"\n"));
  }

  std::uintmax_t bytes_in_git() const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().string().find(".git/") != std::string::npos)
        bytes += entry.file_size();
    return bytes;
  }

  void report(std::size_t repositories, double registered, double total, double change,
              std::size_t ready, std::size_t failed) const {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    const double cpu = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                       static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    const auto git = static_cast<double>(bytes_in_git());
    const auto rate = static_cast<double>(options_.variants) / total;
    std::vector<std::pair<std::string, double>> rows{
        {"variants", static_cast<double>(options_.variants)},
        {"repositories", static_cast<double>(repositories)},
        {"ready", static_cast<double>(ready)},
        {"failed", static_cast<double>(failed)},
        {"register_seconds", registered},
        {"fanout_seconds", total},
        {"variants_per_second", rate},
        {"one_change_seconds", change},
        {"cpu_seconds", cpu},
        {"peak_megabytes", megabytes},
        {"git_bytes_per_variant", git / static_cast<double>(options_.variants)}};
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
  std::unique_ptr<store::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  std::unique_ptr<revisions::Revisions> revisions_;
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
