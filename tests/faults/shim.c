// An LD_PRELOAD library for tests: fails file operations of a program and its children below one
// folder, records what would survive a power failure, and shifts the wall clock.
//
// PORTICO_FAULT_STATE  a file with a struct shared, mapped by all processes
// PORTICO_FAULT_UNDER  only calls on paths below this folder count
// PORTICO_FAULT_AT     the number of the call that fails, from 1; 0 or unset: none
// PORTICO_FAULT_ERROR  the errno of that call; 0: it kills all processes
// PORTICO_FAULT_STAYS  if set, all later calls fail as well
// PORTICO_FAULT_KEEP   a folder on the same file system for what would survive a power failure:
//                      INODE is a file's content at its last sync, grave-N a removed or replaced
//                      file, and log has a line for each change to a folder
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct shared {
  _Atomic uint64_t calls;         // number of calls so far that could fail
  _Atomic int64_t clock_seconds;  // added to the wall clock
  _Atomic uint32_t lock;          // held during a change and the write of its log line
  _Atomic uint32_t dead;          // the power has failed
  _Atomic uint64_t graves;
  char what[256];  // the first call that failed
  struct {
    _Atomic int32_t error;  // errno of every call on paths below `folder`; 0: none
    char folder[252];
  } broken[4];
};

static struct shared* shared;
static char under[PATH_MAX], keep[PATH_MAX];
static size_t under_size;
static uint64_t fail_at;
static int fail_error, fail_stays;

__attribute__((constructor)) static void begin(void) {
  const char* state = getenv("PORTICO_FAULT_STATE");
  const char* folder = getenv("PORTICO_FAULT_UNDER");
  const char* at = getenv("PORTICO_FAULT_AT");
  const char* error = getenv("PORTICO_FAULT_ERROR");
  const char* kept = getenv("PORTICO_FAULT_KEEP");
  if (!state) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void* mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (mapped == MAP_FAILED) return;
  if (folder) under_size = (size_t)snprintf(under, sizeof under, "%s/", folder);
  if (kept) snprintf(keep, sizeof keep, "%s", kept);
  fail_at = at ? strtoull(at, NULL, 10) : 0;
  fail_error = error ? atoi(error) : 0;
  fail_stays = getenv("PORTICO_FAULT_STAYS") != NULL;
  shared = mapped;
}

static void* real(const char* name) { return dlsym(RTLD_NEXT, name); }
#define REAL(name) ({ \
  static __typeof__(&name) found; \
  if (!found) found = (__typeof__(&name))real(#name); \
  found; })

// ---- paths of calls

// Makes a path absolute and removes ".", ".." and "//". Returns 0 if it is not below `under`.
static int place(int folder, const char* path, char out[PATH_MAX]) {
  if (!shared || !under_size || !path) return 0;
  char whole[2 * PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else if (folder == AT_FDCWD) {
    if (syscall(SYS_getcwd, whole, (unsigned long)PATH_MAX) < 0) return 0;
    strcat(whole, "/");
    strncat(whole, path, PATH_MAX - 1);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const ssize_t size = readlink(link, whole, PATH_MAX - 1);
    if (size <= 0) return 0;
    whole[size] = '\0';
    strcat(whole, "/");
    strncat(whole, path, PATH_MAX - 1);
  }
  size_t end = 0;
  for (char* at = whole; *at;) {
    while (*at == '/') ++at;
    const size_t size = strcspn(at, "/");
    if (size == 0) break;
    if (size == 2 && at[0] == '.' && at[1] == '.') {
      while (end > 0 && out[--end] != '/') {
      }
    } else if (!(size == 1 && at[0] == '.')) {
      if (end + size + 2 > PATH_MAX) return 0;
      out[end++] = '/';
      memcpy(out + end, at, size);
      end += size;
    }
    at += size;
  }
  out[end] = '\0';
  return strncmp(out, under, under_size) == 0;
}

static int place_of(int fd, char out[PATH_MAX]) {
  if (!shared || !under_size || fd < 0) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, out, PATH_MAX - 1);
  if (size <= 0) return 0;
  out[size] = '\0';
  return strncmp(out, under, under_size) == 0;
}

// ---- failures

static void die(void) {
  atomic_store(&shared->dead, 1);
  for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

// Whether this call has to fail; sets errno if so.
static int fails(const char* call, const char* path) {
  if (atomic_load(&shared->dead)) die();
  for (size_t i = 0; i < sizeof shared->broken / sizeof shared->broken[0]; ++i) {
    const int error = atomic_load(&shared->broken[i].error);
    if (!error || strncmp(path, shared->broken[i].folder, strlen(shared->broken[i].folder)) != 0)
      continue;
    errno = error;
    return 1;
  }
  const uint64_t number = atomic_fetch_add(&shared->calls, 1) + 1;
  if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_stays)) return 0;
  if (number == fail_at) snprintf(shared->what, sizeof shared->what, "%s %s", call, path);
  if (fail_error == 0) die();
  errno = fail_error;
  return 1;
}

// ---- what survives a power failure

static void lock(void) {
  uint32_t none = 0;
  while (!atomic_compare_exchange_weak(&shared->lock, &none, 1)) {
    if (atomic_load(&shared->dead)) die();
    none = 0;
    sched_yield();
  }
  if (atomic_load(&shared->dead)) die();
}
static void unlock(void) { atomic_store(&shared->lock, 0); }

static int records(void) { return shared && keep[0]; }

static void note(const char* format, ...) {
  char line[3 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/log", keep);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) abort();
  if (syscall(SYS_write, fd, line, (size_t)size) != size) abort();
  syscall(SYS_close, fd);
}

// Links the file at `path` into `keep` and returns its number; 0 if it is not a file.
static uint64_t bury(const char* path) {
  struct stat info;
  if (lstat(path, &info) != 0 || S_ISDIR(info.st_mode)) return 0;
  const uint64_t number = atomic_fetch_add(&shared->graves, 1) + 1;
  char grave[PATH_MAX + 32];
  snprintf(grave, sizeof grave, "%s/grave-%llu", keep, (unsigned long long)number);
  if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, grave, 0) != 0) abort();
  return number;
}

static void unbury(uint64_t number) {
  char grave[PATH_MAX + 32];
  snprintf(grave, sizeof grave, "%s/grave-%llu", keep, (unsigned long long)number);
  if (number) syscall(SYS_unlinkat, AT_FDCWD, grave, 0);
}

static int is_there(const char* path) {
  struct stat info;
  return lstat(path, &info) == 0;
}

// Copies the file before the sync; the copy takes effect once the sync is done.
static void copy_file(int fd, const char* to) {
  char link[64], block[65536];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const int in = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
  const int out = (int)syscall(SYS_openat, AT_FDCWD, to,
                               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (in < 0 || out < 0) abort();
  ssize_t size;
  while ((size = syscall(SYS_read, in, block, sizeof block)) > 0)
    if (syscall(SYS_write, out, block, (size_t)size) != size) abort();
  syscall(SYS_close, in);
  syscall(SYS_close, out);
}

static int synced(int fd, const char* path, long call) {
  if (!records()) return (int)syscall(call, fd);
  struct stat info;
  char fresh[PATH_MAX + 64], name[PATH_MAX + 32];
  if (fstat(fd, &info) != 0) return -1;
  lock();
  snprintf(name, sizeof name, "%s/%llu", keep, (unsigned long long)info.st_ino);
  snprintf(fresh, sizeof fresh, "%s.new", name);
  if (S_ISREG(info.st_mode)) copy_file(fd, fresh);
  const int done = (int)syscall(call, fd);
  const int error = errno;
  if (done == 0 && S_ISREG(info.st_mode)) syscall(SYS_renameat, AT_FDCWD, fresh, AT_FDCWD, name);
  if (done == 0) note("%s\t%s\n", S_ISREG(info.st_mode) ? "sync" : "sync-folder", path);
  unlock();
  errno = error;
  return done;
}

// ---- files

#define FAILS_AT(fd, call, otherwise) \
  char path_[PATH_MAX]; \
  if (place_of(fd, path_) && fails(call, path_)) return otherwise

ssize_t write(int fd, const void* bytes, size_t size) {
  FAILS_AT(fd, "write", -1);
  return REAL(write)(fd, bytes, size);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  FAILS_AT(fd, "pwrite", -1);
  return REAL(pwrite)(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  FAILS_AT(fd, "pwrite", -1);
  return REAL(pwrite64)(fd, bytes, size, at);
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {
  FAILS_AT(fd, "writev", -1);
  return REAL(writev)(fd, pieces, count);
}
int ftruncate(int fd, off_t size) {
  FAILS_AT(fd, "ftruncate", -1);
  return REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  FAILS_AT(fd, "ftruncate", -1);
  return REAL(ftruncate64)(fd, size);
}
int posix_fallocate(int fd, off_t at, off_t size) {
  FAILS_AT(fd, "fallocate", errno);
  return REAL(posix_fallocate)(fd, at, size);
}
int posix_fallocate64(int fd, off64_t at, off64_t size) {
  FAILS_AT(fd, "fallocate", errno);
  return REAL(posix_fallocate64)(fd, at, size);
}
ssize_t copy_file_range(int in, off64_t* from, int out, off64_t* to, size_t size, unsigned flags) {
  FAILS_AT(out, "copy_file_range", -1);
  return REAL(copy_file_range)(in, from, out, to, size, flags);
}
static int sync_of(const char* call, int fd, long number) {
  char path[PATH_MAX];
  if (!place_of(fd, path)) return (int)syscall(number, fd);
  if (fails(call, path)) return -1;
  return synced(fd, path, number);
}
int fsync(int fd) { return sync_of("fsync", fd, SYS_fsync); }
int fdatasync(int fd) { return sync_of("fdatasync", fd, SYS_fdatasync); }

// ---- creation of files

static int made(int folder, const char* name, int flags, mode_t mode) {
  char path[PATH_MAX];
  const int creates = (flags & O_CREAT) && (flags & O_TMPFILE) != O_TMPFILE;
  if (!creates || !place(folder, name, path))
    return (int)syscall(SYS_openat, folder, name, flags, mode);
  if (fails("open", path)) return -1;
  if (!records()) return (int)syscall(SYS_openat, folder, name, flags, mode);
  lock();
  const int fresh = !is_there(path);
  const int fd = (int)syscall(SYS_openat, folder, name, flags, mode);
  const int error = errno;
  if (fd >= 0 && fresh) note("create\t%s\n", path);
  unlock();
  errno = error;
  return fd;
}

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return made(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return made(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return made(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return made(folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return made(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static FILE* opened(FILE* (*next)(const char*, const char*), const char* name, const char* how) {
  char path[PATH_MAX];
  if (!strpbrk(how, "wa+") || !place(AT_FDCWD, name, path)) return next(name, how);
  if (fails("fopen", path)) return NULL;
  if (!records()) return next(name, how);
  lock();
  const int fresh = !is_there(path);
  FILE* file = next(name, how);
  const int error = errno;
  if (file && fresh) note("create\t%s\n", path);
  unlock();
  errno = error;
  return file;
}
FILE* fopen(const char* path, const char* how) { return opened(REAL(fopen), path, how); }
FILE* fopen64(const char* path, const char* how) { return opened(REAL(fopen64), path, how); }

// Files with generated names. The C library's functions do not call open() above.
static int temporary(char* name, int suffix, int flags) {
  char path[PATH_MAX];
  if (!place(AT_FDCWD, name, path)) return REAL(mkostemps)(name, suffix, flags);
  if (fails("mkstemp", path)) return -1;
  if (!records()) return REAL(mkostemps)(name, suffix, flags);
  lock();
  const int fd = REAL(mkostemps)(name, suffix, flags);
  const int error = errno;
  if (fd >= 0 && place(AT_FDCWD, name, path)) note("create\t%s\n", path);
  unlock();
  errno = error;
  return fd;
}
int mkstemp(char* name) { return temporary(name, 0, 0); }
int mkstemp64(char* name) { return temporary(name, 0, 0); }
int mkostemp(char* name, int flags) { return temporary(name, 0, flags); }
int mkostemp64(char* name, int flags) { return temporary(name, 0, flags); }

// ---- changes to folders

static int named(const char* call, const char* word, int folder, const char* name, mode_t mode) {
  char path[PATH_MAX];
  const int ours = place(folder, name, path);
  if (ours && fails(call, path)) return -1;
  if (!ours || !records()) return (int)syscall(SYS_mkdirat, folder, name, mode);
  lock();
  const int done = (int)syscall(SYS_mkdirat, folder, name, mode);
  const int error = errno;
  if (done == 0) note("%s\t%s\n", word, path);
  unlock();
  errno = error;
  return done;
}
int mkdir(const char* path, mode_t mode) { return named("mkdir", "mkdir", AT_FDCWD, path, mode); }
int mkdirat(int folder, const char* path, mode_t mode) {
  return named("mkdir", "mkdir", folder, path, mode);
}
char* mkdtemp(char* name) {
  char path[PATH_MAX];
  const int ours = place(AT_FDCWD, name, path);
  if (ours && fails("mkdtemp", path)) return NULL;
  char* done = REAL(mkdtemp)(name);
  if (done && ours && records() && place(AT_FDCWD, name, path)) {
    lock();
    note("mkdir\t%s\n", path);
    unlock();
  }
  return done;
}

static int moved(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  char old_path[PATH_MAX], path[PATH_MAX];
  const int ours = place(to_folder, to, path);
  const int from_ours = place(from_folder, from, old_path);
  if (ours && fails("rename", path)) return -1;
  if (!ours || !from_ours || !records())
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
  lock();
  const uint64_t grave = (flags & RENAME_EXCHANGE) ? 0 : bury(path);
  const int done = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
  const int error = errno;
  if (done == 0)
    note("%s\t%s\t%s\t%llu\n", (flags & RENAME_EXCHANGE) ? "exchange" : "rename", old_path, path,
         (unsigned long long)grave);
  else
    unbury(grave);
  unlock();
  errno = error;
  return done;
}
int rename(const char* from, const char* to) { return moved(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return moved(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return moved(from_folder, from, to_folder, to, flags);
}

static int linked(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  char path[PATH_MAX];
  const int ours = place(to_folder, to, path);
  if (ours && fails("link", path)) return -1;
  if (!ours || !records())
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  lock();
  const int done = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  const int error = errno;
  if (done == 0) note("create\t%s\n", path);
  unlock();
  errno = error;
  return done;
}
int link(const char* from, const char* to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return linked(from_folder, from, to_folder, to, flags);
}

static int removed(int folder, const char* name, int flags) {
  char path[PATH_MAX];
  if (!place(folder, name, path) || !records())
    return (int)syscall(SYS_unlinkat, folder, name, flags);
  lock();
  const uint64_t grave = (flags & AT_REMOVEDIR) ? 0 : bury(path);
  const int done = (int)syscall(SYS_unlinkat, folder, name, flags);
  const int error = errno;
  if (done == 0)
    note("%s\t%s\t%llu\n", (flags & AT_REMOVEDIR) ? "rmdir" : "unlink", path,
         (unsigned long long)grave);
  else
    unbury(grave);
  unlock();
  errno = error;
  return done;
}
int unlink(const char* path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char* path, int flags) { return removed(folder, path, flags); }
int rmdir(const char* path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }

// ---- the clock

int clock_gettime(clockid_t which, struct timespec* now) {
  const int done = (int)syscall(SYS_clock_gettime, which, now);
  if (done == 0 && shared && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
    now->tv_sec += atomic_load(&shared->clock_seconds);
  return done;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
