#include "engine/cluster_server.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <limits>
#include <stop_token>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "cluster/membership.h"
#include "cluster/mirror.h"
#include "cluster/remote_registry.h"
#include "controllers/events.h"
#include "drafts/drafts.h"
#include "engine/cluster_authorities.h"
#include "engine/cluster_process.h"
#include "engine/cluster_system.h"
#include "engine/delegated_access.h"
#include "engine/members_share.h"
#include "engine/operations.h"
#include "engine/scratch.h"
#include "engine/settling.h"
#include "gitpackages/git_packages.h"
#include "packages/lineage.h"
#include "packages/package_revs.h"
#include "registry/forwarding_registry.h"
#include "store/embedded.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr std::chrono::milliseconds kLongestPlan = std::chrono::minutes(10);

// What API clients read: the cluster's current state. A PackageRev that is read also updates the
// mirror, so that a following write never decides on an older state.
class FreshReads : public registry::ForwardingRegistry {
 public:
  FreshReads(registry::Registry& remote, cluster::Mirror& mirror)
      : ForwardingRegistry(remote), remote_(remote), mirror_(mirror) {}

  Result<Value> get(const krm::ObjectKey& key) const override {
    if (key.type != packages::package_rev_kind()) return remote_.get(key);
    const registry::ResourceVersion since = mirror_.version();
    auto found = remote_.get(key);
    if (found) {
      mirror_.wrote(*found, since);
    } else if (found.error().code == Code::kNotFound) {
      if (const auto known = mirror_.get(key)) mirror_.wrote_gone(*known, since);
    }
    return found;
  }
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    return mirror_.commit(writes);
  }
  std::vector<Result<Value>> commit_each(const std::vector<registry::Write>& writes) override {
    return mirror_.commit_each(writes);
  }
  // Reads are never older than any version a client has seen.
  registry::ResourceVersion version() const override {
    return std::numeric_limits<registry::ResourceVersion>::max();
  }

 private:
  registry::Registry& remote_;
  cluster::Mirror& mirror_;
};

// No replica knows the other replicas' backlog; the object status is used instead.
class ClusterOperations : public SystemOperations {
 public:
  ClusterOperations(ClusterSystem& system, const registry::Registry& remote,
                    const registry::Registry& shown, cluster::Mirror& mirror, const Clock& clock)
      : SystemOperations(system), remote_(remote), shown_(shown), mirror_(mirror), clock_(clock) {}

  Result<std::string> dump() override {
    return not_found(
        "a server on a cluster knows only its own share; see the logs and /metrics of each server");
  }

 protected:
  Result<controllers::Plan> wait_settled(registry::ResourceVersion since,
                                         const std::set<krm::ObjectKey>& asked,
                                         const std::function<void(const FleetProgress&)>& report,
                                         const std::stop_token& stop) override {
    // `since` is a version of the cluster, from before the request; the cluster keeps it for
    // minutes.
    Result<std::unique_ptr<registry::Registry>> before = std::unique_ptr<registry::Registry>();
    if (since > 0) before = copy_of_fleet(shown_, since);
    for (const krm::ObjectKey& key : asked) catch_up(key);
    return wait_for_objects(system().registry(), clock_,
                            {.asked = asked,
                             .before = before ? before->get() : nullptr,
                             .report = report,
                             .given_up = [&] { return stop.stop_requested(); }});
  }
  std::chrono::milliseconds longest() const override { return kLongestPlan; }

 private:
  // The caller has seen the object's current state in the cluster, so nothing older may be decided
  // on. An object that cannot be read here is not handled by any replica.
  void catch_up(krm::ObjectKey key) {
    if (key.type == api::revision_kind()) key.type = packages::package_rev_kind();
    const registry::ResourceVersion before = mirror_.version();
    const auto known = mirror_.get(key);
    if (!known && known.error().code != Code::kNotFound) return;
    const auto now = remote_.get(key);
    if (now)
      mirror_.wrote(*now, before);
    else if (known && now.error().code == Code::kNotFound)
      mirror_.wrote_gone(*known, before);
  }

  const registry::Registry& remote_;
  const registry::Registry& shown_;  // `remote`, with package revisions
  cluster::Mirror& mirror_;
  const Clock& clock_;
};

class ClusterServerImpl : public ClusterServer {
 public:
  explicit ClusterServerImpl(Options options) : options_(std::move(options)) {}

  Result<Done> open(const Globals& globals) {
    std::error_code error;
    std::filesystem::create_directories(options_.folder, error);
    if (error) return unavailable("cannot create \"{}\": {}", options_.folder, error.message());
    std::filesystem::permissions(options_.folder, std::filesystem::perms::owner_all, error);
    remove_all_scratch(options_.folder, "rehearsal");
    PORTICO_TRY(process_,
                ClusterProcess::connect(globals, {.program = "portico-server",
                                                  .lease_ns = options_.lease_ns,
                                                  .lease_duration = options_.lease_duration,
                                                  .at_end = ClusterProcess::AtEnd::kFinish,
                                                  .log = options_.log,
                                                  .meter = options_.meter,
                                                  .tracer = options_.tracer}));
    return Done{};
  }

  const std::string& cluster() const override { return process_->cluster(); }
  Result<Done> run(const std::atomic<bool>& stop,
                   const std::function<void(const std::string& url)>& serving) override {
    return process_->run(stop, [&](const std::stop_token&) { return serve(serving); });
  }
  Result<Done> ready() const override { return process_->ready(); }

 private:
  Result<Done> serve(const std::function<void(const std::string& url)>& serving) {
    const std::vector<krm::GroupKind> kinds = {api::repository_kind(), packages::package_rev_kind(),
                                               api::variant_kind(), api::variant_set_kind()};
    const auto indexes = packages::indexes();
    const auto mirror =
        cluster::make_mirror(process_->api(), {.indexes = packages::over_package_revs(indexes),
                                               .kinds = kinds,
                                               .direct = {controllers::event_kind()},
                                               .metadata_of_others = true,
                                               .whole = {api::function_config_kind()},
                                               .log = options_.log.get(),
                                               .stop = process_->calls()});
    PORTICO_DO(process_->wait_for_lists(*mirror, kinds));
    if (process_->is_over()) return Done{};
    const auto known = packages::revisions_over_package_revs(*mirror, indexes);
    const auto remote = cluster::make_remote_registry(
        process_->api(), {.indexes = packages::over_package_revs(indexes)});
    gitpackages::Options git_options = git_options_of_cluster(
        *known, process_->clock(), options_.folder, options_.local_repositories);
    git_options.secrets = remote.get();
    git_options.log = options_.log;
    git_options.meter = options_.meter;
    git_options.stopped = process_->programs();
    const auto git = gitpackages::make_git_packages(git_options);
    const auto runner = process_->make_runner(*known, options_.meter);
    const auto drafts = drafts::make_drafts(*known, *git, *runner);
    FreshReads fresh(*remote, *mirror);
    const auto shown = packages::revisions_over_package_revs(fresh, indexes);
    DelegatedAccess access(process_->api(), process_->clock());
    ClusterSystem system({.process = *process_,
                          .known = *known,
                          .remote = *remote,
                          .packages = *git,
                          .folder = options_.folder,
                          .local_repositories = options_.local_repositories,
                          .log = options_.log});
    ClusterOperations operations(system, *remote, *shown, *mirror, process_->clock());
    PORTICO_TRY(const auto own, store::open_in_memory({}, {}, 1));
    PORTICO_TRY(const ApiServer::Authorities known_by, cluster_authorities(*remote));
    PORTICO_TRY(const auto server, ApiServer::start(api_options(known_by, access),
                                                    {.registry = *shown,
                                                     .packages = *git,
                                                     .drafts = *drafts,
                                                     .clock = process_->clock(),
                                                     .log = *options_.log,
                                                     .operations = &operations,
                                                     .own = own.get(),
                                                     .authorizer = &access,
                                                     .meter = options_.meter,
                                                     .tracer = options_.tracer,
                                                     .only_group = std::string(api::kPorchGroup)}));
    process_->say_ready("");
    serving(server->url());
    const FollowedAuthorities following(*remote, *server, known_by, *options_.log);
    return work(*known, *git, *mirror);
  }

  /// Runs the controllers for this member's share until the process ends.
  Result<Done> work(registry::Registry& known, packages::PackageStore& git,
                    cluster::Mirror& mirror) {
    const auto leases = cluster::make_remote_registry(process_->lease_api(), {});
    const std::string member = member_name(process_->name());
    MembersShare share(member);
    PORTICO_TRY(const auto membership,
                cluster::Membership::start({.registry = *leases,
                                            .clock = process_->clock(),
                                            .ns = process_->lease_ns(),
                                            .group = options_.group,
                                            .member = member,
                                            .duration = options_.lease_duration,
                                            .log = options_.log.get(),
                                            .changed =
                                                [&](const std::vector<std::string>& members) {
                                                  tell(members);
                                                  share.set(members);
                                                },
                                            .reached_again = [&mirror] { mirror.listen_again(); }}),
                "Lease " + member);
    share.lives_by([&membership] { return membership->lives(); });
    return process_->run_controllers({.registry = known,
                                      .packages = git,
                                      .repositories = true,
                                      .resync = options_.resync,
                                      .share = &share});
  }

  void tell(const std::vector<std::string>& members) const {
    options_.log->info("members", {{"live", fmt::format("{}", fmt::join(members, " "))}});
    if (options_.meter != nullptr)
      options_.meter->set("portico_server_members",
                          "Servers that share the work, as seen by this server.", {},
                          static_cast<double>(members.size()));
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

  const Options options_;
  std::unique_ptr<ClusterProcess> process_;
};

}  // namespace

Result<std::unique_ptr<ClusterServer>> ClusterServer::make(const Context& context,
                                                           Options options) {
  auto out = std::make_unique<ClusterServerImpl>(std::move(options));
  PORTICO_DO(out->open(context.globals));
  return std::unique_ptr<ClusterServer>(std::move(out));
}

}  // namespace portico::engine
