#include "krm/package_json.h"

#include "base/hash.h"
#include "json/text.h"
#include "krm/file_paths.h"

namespace portico::krm {

using json::Value;

Value package_to_json(const Package& package) {
  std::vector<json::Member> out;
  out.reserve(package.files.size());
  for (const auto& [path, file] : package.files) {
    const bool is_text = json::check_printable(Value(file.text())).ok();
    Value one = Value::object({is_text ? json::Member{"text", file.text()}
                                       : json::Member{"base64", base64_encode(file.text())}});
    if (file.mode != FileMode::kRegular)
      one = one.with("mode", file.mode == FileMode::kExecutable ? "executable" : "symlink");
    out.push_back({Value(path), std::move(one)});
  }
  return Value::object(std::move(out));
}

namespace {

Result<File> file_from_json(const Value& value) {
  const std::string_view word = value["mode"].as_string();
  FileMode mode = FileMode::kRegular;
  if (word == "executable") mode = FileMode::kExecutable;
  if (word == "symlink") mode = FileMode::kSymlink;
  if (mode == FileMode::kRegular && !word.empty())
    return invalid("mode {:?} is neither executable nor symlink", word);
  if (value["text"].is_string()) return File(std::string(value["text"].as_string()), mode);
  std::string bytes;
  if (!value["base64"].is_string() || !base64_decode(value["base64"].as_string(), bytes))
    return invalid("a file must have text, or its bytes in base64");
  return File(std::move(bytes), mode);
}

}  // namespace

Result<Package> package_from_json(const Value& files) {
  if (!files.is_object()) return invalid("files must be an object that maps paths to files");
  Package out;
  for (const json::Member& member : files.members()) {
    const std::string path(member.name());
    PORTICO_DO(check_path(path, "file"));
    PORTICO_TRY(File file, file_from_json(member.value), path);
    out.files.emplace(path, std::move(file));
  }
  return out;
}

}  // namespace portico::krm
