#include "base/secrets.h"

#include <algorithm>
#include <array>

#include "base/internal/secret_words.h"

namespace portico {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kUrlEnds = " \t\n\"'<>";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

// Whether a query or fragment has a parameter whose name sounds like a credential.
bool is_telling(std::string_view query) {
  std::string text(query);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  for (const std::string_view word :
       {"token", "key", "secret", "pass", "pw", "sig", "auth", "cred", "code", "session"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

// The length of the login at the front of `url` (the text after "://"), without its "@"; npos for
// none. Users forget to escape passwords: a "/", "?" or "#" in one leaves a host with an invalid
// port.
std::size_t login_of(std::string_view url) {
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) return at;
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.starts_with('[')) return std::string_view::npos;
  const std::string_view port = authority.substr(colon + 1);
  const bool is_port =
      std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_port ? std::string_view::npos : url.rfind('@');
}

std::string url_without_secrets(std::string_view url) {
  std::string out;
  if (const std::size_t at = login_of(url); at != std::string_view::npos) {
    out.append(kHidden) += '@';
    url.remove_prefix(at + 1);
  }
  const std::size_t fragment = std::min(url.find('#'), url.size());
  const std::size_t query = std::min(url.find('?'), fragment);
  out.append(url.substr(0, query));
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    const bool hide = out.starts_with(kHidden) || is_telling(part);
    out += part.front();
    out.append(hide ? kHidden : part.substr(1));
  };
  add(url.substr(query, fragment - query));
  add(url.substr(fragment));
  return out;
}

std::string urls_without_secrets(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) break;
    out.append(text.substr(0, scheme + 3));
    text.remove_prefix(scheme + 3);
    const std::string_view url = text.substr(0, text.find_first_of(kUrlEnds));
    out.append(url_without_secrets(url));
    text.remove_prefix(url.size());
  }
  return out.append(text);
}

}  // namespace

namespace {

std::string looked_through(std::string_view text) {
  const std::string shown = urls_without_secrets(text);
  std::string out;
  out.reserve(shown.size());
  for (std::size_t at = 0; at < shown.size();) {
    const secrets::Found found = secrets::secret_at(shown, at);
    if (found.size == 0) {
      out += shown[at++];
      continue;
    }
    out.append(shown, at, found.shown).append(kHidden);
    at += found.shown + found.size;
  }
  return out;
}

}  // namespace

// Hiding a text can make what follows it recognizable as a name, whose value must then be hidden,
// too. Texts pass through here at every destination, so the result must be stable.
std::string without_secrets(std::string_view text) {
  constexpr int kMost = 16;
  std::string out = looked_through(text);
  for (int i = 0; i < kMost; ++i) {
    std::string again = looked_through(out);
    if (again == out) break;
    out = std::move(again);
  }
  return out;
}

std::string_view credential_in(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) {
    // "ada:secret@host:path": git would take "ada" for the host.
    const std::size_t at = url.find('@'), colon = url.find(':');
    const bool login = at != std::string_view::npos && colon < at && url.find('/') > at;
    return login ? "credentials" : "";
  }
  const std::string_view rest = url.substr(scheme + 3);
  if (const std::size_t at = login_of(rest); at != std::string_view::npos) {
    const bool http = starts_with_word(url, "http://") || starts_with_word(url, "https://");
    if (http || rest.substr(0, at).find(':') != std::string_view::npos) return "credentials";
  }
  if (starts_with_word(url, "file://")) return "";
  const std::size_t fragment = std::min(rest.find('#'), rest.size());
  if (fragment < rest.size()) return "a fragment";
  const std::size_t query = rest.find('?');
  if (query != std::string_view::npos && is_telling(rest.substr(query)))
    return "a query that looks like a credential";
  return "";
}

std::string_view transport_helper(std::string_view url) {
  const std::size_t helper = url.find("::");
  if (helper == std::string_view::npos || helper >= url.find_first_of("/[@")) return "";
  return url.substr(0, helper);
}

}  // namespace portico
