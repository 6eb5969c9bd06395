#include "engine/manifests.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "krm/meta.h"
#include "krm/object.h"

namespace portico::engine {
namespace {

namespace fs = std::filesystem;
using json::Value;

bool is_manifest(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

Result<std::vector<std::string>> files_of(const std::string& path) {
  if (path == "-") return std::vector<std::string>{path};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) return not_found("no file or folder \"{}\"", path);
  if (!fs::is_directory(status)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename().string().starts_with(".")) {
      if (at->is_directory()) at.disable_recursion_pending();
      continue;
    }
    if (at->is_regular_file() && is_manifest(at->path())) files.push_back(at->path().string());
  }
  if (error) return unavailable("cannot read folder \"{}\": {}", path, error.message());
  std::sort(files.begin(), files.end());
  if (files.empty()) return not_found("no *.yaml, *.yml or *.json file in \"{}\"", path);
  return files;
}

Result<Done> add(std::vector<Manifest>& out, const Value& object, const std::string& source,
                 const std::string& ns) {
  if (object["items"].is_array() && object["kind"].as_string().ends_with("List")) {
    for (const Value& item : object["items"].items()) PORTICO_DO(add(out, item, source, ns));
    return Done{};
  }
  if (object["apiVersion"].as_string().empty() || object["kind"].as_string().empty())
    return invalid("not a Kubernetes object: apiVersion and kind are needed");
  if (krm::name_of(object).empty()) return invalid("metadata.name: missing required field");
  out.push_back(
      {krm::namespace_of(object).empty() ? object.with_at({"metadata", "namespace"}, ns) : object,
       source});
  return Done{};
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::size_t limit) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return not_found("cannot read \"{}\": {}", path, std::strerror(errno));
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer), in.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit)
      return invalid("\"{}\" has more than {} bytes, the limit for one file", path, limit);
  }
  return text;
}

Result<std::vector<Manifest>> manifests_of(const std::string& text, const std::string& source,
                                           const std::string& ns) {
  std::vector<Manifest> out;
  PORTICO_TRY(const auto documents, krm::Object::parse_file(text), source);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string place =
        documents.size() == 1 ? source : fmt::format("{}, document {}", source, i + 1);
    PORTICO_DO(add(out, documents[i].value(), place, ns), place);
  }
  return out;
}

Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths,
                                             const std::string& ns) {
  std::vector<Manifest> out;
  for (const std::string& path : paths) {
    PORTICO_TRY(const auto files, files_of(path));
    for (const std::string& file : files) {
      PORTICO_TRY(const std::string text, read_text(file));
      PORTICO_TRY(auto some, manifests_of(text, file == "-" ? "standard input" : file, ns));
      std::move(some.begin(), some.end(), std::back_inserter(out));
    }
  }
  if (out.empty()) return invalid("no objects in {}", fmt::join(paths, ", "));
  return out;
}

}  // namespace portico::engine
