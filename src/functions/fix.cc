#include "functions/fix.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "functions/internal/config.h"
#include "functions/internal/field_order.h"
#include "functions/internal/fields.h"
#include "functions/internal/old_setters.h"
#include "functions/internal/outcome.h"
#include "functions/internal/package_files.h"

namespace portico::functions {

namespace {

constexpr const char* kVersion = "kpt.dev/v1";
constexpr const char* kApplySetters = "gcr.io/kpt-fn/apply-setters:v0.2";
constexpr std::array kFunctionAnnotations =
    std::to_array<const char*>({"config.kubernetes.io/function", "config.k8s.io/function"});
constexpr std::array kMembers =
    std::to_array<std::string_view>({"apiVersion", "kind", "metadata", "upstream", "upstreamLock",
                                     "info", "pipeline", "inventory"});
const std::vector<std::string> kKeyOrder = {
    "type",           "git",      "repo",   "directory", "ref",         "commit",
    "updateStrategy", "site",     "emails", "license",   "licenseFile", "doc",
    "description",    "keywords", "man",    "image",     "configPath"};

using Settings = std::map<std::string, std::string>;

/// Turns a bracketed list into one item per line, which apply-setters reads best.
std::string without_brackets(const std::string& text) {
  if (!text.starts_with('[')) return text;
  const auto list = krm::Object::parse(text);
  return list && list->value().is_array() ? krm::Object::from_value(list->value()).text() : text;
}

krm::Edit edit(krm::Path path, json::Value value) {
  krm::Edit one;
  one.path = std::move(path);
  one.value = std::move(value);
  one.key_order = kKeyOrder;
  return one;
}

krm::Edit removal(krm::Path path) {
  krm::Edit one;
  one.verb = krm::Edit::Verb::kRemove;
  one.path = std::move(path);
  return one;
}

std::string function_image(const krm::Object& object) {
  for (const char* key : kFunctionAnnotations) {
    const auto text = object.annotation(key);
    if (!text) continue;
    if (const auto spec = krm::Object::parse(*text))
      return scalar_text(spec->value()["container"]["image"]);
  }
  return "";
}

class Fix {
 public:
  explicit Fix(std::vector<krm::Item> items) : items_(std::move(items)) {
    for (const krm::Item& item : items_) paths_.insert(full_path(item));
  }

  Result<Done> run() {
    std::map<std::string, OldSetters> setters;  // by package folder
    for (const krm::Item& item : items_) {
      if (!is_kptfile(item.object)) continue;
      const std::string path = full_path(item);
      PORTICO_TRY(OldSetters found, OldSetters::read(item.object.value()["openAPI"]), path);
      setters.emplace(folder_of(path), std::move(found));
    }
    if (setters.empty()) return invalid("Kptfile not found in directory tree");
    const std::size_t count = items_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string path = full_path(items_[i]);
      if (is_kptfile(items_[i].object)) {
        PORTICO_DO(fix_kptfile(i, setters.at(std::string(folder_of(path))), setters), path);
      } else if (!items_[i]
                      .object.value()["metadata"]["labels"]["cli-utils.sigs.k8s.io/inventory-id"]
                      .is_null()) {
        add(path,
            "Please refer to https://googlecontainertools.github.io/kpt/reference/live/alpha/, "
            "this package is using \"inventory-object\"");
      } else if (const auto own = setters.find(package_of(path, setters)); own != setters.end()) {
        PORTICO_DO(own->second.rewrite_comments(items_[i].object), path);
      }
    }
    return Done{};
  }

  Outcome outcome(krm::ResourceList list) && {
    list.items = std::move(items_);
    for (krm::FunctionResult& result : results_) list.results.push_back(std::move(result));
    return {std::move(list), std::move(notes_), 0};
  }

 private:
  using Packages = std::map<std::string, OldSetters>;

  void add(const std::string& path, std::string message) {
    krm::FunctionResult result = plain(std::move(message));
    result.file = path;
    results_.push_back(std::move(result));
  }

  /// The folder of the innermost package that contains a file; "/" if there is none.
  static std::string package_of(const std::string& path, const Packages& packages) {
    for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
      if (packages.contains(std::string(folder))) return std::string(folder);
      if (folder.empty()) return "/";
    }
  }

  /// An unused file name next to the Kptfile.
  std::string free_file(const std::string& kptfile, const std::string& name) {
    for (int number = 1;; ++number) {
      std::string file = number == 1 ? name + ".yaml" : fmt::format("{}-{}.yaml", name, number);
      if (paths_.insert(path_beside(kptfile, file)).second) return file;
    }
  }

  /// Adds a ConfigMap with setters next to the Kptfile; returns its file name.
  Result<std::string> add_setters(std::size_t kptfile, const Settings& values) {
    json::Value data = json::Value::object();
    for (const auto& [name, value] : values) data = data.with(name, without_brackets(value));
    krm::Object object = krm::Object::from_value(
        json::Value::object({{"apiVersion", "v1"},
                             {"kind", "ConfigMap"},
                             {"metadata", json::Value::object({{"name", "setters"}})},
                             {"data", data}}));
    krm::Arrangement how;
    how.before = [&](const krm::Path&, std::string_view a, std::string_view b) {
      return order_.before(a, b);
    };
    PORTICO_DO(object.arrange(how));
    std::string file = free_file(full_path(items_[kptfile]), "setters");
    items_.push_back(
        {std::move(object), path_beside(items_[kptfile].file, file), 0, items_[kptfile].package});
    return file;
  }

  Result<Done> fix_kptfile(std::size_t at, const OldSetters& setters, const Packages& packages) {
    const std::string_view version = version_of(items_[at].object);
    if (version == "v1") {
      add(full_path(items_[at]),
          "This package is already fixed as it is on latest apiVersion kpt.dev/v1");
      return Done{};
    }
    if (version == "v1alpha2") return fix_v1alpha2(at);
    if (version == "v1alpha1") return fix_v1alpha1(at, setters, packages);
    return invalid("unsupported apiVersion \"{}\": cannot be fixed",
                   items_[at].object.api_version());
  }

  Result<Done> fix_v1alpha2(std::size_t at) {
    const std::string path = full_path(items_[at]);
    std::vector<krm::Edit> edits{edit({"apiVersion"}, kVersion)};
    add(path, fmt::format("Updated apiVersion to {}", kVersion));
    const json::Value mutators = items_[at].object.value()["pipeline"]["mutators"];
    for (std::size_t i = 0; i < mutators.items().size(); ++i) {
      const json::Value& function = mutators.items()[i];
      if (function["image"].as_string().find("gcr.io/kpt-fn/apply-setters:") ==
              std::string_view::npos ||
          function["configMap"].empty())
        continue;
      Settings values;
      for (const json::Member& one : function["configMap"].members())
        values.emplace(one.name(), scalar_text(one.value));
      PORTICO_TRY(const std::string file, add_setters(at, values));
      edits.push_back(removal({"pipeline", "mutators", i, "configMap"}));
      edits.push_back(edit({"pipeline", "mutators", i, "configPath"}, file));
      add(path_beside(path, file), "Moved setters from configMap to configPath");
    }
    return items_[at].object.edit(edits);
  }

  Result<Done> fix_v1alpha1(std::size_t at, const OldSetters& setters, const Packages& packages) {
    const std::string path = full_path(items_[at]);
    const json::Value old = items_[at].object.value();
    std::vector<krm::Edit> edits{edit({"apiVersion"}, kVersion)};
    std::string dropped;
    for (const json::Member& member : old.members()) {
      if (std::find(kMembers.begin(), kMembers.end(), member.name()) != kMembers.end()) continue;
      edits.push_back(removal({std::string(member.name())}));
      if (member.name() != "packageMetadata" && member.name() != "openAPI")
        dropped += (dropped.empty() ? "" : ", ") + std::string(member.name());
    }
    if (!dropped.empty())
      notes_ += fmt::format("{}{}: {} is not supported in {} and was removed",
                            notes_.empty() ? "" : "\n", path, dropped, kVersion);
    add_info(path, old["packageMetadata"], edits);
    split_upstream(path, old["upstream"], edits);
    PORTICO_TRY(json::Value mutators, move_functions(at, packages));
    if (!setters.values().empty()) {
      PORTICO_TRY(const std::string file, add_setters(at, setters.values()));
      std::vector<json::Value> all{
          json::Value::object({{"image", kApplySetters}, {"configPath", file}})};
      all.insert(all.end(), mutators.items().begin(), mutators.items().end());
      mutators = json::Value::array(std::move(all));
      add(path, "Transformed \"openAPI\" definitions to \"apply-setters\" function");
    }
    if (!mutators.empty()) edits.push_back(edit({"pipeline", "mutators"}, mutators));
    PORTICO_DO(items_[at].object.edit(edits));
    return sort_members(items_[at].object);
  }

  void add_info(const std::string& path, const json::Value& old, std::vector<krm::Edit>& edits) {
    if (!old.is_object()) return;
    json::Value info = json::Value::object();
    const std::array<std::pair<const char*, const char*>, 5> names{
        {{"url", "site"},
         {"license", "license"},
         {"shortDescription", "description"},
         {"tags", "keywords"},
         {"man", "man"}}};
    for (const auto& [from, to] : names)
      if (const json::Value* value = old.find(from); value != nullptr && !value->is_null())
        info = info.with(to, *value);
    if (const std::string email = scalar_text(old["email"]); !email.empty())
      info = info.with("emails", json::Value::array({email}));
    if (!info.empty()) edits.push_back(edit({"info"}, info));
    add(path, "Transformed \"packageMetadata\" to \"info\"");
  }

  void split_upstream(const std::string& path, const json::Value& old,
                      std::vector<krm::Edit>& edits) {
    if (!old.is_object()) return;
    edits.push_back(removal({"upstream", "git", "commit"}));
    edits.push_back(edit({"upstream", "updateStrategy"}, "resource-merge"));
    edits.push_back(
        edit({"upstreamLock"}, json::Value::object({{"type", old["type"]}, {"git", old["git"]}})));
    add(path, "Transformed \"upstream\" to \"upstream\" and \"upstreamLock\"");
  }

  /// The functions in the annotations of the package's configs. The configs move to separate files
  /// in the package's folder, since a Kptfile refers to a file.
  Result<json::Value> move_functions(std::size_t kptfile, const Packages& packages) {
    const std::string path = full_path(items_[kptfile]);
    json::Value mutators = json::Value::array();
    for (krm::Item& item : items_) {
      if (is_kptfile(item.object) || package_of(full_path(item), packages) != folder_of(path))
        continue;
      const std::string image = function_image(item.object);
      if (image.empty()) continue;
      for (const char* key : kFunctionAnnotations)
        PORTICO_DO(item.object.remove({"metadata", "annotations", key}));
      const std::string file = free_file(path, std::string(item.object.name()));
      item.file = path_beside(items_[kptfile].file, file);
      item.index = 0;
      mutators =
          mutators.with_appended(json::Value::object({{"image", image}, {"configPath", file}}));
      add(path,
          fmt::format("Added \"{}\" to mutators list, please move it to validators section if "
                      "it is a validator function",
                      image));
    }
    return mutators;
  }

  static Result<Done> sort_members(krm::Object& kptfile) {
    krm::Arrangement how;
    const auto rank = [](std::string_view name) {
      return std::find(kMembers.begin(), kMembers.end(), name);
    };
    how.before = [&](const krm::Path& map, std::string_view a, std::string_view b) {
      return map.empty() && rank(a) < rank(b);
    };
    return kptfile.arrange(how);
  }

  std::vector<krm::Item> items_;
  std::set<std::string> paths_;
  std::vector<krm::FunctionResult> results_;
  std::string notes_;
  const FieldOrder order_;
};

}  // namespace

Outcome fix(krm::ResourceList list) {
  Fix run(list.items);
  if (auto done = run.run(); !done)
    return fail_framework(std::move(list), "failed to fix package: " + done.error().text());
  return std::move(run).outcome(std::move(list));
}

}  // namespace portico::functions
