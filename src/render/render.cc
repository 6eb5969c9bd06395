#include "render/render.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "json/text.h"
#include "render/internal/paths.h"
#include "render/internal/pipeline_run.h"
#include "render/internal/tree.h"
#include "render/report.h"

namespace portico::render {

namespace {

class Renderer {
 public:
  Renderer(const Setting& setting, std::vector<PackageRun>& runs)
      : setting_(setting), runs_(runs) {}

  /// After a failure, later subpackages are not visited; returns the resources read or rendered so
  /// far.
  Progress depth_first(const Node& node) {
    Progress progress{node.items, std::nullopt};
    for (const Node& child : node.children) {
      Progress below = depth_first(child);
      append(progress.items, std::move(below.items));
      if (below.failure) return {std::move(progress.items), std::move(below.failure)};
    }
    return run(node, std::move(progress.items));
  }

  Progress breadth_first(const Node& root) {
    std::deque<const Node*> queue{&root};
    std::vector<const Node*> order;
    std::map<std::string, std::vector<krm::Item>> lists;
    while (!queue.empty()) {
      const Node* node = queue.front();
      queue.pop_front();
      order.push_back(node);
      lists[node->folder] = node->items;
      for (const Node& child : node->children) queue.push_back(&child);
    }
    std::optional<Error> failure;
    for (const Node* node : order) {
      std::vector<krm::Item> input;
      gather(*node, lists, input);
      Progress progress = run(*node, std::move(input));
      deal_out(std::move(progress.items), lists);
      failure = std::move(progress.failure);
      if (failure) break;
    }
    std::vector<krm::Item> all;
    for (const Node* node : order) append(all, std::move(lists[node->folder]));
    return {std::move(all), std::move(failure)};
  }

 private:
  static void append(std::vector<krm::Item>& to, std::vector<krm::Item> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  static void gather(const Node& node, std::map<std::string, std::vector<krm::Item>>& lists,
                     std::vector<krm::Item>& into) {
    append(into, std::move(lists[node.folder]));
    lists[node.folder].clear();
    for (const Node& child : node.children) gather(child, lists, into);
  }

  /// Sorts items into the lists of their packages, whose folder each item carries; functions cannot
  /// change it.
  static void deal_out(std::vector<krm::Item> items,
                       std::map<std::string, std::vector<krm::Item>>& lists) {
    for (krm::Item& item : items) {
      std::vector<krm::Item>& list = lists[item.package];
      list.push_back(std::move(item));
    }
  }

  Progress run(const Node& node, std::vector<krm::Item> items) {
    PackageRun& run = runs_.emplace_back();
    run.folder = node.folder;
    run.name = node.name;
    return run_pipeline(node, std::move(items), setting_, run);
  }

  const Setting& setting_;
  std::vector<PackageRun>& runs_;
};

Result<Done> write_status(Rendered& rendered) {
  const krm::File* file = rendered.package.find("Kptfile");
  PORTICO_TRY(krm::Object kptfile, file->object(), "Kptfile");
  PORTICO_TRY(kptfile, with_status(kptfile, rendered), "Kptfile");
  rendered.package.set("Kptfile", kptfile.text());
  return Done{};
}

}  // namespace

Result<Rendered> render(const krm::Package& package, const FunctionRunner& runner,
                        const Options& options) {
  PORTICO_TRY(const Tree tree, read_tree(package, options.package_name));
  PORTICO_DO(check_pipelines(tree.root, tree.originals));
  Rendered rendered;
  rendered.breadth_first = tree.root.kptfile.breadth_first;
  rendered.saved_on_failure = tree.root.kptfile.save_on_failure;
  const Setting setting{package, tree.originals, runner, options};
  Renderer renderer(setting, rendered.packages);
  Progress progress =
      rendered.breadth_first ? renderer.breadth_first(tree.root) : renderer.depth_first(tree.root);
  rendered.items = std::move(progress.items);
  rendered.failure = std::move(progress.failure);
  rendered.saved_on_failure = rendered.saved_on_failure && rendered.failure.has_value();
  const bool write = !rendered.failure || rendered.saved_on_failure;
  rendered.package =
      write ? written(package, rendered.items, tree.originals, !rendered.failure) : package;
  if (options.write_status) PORTICO_DO(write_status(rendered));
  return rendered;
}

}  // namespace portico::render
