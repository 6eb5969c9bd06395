// Data-file tests: every file of a folder is one case.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace portico::testing {

/// One case file. Its first lines are a comment for people; sections start with a line
/// "-- name --" and run to the next one.
class Case {
 public:
  explicit Case(std::filesystem::path file);

  /// The text of a section; "" where the file has none (ask has() where that matters).
  const std::string& operator[](std::string_view section) const;
  bool has(std::string_view section) const;
  const std::filesystem::path& file() const { return file_; }

  /// Expects the section to be `actual`. With PORTICO_ACCEPT=1 in the environment the file is
  /// rewritten with it and the test skips, so an accept run is never taken for a pass.
  void expect(std::string_view section, const std::string& actual) const;

 private:
  std::filesystem::path file_;
  std::string head_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

void PrintTo(const Case& one, std::ostream* out);

/// The cases below src/<folder>, sorted by file name. Never empty: a folder without cases aborts.
std::vector<Case> cases(std::string_view folder);

/// For INSTANTIATE_TEST_SUITE_P(Data, Suite, ValuesIn(cases("...")), case_name).
std::string case_name(const ::testing::TestParamInfo<Case>& info);

/// The whole file; aborts where it cannot be read.
std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view text);

/// A folder that goes away with the object.
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

/// For the many small repositories of tests that do not ask what survives: a folder in memory where
/// the system has one, so that no disk is waited for.
std::filesystem::path memory_folder();

/// ../shared beside the project where it exists, else "" (then such a test skips).
std::filesystem::path shared_dir();

/// The root of the source tree that the tests were built from.
std::filesystem::path source_dir();

}  // namespace portico::testing
