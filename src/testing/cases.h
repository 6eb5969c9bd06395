// Data-file tests: every file in a folder is one case.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace portico::testing {

/// One case file. It starts with a comment for the reader; each section starts with a line "-- name
/// --" and runs to the next one.
class Case {
 public:
  explicit Case(std::filesystem::path file);

  /// The text of a section; "" if the file has none (call has() to distinguish).
  const std::string& operator[](std::string_view section) const;
  bool has(std::string_view section) const;
  const std::filesystem::path& file() const { return file_; }

  /// Expects the section to equal `actual`. With PORTICO_ACCEPT=1 in the environment it rewrites
  /// the section in the file and skips the test, so that an accept run never counts as a pass.
  void expect(std::string_view section, const std::string& actual) const;

 private:
  std::filesystem::path file_;
  std::string head_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

void PrintTo(const Case& one, std::ostream* out);

/// The cases in src/<folder>, sorted by file name. Never empty: aborts for a folder without cases.
std::vector<Case> cases(std::string_view folder);

/// For INSTANTIATE_TEST_SUITE_P(Data, Suite, ValuesIn(cases("...")), case_name).
std::string case_name(const ::testing::TestParamInfo<Case>& info);

/// The whole file; aborts if it cannot be read.
std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view text);

/// A temporary folder, removed with the object.
class TempDir {
 public:
  explicit TempDir(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A folder for the many small repositories of tests that do not check durability: in memory if the
/// system supports it, which avoids waiting for a disk.
std::filesystem::path memory_folder();

/// The folder ../shared next to the project if it exists, else "" (such a test then skips).
std::filesystem::path shared_dir();

/// The root of the source tree that the tests were built from.
std::filesystem::path source_dir();

}  // namespace portico::testing
