#include "conformance/internal/porch_replay.h"

#include <memory>
#include <optional>

#include "base/log.h"
#include "conformance/internal/porch_git.h"
#include "conformance/internal/porch_rules.h"
#include "conformance/support.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "drafts/tests/fleet.h"
#include "patch/patch.h"

namespace portico::conformance {
namespace {

using drafts::Fleet;
using drafts::must;
using json::Value;

constexpr std::chrono::seconds kLongestWait{20};
constexpr const char* kNs = "ns-a";

/// A server with all controllers, and the repositories of one case.
class PorchServer {
 public:
  explicit PorchServer(const Value& exchanges) {
    packages_ = controllers::reporting_to(reach_, *fleet_.registry, *fleet_.packages);
    drafts_ = drafts::make_drafts(*fleet_.registry, *packages_, fleet_.runner);
    server_ = must(apiserver::make_server({.registry = *fleet_.registry,
                                           .authenticator = by_header_,
                                           .clock = clock_,
                                           .packages = packages_.get(),
                                           .drafts = drafts_.get()},
                                          {.address = "<server>", .version = "test"}));
    replay_.emplace(*server_, rules_);
    manager_ = controllers::Manager::make(
        {.registry = *fleet_.registry,
         .log = log_,
         .controllers = controllers::all_controllers({.registry = *fleet_.registry,
                                                      .packages = *packages_,
                                                      .drafts = *drafts_,
                                                      .repository_health = reach_,
                                                      .clock = clock_,
                                                      .workers = 2})});
    must(manager_->start());
    must(replay_->post("/api/v1/namespaces",
                       Value::object({{"apiVersion", "v1"},
                                      {"kind", "Namespace"},
                                      {"metadata", Value::object({{"name", kNs}})}})));
    replay_->placeholders().set("<repo:none>", fleet_.path("none.git"));
    replay_->placeholders().set("<registry>", "ghcr.io/kptdev/krm-functions-catalog");
    for (const json::Member& each : exchanges["git"].members()) {
      const std::string name(each.name());
      must(make_repository(fleet_.bare(name), each.value));
      replay_->placeholders().set("<repo:" + name + ">", fleet_.bare(name));
    }
    for (const json::Member& each : exchanges["repositories"].members()) register_as(each);
    settle();
  }

  /// "" if the step's response matches the recorded one.
  std::string run(const Value& step) {
    if (step.contains("commit")) return commit(step["commit"]);
    if (step.contains("git")) return look(step);
    if (!step.contains("request")) return "";
    std::string text = replay_->run(step);
    settle();
    return text;
  }

 private:
  void register_as(const json::Member& each) {
    const std::string name(each.name());
    const Value object =
        Value::object({{"apiVersion", "config.porch.kpt.dev/v1alpha1"},
                       {"kind", "Repository"},
                       {"metadata", Value::object({{"name", name}})},
                       {"spec", Value::object({{"type", "git"},
                                               {"git", Value::object({{"repo", fleet_.bare(name)},
                                                                      {"branch", "main"}})}})}});
    must(replay_->post(
        fmt::format("/apis/config.porch.kpt.dev/v1alpha1/namespaces/{}/repositories", kNs),
        patch::apply_merge_patch(object, replay_->placeholders().filled(each.value))));
  }

  void settle() {
    manager_->wait_settled(kLongestWait, [](const controllers::Progress&) {});
  }

  std::string commit(const Value& commits) {
    for (const json::Member& each : commits.members()) {
      const std::string name(each.name());
      must(add_commits(fleet_.bare(name), each.value));
      for (const Value& repository : fleet_.all(drafts::kRepositoryType))
        if (repository["spec"]["git"]["repo"].as_string() == fleet_.bare(name))
          must(packages_->sync(repository));
    }
    settle();
    return "";
  }

  std::string look(const Value& step) {
    const auto have =
        look_at(fleet_.bare(std::string(step["git"]["repo"].as_string())), step["git"]);
    if (!have) return have.error().text() + "\n";
    // Commit messages differ here, and each change is one commit.
    Value want = step["result"].without("log"), had = *have;
    const std::string_view shown = step["git"]["show"].as_string();
    const std::string_view path = shown.substr(0, shown.rfind('@'));
    for (Value* each : {&want, &had})
      if (each->contains("show"))
        *each = each->with("show", PorchRules::file(path, (*each)["show"]));
    return replay_->placeholders().difference(want, had);
  }

  Fleet fleet_;
  SystemClock clock_;
  NoLog log_;
  ByHeader by_header_;
  PorchRules rules_;
  controllers::RepositoryHealth reach_;
  std::unique_ptr<packages::PackageStore> packages_;
  std::unique_ptr<drafts::Drafts> drafts_;
  std::unique_ptr<http::Handler> server_;
  std::optional<Replay> replay_;
  std::unique_ptr<controllers::Manager> manager_;  // last: it uses the members above
};

CaseResult run_case(const std::string& name, const std::filesystem::path& file) {
  const auto exchanges = read_exchanges(file);
  if (!exchanges) return failed(name, exchanges.error().text() + "\n");
  PorchServer server(*exchanges);
  int number = 0;
  for (const Value& step : (*exchanges)["steps"].items()) {
    ++number;
    if (const std::string text = server.run(step); !text.empty())
      return failed(name, fmt::format("step {}: {}", number, text));
  }
  return passed(name);
}

}  // namespace

std::vector<CaseResult> replay_porch_api(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const char* area : {"create", "discovery", "lifecycle", "list-watch", "repository",
                           "resources", "variant", "variantset"})
    for (const auto& file : files_with(data / area, ".yaml")) {
      const std::string name = fmt::format("{}/{}", area, file.stem().string());
      results.push_back(guarded(name, [&] { return run_case(name, file); }));
    }
  return results;
}

}  // namespace portico::conformance
