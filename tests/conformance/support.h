// Helpers for suites: reading data and showing differences.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "conformance/suite.h"
#include "json/value.h"

namespace portico::conformance {

/// Reads a file. Returns kNotFound if it does not exist, kUnavailable if it cannot be read.
Result<std::string> read_file(const std::filesystem::path& file);

/// Like read_file, but returns "" for a missing file.
std::string read_file_or_empty(const std::filesystem::path& file);

/// The folders below `data`, at any depth, that contain a file `marker`; sorted by path. Case
/// folders are not searched for further cases.
std::vector<std::filesystem::path> case_folders(const std::filesystem::path& data,
                                                std::string_view marker = "case.yaml");

/// The files directly in `data` whose name ends with `extension` (".jsonl"), sorted.
std::vector<std::filesystem::path> files_with(const std::filesystem::path& data,
                                              std::string_view extension);

/// The name of a case folder in reports: its path relative to `data`, with '/'.
std::string case_name(const std::filesystem::path& data, const std::filesystem::path& folder);

/// Reads one JSON value per line, skipping blank lines. Errors name the file and the line.
Result<std::vector<json::Value>> read_jsonl(const std::filesystem::path& file);

/// Relative path (with '/') -> bytes, for every regular file except in `.git`. Empty for a folder
/// that does not exist.
using Tree = std::map<std::string, std::string>;
Tree read_tree(const std::filesystem::path& folder);

/// Writes the files of `tree` below `folder`, which is created if it does not exist.
Result<Done> write_tree(const std::filesystem::path& folder, const Tree& tree);

/// Removes leading and trailing white space, like Go's strings.TrimSpace for ASCII.
std::string_view trimmed(std::string_view text);

/// A unified diff with three lines of context and the headers "--- want" and "+++ have"; "" if the
/// texts are equal. Shows a missing newline at the end. Limited to about 200 lines.
std::string difference(std::string_view want, std::string_view have);

/// The same for trees: missing files, extra files, and the differences of all others.
std::string difference(const Tree& want, const Tree& have);

/// Passed, or failed with the difference.
CaseResult compare(std::string name, std::string_view want, std::string_view have);
CaseResult compare(std::string name, const Tree& want, const Tree& have);

/// Runs one case; turns a std::exception into a failed case named `name`.
CaseResult guarded(std::string name, const std::function<CaseResult()>& run);

/// Calls `run` for each case folder below `data`, in order.
using RunCase =
    std::function<CaseResult(const std::string& name, const std::filesystem::path& folder)>;
std::vector<CaseResult> each_case(const std::filesystem::path& data, const RunCase& run);

}  // namespace portico::conformance
