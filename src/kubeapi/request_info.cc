#include "kubeapi/request_info.h"

#include <algorithm>

namespace portico::kubeapi {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view verb_of(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

// The value of "metadata.name=web" in a field selector.
std::string name_of_selector(std::string_view selector) {
  constexpr std::string_view kName = "metadata.name=";
  while (!selector.empty()) {
    const std::size_t comma = selector.find(',');
    std::string_view one = selector.substr(0, comma);
    if (one.starts_with(kName)) {
      one.remove_prefix(kName.size());
      if (one.starts_with('=')) one.remove_prefix(1);
      return std::string(one);
    }
    if (comma == std::string_view::npos) break;
    selector.remove_prefix(comma + 1);
  }
  return "";
}

}  // namespace

bool is_true(const http::Query& query, std::string_view name) {
  if (!query.has(name)) return false;
  const std::string_view value = query.get(name);
  return value != "0" && lower(value) != "false";
}

Result<RequestInfo> request_info(std::string_view method, std::string_view path,
                                 const http::Query& query) {
  RequestInfo out;
  out.verb = lower(method);
  PORTICO_TRY(std::vector<std::string> parts, http::path_segments(path));
  for (const std::string& part : parts) out.path += "/" + part;
  if (!parts.empty() && parts.back().empty()) parts.pop_back();
  // "//api" is not equivalent to "/api": a proxy in front may treat them differently.
  if (std::find(parts.begin(), parts.end(), "") != parts.end()) return out;

  std::size_t at = 0;
  if (!parts.empty() && parts[0] == "api" && parts.size() > 2) {
    out.version = parts[1];
    at = 2;
  } else if (!parts.empty() && parts[0] == "apis" && parts.size() > 3) {
    out.group = parts[1];
    out.version = parts[2];
    at = 3;
  } else {
    return out;
  }
  const std::string_view verb = verb_of(method);
  if (verb.empty()) return out;
  out.is_resource = true;
  out.verb = verb;
  const auto left = [&] { return parts.size() - at; };
  if (parts[at] == "namespaces" && left() >= 2) {
    out.ns = parts[at + 1];
    // The namespace itself or its subresource, not an object in it.
    const bool itself =
        left() == 2 || (left() == 3 && (parts[at + 2] == "status" || parts[at + 2] == "finalize"));
    if (!itself) at += 2;
  }
  out.resource = parts[at++];
  if (at < parts.size()) out.name = parts[at++];
  if (at < parts.size()) out.subresource = parts[at++];
  out.rest.assign(parts.begin() + static_cast<std::ptrdiff_t>(at), parts.end());

  if (out.verb == "delete" && out.name.empty()) out.verb = "deletecollection";
  if (out.verb == "get") {
    const bool watch = is_true(query, "watch");
    // A watch of a single object uses a field selector; a path with a name is a get.
    if (out.name.empty()) out.verb = watch ? "watch" : "list";
  }
  if (out.name.empty() && (out.verb == "list" || out.verb == "watch"))
    out.name = name_of_selector(query.get("fieldSelector"));
  return out;
}

}  // namespace portico::kubeapi
