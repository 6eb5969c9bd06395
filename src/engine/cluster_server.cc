#include "engine/cluster_server.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "base/monitor.h"
#include "base/stop.h"
#include "cluster/lease.h"
#include "cluster/membership.h"
#include "cluster/mirror.h"
#include "cluster/remote_registry.h"
#include "drafts/drafts.h"
#include "engine/cluster_authorities.h"
#include "engine/cluster_calls.h"
#include "engine/delegated_access.h"
#include "engine/members_share.h"
#include "engine/stop.h"
#include "engine/target.h"
#include "engine/version.h"
#include "gitpackages/git_packages.h"
#include "packages/lineage.h"
#include "packages/package_revs.h"
#include "registry/through.h"
#include "store/embedded.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr std::chrono::seconds kRetry{3};

// What clients of the API read: what the cluster has now. What is read is known to the mirror from
// then on, so that a write that follows decides on nothing older.
class FreshReads : public registry::Through {
 public:
  FreshReads(registry::Registry& remote, cluster::Mirror& mirror)
      : Through(remote), remote_(remote), mirror_(mirror) {}

  Result<Value> get(const krm::ObjectKey& key) const override {
    auto found = remote_.get(key);
    if (key.type != packages::package_rev_kind()) return found;
    if (found) {
      mirror_.wrote(*found);
    } else if (found.error().code == Code::kNotFound) {
      if (const auto known = mirror_.get(key)) mirror_.wrote_gone(*known);
    }
    return found;
  }
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    return mirror_.commit(writes);
  }
  std::vector<Result<Value>> commit_each(const std::vector<registry::Write>& writes) override {
    return mirror_.commit_each(writes);
  }
  // Whatever version a client has seen, what is read is not older.
  registry::ResourceVersion version() const override {
    return std::numeric_limits<registry::ResourceVersion>::max();
  }

 private:
  registry::Registry& remote_;
  cluster::Mirror& mirror_;
};

class ClusterServerImpl : public ClusterServer {
 public:
  ClusterServerImpl(const Context& context, Options options)
      : globals_(context.globals), options_(std::move(options)) {}

  Result<Done> open() {
    std::error_code error;
    std::filesystem::create_directories(options_.folder, error);
    if (error) return unavailable("\"{}\" cannot be made: {}", options_.folder, error.message());
    std::filesystem::permissions(options_.folder, std::filesystem::perms::owner_all, error);
    PORTICO_TRY(kubeconfig::Target target, target_of_pod(globals_, clock_));
    target.client.user_agent = fmt::format("portico-server/{}", version());
    cluster_ = target.client.server;
    if (options_.lease_ns.empty()) options_.lease_ns = target.ns;
    PORTICO_TRY(api_, connect(target.client,
                              {.field_manager = "portico-server", .stop = stopping_.get_token()}));
    PORTICO_TRY(lease_api_,
                connect(target.client, {.field_manager = "portico-server",
                                        .time = [time = cluster::Lease::call_time(
                                                     options_.lease_duration)] { return time; }}));
    return Done{};
  }

  const std::string& cluster() const override { return cluster_; }

  Result<Done> run(const std::atomic<bool>& stop,
                   const std::function<void(const std::string& url)>& serving) override {
    std::atomic<bool> over = false;
    Result<Done> ended = Done{};
    std::jthread work([&](const std::stop_token& token) {
      ended = serve(token, serving);
      over = true;
      end_wait_for_signal();
    });
    while (!stop && !over) wait_for_signal();
    work.request_stop();
    work.join();
    return ended;
  }

  Result<Done> ready() const override {
    return state_.with([](const State& state) -> Result<Done> {
      if (state.not_ready.empty()) return Done{};
      return unavailable("{}", state.not_ready);
    });
  }

 private:
  struct State {
    std::string not_ready = "it has not reached the cluster yet";
    bool stop = false;
  };

  Result<Done> serve(const std::stop_token& token,
                     const std::function<void(const std::string& url)>& serving) {
    const std::stop_callback ends(token, [this] { end(); });
    const std::vector<krm::GroupKind> kinds = {api::repository_kind(), packages::package_rev_kind(),
                                               api::variant_kind(), api::variant_set_kind()};
    const auto indexes = packages::indexes();
    const auto mirror =
        cluster::make_mirror(*api_, {.indexes = packages::over_package_revs(indexes),
                                     .kinds = kinds,
                                     .selected = {{{"", "Event"}, "reportingComponent=portico"}},
                                     .log = options_.log.get(),
                                     .stop = stopping_.get_token()});
    PORTICO_DO(wait_for_lists(
        *mirror, kinds, [this] { return is_over(); },
        [this](const std::string& why) { say_ready(why); }, [this] { pause(); }));
    if (is_over()) return Done{};
    const auto known = packages::revisions_over_package_revs(*mirror, indexes);
    const auto remote =
        cluster::make_remote_registry(*api_, {.indexes = packages::over_package_revs(indexes)});
    const auto git =
        gitpackages::make_git_packages({.registry = *known,
                                        .clock = clock_,
                                        .secrets = remote.get(),
                                        .local_repositories = options_.local_repositories,
                                        .local_drafts = false,
                                        .mirrors = options_.folder + "/mirrors",
                                        .log = options_.log,
                                        .meter = options_.meter,
                                        .stopped = programs_.stop()});
    const auto runner = make_runner_for(*known, globals_, options_.meter, programs_.stop());
    const auto drafts = drafts::make_drafts(*known, *git, *runner);
    FreshReads fresh(*remote, *mirror);
    const auto shown = packages::revisions_over_package_revs(fresh, indexes);
    DelegatedAccess access(*api_, clock_);
    PORTICO_TRY(const auto own, store::open_in_memory({}, {}, 1));
    PORTICO_TRY(const ApiServer::Authorities known_by, cluster_authorities(*remote));
    PORTICO_TRY(const auto server, ApiServer::start(api_options(known_by, access),
                                                    {.registry = *shown,
                                                     .packages = *git,
                                                     .drafts = *drafts,
                                                     .clock = clock_,
                                                     .log = *options_.log,
                                                     .own = own.get(),
                                                     .authorizer = &access,
                                                     .tracer = options_.tracer,
                                                     .only_group = std::string(api::kPorchGroup)}));
    say_ready("");
    serving(server->url());
    const FollowedAuthorities following(*remote, *server, known_by, *options_.log);
    return work(*known, *git, *mirror);
  }

  /// The controllers, for what is this member's, until all ends.
  Result<Done> work(registry::Registry& known, packages::PackageStore& git,
                    cluster::Mirror& mirror) {
    const auto leases = cluster::make_remote_registry(*lease_api_, {});
    MembersShare share(name_);
    PORTICO_TRY(const auto membership,
                cluster::Membership::start(
                    {.registry = *leases,
                     .clock = clock_,
                     .ns = options_.lease_ns,
                     .group = options_.group,
                     .member = name_,
                     .duration = options_.lease_duration,
                     .log = options_.log.get(),
                     .changed =
                         [&](const std::vector<std::string>& members) {
                           options_.log->info(
                               "members", {{"live", fmt::format("{}", fmt::join(members, " "))}});
                           if (options_.meter != nullptr)
                             options_.meter->set(
                                 "portico_server_members",
                                 "Servers that share the work, as this one sees them.", {},
                                 static_cast<double>(members.size()));
                           share.set(members);
                         },
                     .reached_again = [&mirror] { mirror.listen_again(); }}),
                "Lease " + name_);
    share.lives_by([&membership] { return membership->lives(); });
    return run_controllers({.registry = known,
                            .packages = git,
                            .globals = globals_,
                            .clock = clock_,
                            .log = *options_.log,
                            .meter = options_.meter,
                            .tracer = options_.tracer,
                            .stopped = programs_.stop(),
                            .repositories = true,
                            .resync = options_.resync,
                            .share = &share},
                           [this] {
                             options_.log->info("works");
                             state_.wait([](const State& state) { return state.stop; },
                                         [](State&) {});
                             stopping_.request_stop();
                           });
  }

  ApiServer::Options api_options(const ApiServer::Authorities& known,
                                 DelegatedAccess& access) const {
    ApiServer::Options out = options_.api;
    out.folder = options_.folder;
    out.for_owner = false;
    out.more_client_ca = known.clients;
    out.identities.front_proxy_pem = known.front_proxy;
    out.identities.front_proxy_names = known.front_proxy_names;
    out.identities.review_elsewhere = [&access](const std::string& token) {
      return access.user_of_token(token);
    };
    return out;
  }

  void end() {
    programs_.ask();
    const bool serving = state_.change([](State& state) {
      state.stop = true;
      const std::string before = std::exchange(state.not_ready, "it is being stopped");
      return before.empty();
    });
    // Who serves brings to an end what is under way; until then there is nothing but waits.
    if (!serving) stopping_.request_stop();
  }
  bool is_over() const {
    return state_.with([](const State& state) { return state.stop; });
  }
  void say_ready(std::string not_ready) {
    state_.change([&](State& state) {
      if (!state.stop) state.not_ready = std::move(not_ready);
    });
  }
  void pause() {
    state_.wait_until(
        std::chrono::steady_clock::now() + kRetry, [](const State& state) { return state.stop; },
        [](State&) {});
  }

  const Globals globals_;
  Options options_;
  SystemClock clock_;
  const std::string name_ = member_name(own_name());
  std::string cluster_;
  std::stop_source stopping_;  // calls
  StopSource programs_;
  std::unique_ptr<cluster::Api> api_, lease_api_;
  Monitor<State> state_;
};

}  // namespace

Result<std::unique_ptr<ClusterServer>> ClusterServer::make(const Context& context,
                                                           Options options) {
  auto out = std::make_unique<ClusterServerImpl>(context, std::move(options));
  PORTICO_DO(out->open());
  return std::unique_ptr<ClusterServer>(std::move(out));
}

}  // namespace portico::engine
