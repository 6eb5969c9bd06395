// ../shared/conformance/pkg-update: kpt's package update, Kptfile merge and merge comments.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/merge_compare.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "folder/folder.h"
#include "krm/object.h"
#include "krm/package.h"
#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/package.h"
#include "merge/strategy.h"
#include "merge/subpackages.h"
#include "package/update.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;
using json::Value;
using krm::Package;

struct Run {
  std::string name;
  fs::path folder;
  Value info;

  std::string_view text(const char* field) const { return info[field].as_string(); }
};

Package read_package(const fs::path& folder) {
  Package package;
  for (auto& [path, bytes] : read_tree(folder)) package.set(path, std::move(bytes));
  return package;
}

Result<krm::Object> read_object(const fs::path& file) {
  PORTICO_TRY(const std::string text, read_file(file));
  PORTICO_TRY(krm::Object object, krm::Object::parse(text), file.filename().string());
  return object;
}

/// Without the license header of kpt's own files, which kpt's tests remove too.
std::string_view without_licence(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view kFirst = "# Copyright 2019 The kpt Authors";
  constexpr std::string_view kLast = "# limitations under the License.";
  if (!text.starts_with(kFirst)) return text;
  const std::size_t last = text.find(kLast);
  return last == std::string_view::npos ? text : trimmed(text.substr(last + kLast.size()));
}

bool same_kptfile(std::string_view want, std::string_view have) {
  const auto expected = krm::Object::parse(want), actual = krm::Object::parse(have);
  return expected && actual && same_values(expected->value(), actual->value());
}

bool same_file(const std::string& path, std::string_view want, std::string_view have) {
  want = without_licence(want);
  have = without_licence(have);
  if (want == have) return true;
  if (!merge::is_resource_file(path)) return false;
  if (path == "Kptfile" || path.ends_with("/Kptfile")) return same_kptfile(want, have);
  const auto expected = krm::Object::parse_file(want), actual = krm::Object::parse_file(have);
  if (!expected || !actual || expected->size() != actual->size()) return false;
  for (std::size_t i = 0; i < expected->size(); ++i)
    if (!same_document((*expected)[i].text(), (*actual)[i].text())) return false;
  return true;
}

/// Compares whole trees, or the files named in `compareFiles`.
CaseResult compare_packages(const Run& run, Package want, Package have) {
  if (run.info["addMergeCommentsToExpected"].as_bool()) {
    auto marked = merge::with_merge_keys(want);
    if (!marked) return failed(run.name, marked.error().text());
    want = *std::move(marked);
  }
  if (run.text("compare") == "dataset")
    for (Package* package : {&want, &have}) package->files.erase("Kptfile");
  if (const Value* only = run.info.find("compareFiles"))
    for (Package* package : {&want, &have})
      std::erase_if(package->files, [only](const auto& file) {
        const auto items = only->items();
        return std::find(items.begin(), items.end(), Value(file.first)) == items.end();
      });
  Tree wanted, got;
  for (const auto& [path, file] : want.files) {
    const krm::File* mine = have.find(path);
    if (mine != nullptr && same_file(path, file.text(), mine->text())) {
      have.files.erase(path);
    } else {
      wanted.emplace(path, file.text());
    }
  }
  for (const auto& [path, file] : have.files) got.emplace(path, file.text());
  return compare(run.name, wanted, got);
}

/// Compares the result, or the error with the expected one.
CaseResult finish(const Run& run, const Result<Package>& made) {
  const std::string_view error = run.text("expectedError");
  if (!error.empty()) {
    if (made) return failed(run.name, "no error, expected: " + std::string(error));
    const std::string text = made.error().text();
    return text.find(error) != std::string::npos
               ? passed(run.name)
               : failed(run.name, difference(std::string(error) + "\n", text + "\n"));
  }
  if (!made) return failed(run.name, made.error().text());
  if (!run.text("expectedKptfile").empty()) {
    const std::string want =
        read_file_or_empty(run.folder / std::string(run.text("expectedKptfile")));
    const krm::File* have = made->find("Kptfile");
    if (have == nullptr || !same_document(want, have->text()))
      return failed(run.name, difference(want, have == nullptr ? "" : have->text()));
  }
  return compare_packages(run, read_package(run.folder / "expected"), *made);
}

bool is_about_folders(const Run& run) {
  return run.info.contains("missingDirs") || run.text("expectedError") == "is a directory" ||
         run.text("expectedError") == "directory not empty";
}

CaseResult run_updater(const Run& run) {
  if (is_about_folders(run))
    return skipped(run.name, "about folders on a disk; a package is a set of files");
  const Package base = read_package(run.folder / "origin");
  const Package theirs = read_package(run.folder / "upstream");
  const Package ours = read_package(run.folder / "local");
  merge::StrategyOptions options;
  options.is_root = run.info["isRoot"].as_bool();
  options.name = run.text("packageDirName");
  auto strategy = merge::parse_strategy(run.text("strategy"));
  if (!strategy) return failed(run.name, strategy.error().text());
  options.strategy = *strategy;
  auto merged = merge::update_package({base, theirs, ours}, options);
  return finish(run, merged ? Result<Package>(merged->package) : Result<Package>(merged.error()));
}

CaseResult run_other_files(const Run& run) {
  Package sides[3];
  const char* const names[] = {"origin", "upstream", "local"};
  for (std::size_t i = 0; i < 3; ++i) {
    sides[i] = read_package(run.folder / names[i]);
    std::erase_if(sides[i].files,
                  [](const auto& file) { return merge::is_resource_file(file.first); });
  }
  auto merged = merge::resource_merge({sides[0], sides[1], sides[2]}, {});
  if (!merged) return failed(run.name, merged.error().text());
  Package whole = read_package(run.folder / "local");
  std::erase_if(whole.files, [](const auto& file) { return !merge::is_resource_file(file.first); });
  whole.files.merge(merged->package.files);
  return finish(run, Result<Package>(std::move(whole)));
}

/// The repositories of a case, in the role of git.
struct Repositories {
  const Run& run;

  /// Looks up a branch, a tag or a commit.
  std::optional<std::size_t> commit_of(const Value& repo, std::string_view ref) const {
    for (const char* kind : {"branches", "tags"})
      if (const Value* index = repo[kind].find(ref))
        return static_cast<std::size_t>(index->as_int());
    for (const Value& commit : repo["commits"].items())
      if (commit["sha"].as_string() == ref)
        return static_cast<std::size_t>(commit["index"].as_int());
    return {};
  }

  Result<package::Fetched> fetch(const krm::GitLocation& where) const {
    const std::string& url = where.repo;
    const std::string& ref = where.commit.empty() ? where.ref : where.commit;
    for (const json::Member& member : run.info["repos"].members()) {
      const Value& repo = member.value;
      if (repo["url"].as_string() != url) continue;
      const auto index = commit_of(repo, ref);
      if (!index)
        return not_found(
            "{}: ambiguous argument \"{}\": unknown revision or path not in the "
            "working tree",
            url, ref);
      const Value& commit = repo["commits"][*index];
      std::string_view directory = where.directory;
      while (directory.starts_with("/")) directory.remove_prefix(1);
      const fs::path tree = run.folder / std::string(commit["tree"].as_string());
      return package::Fetched{read_package(tree / std::string(directory)),
                              std::string(commit["sha"].as_string())};
    }
    return not_found("no repository \"{}\"", url);
  }
};

CaseResult run_command(const Run& run) {
  if (is_about_folders(run)) {
    auto read = folder::read((run.folder / "local" / run.text("packagePath")).string());
    return finish(run, read ? Result<Package>(*std::move(read)) : Result<Package>(read.error()));
  }
  Package local = read_package(run.folder / "local");
  if (run.info["addMergeCommentsToLocal"].as_bool()) {
    auto marked = merge::with_merge_keys(local);
    if (!marked) return failed(run.name, marked.error().text());
    local = *std::move(marked);
  }
  const std::string_view folder = run.text("packagePath");
  const Repositories repositories{run};
  package::UpdateRequest request;
  request.ours = merge::cut_out(local, folder);
  request.ref = run.text("ref");
  request.name = folder.empty() ? run.text("packageDirName") : folder.substr(folder.rfind('/') + 1);
  request.fetch = [&repositories](const krm::GitLocation& where) {
    return repositories.fetch(where);
  };
  if (!run.text("strategy").empty()) {
    auto strategy = merge::parse_strategy(run.text("strategy"));
    if (!strategy) return failed(run.name, strategy.error().text());
    request.strategy = *strategy;
  }
  auto updated = package::update(request);
  if (!updated) return finish(run, Result<Package>(updated.error()));
  std::erase_if(local.files,
                [folder](const auto& file) { return merge::is_below(folder, file.first); });
  for (const auto& [path, file] : updated->merged.package.files)
    local.files.insert_or_assign(merge::join_path(folder, path), file);
  return finish(run, Result<Package>(std::move(local)));
}

CaseResult run_kptfile(const Run& run) {
  auto base = read_object(run.folder / "origin/Kptfile");
  auto theirs = read_object(run.folder / "upstream/Kptfile");
  auto ours = read_object(run.folder / "local/Kptfile");
  if (!ours) return failed(run.name, ours.error().text());
  merge::KptfileOptions options;
  options.take_upstream = run.info["updateUpstream"].as_bool();
  auto merged =
      merge::merge_kptfile(base ? &*base : nullptr, theirs ? &*theirs : nullptr, *ours, options);
  if (!merged) return failed(run.name, merged.error().text());
  const std::string want = read_file_or_empty(run.folder / "expected/Kptfile");
  // kpt rewrites a Kptfile from its struct, so only the values count.
  if (same_kptfile(want, merged->object.text())) return passed(run.name);
  return failed(run.name, difference(trimmed(want), trimmed(merged->object.text())));
}

CaseResult run_merge_comment(const Run& run) {
  Package package;
  package.set("input.yaml", read_file_or_empty(run.folder / "input.yaml"));
  auto marked = merge::with_merge_keys(package);
  if (!marked) return failed(run.name, marked.error().text());
  return compare_documents(run.name, read_file_or_empty(run.folder / "expected.yaml"),
                           marked->find("input.yaml")->text());
}

const Value& at(const Value& object, std::string_view path) {
  const Value* here = &object;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::string_view step = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    const std::size_t bracket = step.find('[');
    here = &(*here)[step.substr(0, bracket)];
    if (bracket != std::string_view::npos)
      here = &(*here)[static_cast<std::size_t>(std::stoul(std::string(step.substr(bracket + 1))))];
  }
  return *here;
}

/// The failed assertions of the Go test, or "".
std::string check(const Value& assertions, const Value& object) {
  std::string wrong;
  for (const json::Member& field : assertions["fields"].members())
    if (at(object, field.name()) != field.value) wrong += std::string(field.name()) + " differs\n";
  for (const json::Member& list : assertions["listLength"].members())
    if (at(object, list.name()).size() != list.value.as_uint())
      wrong += std::string(list.name()) + " has " + std::to_string(at(object, list.name()).size()) +
               " items\n";
  for (const json::Member& list : assertions["listElementsByName"].members())
    for (const json::Member& element : list.value.members()) {
      bool found = false;
      for (const Value& item : at(object, list.name()).items()) {
        if (item["name"].as_string() != element.name()) continue;
        found = true;
        for (const json::Member& field : element.value.members())
          if (item[field.name()] != field.value)
            wrong += std::string(element.name()) + "." + std::string(field.name()) + " differs\n";
      }
      if (!found) wrong += std::string(element.name()) + " is missing\n";
    }
  return wrong;
}

CaseResult run_crd_merge(const Run& run) {
  Package sides[3];
  const char* const names[] = {"origin", "upstream", "local"};
  for (std::size_t i = 0; i < 3; ++i) {
    sides[i] = read_package(run.folder / names[i]);
    for (const Value& crd : run.info["additionalSchemaCRDs"].items())
      sides[i].set("crds/" + std::string(crd.as_string()),
                   read_file_or_empty(run.folder / std::string(crd.as_string())));
  }
  auto merged = merge::resource_merge({sides[0], sides[1], sides[2]}, {});
  if (!merged) return failed(run.name, merged.error().text());
  const Value& assertions = run.info["assertions"];
  for (const auto& [path, file] : merged->package.files) {
    const auto objects = krm::Object::parse_file(file.text());
    if (!objects) continue;
    for (const krm::Object& object : *objects) {
      if (object.name() != assertions["object"]["name"].as_string()) continue;
      const std::string wrong = check(assertions, object.value());
      if (wrong.empty()) return passed(run.name);
      return failed(run.name, wrong + object.text());
    }
  }
  return failed(run.name, "no object of the name");
}

CaseResult run_handling(const Run& run) {
  Package base, theirs, ours;
  base.set("a.yaml", read_file_or_empty(run.folder / "original.yaml"));
  ours.set("a.yaml", read_file_or_empty(run.folder / "dest.yaml"));
  auto merged = merge::resource_merge({base, theirs, ours}, {});
  if (!merged) return failed(run.name, merged.error().text());
  const bool kept = merged->package.find("a.yaml") != nullptr;
  return compare(run.name, run.text("expectedStrategy"), kept ? "KeepDest" : "Skip");
}

CaseResult run_case(const std::string& name, const fs::path& folder) {
  auto info = read_object(folder / "case.yaml");
  if (!info) return failed(name, info.error().text());
  const Run run{name, folder, info->value()};
  if (!run.text("skippedUpstream").empty())
    return skipped(name, "skipped upstream: " + std::string(run.text("skippedUpstream")));
  const std::string_view op = run.text("op");
  if (op == "update.Updater") return run_updater(run);
  if (op == "update.ReplaceNonKRMFiles") return run_other_files(run);
  if (op == "update.Command") return run_command(run);
  if (op == "kptfileutil.UpdateKptfile" || op == "kptfileutil.MergeKptfiles")
    return run_kptfile(run);
  if (op == "addmergecomment.Process") return run_merge_comment(run);
  if (op == "kpt.merge3.Merge") return run_crd_merge(run);
  if (op == "kpt.merge3.GetHandlingStrategy") return run_handling(run);
  if (op == "kptfileutil.ValidateInventory")
    return skipped(name, "the inventory of a Kptfile is for kpt live, which Portico leaves alone");
  return failed(name, "unknown operation " + std::string(op));
}

}  // namespace

std::vector<CaseResult> run_pkg_update(const fs::path& data) { return each_case(data, run_case); }

}  // namespace portico::conformance
