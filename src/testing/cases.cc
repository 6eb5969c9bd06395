#include "testing/cases.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace portico::testing {
namespace {

namespace fs = std::filesystem;

// "-- name --" -> name; "" for any other line.
std::string section_name(const std::string& line) {
  if (line.size() < 7 || !line.starts_with("-- ") || !line.ends_with(" --")) return "";
  return line.substr(3, line.size() - 6);
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::cerr << "cannot read " << file << "\n";
    std::abort();
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const fs::path& file, std::string_view text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) {
    std::cerr << "cannot write " << file << "\n";
    std::abort();
  }
}

Case::Case(fs::path file) : file_(std::move(file)) {
  std::istringstream in(read_file(file_));
  for (std::string line; std::getline(in, line);) {
    if (std::string section = section_name(line); !section.empty()) {
      sections_.emplace_back(std::move(section), "");
    } else {
      std::string& text = sections_.empty() ? head_ : sections_.back().second;
      text += line;
      text += '\n';
    }
  }
}

const std::string& Case::operator[](std::string_view section) const {
  static const std::string kNone;
  for (const auto& [name, text] : sections_)
    if (name == section) return text;
  return kNone;
}

bool Case::has(std::string_view section) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [&](const auto& each) { return each.first == section; });
}

void Case::expect(std::string_view section, const std::string& actual) const {
  const std::string want = (*this)[section];
  std::string have = actual;
  if (!have.empty() && have.back() != '\n') have += '\n';
  if (std::getenv("PORTICO_ACCEPT") == nullptr) {
    EXPECT_EQ(want, have) << file_.string() << ": section \"" << section << "\"";
    return;
  }
  if (want == have) return;
  const Case now(file_);  // includes sections that earlier calls accepted
  std::string text = now.head_;
  bool found = false;
  for (const auto& [name, body] : now.sections_) {
    found = found || name == section;
    text += "-- " + name + " --\n" + (name == section ? have : body);
  }
  if (!found) text += "-- " + std::string(section) + " --\n" + have;
  write_file(file_, text);
  GTEST_SKIP() << "accepted into " << file_.string();
}

void PrintTo(const Case& one, std::ostream* out) { *out << one.file().string(); }

std::vector<Case> cases(std::string_view folder) {
  const fs::path dir = source_dir() / "src" / folder;
  std::vector<fs::path> files;
  if (fs::is_directory(dir))
    for (const auto& entry : fs::directory_iterator(dir))
      if (entry.is_regular_file()) files.push_back(entry.path());
  if (files.empty()) {
    std::cerr << "no cases in " << dir << "\n";
    std::abort();
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> out;
  for (fs::path& file : files) out.emplace_back(std::move(file));
  return out;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.file().stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

TempDir::TempDir(const fs::path& parent) {
  std::string pattern = (parent / "portico-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path memory_folder() {
  const char* shared = "/dev/shm";
  return ::access(shared, W_OK | X_OK) == 0 ? fs::path(shared) : fs::temp_directory_path();
}

fs::path source_dir() { return PORTICO_SOURCE_DIR; }

fs::path shared_dir() {
  const fs::path dir = source_dir().parent_path() / "shared";
  return fs::is_directory(dir / "conformance") ? dir : fs::path();
}

}  // namespace portico::testing
