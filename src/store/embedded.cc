#include "store/embedded.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "base/guarded.h"
#include "base/hash.h"
#include "base/monitor.h"
#include "base/time.h"
#include "json/text.h"
#include "krm/meta.h"
#include "registry/hub.h"
#include "registry/listing.h"
#include "registry/no_object.h"
#include "registry/transaction.h"
#include "registry/write_rules.h"
#include "store/internal/folder_lock.h"
#include "store/internal/log_file.h"
#include "store/internal/sealed_rows.h"
#include "store/layout.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::Hub;
using registry::Listing;
using registry::Logged;
using registry::OnReady;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Stamp;
using registry::State;
using registry::superseded_by;
using registry::Table;
using registry::Transaction;
using registry::Watch;
using registry::watch_hub;
using registry::Write;

namespace {

/// The maximum of writes per transaction, so that a flood does not delay everyone.
constexpr std::size_t kWritesAtOnce = 4096;

std::string random_uuid(const std::function<std::uint64_t()>& random) {
  std::uint8_t bytes[16];
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t bits = random();
    for (int i = 0; i < 8; ++i) bytes[8 * half + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);  // RFC 4122: version 4,
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);  // variant 1
  std::string out = hex(bytes, sizeof bytes);
  for (const std::size_t at : {8, 13, 18, 23}) out.insert(at, 1, '-');
  return out;
}

/// Five characters from Kubernetes' alphabet for generated names: no vowels, no look-alikes.
std::string random_suffix(const std::function<std::uint64_t()>& random) {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::uint64_t bits = random();
  std::string out;
  for (int i = 0; i < 5; ++i, bits /= kAlphabet.size()) out += kAlphabet[bits % kAlphabet.size()];
  return out;
}

/// The writes of one call to commit or commit_each. Lives on the caller's stack until `done` is
/// set.
struct Batch {
  const std::vector<Write>& writes;
  bool all_or_nothing;
  std::promise<std::vector<Result<json::Value>>> done;
};

struct Queue {
  std::deque<Batch*> batches;
  bool closed = false;
};

Result<Done> checked(const Write& write) {
  PORTICO_DO(registry::check_write(write));
  return registry::check_version(write);
}

class EmbeddedStore : public Registry {
 public:
  EmbeddedStore(EmbeddedOptions options, FolderLock lock, std::unique_ptr<LogFile> log, State state)
      : options_(std::move(options)),
        random_(options_.random),
        lock_(std::move(lock)),
        log_(std::move(log)),
        hub_(std::make_shared<Hub>(std::move(state))),
        writer_([this] { write_until_closed(); }) {}

  ~EmbeddedStore() override {
    queue_.change([](Queue& queue) { queue.closed = true; });
    writer_.join();
    hub_->close();
  }

  Result<json::Value> get(const krm::ObjectKey& key) const override {
    const auto state = hub_->state();
    if (const json::Value* object = state->table.find(key)) return *object;
    return registry::no_object(key);
  }

  Result<Listing> list(const Query& query) const override {
    return registry::list(*hub_->state(), query);
  }

  const std::vector<registry::IndexedField>& fields() const override { return options_.indexes; }

  std::vector<krm::GroupKind> kinds() const override { return hub_->state()->table.kinds(); }

  Result<std::vector<json::Value>> commit(const std::vector<Write>& writes) override {
    for (const Write& write : writes)
      PORTICO_DO(checked(write), krm::object_key(write.object).text());
    std::vector<json::Value> objects;
    if (writes.empty()) return objects;
    objects.reserve(writes.size());
    for (Result<json::Value>& one : hand_over(writes, true)) {
      if (!one) return std::move(one).error();
      objects.push_back(*std::move(one));
    }
    return objects;
  }

  Result<std::vector<json::Value>> dry_run(const std::vector<Write>& writes) const override {
    for (const Write& write : writes)
      PORTICO_DO(checked(write), krm::object_key(write.object).text());
    const auto state = hub_->state();
    Transaction transaction(state->table, state->version(), stamp(), limits());
    PORTICO_TRY(std::vector<json::Value> objects, transaction.apply_all(writes));
    for (json::Value& object : objects) {
      const json::Value* stored = state->table.find(krm::object_key(object));
      object = stored == nullptr ? object.without_at({"metadata", "resourceVersion"})
                                 : object.with_at({"metadata", "resourceVersion"},
                                                  (*stored)["metadata"]["resourceVersion"]);
    }
    return objects;
  }

  std::vector<Result<json::Value>> commit_each(const std::vector<Write>& writes) override {
    std::vector<std::optional<Error>> refused(writes.size());
    std::vector<Write> good;
    good.reserve(writes.size());
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (auto done = checked(writes[i]); !done)
        refused[i] = std::move(done).error().in(krm::object_key(writes[i].object).text());
      else
        good.push_back(writes[i]);
    }
    std::vector<Result<json::Value>> stored;
    if (!good.empty()) stored = hand_over(good, false);
    std::vector<Result<json::Value>> results;
    results.reserve(writes.size());
    auto next = stored.begin();
    for (std::optional<Error>& error : refused) {
      if (error)
        results.emplace_back(*std::move(error));
      else
        results.push_back(std::move(*next++));
    }
    return results;
  }

  std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from,
                               OnReady on_ready) override {
    return watch_hub(hub_, query, from, std::move(on_ready));
  }

  ResourceVersion version() const override { return hub_->state()->version(); }

  Result<std::unique_ptr<Registry>> fork() const override {
    EmbeddedOptions options = options_;
    options.folder.clear();
    return std::unique_ptr<Registry>(
        std::make_unique<EmbeddedStore>(std::move(options), FolderLock(), nullptr, *hub_->state()));
  }

 private:
  std::vector<Result<json::Value>> hand_over(const std::vector<Write>& writes,
                                             bool all_or_nothing) {
    Batch batch{writes, all_or_nothing, {}};
    auto done = batch.done.get_future();
    queue_.change([&](Queue& queue) { queue.batches.push_back(&batch); });
    return done.get();
  }

  Stamp stamp() const {
    return {
        rfc3339(options_.clock->now()),
        [this] { return random_.with([](const auto& random) { return random_uuid(random); }); },
        [this] { return random_.with([](const auto& random) { return random_suffix(random); }); }};
  }

  std::vector<Batch*> next_group() {
    const auto ready = [](const Queue& queue) { return queue.closed || !queue.batches.empty(); };
    return queue_.wait(ready, [](Queue& queue) {
      std::vector<Batch*> group;
      std::size_t writes = 0;
      while (!queue.batches.empty() && writes < kWritesAtOnce) {
        writes += queue.batches.front()->writes.size();
        group.push_back(queue.batches.front());
        queue.batches.pop_front();
      }
      return group;
    });
  }

  registry::WriteLimits limits() const {
    return {.object_bytes = options_.object_bytes, .owners_elsewhere = options_.owners_elsewhere};
  }

  void write_until_closed() {
    for (auto group = next_group(); !group.empty(); group = next_group()) write_group(group);
  }

  void write_group(const std::vector<Batch*>& group) {
    const auto state = hub_->state();  // only this thread publishes
    Transaction transaction(state->table, state->version(), stamp(), limits());
    std::vector<std::vector<Result<json::Value>>> results;
    results.reserve(group.size());
    for (const Batch* batch : group) results.push_back(apply(transaction, *batch));

    if (!transaction.log().empty()) {
      if (auto stored = store(*state, std::move(transaction)); !stored) {
        // Nothing of the group is stored; rejected writes keep their own error.
        for (std::vector<Result<json::Value>>& batch : results)
          for (Result<json::Value>& one : batch)
            if (one) one = stored.error();
      }
    }
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->done.set_value(std::move(results[i]));
  }

  static std::vector<Result<json::Value>> apply(Transaction& transaction, const Batch& batch) {
    if (!batch.all_or_nothing) return transaction.apply_each(batch.writes);
    std::vector<Result<json::Value>> results;
    auto objects = transaction.apply_all(batch.writes);
    if (!objects) {
      results.emplace_back(std::move(objects).error());
      return results;
    }
    for (json::Value& object : *objects) results.emplace_back(std::move(object));
    return results;
  }

  Result<Done> store(const State& state, Transaction transaction) {
    std::vector<Logged> log = std::move(transaction).take_log();
    std::vector<std::string> keys;
    std::vector<std::string> sealed;
    std::vector<LogFile::Row> rows;
    keys.reserve(log.size());
    sealed.reserve(log.size());
    rows.reserve(log.size());
    const Cipher* const cipher = log_ != nullptr ? options_.cipher.get() : nullptr;
    for (const Logged& one : log) {
      keys.push_back(one.key.text());
      rows.push_back({one.event.version, keys.back(), {}});
      if (one.event.change == Change::kDeleted) continue;
      rows.back().object = one.text;
      if (cipher == nullptr || !cipher->hides(one.key.type)) continue;
      PORTICO_TRY(std::string text,
                  cipher->seal(one.text, sealed_place(keys.back(), one.event.version)));
      sealed.push_back(std::move(text));
      rows.back().object = sealed.back();
    }
    const std::size_t over = state.window.size() > options_.watch_window
                                 ? state.window.size() - options_.watch_window
                                 : 0;
    if (log_ != nullptr)
      PORTICO_DO(log_->write(rows, superseded_by(state, over), state.compacted + over));
    State next = state;
    for (Logged& one : log) {
      if (one.event.change == Change::kDeleted)
        next.table.erase(one.key);
      else
        next.table.put(one.key, one.event.object);
      next.append(std::move(one.event), std::move(one.key));
    }
    next.forget(over);
    hub_->publish(std::move(next));
    return Done{};
  }

  const EmbeddedOptions options_;
  const Guarded<std::function<std::uint64_t()>> random_;
  const FolderLock lock_;
  const std::unique_ptr<LogFile> log_;  // null: in memory, without a log
  const std::shared_ptr<Hub> hub_;
  Monitor<Queue> queue_;
  std::jthread writer_;  // last: it uses all members above
};

/// The inverse of ObjectKey::text(): unambiguous, because kinds have no '.' and namespaces no '/'.
krm::ObjectKey parse_key(std::string_view text) {
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::string_view type = text.substr(0, blank);
  const std::string_view name = text.substr(std::min(blank + 1, text.size()));
  const std::size_t dot = std::min(type.find('.'), type.size());
  const std::size_t slash = name.find('/');
  krm::ObjectKey key;
  key.type.kind = type.substr(0, dot);
  if (dot < type.size()) key.type.group = type.substr(dot + 1);
  if (slash != std::string_view::npos) key.ns = name.substr(0, slash);
  key.name = slash != std::string_view::npos ? name.substr(slash + 1) : name;
  return key;
}

Error damaged(std::string_view how) {
  return invalid("the file is damaged: {}; restore a copy of it, or move it away to start empty",
                 how);
}

/// Rows up to state.compacted are objects; later ones are events on top of them.
Result<Done> load_row(const LogFile::Row& row, SealedRows& sealed, State& state) {
  const krm::ObjectKey key = parse_key(row.key);
  json::Value object;
  if (row.object) {
    PORTICO_TRY(const std::string text,
                sealed.open(key, std::string(row.key), row.version, *row.object));
    auto parsed = json::parse(text);
    if (!parsed) return damaged(parsed.error().text());
    object = *std::move(parsed);
    if (krm::resource_version_of(object) != row.version || krm::object_key(object) != key)
      return damaged("the object of a row does not match its key");
  }
  if (row.version <= state.compacted) {
    if (!row.object || !state.table.put(key, std::move(object)).is_null())
      return damaged("a compacted version is still present");
    return Done{};
  }
  if (row.version != state.version() + 1)
    return damaged(fmt::format("version {} is missing", state.version() + 1));
  Event event{Change::kAdded, object, {}, row.version};
  if (row.object) {
    event.previous = state.table.put(key, std::move(object));
    if (!event.previous.is_null()) event.change = Change::kModified;
  } else {
    event.previous = state.table.erase(key);
    if (event.previous.is_null()) return damaged("a deleted object does not exist");
    event.change = Change::kDeleted;
    event.object =
        event.previous.with_at({"metadata", "resourceVersion"}, std::to_string(row.version));
  }
  state.append(std::move(event), key);
  return Done{};
}

std::uint64_t system_random() {
  std::uint64_t bits = 0;
  // So few bytes are never returned partially, and it cannot fail once the machine has booted.
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) std::abort();
  return bits;
}

}  // namespace

namespace {

Result<Done> complete(EmbeddedOptions& options) {
  static const SystemClock system_clock;
  if (options.clock == nullptr) options.clock = &system_clock;
  if (!options.random) options.random = system_random;
  return validate_indexed_fields(options.indexes);
}

Result<State> load(LogFile& log, const EmbeddedOptions& options, SealedRows& sealed) {
  State state{Table(options.indexes), {}, log.compacted()};
  PORTICO_DO(log.read([&](const LogFile::Row& row) {
    auto loaded = load_row(row, sealed, state);
    if (!loaded)
      loaded = std::move(loaded).error().in(fmt::format("version {} ({})", row.version, row.key));
    return loaded;
  }));
  PORTICO_DO(sealed.check());
  return state;
}

}  // namespace

Result<Done> check_layout(const std::filesystem::path& folder) {
  return LogFile::check_layout(folder / "store.db");
}

Result<std::unique_ptr<Registry>> open_snapshot(EmbeddedOptions options) {
  PORTICO_DO(complete(options));
  PORTICO_DO(check_layout(options.folder));
  PORTICO_TRY(const auto log, LogFile::open_reading(options.folder / "store.db"));
  options.folder.clear();
  if (log == nullptr) return open_embedded(std::move(options));
  SealedRows sealed(options.cipher.get(), options.forget_lost);
  PORTICO_TRY(State state, load(*log, options, sealed));
  return std::unique_ptr<Registry>(
      std::make_unique<EmbeddedStore>(std::move(options), FolderLock(), nullptr, std::move(state)));
}

Result<std::unique_ptr<Registry>> open_in_memory(EmbeddedOptions options,
                                                 const std::vector<json::Value>& objects,
                                                 ResourceVersion version) {
  PORTICO_DO(complete(options));
  options.folder.clear();
  State state{Table(options.indexes), {}, version};
  for (const json::Value& object : objects) state.table.put(krm::object_key(object), object);
  return std::unique_ptr<Registry>(
      std::make_unique<EmbeddedStore>(std::move(options), FolderLock(), nullptr, std::move(state)));
}

Result<std::unique_ptr<Registry>> open_embedded(EmbeddedOptions options) {
  PORTICO_DO(complete(options));

  FolderLock lock;
  std::filesystem::path file;
  if (!options.folder.empty()) {
    PORTICO_DO(check_layout(options.folder));
    PORTICO_TRY(lock, FolderLock::take(options.folder, options.turn));
    file = options.folder / "store.db";
  }
  PORTICO_TRY(std::unique_ptr<LogFile> log, LogFile::open(file, options.durability));
  SealedRows sealed(options.cipher.get(), options.forget_lost);
  PORTICO_TRY(State state, load(*log, options, sealed));
  PORTICO_DO(log->rewrite(sealed.take_rewrites()));
  return std::unique_ptr<Registry>(std::make_unique<EmbeddedStore>(
      std::move(options), std::move(lock), std::move(log), std::move(state)));
}

}  // namespace portico::store
