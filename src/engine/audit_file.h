// The audit log of a server: a file that is rotated by size.
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

/// Appends each line immediately; creates the file, with mode 0600, if it is missing. At `bytes` or
/// more it is renamed to FILE.1, FILE.1 to FILE.2 and so on; files beyond `kept` are deleted. A
/// line that cannot be written is reported to `log` and lost. Thread-safe.
class AuditFile : public apiserver::AuditLog {
 public:
  struct Options {
    std::string path;
    std::size_t bytes = std::size_t{100} << 20;
    int kept = 10;
  };
  /// kUnavailable if it cannot be opened. `log` must outlive it.
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
