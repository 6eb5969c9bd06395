#include "apiserver/package_contents.h"

#include <fnmatch.h>

#include <algorithm>

#include "api/kinds.h"
#include "json/text.h"
#include "krm/file_paths.h"

namespace portico::apiserver {

using json::Value;

namespace {

// The fields common to both objects.
Value object_of(const Value& revision, Value resources, Value render_status) {
  const Value &had = revision["metadata"], &spec = revision["spec"];
  Value metadata = Value::object();
  for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
    if (const Value* value = had.find(field)) metadata = metadata.with(field, *value);
  Value out_spec = Value::object();
  for (const char* field : {"packageName", "workspaceName", "revision", "repository"})
    if (const Value* value = spec.find(field)) out_spec = out_spec.with(field, *value);
  return Value::object({{"apiVersion", Value(api::kPorchV1Alpha1)},
                        {"kind", Value(api::kResourcesKind)},
                        {"metadata", std::move(metadata)},
                        {"spec", out_spec.with("resources", std::move(resources))},
                        {"status", Value::object({{"renderStatus", std::move(render_status)}})}});
}

}  // namespace

bool is_wanted(const PathGlobs& globs, const std::string& path) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
           return ::fnmatch(glob.c_str(), path.c_str(), 0) == 0;
         });
}

bool is_shown(const krm::File& file) {
  return file.mode != krm::FileMode::kSymlink && json::check_printable(Value(file.text())).ok();
}

Value resources_object(const Value& revision, const krm::Package& content,
                       const Value& render_status) {
  std::vector<json::Member> files;
  for (const auto& [path, file] : content.files)
    if (is_shown(file)) files.push_back({Value(path), Value(file.text())});
  // Porch's answer if no function ran.
  const Value none =
      Value::object({{"result", Value::object({{"metadata", Value::object()}, {"exitCode", 0}})}});
  const Value& status = render_status.is_null() ? none : render_status;
  return object_of(revision, Value::object(std::move(files)), status.with("error", ""));
}

Value unreadable_resources(const Value& revision, const Error& why) {
  return object_of(
      revision, Value::object(),
      Value::object({{"error", fmt::format("cannot read the content: {}", why.text())}}));
}

Result<krm::Package> with_resources(const krm::Package& stored, const api::StringMap& resources) {
  krm::Package out;
  for (const auto& [path, text] : resources) {
    PORTICO_DO(krm::check_path(path, "file"), "spec.resources");
    const krm::File* had = stored.find(path);
    const bool keeps_mode = had != nullptr && is_shown(*had);
    out.files.emplace(path,
                      keeps_mode && had->text() == text
                          ? *had
                          : krm::File(text, keeps_mode ? had->mode : krm::FileMode::kRegular));
  }
  for (const auto& [path, file] : stored.files)
    if (!is_shown(file)) out.files.emplace(path, file);
  if (out.find("Kptfile") == nullptr)
    return invalid("package must contain Kptfile at root: file does not exist")
        .in("spec.resources");
  return out;
}

}  // namespace portico::apiserver
