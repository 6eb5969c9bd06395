#include "cluster/mirror.h"

#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "base/guarded.h"
#include "base/lru_cache.h"
#include "base/monitor.h"
#include "cluster/internal/copy.h"
#include "cluster/internal/initial_events.h"
#include "cluster/remote_registry.h"
#include "json/pool.h"
#include "json/text.h"
#include "registry/hub.h"
#include "registry/listing.h"
#include "registry/no_object.h"
#include "registry/write_rules.h"
#include "store/embedded.h"

namespace portico::cluster {

using json::Value;
using registry::Listing;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Verb;
using registry::Write;

namespace {

reflector::EventType type_of(WatchEvent::Type type) {
  switch (type) {
    case WatchEvent::Type::kAdded:
      return reflector::EventType::kAdded;
    case WatchEvent::Type::kModified:
      return reflector::EventType::kModified;
    case WatchEvent::Type::kDeleted:
      return reflector::EventType::kDeleted;
    case WatchEvent::Type::kBookmark:
      break;
  }
  return reflector::EventType::kBookmark;
}

// Permissions may be granted at any time, and an API server that has just started knows none. A
// caller that waited for a change of the object would wait in vain.
Error may_pass(Error error) {
  const bool refused = error.reason == Reason::kForbidden || error.reason == Reason::kUnauthorized;
  if (refused && error.code == Code::kInvalid) error.code = Code::kUnavailable;
  return error;
}

// Parts of objects that later ones may share: more than those of hundreds of objects.
constexpr std::size_t kPooled = 8192;

// Bytes of objects, as JSON, of kinds of which otherwise only the metadata are kept.
constexpr std::size_t kWhole = std::size_t{32} << 20;

// For an object that the watch reports while it is read.
constexpr int kMostReads = 3;

double system_random() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(random);
}

class FollowingMirror : public Mirror {
 public:
  FollowingMirror(Api& api, MirrorOptions options)
      : api_(api),
        options_(std::move(options)),
        remote_(make_remote_registry(api, {.indexes = options_.indexes, .page = options_.page})),
        copy_(options_.indexes, options_.watch_window),
        hub_(std::make_shared<registry::Hub>(
            copy_.with([](const Copy& copy) { return copy.state(); }))) {
    if (!options_.random) options_.random = system_random;
    options_.whole.insert(options_.kinds.begin(), options_.kinds.end());
    for (const krm::GroupKind& kind : options_.kinds) follow(kind);
  }

  ~FollowingMirror() override {
    // Request all stops first, so that no thread retries when its wait ends.
    threads_.with([](auto& all) {
      for (std::jthread& thread : all) thread.request_stop();
    });
    followed_.change([](Followed& followed) { followed.ends = true; });
    auto threads = threads_.with([](auto& all) { return std::exchange(all, {}); });
    for (std::jthread& thread : threads) thread.request_stop();
    threads.clear();
    hub_->close();
  }

  Result<Value> get(const krm::ObjectKey& key) const override {
    if (options_.direct.contains(key.type)) return remote_->get(key);
    PORTICO_DO(wait_for(key.type), key.text());
    const auto state = hub_->state();
    const Value* const object = state->table.find(key);
    if (object == nullptr) return registry::no_object(key);
    return is_whole(key.type) ? Result<Value>(*object) : whole(key, *object);
  }

  Result<Listing> list(const Query& query) const override {
    if (options_.direct.contains(query.type)) return remote_->list(query);
    if (!query.type.kind.empty()) PORTICO_DO(wait_for(query.type));
    return registry::list(*hub_->state(), query);
  }

  const std::vector<registry::IndexedField>& fields() const override { return options_.indexes; }

  std::vector<krm::GroupKind> kinds() const override { return hub_->state()->table.kinds(); }

  Result<std::vector<Value>> commit(const std::vector<Write>& writes) override {
    std::vector<Value> out;
    out.reserve(writes.size());
    for (const Write& write : writes) {
      PORTICO_TRY(Value written, write_one(write));
      out.push_back(std::move(written));
    }
    return out;
  }

  Result<std::vector<Value>> dry_run(const std::vector<Write>& writes) const override {
    return remote_->dry_run(writes);
  }

  std::vector<Result<Value>> commit_each(const std::vector<Write>& writes) override {
    std::vector<Result<Value>> out;
    out.reserve(writes.size());
    for (const Write& write : writes) out.push_back(write_one(write));
    return out;
  }

  std::unique_ptr<registry::Watch> watch(const Query& query, ResourceVersion from,
                                         registry::OnReady on_ready) override {
    if (!query.type.kind.empty()) follow(query.type);
    return registry::watch_hub(hub_, query, from, std::move(on_ready));
  }

  ResourceVersion version() const override { return hub_->state()->version(); }

  Result<std::unique_ptr<Registry>> fork() const override {
    const auto state = hub_->state();
    PORTICO_TRY(Listing all, registry::list(*state, {}));
    PORTICO_DO(complete(all.objects));
    ResourceVersion latest = state->version();
    for (const Value& object : all.objects)
      latest = std::max(latest, krm::resource_version_of(object));
    store::EmbeddedOptions options;
    options.indexes = options_.indexes;
    options.owners_elsewhere = true;  // of kinds that are not followed
    return store::open_in_memory(std::move(options), all.objects, latest);
  }

  void wrote(const Value& object, ResourceVersion since) override {
    if (!take_response(object, since)) refresh(krm::object_key(object));
  }
  void wrote_gone(const Value& last, ResourceVersion since) override {
    change([&](Copy& copy) { copy.wrote_gone(krm::object_key(last), last, since); });
  }
  void listen_again() override {
    for (auto& [_, stream] : streams_.with([](const Streams& all) { return all; }))
      stream.request_stop();
  }

 private:
  struct Kind {
    bool complete = false;           // it has been listed, or is not served
    std::optional<Error> problem{};  // the last failure
  };
  struct Followed {
    std::map<krm::GroupKind, Kind> kinds;
    bool ends = false;
  };

  void follow(const krm::GroupKind& kind) const {
    if (options_.direct.contains(kind)) return;
    const bool fresh = followed_.with([&](Followed& followed) {
      return !followed.ends && followed.kinds.try_emplace(kind).second;
    });
    if (!fresh) return;
    threads_.with([&](auto& threads) {
      threads.emplace_back([this, kind](const std::stop_token& stop) { run(kind, stop); });
    });
  }

  Result<Done> wait_for(const krm::GroupKind& kind) const {
    follow(kind);
    const auto ready = [&](const Followed& followed) {
      const auto at = followed.kinds.find(kind);
      return followed.ends ||
             (at != followed.kinds.end() && (at->second.complete || is_refused(at->second)));
    };
    const auto deadline = std::chrono::steady_clock::now() + options_.patience;
    return followed_.wait_until(deadline, ready, [&](const Followed& followed) -> Result<Done> {
      const auto at = followed.kinds.find(kind);
      if (at != followed.kinds.end() && at->second.complete) return Done{};
      const std::string name = krm::ObjectKey{kind, "", ""}.text();
      if (at != followed.kinds.end() && is_refused(at->second))
        return invalid("{}cannot be read: {}; grant list and watch permissions on them", name,
                       at->second.problem->text())
            .because(Reason::kForbidden);
      if (at != followed.kinds.end() && at->second.problem)
        return unavailable("{}were not listed yet: {}", name, at->second.problem->text());
      return unavailable("{}were not listed within {} ms", name, options_.patience.count());
    });
  }

  // Such an error persists until permission is granted, so callers do not wait for that.
  static bool is_refused(const Kind& kind) {
    return kind.problem && kind.problem->reason == Reason::kForbidden;
  }

  template <class F>
  void change(const F& how) const {
    copy_.with([&](Copy& copy) {
      how(copy);
      hub_->publish(copy.state());
    });
  }

  // An object that was shown stays visible: a state that would hide it is an older one, reported
  // late.
  Value shown(const Value& object) const {
    if (!options_.shown) return object;
    Value seen = options_.shown(object);
    if (!seen.is_null()) return seen;
    const auto state = hub_->state();
    const Value* const known = state->table.find(krm::object_key(object));
    return known != nullptr && krm::uid_of(*known) == krm::uid_of(object) ? *known : Value();
  }

  // The reflector keeps objects too: the same ones as the copy.
  Value kept(const Value& object) const {
    const auto state = hub_->state();
    return kept_form(pooled(object), state->table.find(krm::object_key(object)));
  }

  // Different objects share what is equal.
  Value pooled(const Value& object) const {
    const Value kept =
        kept_form(is_whole(krm::object_key(object).type) ? object : metadata_form(object), nullptr);
    return pool_.with([&](json::Pool& pool) { return pool.intern(kept); });
  }

  // ---- kinds of which only the metadata are kept

  bool is_whole(const krm::GroupKind& kind) const {
    return !options_.metadata_of_others || options_.whole.contains(kind);
  }

  // Lists one object, for which no other permission is needed than for following its kind.
  Result<Value> whole(const krm::ObjectKey& key, const Value& known) const {
    const auto name_of = [](const Value& object) {
      return fmt::format("{}@{}", krm::uid_of(object),
                         object["metadata"]["resourceVersion"].as_string());
    };
    if (const auto kept = whole_.with([&](auto& all) { return all.find(name_of(known)); }))
      return *kept;
    const auto resource = api_.resource(key.type);
    if (!resource) return may_pass(resource.error());
    const auto page =
        api_.list(*resource, {.ns = key.ns, .fields = "metadata.name=" + key.name, .limit = 1});
    if (!page) return may_pass(page.error());
    if (page->items.empty()) return registry::no_object(key);
    const Value object = kept_form(page->items.front(), nullptr);
    whole_.with([&](auto& all) {
      all.add(name_of(object), std::make_shared<const Value>(object), json::print(object).size());
    });
    return object;
  }

  // Replaces the objects of which only the metadata are kept.
  Result<Done> complete(std::vector<Value>& objects) const {
    std::set<krm::GroupKind> kinds;
    std::erase_if(objects, [&](const Value& object) {
      const krm::GroupKind kind = krm::object_key(object).type;
      return !is_whole(kind) && (kinds.insert(kind), true);
    });
    for (const krm::GroupKind& kind : kinds) {
      PORTICO_TRY(Listing all, remote_->list({.type = kind, .ns = options_.ns}));
      for (Value& object : all.objects) objects.push_back(kept_form(object, nullptr));
    }
    return Done{};
  }

  // ---- the threads

  void run(const krm::GroupKind& kind, const std::stop_token& stop) const {
    reflector::Settings settings = options_.reflector;
    const bool relisted = options_.relisted.contains(kind);
    if (relisted) settings.streaming = settings.resumes = false;
    reflector::State state(settings);
    reflector::Input input = reflector::Begin{};
    std::optional<reflector::Request> request;
    std::shared_ptr<const registry::State> before;  // a list
    const auto feed = [&](reflector::Input next) {
      reflector::Step step =
          reflector::step(std::move(state), std::move(next), now(), options_.random());
      state = std::move(step.state);
      if (step.request) request = step.request;
      take(kind, step);
      if (!step.complete) return;
      if (relisted) heal(kind, state.objects(), *before);
      before = nullptr;  // an old state keeps old objects in memory
    };
    while (!stop.stop_requested()) {
      feed(std::move(input));
      if (const auto* list = std::get_if<reflector::List>(&*request)) {
        if (relisted && list->next.empty()) before = hub_->state();
        input = perform(kind, *list);
      } else if (const auto* watch = std::get_if<reflector::Watch>(&*request))
        input = perform(kind, *watch, stop, feed);
      else
        input = perform(std::get<reflector::Wait>(*request));
    }
  }

  static reflector::Instant now() {
    return std::chrono::duration_cast<reflector::Instant>(
        std::chrono::steady_clock::now().time_since_epoch());
  }

  void take(const krm::GroupKind& kind, const reflector::Step& step) const {
    if (!step.changes.empty())
      change([&](Copy& copy) {
        for (const reflector::Change& one : step.changes) {
          const krm::ObjectKey key = krm::object_key(one.object);
          if (one.news == reflector::News::kDeleted)
            copy.observed_gone(key, one.object, step.version);
          else
            copy.observed(key, one.object, step.version);
        }
      });
    if (step.problem && options_.log != nullptr)
      options_.log->warning("watch failed", {{"kind", kind.kind}, {"error", step.problem->text()}});
    if (!step.complete && !step.problem) return;
    followed_.change([&](Followed& followed) {
      Kind& known = followed.kinds[kind];
      known.complete |= step.complete;
      known.problem = step.problem;
    });
  }

  // A watch that loses events may have left the copy with a state that the reflector does not know,
  // from the response to a request. What the copy had before the list is now as in the list.
  void heal(const krm::GroupKind& kind, const std::map<reflector::State::Key, Value>& listed,
            const registry::State& before) const {
    change([&](Copy& copy) {
      for (const auto& [_, object] : listed)
        copy.wrote(krm::object_key(object), object, before.version());
      before.table.each({.type = kind}, registry::Selector(), nullptr, [&](const auto& item) {
        if (!listed.contains({item.ns, item.name}))
          copy.wrote_gone({kind, item.ns, item.name}, item.object, before.version());
        return true;
      });
    });
  }

  reflector::Input perform(const krm::GroupKind& kind, const reflector::List& list) const {
    const auto resource = api_.resource(kind);
    if (!resource) return reflector::ListFailed{resource.error(), until_served(kind, resource)};
    ListOptions asked = selection(*resource);
    asked.limit = options_.page;
    asked.next = list.next;
    std::optional<std::chrono::milliseconds> retry_after;
    asked.on_retry_after = [&](std::chrono::seconds wait) { retry_after = wait; };
    auto page = api_.list(*resource, asked);
    if (!page) return reflector::ListFailed{std::move(page).error(), retry_after};
    reflector::ListPage out{{}, std::move(page->version), std::move(page->next)};
    for (const Value& item : page->items)
      if (const Value seen = shown(item); !seen.is_null()) out.objects.push_back(kept(seen));
    return out;
  }

  // A kind that is not served has no objects; wait for it to be served.
  std::optional<std::chrono::milliseconds> until_served(const krm::GroupKind& kind,
                                                        const Result<Resource>& resource) const {
    if (resource.error().code != Code::kNotFound) return std::nullopt;
    followed_.change([&](Followed& followed) { followed.kinds[kind].complete = true; });
    return options_.reflector.most_wait;
  }

  ListOptions selection(const Resource& resource) const {
    return {.ns = resource.namespaced ? options_.ns : "", .metadata = !is_whole(resource.kind)};
  }

  // nullopt if it is about an object that is not shown.
  std::optional<reflector::WatchEvent> seen_event(const WatchEvent& event) const {
    reflector::WatchEvent out{type_of(event.type), event.object};
    if (out.type == reflector::EventType::kBookmark || out.type == reflector::EventType::kDeleted)
      return out;
    const Value seen = shown(event.object);
    if (seen.is_null()) return std::nullopt;
    out.object = kept(seen);
    return out;
  }

  template <class Feed>
  reflector::Input perform(const krm::GroupKind& kind, const reflector::Watch& watch,
                           const std::stop_token& stop, const Feed& feed) const {
    const auto resource = api_.resource(kind);
    if (!resource && watch.initial_events)
      return reflector::WatchFailed{resource.error(), until_served(kind, resource)};
    if (!resource) return reflector::WatchFailed{resource.error()};
    ListOptions asked = selection(*resource);
    asked.version = watch.version;
    asked.initial_events = watch.initial_events;
    if (options_.relisted.contains(kind))
      asked.timeout = std::chrono::duration_cast<std::chrono::seconds>(options_.relist *
                                                                       (1 + options_.random()));
    std::optional<std::chrono::milliseconds> retry_after;
    asked.on_retry_after = [&](std::chrono::seconds wait) { retry_after = wait; };
    std::stop_source stream;
    const std::stop_callback ends(stop, [&stream] { stream.request_stop(); });
    streams_.with([&](Streams& all) { all.insert_or_assign(kind, stream); });
    std::optional<InitialEvents> initial;
    if (watch.initial_events) initial.emplace(stream, options_.initial_events);
    const auto done =
        api_.watch(*resource, asked, stream.get_token(), [&](const WatchEvent& event) {
          if (initial && !initial->take(event)) return false;
          if (auto seen = seen_event(event)) feed(*std::move(seen));
          return true;
        });
    if (initial && initial->outcome() != InitialEvents::Outcome::kExpected)
      return reflector::NoInitialEvents{initial->outcome() == InitialEvents::Outcome::kNoEnd};
    if (!done) return reflector::WatchFailed{done.error(), retry_after};
    return reflector::WatchEnded{};
  }

  reflector::Input perform(const reflector::Wait& wait) const {
    followed_.wait_until(
        std::chrono::steady_clock::now() + wait.time,
        [](const Followed& followed) { return followed.ends; }, [](const Followed&) {});
    return reflector::WaitOver{};
  }

  // ---- writes

  // False if either the response or what the watch has reported meanwhile may be the newer state.
  bool take_response(const Value& object, ResourceVersion since) const {
    const Value seen = shown(object);
    if (seen.is_null()) return true;
    const Value kept = pooled(seen);
    bool certain = true;
    change([&](Copy& copy) { certain = copy.wrote(krm::object_key(kept), kept, since); });
    return certain;
  }

  Result<Value> write_one(const Write& write) {
    const krm::ObjectKey named = krm::object_key(write.object);
    const ResourceVersion since = version();
    const auto sent = send(write);
    if (!sent) {
      if (sent.error().code == Code::kConflict) refresh(named);
      return may_pass(sent.error());
    }
    const Value& answer = *sent;
    const krm::ObjectKey key = krm::object_key(answer);  // the API may have generated the name
    const bool followed =
        followed_.with([&](const Followed& all) { return all.kinds.contains(key.type); });
    const Value seen = shown(answer);
    if (!followed || seen.is_null()) return answer;
    const bool gone = write.verb == Verb::kDelete
                          ? !krm::is_deleting(answer) || krm::finalizers_of(answer).empty()
                          : krm::is_deleting(answer) && krm::finalizers_of(answer).empty();
    const Value kept = pooled(seen);
    bool certain = true;
    change([&](Copy& copy) {
      if (gone)
        copy.wrote_gone(key, kept, since);
      else if (write.verb == Verb::kUpdateStatus && is_whole(key.type))
        certain = copy.wrote_status(key, kept, write.object["status"], since);
      else
        certain = copy.wrote(key, kept, since);
    });
    if (!certain) refresh(key);
    return seen;
  }

  // Updates the copy, so that the caller decides on the API's current state even if the watch is
  // late. An object that keeps changing is left to the watch.
  void refresh(const krm::ObjectKey& key) {
    if (!followed_.with([&](const Followed& all) { return all.kinds.contains(key.type); })) return;
    for (int reads = 0; reads < kMostReads; ++reads) {
      const auto before = hub_->state();
      const auto now = remote_->get(key);
      if (now && !take_response(*now, before->version())) continue;
      const Value* const known = before->table.find(key);
      if (!now && now.error().code == Code::kNotFound && known != nullptr)
        wrote_gone(*known, before->version());
      return;
    }
  }

  // A status without a resourceVersion is written based on the known object, without reading it
  // from the API.
  Result<Value> send(const Write& write) {
    if (write.verb == Verb::kUpdateStatus && is_whole(krm::object_key(write.object).type) &&
        write.object["metadata"]["resourceVersion"].as_string().empty()) {
      const auto state = hub_->state();
      const Value* const known = state->table.find(krm::object_key(write.object));
      if (known != nullptr && (*known)["status"] == write.object["status"]) return *known;
      if (known != nullptr) {
        auto written =
            remote_->commit({{Verb::kUpdateStatus, known->with("status", write.object["status"])}});
        if (written) return std::move(written->front());
        if (written.error().code != Code::kConflict) return std::move(written).error();
      }
    }
    PORTICO_TRY(std::vector<Value> answer, remote_->commit({write}));
    return std::move(answer.front());
  }

  Api& api_;
  MirrorOptions options_;
  const std::unique_ptr<Registry> remote_;  // for writes
  mutable Guarded<Copy> copy_;
  mutable Guarded<json::Pool> pool_{kPooled};
  mutable Guarded<LruCache<Value>> whole_{kWhole};  // by uid and version
  const std::shared_ptr<registry::Hub> hub_;
  mutable Monitor<Followed> followed_;
  using Streams = std::map<krm::GroupKind, std::stop_source>;
  mutable Guarded<Streams> streams_;  // of the watches, including some that have ended
  mutable Guarded<std::vector<std::jthread>> threads_;
  const std::stop_callback<std::function<void()>> ending_{
      options_.stop,
      [this] { followed_.change([](Followed& followed) { followed.ends = true; }); }};
};

}  // namespace

std::unique_ptr<Mirror> make_mirror(Api& api, MirrorOptions options) {
  return std::make_unique<FollowingMirror>(api, std::move(options));
}

}  // namespace portico::cluster
