// ../shared/conformance/merge3: kyaml's three-way merge of one document.
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/merge_compare.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "krm/object.h"
#include "merge/schema.h"
#include "merge/tree.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;

Result<krm::Object> read_object(const fs::path& file) {
  PORTICO_TRY(const std::string text, read_file(file));
  PORTICO_TRY(krm::Object object, krm::Object::parse(text), file.filename().string());
  return object;
}

Result<std::string> merge_case(const fs::path& folder, const json::Value& info) {
  const auto input = [&](const char* name) {
    return read_object(folder / std::string(info["inputs"][name].as_string()));
  };
  PORTICO_TRY(const krm::Object base, input("origin"));
  PORTICO_TRY(const krm::Object theirs, input("update"));
  PORTICO_TRY(const krm::Object ours, input("local"));
  merge::TreeOptions options;
  options.infer_keys = info["infer"].as_bool();
  for (const krm::Object* object : {&ours, &base, &theirs}) {
    if (!object->is_krm()) continue;
    const std::string_view version = object->api_version();
    options.schema = merge::Schemas().of(object->id(), version.substr(version.rfind('/') + 1));
    break;
  }
  PORTICO_TRY(const merge::Merged merged, merge::merge_object(&base, theirs, ours, options));
  return merged.object.text();
}

CaseResult run_case(const std::string& name, const fs::path& folder) {
  auto info = read_object(folder / "case.yaml");
  if (!info) return failed(name, info.error().text());
  auto merged = merge_case(folder, info->value());
  if (!merged) return failed(name, merged.error().text());
  const fs::path expected = folder / std::string(info->value()["expected"].as_string());
  return compare_documents(name, read_file_or_empty(expected), *merged);
}

}  // namespace

std::vector<CaseResult> run_merge3(const fs::path& data) { return each_case(data, run_case); }

}  // namespace portico::conformance
