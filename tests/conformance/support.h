// Helpers for the suites: reading their data and showing differences.
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

/// The bytes of a file. kNotFound where it is not there, kUnavailable where it cannot be read.
Result<std::string> read_file(const std::filesystem::path& file);

/// As read_file, and "" for a file that is not there.
std::string read_file_or_empty(const std::filesystem::path& file);

/// The folders below `data`, at any depth, that hold a file `marker`; sorted by path. The folders
/// of a case are not searched for more cases.
std::vector<std::filesystem::path> case_folders(const std::filesystem::path& data,
                                                std::string_view marker = "case.yaml");

/// The files right in `data` whose name ends with `extension` (".jsonl"), sorted.
std::vector<std::filesystem::path> files_with(const std::filesystem::path& data,
                                              std::string_view extension);

/// The name of a case folder in reports: its path below `data`, with '/'.
std::string case_name(const std::filesystem::path& data, const std::filesystem::path& folder);

/// One JSON value a line; blank lines are passed over. Errors name the file and the line.
Result<std::vector<json::Value>> read_jsonl(const std::filesystem::path& file);

/// Path below the folder ('/' between names) -> bytes, for every regular file; `.git` is left out.
/// Empty for a folder that does not exist.
using Tree = std::map<std::string, std::string>;
Tree read_tree(const std::filesystem::path& folder);

/// Writes the files of `tree` below `folder`, which is made where it does not exist.
Result<Done> write_tree(const std::filesystem::path& folder, const Tree& tree);

/// Without leading and trailing white space, as Go's strings.TrimSpace for ASCII.
std::string_view trimmed(std::string_view text);

/// A unified difference with three lines of context, headed "--- want" and "+++ have"; "" where the
/// texts are equal. A missing newline at the end is shown. Of very different long texts only the
/// part that fits in about 200 lines is given.
std::string difference(std::string_view want, std::string_view have);

/// The same for trees: files that are missing, files too many, and the differences of the others.
std::string difference(const Tree& want, const Tree& have);

/// passed, or failed with the difference.
CaseResult compare(std::string name, std::string_view want, std::string_view have);
CaseResult compare(std::string name, const Tree& want, const Tree& have);

/// Runs one case; a std::exception that leaves it is a failed case named `name`.
CaseResult guarded(std::string name, const std::function<CaseResult()>& run);

/// What `run` says of the folder of each case below `data`, in order.
using RunCase =
    std::function<CaseResult(const std::string& name, const std::filesystem::path& folder)>;
std::vector<CaseResult> each_case(const std::filesystem::path& data, const RunCase& run);

}  // namespace portico::conformance
