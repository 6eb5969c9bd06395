// The durable log of the store: an SQLite file with the last version of every object and the events
// that can still be watched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "registry/registry.h"
#include "store/embedded.h"

struct sqlite3;
struct sqlite3_stmt;

namespace portico::store {

/// Layout: log(rv PRIMARY KEY, k, v), where k is the key as text and v the object as JSON, NULL for
/// a deletion; meta(name PRIMARY KEY, value) with "compacted", and with "scrub" while replaced
/// texts may remain in free pages or in the -wal. Up to version "compacted" a row is the last one
/// of its key; above it, every version has a row. Used by one thread at a time.
class LogFile {
 public:
  struct Row {
    registry::ResourceVersion version = 0;
    std::string_view key;
    std::optional<std::string_view> object;
  };

  /// kInvalid if the file has a later layout, or is empty although its -wal is not. Reads the file
  /// without SQLite, which would create files next to it; open() detects everything else.
  static Result<Done> check_layout(const std::filesystem::path& file);
  /// In memory if `file` is empty.
  static Result<std::unique_ptr<LogFile>> open(const std::filesystem::path& file,
                                               Durability durability);
  /// Opens a consistent snapshot for reading while another process may write. Null if there is no
  /// file yet.
  static Result<std::unique_ptr<LogFile>> open_reading(const std::filesystem::path& file);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  registry::ResourceVersion compacted() const { return compacted_; }
  /// Visits every row in order of versions; stops at the first error of `visit`.
  Result<Done> read(const std::function<Result<Done>(const Row&)>& visit);

  /// In one transaction: adds `rows`, removes the rows in `superseded`, and sets the compaction to
  /// `compacted`. On failure (kUnavailable) nothing is stored.
  Result<Done> write(const std::vector<Row>& rows,
                     const std::vector<registry::ResourceVersion>& superseded,
                     registry::ResourceVersion compacted);

  /// Replaces the objects of some rows in one transaction, and removes all traces of the old texts
  /// from the files. If that was interrupted or a reader was active, the next call continues with
  /// it. With no objects, only does that.
  Result<Done> rewrite(const std::map<registry::ResourceVersion, std::string>& objects);

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  explicit LogFile(std::string name) : name_(std::move(name)) {}
  Error failure(std::string_view doing) const;
  /// The errno with which creating a file next to the log fails; 0 if it succeeds.
  int why_not_made() const;
  Result<Done> run(const char* sql);
  Result<std::int64_t> number(const char* sql);
  Result<Statement> prepare(const char* sql);
  Result<Done> set_up(Durability durability);
  /// Removes traces of replaced texts from the files, if pending.
  Result<Done> scrub();
  /// The number of tables, if the file is empty or a Portico store; checked before anything is
  /// written.
  Result<std::int64_t> check_ours();
  Result<Done> add_rows(const std::vector<Row>& rows,
                        const std::vector<registry::ResourceVersion>& superseded,
                        registry::ResourceVersion compacted);

  std::string name_;  // of the file, for errors
  std::unique_ptr<sqlite3, Close> db_;
  Statement insert_, erase_, compact_;
  registry::ResourceVersion compacted_ = 0;
};

}  // namespace portico::store
