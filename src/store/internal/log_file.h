// The durable log of the store: an SQLite file that holds every object's last version and the
// events that can still be watched.
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

/// Layout: log(rv PRIMARY KEY, k, v) with k the key as text and v the object as JSON, NULL for a
/// deletion; meta(name PRIMARY KEY, value) with "compacted", and "scrub" while texts that were
/// replaced may still be in free pages or in the -wal. A row at or below that version is the
/// last of its key; above it, every version has a row. Used by one thread at a time.
class LogFile {
 public:
  struct Row {
    registry::ResourceVersion version = 0;
    std::string_view key;
    std::optional<std::string_view> object;
  };

  /// kInvalid where the file is of a later layout, or was emptied while its -wal was not, as far as
  /// that is told without SQLite, which makes files beside it. Whatever else is wrong, open() says.
  static Result<Done> check_layout(const std::filesystem::path& file);
  /// In memory where `file` is empty.
  static Result<std::unique_ptr<LogFile>> open(const std::filesystem::path& file,
                                               Durability durability);
  /// For reading alone, beside a process that writes: everything is of one moment. Null where there
  /// is no file yet.
  static Result<std::unique_ptr<LogFile>> open_reading(const std::filesystem::path& file);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  registry::ResourceVersion compacted() const { return compacted_; }
  /// Every row in order of versions; stops at the first error of `visit`.
  Result<Done> read(const std::function<Result<Done>(const Row&)>& visit);

  /// One transaction: adds `rows`, removes the rows in `superseded`, moves the compaction up to
  /// `compacted`. Nothing is stored where it fails (kUnavailable).
  Result<Done> write(const std::vector<Row>& rows,
                     const std::vector<registry::ResourceVersion>& superseded,
                     registry::ResourceVersion compacted);

  /// Other texts for the objects of some rows, in one transaction. Nothing of the texts before is
  /// left in the files; where that was cut short, or a reader was in the way, the next call goes on
  /// with it. Nothing else is done for none.
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
  /// The errno with which a file beside the log cannot be made; 0 where it can.
  int why_not_made() const;
  Result<Done> run(const char* sql);
  Result<std::int64_t> number(const char* sql);
  Result<Statement> prepare(const char* sql);
  Result<Done> set_up(Durability durability);
  /// Leaves nothing of replaced texts in the files, where that is due.
  Result<Done> scrub();
  /// Nothing is written before it is known that the file is ours, or empty: how many tables it has.
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
