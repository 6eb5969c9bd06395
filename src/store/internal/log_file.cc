#include "store/internal/log_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/fd.h"

namespace portico::store {

using registry::ResourceVersion;

namespace {

constexpr std::int64_t kApplicationId = 0x506f7274;  // "Port"
constexpr std::int64_t kLayout = 1;
constexpr ResourceVersion kFirstVersion = 1;  // of an empty store; 0 is not a version

Error other_layout(std::int64_t layout) {
  return invalid(
      "the file has layout {}, this version of Portico supports layout {}; install the version "
      "that wrote it, or a later one (nothing was changed)",
      layout, kLayout);
}

// A big-endian number in SQLite's file header.
std::int64_t number_at(std::string_view header, std::size_t at) {
  std::int64_t out = 0;
  for (const char byte : header.substr(at, 4)) out = out << 8 | static_cast<unsigned char>(byte);
  return out;
}

}  // namespace

void LogFile::Close::operator()(sqlite3* db) const { sqlite3_close(db); }
void LogFile::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

LogFile::~LogFile() = default;

Error LogFile::failure(std::string_view doing) const {
  const int code = sqlite3_errcode(db_.get()) & 0xff;
  if (code == SQLITE_NOTADB)
    return invalid("not a Portico store; specify another folder, or move the file away").in(name_);
  if (code == SQLITE_CORRUPT || code == SQLITE_ERROR)  // SQLITE_ERROR: a table differs
    return invalid("the file is damaged ({}); restore a copy of it, or move it away to start empty",
                   sqlite3_errmsg(db_.get()))
        .in(name_);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    return unavailable("another program has the file open").in(name_);
  // SQLite's text for a system error is only "disk I/O error"; if it could not create a file, its
  // errno is that of another attempt.
  const int system = code == SQLITE_CANTOPEN ? why_not_made() : sqlite3_system_errno(db_.get());
  const std::string why =
      system == 0 ? "" : fmt::format(" ({})", std::generic_category().message(system));
  return unavailable("{}: {}{}", doing, sqlite3_errmsg(db_.get()), why).in(name_);
}

int LogFile::why_not_made() const {
  const std::string probe = name_ + "-probe";
  const Fd made(::open(probe.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const int number = made ? 0 : errno;
  if (made) ::unlink(probe.c_str());
  return number;
}

Result<Done> LogFile::run(const char* sql) {
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure(sql);
  return Done{};
}

Result<LogFile::Statement> LogFile::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(db_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) !=
      SQLITE_OK)
    return failure(sql);
  return Statement(statement);
}

Result<std::int64_t> LogFile::number(const char* sql) {
  PORTICO_TRY(const Statement statement, prepare(sql));
  if (sqlite3_step(statement.get()) != SQLITE_ROW) {
    if (sqlite3_errcode(db_.get()) == SQLITE_DONE)
      return invalid("the file is damaged: \"{}\" returns nothing", sql).in(name_);
    return failure(sql);
  }
  return sqlite3_column_int64(statement.get(), 0);
}

Result<std::unique_ptr<LogFile>> LogFile::open(const std::filesystem::path& file,
                                               Durability durability) {
  const std::string path = file.empty() ? ":memory:" : file.string();
  std::unique_ptr<LogFile> log(new LogFile(path));
  // SQLite creates world-readable files; those next to this one inherit its mode.
  if (!file.empty()) {
    const Fd made(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!made) return file_error("open", path, errno);  // SQLite would not report the reason
  }
  sqlite3* db = nullptr;
  const int opened = sqlite3_open_v2(
      path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  log->db_.reset(db);
  if (db == nullptr) return unavailable("cannot allocate memory").in(path);
  if (opened != SQLITE_OK) return log->failure("cannot be opened");
  PORTICO_DO(log->set_up(durability));
  return log;
}

Result<std::unique_ptr<LogFile>> LogFile::open_reading(const std::filesystem::path& file) {
  constexpr int kPatience = 10'000;  // ms, while a writer opens or closes the file
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    if (error) return unavailable("cannot be accessed: {}", error.message()).in(file.string());
    return std::unique_ptr<LogFile>();
  }
  std::unique_ptr<LogFile> log(new LogFile(file.string()));
  sqlite3* db = nullptr;
  // Not read-only: after a crash the -wal must be recovered first.
  const int opened =
      sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  log->db_.reset(db);
  if (db == nullptr) return unavailable("cannot allocate memory").in(file.string());
  if (opened != SQLITE_OK) return log->failure("cannot be opened");
  sqlite3_busy_timeout(db, kPatience);
  // The -wal is left to the writer.
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  PORTICO_DO(log->run("BEGIN"));
  PORTICO_TRY(const std::int64_t tables, log->check_ours());
  if (tables == 0) return std::unique_ptr<LogFile>();
  PORTICO_TRY(const std::int64_t compacted,
              log->number("SELECT value FROM meta WHERE name = 'compacted'"));
  log->compacted_ = static_cast<ResourceVersion>(compacted);
  return log;
}

Result<Done> LogFile::check_layout(const std::filesystem::path& file) {
  constexpr std::size_t kHeader = 100, kUserVersion = 60, kApplication = 68;
  const Fd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  // SQLite would discard the -wal of an empty file. It never leaves such files itself: a file has
  // its first page before it has a -wal.
  std::error_code ignored;
  const auto wal = std::filesystem::file_size(file.string() + "-wal", ignored);
  if (opened && !ignored && wal > 0 && std::filesystem::file_size(file, ignored) == 0)
    return invalid("the file is damaged: it is empty, and \"{}-wal\" is not; restore a copy",
                   file.filename().string())
        .in(file.string());
  std::string header(kHeader, '\0');
  if (!opened || ::pread(opened.get(), header.data(), kHeader, 0) != ssize_t{kHeader} ||
      !header.starts_with("SQLite format 3") || number_at(header, kApplication) != kApplicationId)
    return Done{};
  const std::int64_t layout = number_at(header, kUserVersion);
  if (layout <= kLayout) return Done{};
  return other_layout(layout).in(file.string());
}

Result<std::int64_t> LogFile::check_ours() {
  PORTICO_TRY(const std::int64_t tables, number("SELECT count(*) FROM sqlite_schema"));
  PORTICO_TRY(const std::int64_t id, number("PRAGMA application_id"));
  PORTICO_TRY(const std::int64_t layout, number("PRAGMA user_version"));
  if (tables != 0 && id != kApplicationId)
    return invalid(
               "this is a database of another program; specify another folder, or move the file "
               "away")
        .in(name_);
  if (tables != 0 && layout != kLayout) return other_layout(layout).in(name_);
  return tables;
}

Result<Done> LogFile::set_up(Durability durability) {
  sqlite3_busy_timeout(db_.get(), 10'000);  // while a reader recovers the -wal after a crash
  // A foreign file must not receive what its writer left in the -wal.
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  PORTICO_TRY(const std::int64_t tables, check_ours());
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  if (tables == 0) PORTICO_DO(run("PRAGMA page_size = 16384"));
  PORTICO_DO(run("PRAGMA journal_mode = WAL"));
  PORTICO_DO(run(durability == Durability::kPower ? "PRAGMA synchronous = FULL"
                                                  : "PRAGMA synchronous = NORMAL"));
  PORTICO_DO(run("PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 1000"));
  if (tables == 0) {
    PORTICO_DO(run(fmt::format("BEGIN IMMEDIATE;"
                               "CREATE TABLE log(rv INTEGER PRIMARY KEY, k TEXT NOT NULL, v TEXT);"
                               "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
                               "INSERT INTO meta VALUES('compacted', {});"
                               "PRAGMA application_id = {};"
                               "PRAGMA user_version = {};"
                               "COMMIT",
                               kFirstVersion, kApplicationId, kLayout)
                       .c_str()));
  }
  PORTICO_TRY(const std::int64_t compacted,
              number("SELECT value FROM meta WHERE name = 'compacted'"));
  compacted_ = static_cast<ResourceVersion>(compacted);
  PORTICO_TRY(insert_, prepare("INSERT INTO log(rv, k, v) VALUES(?, ?, ?)"));
  PORTICO_TRY(erase_, prepare("DELETE FROM log WHERE rv = ?"));
  PORTICO_TRY(compact_, prepare("UPDATE meta SET value = ? WHERE name = 'compacted'"));
  return Done{};
}

Result<Done> LogFile::read(const std::function<Result<Done>(const Row&)>& visit) {
  PORTICO_TRY(const Statement select, prepare("SELECT rv, k, v FROM log ORDER BY rv"));
  const auto text = [&](int column) {
    const auto* bytes = sqlite3_column_text(select.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(select.get(), column));
    return std::string_view(reinterpret_cast<const char*>(bytes), size);
  };
  int step = SQLITE_ROW;
  while ((step = sqlite3_step(select.get())) == SQLITE_ROW) {
    Row row{static_cast<ResourceVersion>(sqlite3_column_int64(select.get(), 0)), text(1), {}};
    if (sqlite3_column_type(select.get(), 2) != SQLITE_NULL) row.object = text(2);
    PORTICO_DO(visit(row), name_);
  }
  if (step != SQLITE_DONE) return failure("cannot be read");
  return Done{};
}

Result<Done> LogFile::add_rows(const std::vector<Row>& rows,
                               const std::vector<ResourceVersion>& superseded,
                               ResourceVersion compacted) {
  const auto step = [&](const Statement& statement) -> Result<Done> {
    const int code = sqlite3_step(statement.get());
    sqlite3_reset(statement.get());
    if (code != SQLITE_DONE) return failure("cannot be written");
    return Done{};
  };
  const auto bind_text = [](const Statement& statement, int at, std::string_view text) {
    sqlite3_bind_text64(statement.get(), at, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  };
  for (const Row& row : rows) {
    sqlite3_bind_int64(insert_.get(), 1, static_cast<std::int64_t>(row.version));
    bind_text(insert_, 2, row.key);
    if (row.object)
      bind_text(insert_, 3, *row.object);
    else
      sqlite3_bind_null(insert_.get(), 3);
    PORTICO_DO(step(insert_));
  }
  for (const ResourceVersion version : superseded) {
    sqlite3_bind_int64(erase_.get(), 1, static_cast<std::int64_t>(version));
    PORTICO_DO(step(erase_));
  }
  if (compacted != compacted_) {
    sqlite3_bind_int64(compact_.get(), 1, static_cast<std::int64_t>(compacted));
    PORTICO_DO(step(compact_));
  }
  return Done{};
}

Result<Done> LogFile::rewrite(const std::map<ResourceVersion, std::string>& objects) {
  if (objects.empty()) return scrub();
  PORTICO_TRY(const Statement update, prepare("UPDATE log SET v = ? WHERE rv = ?"));
  PORTICO_DO(run("BEGIN IMMEDIATE"));
  Result<Done> done = Done{};
  for (const auto& [version, text] : objects) {
    sqlite3_bind_text64(update.get(), 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_int64(update.get(), 2, static_cast<std::int64_t>(version));
    if (sqlite3_step(update.get()) != SQLITE_DONE) done = failure("cannot be written");
    sqlite3_reset(update.get());
    if (!done) break;
  }
  if (done) done = run("INSERT OR REPLACE INTO meta VALUES('scrub', 1)");
  if (done) done = run("COMMIT");
  if (!done) {
    sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    return done;
  }
  return scrub();
}

Result<Done> LogFile::scrub() {
  PORTICO_TRY(const std::int64_t due,
              number("SELECT count(*) FROM meta WHERE name = 'scrub' AND value = 1"));
  if (due == 0) return Done{};
  PORTICO_DO(run("VACUUM"));
  PORTICO_TRY(const std::int64_t busy, number("PRAGMA wal_checkpoint(TRUNCATE)"));
  if (busy != 0) return Done{};  // a reader uses the -wal: the mark stays
  return run("DELETE FROM meta WHERE name = 'scrub'");
}

Result<Done> LogFile::write(const std::vector<Row>& rows,
                            const std::vector<ResourceVersion>& superseded,
                            ResourceVersion compacted) {
  PORTICO_DO(run("BEGIN IMMEDIATE"));
  Result<Done> done = add_rows(rows, superseded, compacted);
  if (done) done = run("COMMIT");
  if (!done) {
    // After some errors SQLite has already rolled back; then this fails harmlessly.
    sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    return done;
  }
  compacted_ = compacted;
  return Done{};
}

}  // namespace portico::store
