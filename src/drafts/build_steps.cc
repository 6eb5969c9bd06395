// A build step by step: each step's effect is the difference between the contents around it.
#include <map>
#include <optional>

#include "base/guarded.h"
#include "drafts/internal/drafts_impl.h"
#include "package/clone.h"
#include "package/context.h"
#include "package/inject.h"
#include "package/pipeline.h"
#include "packages/home.h"
#include "render/render.h"

namespace portico::drafts {

namespace {

// The input and output of one function.
struct Call {
  std::vector<krm::Item> before, after;
};

// Records calls in order; a failed call has no output.
class Recorder : public render::FunctionRunner {
 public:
  explicit Recorder(const render::FunctionRunner& inner) : inner_(inner) {}

  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override {
    Call call{input.items, {}};
    auto outcome = inner_.run(function, std::move(input));
    if (outcome && outcome->exit_code == 0) call.after = outcome->list.items;
    calls_.with([&](auto& calls) { calls.push_back(std::move(call)); });
    return outcome;
  }
  std::vector<Call> take() {
    return calls_.with([](auto& calls) { return std::exchange(calls, {}); });
  }

 private:
  const render::FunctionRunner& inner_;
  mutable Guarded<std::vector<Call>> calls_;
};

// A package as its resources by position, because a function with selectors sees only some of them.
class Resources {
 public:
  explicit Resources(const krm::Package& package) : package_(package) {}

  void replace(const Call& call) {
    for (const krm::Item& item : call.before) objects_of(path_of(item)).erase(item.index);
    for (const krm::Item& item : call.after) {
      auto& objects = objects_of(path_of(item));
      const bool free = item.index >= 0 && !objects.contains(item.index);
      const int last = objects.empty() ? 0 : objects.rbegin()->first + 1;
      objects.emplace(free ? item.index : last, item.object);
    }
  }
  krm::Package package() const {
    krm::Package out = package_;
    for (const auto& [path, objects] : changed_) {
      std::vector<krm::Object> list;
      for (const auto& [index, object] : objects) list.push_back(object);
      out.set(path, krm::Object::join_file(list));
    }
    return out;
  }

 private:
  static std::string path_of(const krm::Item& item) {
    return item.package.empty() ? item.file : item.package + "/" + item.file;
  }
  std::map<int, krm::Object>& objects_of(const std::string& path) {
    const auto [at, added] = changed_.try_emplace(path);
    const krm::File* file = added ? package_.find(path) : nullptr;
    if (file == nullptr) return at->second;
    if (const auto objects = file->objects())
      for (std::size_t i = 0; i < objects->size(); ++i)
        at->second.emplace(static_cast<int>(i), (*objects)[i]);
    return at->second;
  }

  const krm::Package& package_;
  std::map<std::string, std::map<int, krm::Object>> changed_;
};

std::string function_text(const render::PackageRun& package, const render::FunctionRun& function) {
  const std::string& program = function.image.empty() ? function.exec : function.image;
  std::string out = "function " + program;
  if (!function.name.empty()) out += fmt::format(" (\"{}\")", function.name);
  if (!package.folder.empty()) out += " of subpackage " + package.folder;
  return out;
}

}  // namespace

Result<std::vector<BuildStep>> DraftsImpl::build_steps(const DraftRequest& request,
                                                       const std::string& upstream_name) {
  PORTICO_TRY(const json::Value object, by_name(request.ns, upstream_name), "upstream");
  PORTICO_TRY(const Upstream upstream, upstream_of(object), "upstream");
  PORTICO_TRY(const packages::Home home,
              packages::home_of(registry_, request.ns, request.repository));
  std::vector<BuildStep> steps;
  const auto add = [&steps](std::string what, krm::Package content) {
    steps.push_back({std::move(what), std::make_shared<const krm::Package>(std::move(content))});
  };
  PORTICO_TRY(krm::Package package,
              package::clone(*upstream.content, {request.package, upstream.lock, home.deployment}));
  add("clone", package);
  if (request.mutations) {
    const Mutations& mutations = *request.mutations;
    PORTICO_TRY(package, package::set_context(std::move(package), mutations.context),
                "packageContext");
    add("packageContext of variant " + mutations.variant, package);
    PORTICO_TRY(package,
                package::set_pipeline(std::move(package), mutations.variant, mutations.pipeline),
                "pipeline");
    add("pipeline of variant " + mutations.variant, package);
    Built built;
    PORTICO_TRY(package, mutated(std::move(package), mutations, request.ns, built));
    std::string what = "injection of";
    for (const package::InjectionRecord& each : built.injected)
      what +=
          fmt::format("{} {} {}", &each == built.injected.data() ? "" : ",", each.kind, each.name);
    add(built.injected.empty() ? "injection" : what, package);
  }

  Recorder recorder(runner_);
  render::Options options;
  options.package_name = package::leaf_name(request.package);
  PORTICO_TRY(const render::Rendered rendered, render::render(package, recorder, options),
              "render");
  const std::vector<Call> calls = recorder.take();
  Resources resources(package);
  std::size_t at = 0;
  for (const render::PackageRun& run : rendered.packages)
    for (const render::FunctionRun& function : run.functions) {
      if (!function.ran || at == calls.size()) continue;
      const Call& call = calls[at++];
      if (function.validator || function.exit_code != 0) continue;
      resources.replace(call);
      add(function_text(run, function), resources.package());
    }
  if (!rendered.failure) add("render", rendered.package);
  return steps;
}

}  // namespace portico::drafts
