// The audit log of a server, as a file that is rotated by size.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "apiserver/audit.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/result.h"

namespace portico::engine {

/// Lines are appended as they come; the file, of mode 0600, is made where it is missing. When it
/// has `bytes` or more it becomes FILE.1, that FILE.2 and so on, and what would be beyond `kept` is
/// deleted. A line that cannot be written is reported to `log` and lost. Safe from any thread.
class AuditFile : public apiserver::AuditLog {
 public:
  struct Options {
    std::string path;
    std::size_t bytes = std::size_t{100} << 20;
    int kept = 10;
  };
  /// kUnavailable where it cannot be opened. `log` outlives it.
  static Result<std::unique_ptr<AuditFile>> open(Options options, Log& log);
  void write(std::string line) override;

 private:
  AuditFile(Options options, Log& log) : options_(std::move(options)), log_(log) {}
  Result<Done> reopen() PORTICO_REQUIRES(mutex_);
  Result<Done> rotate() PORTICO_REQUIRES(mutex_);
  Result<Done> append(std::string_view line) PORTICO_REQUIRES(mutex_);

  const Options options_;
  Log& log_;
  Mutex mutex_;
  Fd file_ PORTICO_GUARDED_BY(mutex_);
  std::size_t size_ PORTICO_GUARDED_BY(mutex_) = 0;
};

}  // namespace portico::engine
