#include <map>

#include "cli/commands.h"
#include "folder/folder.h"
#include "krm/object.h"

namespace portico::cli {

namespace {

struct Resource {
  std::string file, what;
};

// The innermost folder with a Kptfile that contains the file; "" for the package itself.
std::string package_of(const krm::Package& package, const std::string& file) {
  for (std::size_t end = file.rfind('/'); end != std::string::npos && end > 0;
       end = file.rfind('/', end - 1)) {
    std::string folder = file.substr(0, end);
    if (package.find(folder + "/Kptfile") != nullptr) return folder;
  }
  return "";
}

bool is_yaml(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "Kptfile" || name.ends_with(".yaml") || name.ends_with(".yml");
}

// Grouped by package; ignores files that are not YAML.
Result<std::map<std::string, std::vector<Resource>>> resources_of(const krm::Package& package) {
  std::map<std::string, std::vector<Resource>> out;
  out[""];
  for (const auto& [path, file] : package.files) {
    if (!is_yaml(path)) continue;
    const std::string folder = package_of(package, path);
    PORTICO_TRY(const auto objects, krm::Object::parse_file(file.text()), path);
    const std::string shown = folder.empty() ? path : path.substr(folder.size() + 1);
    for (const krm::Object& object : objects)
      if (object.is_krm())
        out[folder].push_back(
            {shown, fmt::format("{} {}{}", object.kind(),
                                object.ns().empty() ? "" : std::string(object.ns()) + "/",
                                object.name())});
  }
  return out;
}

// The direct subpackages of a package.
std::vector<std::string> below(const std::map<std::string, std::vector<Resource>>& all,
                               const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& [path, resources] : all) {
    if (path == folder || path.empty()) continue;
    std::string parent;
    for (const auto& [other, some] : all)
      if (!other.empty() && path.starts_with(other + "/") && other.size() > parent.size())
        parent = other;
    if (parent == folder) out.push_back(path);
  }
  return out;
}

void print_tree(const std::map<std::string, std::vector<Resource>>& all, const std::string& folder,
                const std::string& indent, Terminal& out) {
  const auto& resources = all.at(folder);
  const auto inner = below(all, folder);
  const std::size_t count = resources.size() + inner.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    out.print("{}{} ", indent, last ? "└─" : "├─");
    if (i < resources.size()) {
      out.print("[{}] {}\n", resources[i].file, resources[i].what);
      continue;
    }
    const std::string& path = inner[i - resources.size()];
    out.print("{}\n", out.paint(Colour::kBold, fmt::format("Package \"{}\"", path)));
    print_tree(all, path, indent + (last ? "   " : "│  "), out);
  }
}

}  // namespace

Result<Exit> run_pkg_tree(const PkgShowOptions& options, Context& context) {
  PORTICO_TRY(const krm::Package package, folder::read(options.dir));
  PORTICO_TRY(const auto all, resources_of(package), options.dir);
  Terminal& out = context.terminal;
  out.print("{}\n", out.paint(Colour::kBold, fmt::format("Package \"{}\"", options.dir)));
  print_tree(all, "", "", out);
  return 0;
}

Result<Exit> run_pkg_cat(const PkgShowOptions& options, Context& context) {
  PORTICO_TRY(const krm::Package package, folder::read(options.dir));
  std::vector<krm::Object> all;
  for (const auto& [path, file] : package.files) {
    if (!is_yaml(path)) continue;
    PORTICO_TRY(const auto objects, krm::Object::parse_file(file.text()), path);
    for (const krm::Object& object : objects)
      if (object.is_krm()) all.push_back(object);
  }
  if (all.empty()) return not_found("no resources found in \"{}\"", options.dir);
  context.terminal.write(krm::Object::join_file(all));
  return 0;
}

}  // namespace portico::cli
