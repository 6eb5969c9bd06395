#include "render/internal/answer.h"

#include <algorithm>
#include <optional>
#include <set>

#include "render/internal/paths.h"
#include "render/internal/pipeline_run.h"

namespace portico::render {

namespace {

constexpr int kPlaced = -2;  // origin of an item that got a default path

std::string shown(const krm::Object& object) {
  const std::string ns(object.ns());
  return fmt::format("{} {}{}", object.kind(), ns.empty() ? "" : ns + "/", object.name());
}

class Acceptance {
 public:
  Acceptance(std::vector<krm::Item> answer, const AnswerContext& context)
      : answer_(std::move(answer)), context_(context) {}

  Result<std::vector<krm::Item>> run() {
    PORTICO_DO(check_size());
    PORTICO_DO(place());
    std::vector<krm::Item> items = context_.selective ? merged() : std::move(answer_);
    PORTICO_DO(check_duplicates(items));
    PORTICO_DO(check_kptfile(items));
    for (krm::Item& item : items) item.origin = -1;
    return items;
  }

 private:
  Result<Done> check_size() const {
    const Options& options = context_.options;
    if (answer_.size() > options.max_items) {
      return invalid("function returned {} resources, more than the limit of {}", answer_.size(),
                     options.max_items);
    }
    std::size_t bytes = 0;
    for (const krm::Item& item : answer_) {
      bytes += item.object.text().size();
      if (bytes > options.max_bytes) {
        return invalid("function returned more than {} bytes, at {}", options.max_bytes,
                       shown(item.object));
      }
    }
    return Done{};
  }

  /// Assigns each item a package and a normalized path. Input items stay in their package.
  Result<Done> place() {
    std::set<int> seen;
    for (krm::Item& item : answer_) {
      const bool known = item.origin >= 0 &&
                         static_cast<std::size_t>(item.origin) < context_.selected.size() &&
                         seen.insert(item.origin).second;
      const krm::Item* old =
          known ? &context_.before[context_.selected[static_cast<std::size_t>(item.origin)]]
                : nullptr;
      if (old == nullptr) {
        item.origin = -1;
        item.package = context_.package;
        if (item.file.empty()) {
          item.file = default_path(item.object, context_.config_folder);
          item.index = -1;
          item.origin = kPlaced;
        }
      } else {
        item.package = old->package;
        if (item.file.empty()) item.file = old->file;
        if (item.file == old->file && item.index == old->index) continue;
      }
      PORTICO_TRY(item.file, checked_path(item));
      PORTICO_DO(check_target(item));
    }
    return Done{};
  }

  /// A resource must not replace a file that contains something else.
  Result<Done> check_target(const krm::Item& item) const {
    const std::string path = join_path(item.package, item.file);
    if (context_.originals.contains(path) || context_.files.find(path) == nullptr) return Done{};
    return invalid("{}: file \"{}\" already exists and does not contain resources of the package",
                   shown(item.object), path);
  }

  std::vector<krm::Item> merged() {
    std::vector<std::optional<std::size_t>> by_position(context_.before.size());
    std::vector<bool> given(context_.before.size(), false);
    for (const std::size_t position : context_.selected) given[position] = true;
    for (std::size_t i = 0; i < answer_.size(); ++i)
      if (answer_[i].origin >= 0)
        by_position[context_.selected[static_cast<std::size_t>(answer_[i].origin)]] = i;
    std::vector<krm::Item> items;
    items.reserve(context_.before.size());
    for (std::size_t i = 0; i < context_.before.size(); ++i) {
      if (!given[i]) {
        items.push_back(context_.before[i]);
      } else if (by_position[i]) {
        items.push_back(answer_[*by_position[i]]);
      }
    }
    for (const krm::Item& item : answer_)
      if (item.origin < 0) items.push_back(item);
    return items;
  }

  Result<Done> check_duplicates(const std::vector<krm::Item>& items) const {
    std::set<std::tuple<std::string_view, std::string_view, int>> places;
    std::set<std::pair<std::string_view, krm::ResourceId>> old_ids, new_ids;
    const bool any_new = std::any_of(items.begin(), items.end(), is_new);
    for (const krm::Item& item : items) {
      if (item.index >= 0 && !places.emplace(item.package, item.file, item.index).second) {
        return invalid("resource at path \"{}\" and index \"{}\" already exists", item.file,
                       item.index);
      }
      if (any_new && !is_new(item)) old_ids.emplace(item.package, item.object.id());
    }
    for (const krm::Item& item : items) {
      if (!is_new(item)) continue;
      std::pair<std::string_view, krm::ResourceId> id(item.package, item.object.id());
      if (old_ids.contains(id) || !new_ids.insert(std::move(id)).second) {
        return invalid("function created a duplicate {} in package \"{}\"", shown(item.object),
                       item.package);
      }
    }
    return Done{};
  }

  /// An item without a path of its own. Items with a path may repeat an identity: kpt's
  /// upsert-resource creates such items, and a package may have had two before.
  static bool is_new(const krm::Item& item) { return item.origin == kPlaced; }

  Result<Done> check_kptfile(const std::vector<krm::Item>& items) const {
    const auto is_root_kptfile = [](const krm::Item& item) {
      return item.package.empty() && item.file == "Kptfile";
    };
    if (!context_.keeps_kptfile) return Done{};
    if (!std::any_of(context_.before.begin(), context_.before.end(), is_root_kptfile) ||
        std::any_of(items.begin(), items.end(), is_root_kptfile))
      return Done{};
    return invalid("function must not remove the package's Kptfile");
  }

  std::vector<krm::Item> answer_;
  const AnswerContext& context_;
};

}  // namespace

std::string default_path(const krm::Object& object, std::string_view folder) {
  std::string kind(object.kind());
  for (char& c : kind)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::string path = fmt::format("{}_{}.yaml", kind, object.name());
  // A slash in a name would create a folder.
  std::replace(path.begin(), path.end(), '/', '_');
  std::string ns(object.ns());
  std::replace(ns.begin(), ns.end(), '/', '_');
  return join_path(folder, join_path(ns, path));
}

Result<std::string> checked_path(const krm::Item& item) {
  if (item.file.find('\0') != std::string::npos || item.file.size() > 4096)
    return invalid("{}: invalid path \"{}\"", shown(item.object), item.file.substr(0, 80));
  std::string path = clean_path(item.file);
  if (path == ".." || path.starts_with("../")) {
    return invalid("function must not modify resources outside of package: resource has path {}",
                   path);
  }
  if (path.empty()) return invalid("{}: invalid path \"{}\"", shown(item.object), item.file);
  if (path == ".git" || path.starts_with(".git/") || path.find("/.git/") != std::string::npos ||
      path.ends_with("/.git"))
    return invalid("{}: path \"{}\" is inside .git", shown(item.object), path);
  return path;
}

Result<std::vector<krm::Item>> accept_answer(std::vector<krm::Item> answer,
                                             const AnswerContext& context) {
  PORTICO_TRY(std::vector<krm::Item> items, Acceptance(std::move(answer), context).run());
  PORTICO_DO(check_krm(items), "output resource list must contain only KRM resources");
  return items;
}

}  // namespace portico::render
