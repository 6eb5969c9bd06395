#include "engine/audit_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace portico::engine {

Result<std::unique_ptr<AuditFile>> AuditFile::open(Options options, Log& log) {
  std::unique_ptr<AuditFile> out(new AuditFile(std::move(options), log));
  const MutexLock lock(out->mutex_);
  PORTICO_DO(out->reopen());
  return out;
}

Result<Done> AuditFile::reopen() {
  file_ = Fd(::open(options_.path.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600));
  if (!file_) return file_error("open", options_.path, errno);
  struct stat facts {};
  if (::fstat(file_.get(), &facts) != 0) return file_error("read", options_.path, errno);
  size_ = static_cast<std::size_t>(facts.st_size);
  return Done{};
}

Result<Done> AuditFile::rotate() {
  const auto name = [&](int number) { return fmt::format("{}.{}", options_.path, number); };
  if (options_.kept == 0) ::unlink(options_.path.c_str());
  for (int number = options_.kept; number > 0; --number) {
    const std::string from = number == 1 ? options_.path : name(number - 1);
    if (std::rename(from.c_str(), name(number).c_str()) != 0 && errno != ENOENT)
      return file_error("move", from, errno);
  }
  return reopen();
}

Result<Done> AuditFile::append(std::string_view line) {
  if (size_ >= options_.bytes) PORTICO_DO(rotate());
  while (!line.empty()) {
    const ssize_t wrote = ::write(file_.get(), line.data(), line.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return file_error("write", options_.path, errno);
    line.remove_prefix(static_cast<std::size_t>(wrote));
    size_ += static_cast<std::size_t>(wrote);
  }
  return Done{};
}

void AuditFile::write(std::string line) {
  line += '\n';
  const Result<Done> done = [&] {
    const MutexLock lock(mutex_);
    return append(line);
  }();
  if (!done) log_.error("cannot write a line of the audit log", {{"error", done.error().text()}});
}

}  // namespace portico::engine
