#include "identity/serving_certificate.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <tuple>
#include <utility>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/secret_file.h"

namespace portico::identity {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;
constexpr int kMostReads = 10;
// Poll as well: clocks get adjusted, and some mounts do not report changes.
constexpr std::chrono::milliseconds kLongest = std::chrono::hours(1);
constexpr std::chrono::milliseconds kShortest = std::chrono::seconds(1);

class TheCertificate final : public ServingCertificate {
 public:
  TheCertificate(ServingOptions options, const Clock& clock, Log* log, Use use)
      : options_(std::move(options)), clock_(clock), log_(log), use_(std::move(use)) {}

  ~TheCertificate() override {
    const std::uint64_t one = 1;
    if (thread_.joinable()) {
      (void)!::write(stop_.get(), &one, sizeof one);
      thread_.join();
    }
  }

  Result<Done> begin() {
    stop_ = Fd(::eventfd(0, EFD_CLOEXEC));
    changes_ = Fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!stop_ || !changes_) return unavailable("cannot watch the certificate files");
    // Watch first, so that no change is missed.
    for (const std::string& file : {options_.certificate_file, options_.key_file}) {
      if (file.empty()) continue;
      const std::string folder = std::filesystem::absolute(file).parent_path();
      constexpr std::uint32_t kWhat = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB;
      if (::inotify_add_watch(changes_.get(), folder.c_str(), kWhat) < 0)
        return file_error("watch", folder, errno);
    }
    PORTICO_DO(refresh());
    thread_ = std::thread([this] { run(); });
    return Done{};
  }

  void look() override {
    const auto refreshed = refresh();
    if (!refreshed && log_ != nullptr)
      log_->warning("cannot renew the server certificate; keeping the previous one",
                    {{"error", refreshed.error().text()}});
  }

 private:
  Result<KeyPair> read() const {
    PORTICO_TRY(std::string certificate, read_small_file(options_.certificate_file, kMostBytes));
    // The two files are replaced one after the other, or at once through a symbolic link: if the
    // certificate has changed by the time the key is read, the key may not belong to it.
    for (int tries = 0; tries < kMostReads; ++tries) {
      PORTICO_TRY(std::string key, read_small_file(options_.key_file, kMostBytes));
      PORTICO_TRY(std::string again, read_small_file(options_.certificate_file, kMostBytes));
      if (again == certificate) return KeyPair{std::move(certificate), std::move(key)};
      certificate = std::move(again);
    }
    return unavailable("{} keeps changing while it is read", options_.certificate_file);
  }

  // One refresh at a time, so that the pair read last is also the one used last.
  Result<Done> refresh() PORTICO_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const TimePoint now = clock_.now();
    KeyPair next;
    if (options_.authority) {
      if (renewal_ && now < *renewal_) return Done{};
      const auto& [authority, lifetime] = std::tie(*options_.authority, options_.lifetime);
      PORTICO_TRY(next,
                  options_.user.empty()
                      ? authority.issue_server(options_.names, now, lifetime)
                      : authority.issue_client(options_.user, options_.groups, now, lifetime));
    } else {
      PORTICO_TRY(next, read());
      if (next.certificate == current_.certificate && next.key == current_.key) return Done{};
    }
    PORTICO_TRY(const CertificateFacts facts, read_certificate(next.certificate));
    PORTICO_DO(use_(next));
    renewal_ = renewal_of(facts);
    current_ = std::move(next);
    return Done{};
  }

  std::chrono::milliseconds until_next() PORTICO_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (!options_.authority || !renewal_) return kLongest;
    return std::clamp<std::chrono::milliseconds>(*renewal_ - clock_.now(), kShortest, kLongest);
  }

  void run() {
    for (;;) {
      pollfd waits[] = {{stop_.get(), POLLIN, 0}, {changes_.get(), POLLIN, 0}};
      ::poll(waits, 2, static_cast<int>(until_next().count()));
      if (waits[0].revents != 0) return;
      char events[4096];
      while (::read(changes_.get(), events, sizeof events) > 0) {
      }
      look();
    }
  }

  const ServingOptions options_;
  const Clock& clock_;
  Log* log_;
  Use use_;
  Fd stop_, changes_;
  Mutex mutex_;
  KeyPair current_ PORTICO_GUARDED_BY(mutex_);
  std::optional<TimePoint> renewal_ PORTICO_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<ServingCertificate>> ServingCertificate::start(ServingOptions options,
                                                                      const Clock& clock, Log* log,
                                                                      Use use) {
  if (!options.authority && (options.certificate_file.empty() || options.key_file.empty()))
    return invalid("a server certificate requires both a certificate file and a key file");
  auto made = std::make_unique<TheCertificate>(std::move(options), clock, log, std::move(use));
  PORTICO_DO(made->begin());
  return std::unique_ptr<ServingCertificate>(std::move(made));
}

}  // namespace portico::identity
