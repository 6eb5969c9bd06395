#include "access/forbidden.h"

#include <fmt/format.h>

#include "base/go_quoted.h"

namespace portico::access {
namespace {

/// Like Kubernetes, escapes characters that a browser could interpret as HTML.
std::string without_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::string cannot(const User& user, const Request& request) {
  if (!request.is_resource)
    return fmt::format("User {} cannot {} path {}", go_quoted(user.name), request.verb,
                       go_quoted(request.path));
  const std::string resource =
      request.subresource.empty() ? request.resource : request.resource + "/" + request.subresource;
  const std::string scope = request.ns.empty()
                                ? std::string("at the cluster scope")
                                : fmt::format("in the namespace {}", go_quoted(request.ns));
  return fmt::format("User {} cannot {} resource {} in API group {} {}", go_quoted(user.name),
                     request.verb, go_quoted(resource), go_quoted(request.group), scope);
}

}  // namespace

Error forbidden(const User& user, const Request& request, std::string_view reason) {
  std::string text;
  if (request.is_resource) {
    text = request.resource;
    if (!request.group.empty()) text += "." + request.group;
    if (!request.name.empty()) text += " " + go_quoted(request.name);
    text += " is ";
  }
  text += "forbidden: " + without_html(cannot(user, request));
  if (!reason.empty()) text += fmt::format(": {}", reason);
  return portico::forbidden("{}", text);
}

Result<Done> allow(const Policy& policy, const User& user, const Request& request) {
  const Verdict verdict = policy.authorize(user, request);
  if (verdict.allowed) return Done{};
  return forbidden(user, request, verdict.reason);
}

}  // namespace portico::access
