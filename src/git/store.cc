#include "git/store.h"

#include <fcntl.h>
#include <git2.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <list>
#include <random>
#include <set>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/mutex.h"
#include "base/pause.h"
#include "base/secrets.h"
#include "git/internal/file.h"
#include "git/internal/lost_race.h"
#include "git/internal/pack_file.h"
#include "git/internal/push_order.h"
#include "git/internal/ref_transaction.h"
#include "git/internal/run_git.h"

namespace portico::git {
namespace {

constexpr std::chrono::seconds kRepackPatience{600};
constexpr std::chrono::seconds kRest{30};
constexpr std::chrono::steady_clock::duration kLongestWait = std::chrono::milliseconds(10);

class BatchImpl : public Batch {
 public:
  BatchImpl(RefTransaction& refs, const ObjectDb& objects) : refs_(refs), objects_(objects) {}

  Result<Oid> lock(const std::string& ref) override { return refs_.lock(ref); }
  Oid value(const std::string& ref) const override { return refs_.value(ref); }
  Result<Done> set(const std::string& ref, const Oid& id) override { return refs_.set(ref, id); }
  Result<Done> drop(const std::string& ref) override {
    dropped_.insert(ref);
    return refs_.set(ref, Oid{});
  }
  Result<Object> read(const Oid& id) override {
    if (const StagedObject* staged = staging_.find(id); staged && staged->type != ObjectType::kBlob)
      return Object{staged->type, staged->raw};
    return objects_.read(id);
  }
  Oid add(ObjectType type, std::string_view bytes) override { return staging_.add(type, bytes); }
  void add(const Staging& objects) override { staging_.merge(objects); }

  Result<Done> run(const Plan& plan) {
    const std::size_t ref_mark = refs_.mark(), object_mark = staging_.objects().size();
    auto done = plan(*this);
    if (!done) {
      refs_.rewind(ref_mark);
      staging_.truncate(object_mark);
    }
    return done;
  }
  const Staging& staging() const { return staging_; }
  const std::set<std::string>& dropped() const { return dropped_; }

 private:
  RefTransaction& refs_;
  const ObjectDb& objects_;
  Staging staging_;
  std::set<std::string> dropped_;
};

// Whether a single write may have caused the batch's error.
bool may_be_of_one(const Error& error) {
  return error.code != Code::kUnavailable || error.reason == Reason::kRefused;
}

// A waiting call of write(). Until `done` it belongs to the leader of its batch.
struct Ticket {
  explicit Ticket(const Plan* planned) : plan(planned) {}
  const Plan* const plan;
  Result<Done> result = Done{};
  std::vector<std::string> refs{};  // refs that it changes
  bool done = false;                // guarded by the store's mutex
  bool lost = false;                // out of memory: its outcome is unknown
  Changed woken;                    // it is done, or there is no leader
};

}  // namespace

class Store::Impl {
 public:
  Impl(std::string folder, std::unique_ptr<ObjectDb> objects, StoreOptions options)
      : folder_(std::move(folder)),
        options_(std::move(options)),
        objects_(std::move(objects)),
        refs_(folder_) {}

  Result<Done> start() {
    PORTICO_TRY(const WriterLock lock, take_lock());
    clean_ref_locks(folder_);
    if (options_.mirror) clean_all_locks(folder_);
    clean_packs(objects_folder(), options_.mirror);
    packs_ = count_packs(objects_folder());
    if (packs_ >= options_.packs) keep();
    return Done{};
  }

  const std::string& folder() const { return folder_; }
  const ObjectDb& objects() const { return *objects_; }
  RefReader& refs() { return refs_; }

  Result<Done> write(const Plan& plan) {
    Ticket ticket(&plan);
    // Everything that may throw comes before other writers depend on this one.
    std::vector<Ticket*> batch;
    batch.reserve(options_.batch_plans);
    MutexLock lock(mutex_);
    queue_.push_back(&ticket);
    queued_.notify_one();
    for (;;) {
      while (!ticket.done && (busy_ || exclusive_next_)) ticket.woken.wait(lock);
      if (ticket.done) break;
      // There is no leader: this writer leads for all waiting writers until its own write is done.
      busy_ = true;
      // The writers of the last batch are likely to write again: a short wait for them saves a
      // sync.
      const auto started = std::chrono::steady_clock::now();
      const auto deadline = started + std::min(batch_time_ / 8, kLongestWait);
      while (queue_.size() < batch_size_ && queued_.wait_until(lock, deadline)) {
      }
      batch.clear();
      while (!queue_.empty() && batch.size() < options_.batch_plans) {
        batch.push_back(queue_.front());
        queue_.pop_front();
      }
      lock.unlock();
      run_locked(batch);
      lock.lock();
      for (Ticket* one : batch) {
        one->done = true;
        one->woken.notify_one();
      }
      batch_size_ = batch.size();
      batch_time_ = std::chrono::steady_clock::now() - started;
      exclusive_next_ = exclusives_ > 0;
      let_next_lead();
    }
    if (ticket.lost)
      return unavailable("cannot allocate memory for a write to {:?}; try again", folder_);
    return std::move(ticket.result);
  }

  Result<Done> exclusively(const std::function<Result<Done>()>& task) {
    {
      MutexLock lock(mutex_);
      ++exclusives_;
      while (busy_) free_.wait(lock);
      --exclusives_;
      exclusive_next_ = false;
      busy_ = true;
    }
    const Leading leading(*this);
    Result<Done> done = caught([&]() -> Result<Done> {
      PORTICO_TRY(const WriterLock writer, take_lock());
      return task();
    });
    // A fetch adds packs. Too many packs are not a failure of the task.
    const auto counted = caught([&]() -> Result<Done> {
      packs_ = count_packs(objects_folder());
      if (packs_ >= options_.packs) keep();
      return Done{};
    });
    if (!counted && options_.log)
      options_.log->warning("cannot count packs",
                            {{"repository", folder_}, {"error", counted.error().text()}});
    return done;
  }

  void clear_locks_of_the_dead() {
    if (refs_.saw_locks()) git::clear_locks_of_the_dead(folder_);
  }

  void rest() {
    objects_->forget_handles();
    refs_.rest();
  }

  Result<Done> consolidate(const Stop& stopped = {}) {
    const MutexLock lock(repack_);
    PORTICO_TRY(const Outcome outcome, run_git(folder_,
                                               {"repack", "-d", "-l", "-n", "-q", "--geometric=2",
                                                "--no-write-bitmap-index"},
                                               {}, kRepackPatience, stopped));
    packs_ = count_packs(objects_folder());
    objects_->forget_handles();
    if (outcome.status != 0)
      return unavailable("git repack in {:?} failed: {}", folder_,
                         without_secrets(outcome.err.substr(0, 500)));
    return Done{};
  }

 private:
  // A finished write wakes only its own writer, and one waiting writer is woken to lead, not
  // hundreds. Batches and exclusive tasks take turns, so that a constant stream of writers cannot
  // starve a fetch.
  void let_next_lead() PORTICO_REQUIRES(mutex_) {
    busy_ = false;
    if (exclusive_next_ || queue_.empty())
      free_.notify_one();
    else
      queue_.front()->woken.notify_one();
  }

  /// Ends an exclusive task, even if it throws.
  class Leading {
   public:
    explicit Leading(Impl& store) : store_(store) {}
    ~Leading() {
      const MutexLock lock(store_.mutex_);
      store_.let_next_lead();
    }
    Leading(const Leading&) = delete;
    Leading& operator=(const Leading&) = delete;

   private:
    Impl& store_;
  };
  std::string objects_folder() const { return folder_ + "/objects"; }
  Result<WriterLock> take_lock() const {
    return WriterLock::take(folder_, options_.writer_lock_seconds, options_.stopped);
  }

  // An exception must not lock out the other writers forever.
  template <class F>
  static Result<Done> caught(const F& task) {
    try {
      return task();
    } catch (const std::exception& thrown) {
      return internal("an exception was thrown: {}", thrown.what());
    }
  }

  // Never throws, not even when out of memory: other writers wait for it to end.
  void run_locked(const std::vector<Ticket*>& batch) noexcept {
    try {
      const auto done = caught([&]() -> Result<Done> {
        PORTICO_TRY(const WriterLock writer, take_lock());
        run(batch);
        return Done{};
      });
      if (done) return;
      for (Ticket* ticket : batch) ticket->result = done.error();
    } catch (...) {
      for (Ticket* ticket : batch) ticket->lost = true;
    }
  }

  // Sets the result of every ticket. The WriterLock is held.
  void run(const std::vector<Ticket*>& batch, int most = kMostTries) {
    for (int tries = 1;; ++tries) {
      std::vector<Ticket*> planned, left;
      auto done = attempt_batch(batch, planned, left);
      // The plans succeeded on a state that has changed since: they run again.
      const bool lost = !done && done.error().code == Code::kConflict;
      if (lost && tries < most && caught_up_after(tries)) continue;
      if (done || planned.size() == 1 || !may_be_of_one(done.error()))
        for (Ticket* ticket : planned) ticket->result = done;
      else
        left = std::move(planned);
      // One of the writes is refused; running each alone shows which.
      for (Ticket* ticket : left) run({ticket}, lost ? kMostTriesAlone : kMostTries);
      return;
    }
  }

  // Waits after `lost` lost races and catches up; returns whether the batch may be tried again.
  bool caught_up_after(int lost) {
    const auto wait = wait_after_lost(lost, std::uniform_real_distribution(0.0, 1.0)(random_));
    const bool waited =
        options_.pause ? options_.pause(wait)
                       : pause_until(std::chrono::steady_clock::now() + wait, options_.stopped);
    if (!waited) return false;
    return !options_.catch_up || options_.catch_up();
  }

  // Plans that fail get their result at once. The rest are returned in `planned` and share the
  // returned result, or in `left`, to be retried one by one.
  Result<Done> attempt_batch(const std::vector<Ticket*>& batch, std::vector<Ticket*>& planned,
                             std::vector<Ticket*>& left) {
    const auto snapshot = refs_.snapshot();
    if (!snapshot) {
      planned = batch;
      return snapshot.error();
    }
    RefTransaction transaction(folder_, refs_, *snapshot);
    BatchImpl view(transaction, *objects_);
    for (Ticket* ticket : batch) {
      const std::size_t mark = transaction.mark();
      auto done = view.run(*ticket->plan);
      ticket->refs = transaction.set_between(mark, transaction.mark());
      if (done)
        planned.push_back(ticket);
      else
        ticket->result = std::move(done);
    }
    if (transaction.changes().empty()) return Done{};
    PORTICO_TRY(StoredPack pack, store_pack(objects_folder(), view.staging()));
    if (!view.staging().empty() && ++packs_ >= options_.packs) keep();
    if (options_.push) PORTICO_DO(push(transaction, view.dropped(), planned, left));
    return transaction.commit([&](const Oid& id) { return view.read(id); });
  }

  // Changes that are not pushed are taken out of the transaction, and their tickets out of
  // `planned`.
  Result<Done> push(RefTransaction& transaction, std::set<std::string> not_needed,
                    std::vector<Ticket*>& planned, std::vector<Ticket*>& left) {
    std::vector<RefChange> changes;
    for (const auto& change : transaction.changes())
      changes.push_back({change.name, change.before, change.after});
    const PushOrder order = push_order(changes);
    if (!order.first.empty()) PORTICO_DO(options_.push(order.first));
    if (order.rest.empty()) return Done{};
    auto done = options_.push(order.rest);
    if (done || order.first.empty()) return done;
    if (options_.log)
      options_.log->warning("cannot remove refs that are no longer needed",
                            {{"repository", folder_}, {"error", done.error().text()}});
    for (const RefChange& change : order.rest)
      PORTICO_DO(transaction.set(change.name, change.before));
    // Refs that were only dropped do not block any ticket.
    for (const RefChange& change : order.first) not_needed.insert(change.name);
    std::vector<Ticket*> all;
    all.swap(planned);
    for (Ticket* ticket : all) {
      if (std::all_of(ticket->refs.begin(), ticket->refs.end(),
                      [&](const std::string& ref) { return not_needed.contains(ref); }))
        planned.push_back(ticket);
      else if (may_be_of_one(done.error()))
        left.push_back(ticket);
      else
        ticket->result = done;
    }
    return Done{};
  }

  // Starts a thread that consolidates packs and ends when they are few: most repositories never
  // need one, and there may be thousands of repositories.
  void keep() {
    const MutexLock lock(keeper_mutex_);
    if (keeping_ || std::chrono::steady_clock::now() < rests_until_) return;
    try {
      keeper_ = std::jthread([this](const std::stop_token& stop) { keep_packs_few(stop); });
    } catch (const std::system_error&) {
      return;  // no thread available: a later write tries again
    }
    keeping_ = true;  // the thread takes the mutex before it clears this
  }

  void keep_packs_few(const std::stop_token& stop) {
    StopSource git;
    const std::stop_callback ask(stop, [&git] { git.ask(); });
    bool helped = true;
    while (helped && packs_ >= options_.packs && !stop.stop_requested()) {
      const std::size_t before = packs_;
      const auto done = consolidate(git.stop());
      if (!done && options_.log && !stop.stop_requested())
        options_.log->warning("cannot repack",
                              {{"repository", folder_}, {"error", done.error().text()}});
      helped = done && packs_ + 1 < before;
    }
    const MutexLock lock(keeper_mutex_);
    keeping_ = false;
    // If consolidation does not help (kept packs, a full disk), it is not retried with every write.
    if (!helped) rests_until_ = std::chrono::steady_clock::now() + kRest;
  }

  std::string folder_;
  StoreOptions options_;
  std::unique_ptr<ObjectDb> objects_;
  RefReader refs_;
  std::minstd_rand random_{std::random_device()()};  // for the leader; differs per process

  Mutex mutex_;
  Changed free_, queued_;                                  // there is no leader; a write was queued
  std::size_t batch_size_ PORTICO_GUARDED_BY(mutex_) = 0;  // of the last batch
  std::chrono::steady_clock::duration batch_time_ PORTICO_GUARDED_BY(mutex_){};
  // No deque: that takes half a kilobyte while it is empty, and there may be thousands of stores.
  std::list<Ticket*> queue_ PORTICO_GUARDED_BY(mutex_);
  bool busy_ PORTICO_GUARDED_BY(mutex_) = false;            // a batch or an exclusive task runs
  std::size_t exclusives_ PORTICO_GUARDED_BY(mutex_) = 0;   // tasks that wait
  bool exclusive_next_ PORTICO_GUARDED_BY(mutex_) = false;  // a task precedes the next batch

  std::atomic<std::size_t> packs_{0};
  Mutex repack_;  // one consolidation at a time
  Mutex keeper_mutex_;
  bool keeping_ PORTICO_GUARDED_BY(keeper_mutex_) = false;
  std::chrono::steady_clock::time_point rests_until_ PORTICO_GUARDED_BY(keeper_mutex_){};
  std::jthread keeper_;  // last member: it uses the others
};

void clear_locks_of_the_dead(const std::string& folder) {
  if (const auto writer = WriterLock::take(folder, 0)) clean_ref_locks(folder);
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const std::string& folder, StoreOptions options) {
  PORTICO_TRY(auto objects, ObjectDb::open(folder, options.on_damage));
  auto impl = std::make_unique<Impl>(folder, std::move(objects), std::move(options));
  PORTICO_DO(impl->start());
  return std::unique_ptr<Store>(new Store(std::move(impl)));
}

const std::string& Store::folder() const { return impl_->folder(); }
const ObjectDb& Store::objects() const { return impl_->objects(); }
RefReader& Store::refs() { return impl_->refs(); }
Result<Done> Store::write(const Plan& plan) { return impl_->write(plan); }
Result<Done> Store::exclusively(const std::function<Result<Done>()>& task) {
  return impl_->exclusively(task);
}
void Store::clear_locks_of_the_dead() { impl_->clear_locks_of_the_dead(); }
void Store::rest() { impl_->rest(); }
Result<Done> Store::consolidate() { return impl_->consolidate(); }

namespace {

// Syncs a folder with everything in it.
Result<Done> sync_all(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    if (at->is_directory(error)) {
      PORTICO_DO(sync_folder(path));
    } else {
      PORTICO_TRY(const Fd file, open_file(path, O_RDONLY));
      PORTICO_DO(sync_file(file, path));
    }
  }
  if (error) return file_error("list", folder, error.value());
  return sync_folder(folder);
}

Result<Done> make_bare(const std::string& folder, const std::string& branch) {
  git_libgit2_init();
  git_repository_init_options options;
  git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
  options.flags =
      GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKPATH | GIT_REPOSITORY_INIT_NO_REINIT;
  options.initial_head = branch.c_str();
  git_repository* made = nullptr;
  const int status = git_repository_init_ext(&made, folder.c_str(), &options);
  const std::string reason = status == 0 ? "" : git_error_last()->message;
  git_repository_free(made);
  git_libgit2_shutdown();
  if (status != 0) return unavailable("cannot create a git repository in {:?}: {}", folder, reason);
  return Done{};
}

// The process that holds a flock on the open folder, as " (process 17)"; "" if the kernel does not
// say, for example because it runs in another container.
std::string holder_of(const Fd& folder) {
  struct stat state {};
  if (::fstat(folder.get(), &state) != 0) return "";
  const std::string inode =
      fmt::format("{:02x}:{:02x}:{}", major(state.st_dev), minor(state.st_dev), state.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // "1: FLOCK  ADVISORY  WRITE 17 fe:01:4711 0 EOF"; a waiter has "->" after the number.
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, file;
    words >> number >> kind >> advisory >> access >> process >> file;
    if (kind == "FLOCK" && file == inode && !process.empty() && process[0] != '0' &&
        process[0] != '-')
      return fmt::format(" (process {})", process);
  }
  return "";
}

// Locks the open folder; the lock ends with the descriptor.
Result<Done> lock_folder(const Fd& folder, const std::string& path, const Stop& stopped,
                         std::chrono::seconds patience) {
  using Steady = std::chrono::steady_clock;
  const auto deadline = Steady::now() + patience;
  Steady::duration pause = std::chrono::milliseconds(1);
  while (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return file_error("lock", path, errno);
    if (stopped())
      return unavailable("stopped while waiting for {:?}, which another process{} has locked", path,
                         holder_of(folder));
    if (Steady::now() >= deadline)
      return unavailable("{:?} has been locked by another process{} for more than {} s", path,
                         holder_of(folder), patience.count());
    // The holder needs milliseconds to create a repository.
    pause_until(std::min({Steady::now() + pause, deadline, stopped.at()}), stopped);
    pause = std::min<Steady::duration>(pause * 2, std::chrono::milliseconds(50));
  }
  return Done{};
}

}  // namespace

Result<Done> init_bare(const std::string& folder, const std::string& branch, const Stop& stopped,
                       std::chrono::seconds patience) {
  const std::string parent = parent_of(folder), fresh = folder + ".new";
  PORTICO_DO(make_folders(parent));
  PORTICO_TRY(const Fd held, open_file(parent, O_RDONLY | O_DIRECTORY));
  PORTICO_DO(lock_folder(held, parent, stopped, patience));
  if (exists(folder + "/HEAD")) return conflict("{:?} already contains a git repository", folder);
  std::error_code error;
  std::filesystem::remove_all(fresh, error);  // left by a process that was killed here
  PORTICO_DO(make_bare(fresh, branch));
  PORTICO_DO(sync_all(fresh));
  PORTICO_DO(rename_file(fresh, folder));
  return sync_file(held, parent);
}

}  // namespace portico::git
