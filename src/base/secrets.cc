#include "base/secrets.h"

#include <algorithm>

namespace portico {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kUrlEnds = " \t\n\"'<>";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

// Whether a query has a parameter that sounds like a credential.
bool is_telling(std::string_view query) {
  std::string text(query);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  for (const std::string_view word :
       {"token", "key", "secret", "pass", "pw", "sig", "auth", "cred", "code", "session"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

std::string url_without_secrets(std::string_view url) {
  std::string out;
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    out.append(kHidden) += '@';
    url.remove_prefix(at + 1);
  }
  const std::size_t query = url.find('?');
  out.append(url.substr(0, query));
  if (query == std::string_view::npos) return out;
  const bool hide = out.starts_with(kHidden) || is_telling(url.substr(query));
  out.append(hide ? "?" + std::string(kHidden) : std::string(url.substr(query)));
  return out;
}

// The length of the words in front of a credential, blanks included; 0 where none begins here.
std::size_t credential_at(std::string_view text) {
  for (const std::string_view word :
       {"authorization: bearer ", "authorization: basic ", "authorization: token ",
        "authorization: ", "bearer ", "basic "})
    if (starts_with_word(text, word)) return word.size();
  return 0;
}

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// Long enough to be one: "basic auth" and "bearer token" are words.
bool is_credential(std::string_view text, bool named) {
  constexpr std::size_t kShortest = 12;
  const std::string_view word = text.substr(0, text.find_first_of(" \t\n\"'<>,;)"));
  if (word == kHidden) return false;
  return named ? !word.empty() : word.size() >= kShortest;
}

}  // namespace

std::string without_secrets(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char before = ' ';
  while (!text.empty()) {
    if (text.starts_with("://")) {
      const std::string_view url =
          text.substr(3, std::min(text.find_first_of(kUrlEnds), text.size()) - 3);
      out.append("://").append(url_without_secrets(url));
      text.remove_prefix(3 + url.size());
      before = ' ';
      continue;
    }
    const std::size_t words = is_letter(before) ? 0 : credential_at(text);
    const bool named = words > 0 && starts_with_word(text, "authorization");
    if (words > 0 && is_credential(text.substr(words), named)) {
      out.append(text.substr(0, words)).append(kHidden);
      text.remove_prefix(words);
      text.remove_prefix(std::min(text.find_first_of(" \t\n\"'<>,;)"), text.size()));
      before = ' ';
      continue;
    }
    before = text.front();
    out += before;
    text.remove_prefix(1);
  }
  return out;
}

bool has_login(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = url.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return false;
  const bool http = starts_with_word(url, "http://") || starts_with_word(url, "https://");
  return http || authority.substr(0, at).find(':') != std::string_view::npos;
}

}  // namespace portico
