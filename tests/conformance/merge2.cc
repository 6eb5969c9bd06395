// ../shared/conformance/merge2: kyaml's strategic merge patch of one document.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/merge_compare.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "krm/object.h"
#include "merge/patch.h"
#include "merge/schema.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;

Result<krm::Object> read_object(const fs::path& file) {
  PORTICO_TRY(const std::string text, read_file(file));
  PORTICO_TRY(krm::Object object, krm::Object::parse(text), file.filename().string());
  return object;
}

const char* name_of(merge::Directive directive) {
  switch (directive) {
    case merge::Directive::kMerge:
      return "merge";
    case merge::Directive::kReplace:
      return "replace";
    case merge::Directive::kDelete:
      return "delete";
  }
  return "";
}

CaseResult run_directive(const std::string& name, const fs::path& folder, const json::Value& info) {
  auto patch = read_object(folder / "patch.yaml");
  if (!patch) return failed(name, patch.error().text());
  auto split = merge::split_directive(*patch);
  const std::string_view error = info["expectedError"].as_string();
  if (!error.empty()) {
    if (split) return failed(name, "no error");
    return split.error().text().find(error) != std::string::npos
               ? passed(name)
               : failed(name, split.error().text());
  }
  if (!split) return failed(name, split.error().text());
  if (info["expectedDirective"].as_string() != name_of(split->directive))
    return failed(name, std::string("directive: ") + name_of(split->directive));
  return compare(name, trimmed(read_file_or_empty(folder / "elided.yaml")),
                 trimmed(split->patch.text()));
}

CaseResult run_patch(const std::string& name, const fs::path& folder, const json::Value& info) {
  auto source = read_object(folder / "source.yaml"), dest = read_object(folder / "dest.yaml");
  if (!source) return failed(name, source.error().text());
  if (!dest) return failed(name, dest.error().text());
  merge::PatchOptions options;
  options.infer_keys = info["infer"].as_bool();
  options.prepend = info["listIncreaseDirection"].as_string() == "prepend";
  if (dest->is_krm()) {
    const std::string_view version = dest->api_version();
    options.schema = merge::Schemas().of(dest->id(), version.substr(version.rfind('/') + 1));
  }
  auto patched = merge::patch_object(*source, *dest, options);
  if (!patched) return failed(name, patched.error().text());
  const std::string expected = read_file_or_empty(folder / "expected.yaml");
  const std::string actual = *patched ? (*patched)->text() : "";
  if (info["compare"].as_string() == "exact") return compare_documents(name, expected, actual);
  // "formatted": equal values, including the order of lists.
  const auto want = krm::Object::parse(expected);
  if (!want || !*patched) return compare(name, trimmed(expected), trimmed(actual));
  if (want->value() == (*patched)->value()) return passed(name);
  return failed(name, difference(expected, actual));
}

CaseResult run_case(const std::string& name, const fs::path& folder) {
  auto info = read_object(folder / "case.yaml");
  if (!info) return failed(name, info.error().text());
  return info->value()["op"].as_string() == "merge2.determineSmpDirective"
             ? run_directive(name, folder, info->value())
             : run_patch(name, folder, info->value());
}

}  // namespace

std::vector<CaseResult> run_merge2(const fs::path& data) { return each_case(data, run_case); }

}  // namespace portico::conformance
