#include "conformance/internal/kube_replay.h"

#include <memory>
#include <optional>

#include "apiserver/server.h"
#include "conformance/internal/replay.h"
#include "conformance/support.h"
#include "engine/identities.h"
#include "krm/object.h"
#include "store/embedded.h"
#include "testing/cases.h"

namespace portico::conformance {
namespace {

using json::Value;

/// A separate server for one case, with an empty store.
class Server {
 public:
  static Result<std::unique_ptr<Server>> open(const Value& exchanges,
                                              const std::filesystem::path& crds) {
    std::unique_ptr<Server> out(new Server());
    PORTICO_TRY(out->registry_, store::open_embedded({}));
    PORTICO_TRY(out->identities_,
                engine::Identities::open({.folder = out->keys_.path(), .anonymous = true},
                                         *out->registry_, out->clock_, nullptr));
    out->by_header_.emplace(out->identities_.get());
    PORTICO_TRY(out->server_, apiserver::make_server({.registry = *out->registry_,
                                                      .authenticator = *out->by_header_,
                                                      .clock = out->clock_,
                                                      .tokens = out->identities_.get()},
                                                     {.address = "<server>", .version = "test"}));
    out->replay_.emplace(*out->server_, out->rules_);
    for (const Value& name : exchanges["crds"].items())
      PORTICO_DO(out->define(crds / (std::string(name.as_string()) + ".yaml")));
    const auto namespaces =
        exchanges["namespaces"].is_null() ? 1 : exchanges["namespaces"].as_int();
    for (int i = 0; i < namespaces; ++i) PORTICO_DO(out->make_namespace(i == 0 ? "ns-a" : "ns-bb"));
    return out;
  }

  std::string run(const Value& step) { return replay_->run(step); }

 private:
  Result<Done> define(const std::filesystem::path& file) {
    PORTICO_TRY(const std::string text, read_file(file));
    PORTICO_TRY(const krm::Object object, krm::Object::parse(text), file.string());
    return replay_->post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", object.value());
  }

  Result<Done> make_namespace(const std::string& name) {
    return replay_->post("/api/v1/namespaces",
                         Value::object({{"apiVersion", "v1"},
                                        {"kind", "Namespace"},
                                        {"metadata", Value::object({{"name", name}})}}));
  }

  portico::testing::TempDir keys_;
  SystemClock clock_;
  ReplayRules rules_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<engine::Identities> identities_;
  std::optional<ByHeader> by_header_;
  std::unique_ptr<http::Handler> server_;
  std::optional<Replay> replay_;
};

CaseResult run_case(const std::string& name, const std::filesystem::path& file) {
  const auto exchanges = read_exchanges(file);
  if (!exchanges) return failed(name, exchanges.error().text() + "\n");
  for (const Value& step : (*exchanges)["steps"].items())
    if (step.contains("kubectl") || step.contains("compact"))
      return skipped(name, "the replay has no kubectl and no compaction");
  auto replay = Server::open(*exchanges, file.parent_path().parent_path() / "crds");
  if (!replay) return failed(name, replay.error().text() + "\n");
  int number = 0;
  for (const Value& step : (*exchanges)["steps"].items()) {
    ++number;
    if (!step.contains("request")) continue;
    if (const std::string text = (*replay)->run(step); !text.empty())
      return failed(name, fmt::format("step {}: {}", number, text));
  }
  return passed(name);
}

}  // namespace

std::vector<CaseResult> replay_kube_api(const std::filesystem::path& data,
                                        std::string_view prefix) {
  std::vector<CaseResult> results;
  for (const auto& file : files_with(data, ".yaml")) {
    const std::string name = std::string(prefix) + file.stem().string();
    results.push_back(guarded(name, [&] { return run_case(name, file); }));
  }
  return results;
}

}  // namespace portico::conformance
