#include "cluster/internal/request_labels.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace portico::cluster {
namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    path.remove_prefix(1);  // '/'
    const std::size_t end = std::min(path.find('/'), path.size());
    out.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return out;
}

std::string verb_of(std::string_view method, bool named, bool watches) {
  if (method == "GET") return named ? "get" : watches ? "watch" : "list";
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "DELETE") return named ? "delete" : "deletecollection";
  std::string out(method);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

RequestLabels request_labels(std::string_view method, std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  const bool watches = target.substr(mark).find("watch=true") != std::string_view::npos;
  std::vector<std::string_view> parts = parts_of(target.substr(0, mark));
  const std::ptrdiff_t root = parts.empty()        ? 0
                              : parts[0] == "api"  ? 2
                              : parts[0] == "apis" ? 3
                                                   : 0;
  if (root == 0 || std::ssize(parts) <= root) {
    std::string verb = verb_of(method, true, false);
    if (method == "POST") verb = "post";
    if (method == "PUT") verb = "put";
    return {std::move(verb), ""};
  }
  parts.erase(parts.begin(), parts.begin() + root);
  if (parts.size() > 2 && parts[0] == "namespaces" && parts[2] != "status" &&
      parts[2] != "finalize")
    parts.erase(parts.begin(), parts.begin() + 2);
  RequestLabels out{verb_of(method, parts.size() > 1, watches), std::string(parts[0])};
  if (parts.size() > 2) out.resource += "/" + std::string(parts[2]);
  return out;
}

}  // namespace portico::cluster
