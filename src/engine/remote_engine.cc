#include "engine/remote_engine.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

#include "api/kinds.h"
#include "apiserver/package_revisions.h"
#include "base/pause.h"
#include "cluster/mirror.h"
#include "cluster/remote_registry.h"
#include "cluster/status.h"
#include "controllers/plan_wire.h"
#include "engine/fleet_progress.h"
#include "engine/settling.h"
#include "engine/state.h"
#include "engine/target.h"
#include "http/escape.h"
#include "packages/lineage.h"
#include "porch/package_store.h"
#include "porch/porch.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr int kSeconds = 600;                          // for a call, without --timeout
constexpr int kQuickEnds = 5;                          // of responses, consecutive
constexpr std::chrono::milliseconds kFirstPause{250};  // before the third try; then doubled
constexpr std::chrono::seconds kLasted{1};             // a shorter response counts as a quick end
constexpr const char* kSocket = "api.sock";

// A path to the socket in an open folder, valid for folder paths of any length.
std::string through(const Fd& folder) {
  return fmt::format("/proc/self/fd/{}/{}", folder.get(), kSocket);
}

Fd open_folder(const std::string& folder) {
  return Fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

std::string socket_path(const std::string& folder) { return folder + "/" + kSocket; }

bool serves(const std::string& folder) {
  const Fd opened = open_folder(folder);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!opened || !socket) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = through(opened);
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

Result<std::unique_ptr<RemoteEngine>> RemoteEngine::connect(const Context& context,
                                                            Packages packages) {
  std::unique_ptr<RemoteEngine> out(new RemoteEngine(context));
  PORTICO_TRY(kubeconfig::Target target, target_of(context.globals, out->clock_));
  PORTICO_DO(out->open(std::move(target.client), packages));
  return out;
}

Result<std::unique_ptr<RemoteEngine>> RemoteEngine::connect_to(const std::string& folder,
                                                               const Context& context) {
  std::unique_ptr<RemoteEngine> out(new RemoteEngine(context));
  out->folder_ = open_folder(folder);
  if (!out->folder_) return file_error("open", folder, errno);
  http::ClientOptions client;
  client.server = "http://portico";
  client.unix_socket = through(out->folder_);
  client.proxy = "";
  const packages::Actor actor = current_actor();
  client.headers.set(
      apiserver::kAuthorHeader,
      fmt::format("{} <{}>", http::percent_encode(actor.name), http::percent_encode(actor.email)));
  if (!context.globals.as.empty()) client.headers.set("Impersonate-User", context.globals.as);
  for (const std::string& group : context.globals.as_groups)
    client.headers.add("Impersonate-Group", group);
  PORTICO_DO(out->open(std::move(client), Packages::kThere));
  return out;
}

std::chrono::milliseconds RemoteEngine::time_left() const {
  return deadline_.left(std::chrono::seconds(kSeconds));
}

Result<Done> RemoteEngine::open(http::ClientOptions client, Packages packages) {
  client.user_agent = "portico";
  PORTICO_TRY(auto connection, http::Client::make(std::move(client)));
  api_ = std::make_unique<cluster::Api>(
      std::move(connection),
      cluster::ApiOptions{.field_manager = "portico", .time = [this] { return time_left(); }});
  registry_ = cluster::make_remote_registry(
      *api_, {.indexes = packages::indexes(),
              .selectable = {{api::revision_kind(), {"spec.repository", "spec.packageName"}}}});
  packages_ = porch::make_revisions(*api_);
  drafts_ = porch::make_drafts(*api_);
  // Before any write: later actions are reported from this version on.
  const auto now = registry_->list({.type = api::revision_kind(), .ns = ns_, .limit = 1});
  if (now) since_ = now->version;
  const bool away = !now && now.error().code == Code::kUnavailable;
  if (away && packages == Packages::kThere) return now.error();
  return Done{};
}

Result<Value> RemoteEngine::follow_once(const std::string& target, const Value& body,
                                        std::string_view doing, terminal::Terminal& terminal) {
  std::optional<Result<Value>> result;
  const auto began = std::chrono::steady_clock::now();
  FleetProgress standing;
  // The stream ends with the command's deadline; a stream that ends by itself is not waited for.
  std::stop_source stopping;
  std::promise<void> over;
  std::jthread timer([&, done = over.get_future()] {
    if (done.wait_for(time_left()) == std::future_status::timeout) stopping.request_stop();
  });
  const auto done = api_->lines("POST", target, body, stopping.get_token(), [&](const Value& line) {
    if (const Value* made = line.find("result")) {
      result = *made;
      return false;
    }
    if (const Value* error = line.find("error")) {
      result = cluster::error_of_status(*error);
      return false;
    }
    standing = standing_from_json(line["progress"]);
    draw(standing, doing, terminal);
    return true;
  });
  over.set_value();
  terminal.progress_done();
  if (standing.variants > 0)
    terminal.progress_summary("reconciled",
                              summary(standing, std::chrono::steady_clock::now() - began));
  if (result) return *std::move(result);
  // A response that is cut off is requested again, like one that ends early.
  const bool cut = !done && done.error().code == Code::kUnavailable &&
                   done.error().reason == Reason::kByCode && !stopping.stop_requested();
  if (cut) return Error(done.error()).because(Reason::kExpired);
  if (!done) return done.error();
  if (stopping.stop_requested()) return not_settled();
  return unavailable("the server closed the response early; try again").because(Reason::kExpired);
}

// Retries a response that ended because a proxy timed out or the server was replaced: the request
// is still valid.
Result<Value> RemoteEngine::follow(const std::string& target, const Value& body,
                                   std::string_view doing, terminal::Terminal& terminal) {
  auto pause = std::chrono::milliseconds(0);
  for (int quick = 0;;) {
    const auto began = std::chrono::steady_clock::now();
    auto done = follow_once(target, body, doing, terminal);
    if (done || done.error().reason != Reason::kExpired) return done;
    const auto now = std::chrono::steady_clock::now();
    if (now - began >= kLasted) {
      quick = 0;
      pause = std::chrono::milliseconds(0);
    } else if (++quick > kQuickEnds) {
      return done;
    }
    if (time_left().count() == 0 || !pause_until(now + pause, stop_)) return done;
    pause = pause.count() == 0 ? kFirstPause : pause * 2;
  }
}

Result<controllers::Plan> RemoteEngine::settle(terminal::Terminal& terminal,
                                               const std::set<krm::ObjectKey>& asked) {
  std::vector<Value> objects;
  for (const krm::ObjectKey& key : asked) objects.push_back(reference_to(key));
  const std::string target =
      "/apis/portico.dev/v1/namespaces/" + http::percent_encode(ns_) + "/settled/all/proxy";
  const Value body =
      Value::object({{"since", since_}, {"asked", Value::array(std::move(objects))}});
  const auto done = follow(target, body, "reconciling", terminal);
  if (done) return controllers::plan_from_wire(*done);
  if (done.error().code == Code::kNotFound) return settle_here(terminal, asked);
  return done.error();
}

// The controllers run in processes that cannot be queried; the objects' status shows their
// progress.
Result<controllers::Plan> RemoteEngine::settle_here(terminal::Terminal& terminal,
                                                    const std::set<krm::ObjectKey>& asked) {
  const std::vector<krm::GroupKind> kinds = {api::repository_kind(), api::revision_kind(),
                                             api::variant_kind(), api::variant_set_kind()};
  const auto mirror = cluster::make_mirror(*api_, {.indexes = packages::indexes(),
                                                   .kinds = kinds,
                                                   .ns = ns_,
                                                   .relisted = {api::revision_kind()},
                                                   .shown = porch::without_half_made});
  const auto began = std::chrono::steady_clock::now();
  FleetProgress last;
  auto done = wait_for_objects(*mirror, clock_,
                               {.asked = asked,
                                .repositories = false,
                                .report =
                                    [&](const FleetProgress& standing) {
                                      last = standing;
                                      draw(standing, "reconciling", terminal);
                                    },
                                .given_up = [&] { return time_left().count() == 0; }});
  terminal.progress_done();
  if (done && last.variants > 0)
    terminal.progress_summary("reconciled",
                              summary(last, std::chrono::steady_clock::now() - began));
  if (!done && time_left().count() == 0) return not_settled();
  if (!done)
    return unavailable(
               "the change is saved, but cannot wait for the controllers: {}; check portico "
               "status, or use --no-wait",
               done.error().text())
        .because(Reason::kMethodNotAllowed);
  return done;
}

Error RemoteEngine::not_settled() const {
  return unavailable(
             "not settled after {} s; the server continues; wait again with --wait, or increase "
             "--timeout",
             deadline_.seconds() > 0 ? deadline_.seconds() : kSeconds)
      .because(Reason::kTimeout);
}

Result<std::string> RemoteEngine::dump() {
  PORTICO_TRY(const Value answer, api_->call("GET", "/apis/portico.dev/v1/dump", Value()));
  return std::string(answer["text"].as_string());
}

Result<std::string> dump_of_server(const Context& context) {
  if (names_server(context.globals)) {
    PORTICO_TRY(const auto named, RemoteEngine::connect(context));
    return named->dump();
  }
  PORTICO_TRY(const std::string folder, find_state(context.globals.state));
  if (!serves(folder))
    return not_found(
        "`portico serve` is not running on {}; without it, each command reports what it does",
        folder);
  PORTICO_TRY(const auto served, RemoteEngine::connect_to(folder, context));
  return served->dump();
}

Result<Rehearsed> RemoteEngine::rehearse(const Changes& changes, terminal::Terminal& terminal) {
  PORTICO_TRY(
      const Value done,
      follow("/apis/portico.dev/v1/namespaces/" + http::percent_encode(changes.ns) +
                 "/rehearsals/one/proxy",
             to_json(changes).with("timeoutSeconds", deadline_.seconds()), "planning", terminal));
  PORTICO_TRY(Rehearsed out, rehearsed_from_json(done));
  if (out.removed.size() != changes.remove.size())
    return unavailable("the server reported {} deletions, but {} were requested",
                       out.removed.size(), changes.remove.size());
  return out;
}

}  // namespace portico::engine
