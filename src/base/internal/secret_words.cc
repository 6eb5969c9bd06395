#include "base/internal/secret_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace portico::secrets {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kValueEnds = " \t\r\n\"'<>,;)}]&\\";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
bool is_name(char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// ---- Tokens with a known prefix.

enum class Of { kUpper, kAlnum, kToken };

bool is_of(Of set, char c) {
  switch (set) {
    case Of::kUpper:
      return is_upper(c) || is_digit(c);
    case Of::kAlnum:
      return is_alnum(c);
    case Of::kToken:
      break;
  }
  return is_alnum(c) || c == '_' || c == '-';
}

struct Shape {
  std::string_view begins;
  Of of;
  std::size_t least, most;
};

constexpr auto kShapes = std::to_array<Shape>({
    {"AKIA", Of::kUpper, 16, 16},  // AWS: keys, and temporary keys
    {"ASIA", Of::kUpper, 16, 16},          {"AIza", Of::kToken, 35, 35},    // Google
    {"dckr_pat_", Of::kToken, 16, npos},   {"ghp_", Of::kAlnum, 16, npos},  // GitHub
    {"gho_", Of::kAlnum, 16, npos},        {"ghu_", Of::kAlnum, 16, npos},
    {"ghs_", Of::kAlnum, 16, npos},        {"ghr_", Of::kAlnum, 16, npos},
    {"github_pat_", Of::kToken, 16, npos}, {"glpat-", Of::kToken, 16, npos},  // GitLab
    {"gldt-", Of::kToken, 16, npos},       {"glrt-", Of::kToken, 16, npos},
    {"glptt-", Of::kToken, 16, npos},      {"glcbt-", Of::kToken, 16, npos},
    {"hvs.", Of::kToken, 20, npos},  // Vault
    {"npm_", Of::kAlnum, 36, 36},          {"pypi-", Of::kToken, 40, npos},
    {"rk_live_", Of::kAlnum, 16, npos},                                      // Stripe
    {"sk_live_", Of::kAlnum, 16, npos},    {"xoxa-", Of::kToken, 10, npos},  // Slack
    {"xoxb-", Of::kToken, 10, npos},       {"xoxp-", Of::kToken, 10, npos},
    {"xoxr-", Of::kToken, 10, npos},       {"xoxs-", Of::kToken, 10, npos},
});

std::size_t run_of(Of set, std::string_view text) {
  const auto* const end =
      std::find_if(text.begin(), text.end(), [&](char c) { return !is_of(set, c); });
  return static_cast<std::size_t>(end - text.begin());
}

Found shape_at(std::string_view text) {
  for (const Shape& shape : kShapes) {
    if (!text.starts_with(shape.begins)) continue;
    const std::size_t size = run_of(shape.of, text.substr(shape.begins.size()));
    if (size >= shape.least && size <= shape.most) return {shape.begins.size(), size};
  }
  return {};
}

// Two JSON objects and a signature in base64url; "eyJ" encodes a leading "{".
Found jwt_at(std::string_view text) {
  constexpr std::size_t kShortest = 6;
  if (!text.starts_with("eyJ")) return {};
  std::size_t size = 0;
  for (int part = 0; part < 3; ++part) {
    if (part > 0 && (size >= text.size() || text[size++] != '.')) return {};
    const std::size_t length = run_of(Of::kToken, text.substr(size));
    if (length < kShortest) return {};
    size += length;
  }
  return {0, size};
}

Found private_key_at(std::string_view text) {
  constexpr std::size_t kLongestHeader = 64;
  if (!text.starts_with("-----BEGIN ")) return {};
  const std::string_view header = text.substr(0, kLongestHeader);
  const std::size_t words = header.find("PRIVATE KEY");
  if (words == npos || header.substr(0, words).find('\n') != npos) return {};
  const std::size_t body = header.find("-----", words);
  if (body == npos) return {};
  const std::size_t begin = body + 5;
  const std::size_t end = std::min(text.find("-----END ", begin), text.size());
  return text.substr(begin, end - begin) == "***" ? Found{} : Found{begin, end - begin};
}

// ---- Values that follow a telling name.

enum class Kind {
  kAlways,  // hidden unless it is an ordinary word
  kRandom,  // hidden if it looks random: the name has other uses
  kLine,    // the rest of the line is hidden
};

struct Name {
  std::string_view ends;  // in lower case, "_" for "-" and "."
  Kind kind;
};

constexpr auto kNames = std::to_array<Name>({
    {"password", Kind::kAlways},      {"passwd", Kind::kAlways},
    {"passphrase", Kind::kAlways},    {"pwd", Kind::kAlways},
    {"api_key", Kind::kAlways},       {"apikey", Kind::kAlways},
    {"access_key", Kind::kAlways},    {"accesskey", Kind::kAlways},
    {"secret_key", Kind::kAlways},    {"secretkey", Kind::kAlways},
    {"private_key", Kind::kAlways},   {"privatekey", Kind::kAlways},
    {"client_secret", Kind::kAlways}, {"clientsecret", Kind::kAlways},
    {"access_token", Kind::kAlways},  {"accesstoken", Kind::kAlways},
    {"refresh_token", Kind::kAlways}, {"refreshtoken", Kind::kAlways},
    {"private_token", Kind::kAlways}, {"privatetoken", Kind::kAlways},
    {"auth_token", Kind::kAlways},    {"authtoken", Kind::kAlways},
    {"authorization", Kind::kAlways}, {"id_token", Kind::kAlways},
    {"token", Kind::kRandom},         {"secret", Kind::kRandom},
    {"signature", Kind::kRandom},     {"credential", Kind::kRandom},
    {"credentials", Kind::kRandom},   {"cookie", Kind::kLine},
});

// Words in messages about a password that are not the password.
constexpr auto kOrdinary =
    std::to_array<std::string_view>({"a",         "access",      "already",    "an",
                                     "and",       "are",         "at",         "authentication",
                                     "bad",       "can",         "cannot",     "contains",
                                     "could",     "denied",      "does",       "duplicate",
                                     "empty",     "error",       "expected",   "expired",
                                     "failed",    "false",       "field",      "for",
                                     "forbidden", "found",       "from",       "got",
                                     "has",       "have",        "if",         "immutable",
                                     "in",        "incorrect",   "internal",   "invalid",
                                     "is",        "it",          "larger",     "less",
                                     "longer",    "matches",     "may",        "missing",
                                     "more",      "must",        "needs",      "nil",
                                     "no",        "none",        "not",        "null",
                                     "of",        "only",        "or",         "permission",
                                     "required",  "set",         "shorter",    "should",
                                     "string",    "the",         "this",       "to",
                                     "too",       "true",        "unexpected", "unknown",
                                     "unset",     "unsupported", "use",        "value",
                                     "was",       "when",        "with",       "without",
                                     "wrong"});

static_assert(std::is_sorted(kOrdinary.begin(), kOrdinary.end()));

bool is_ordinary(std::string_view value) {
  while (!value.empty() && (value.back() == '.' || value.back() == ':')) value.remove_suffix(1);
  if (value.empty() || value.find_first_not_of('*') == npos) return true;
  // A placeholder.
  if (std::string_view("${%<[(/").find(value.front()) != npos) return true;
  const std::string word = lowered(value);
  return std::binary_search(kOrdinary.begin(), kOrdinary.end(), std::string_view(word));
}

bool looks_random(std::string_view value) {
  constexpr std::size_t kShort = 6, kLong = 20;
  const auto has = [&](bool (*is)(char)) { return std::any_of(value.begin(), value.end(), is); };
  if (value.size() < kShort || value.find("://") != npos || value.front() == '/') return false;
  // An object name or a version: random hexadecimal strings have no "-", and UUIDs are longer.
  const bool small = std::all_of(value.begin(), value.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
  });
  if (value.size() < kLong && small && value.find('-') != npos) return false;
  if (has(is_digit)) return has(is_letter) && value.find('/') == npos;
  return value.size() >= kLong && has(is_upper) && value.find_first_of("/.:") == npos;
}

// For values after "Basic" and "Bearer", which are also ordinary words.
bool looks_encoded(std::string_view value) {
  constexpr std::size_t kShortest = 12;
  return value.size() >= kShortest && std::any_of(value.begin(), value.end(), [](char c) {
           return is_upper(c) || !(is_letter(c) || c == '-');
         });
}

std::size_t blanks(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

std::string_view value_of(std::string_view text) {
  return text.substr(0, text.find_first_of(kValueEnds));
}

// The length of an authentication scheme's name and the blanks after it.
std::size_t scheme_at(std::string_view text) {
  const std::string word = lowered(text.substr(0, 12));
  for (const std::string_view scheme : {"bearer ", "basic ", "token ", "digest ", "negotiate "})
    if (word.starts_with(scheme)) return scheme.size() + blanks(text.substr(scheme.size()));
  return 0;
}

Found scheme_with_value(std::string_view text) {
  const std::size_t scheme = scheme_at(text);
  const std::string word = lowered(text.substr(0, 2));
  if (scheme == 0 || word[0] != 'b') return {};  // "token x" can be anything
  const std::string_view value = value_of(text.substr(scheme));
  return looks_encoded(value) ? Found{scheme, value.size()} : Found{};
}

// The length of quotes, blanks, and ":" or "=" between a name and its value; npos if there is no
// value.
std::size_t assignment(std::string_view text) {
  std::size_t size = std::min(text.find_first_not_of("\\\"'"), text.size());
  if (size > 2) return npos;
  size += blanks(text.substr(size));
  if (size >= text.size() || (text[size] != ':' && text[size] != '=')) return npos;
  ++size;
  if (size < text.size() && (text[size] == '=' || text[size] == '>')) ++size;
  size += blanks(text.substr(size));
  const std::size_t quotes = std::min(text.find_first_not_of("\\\"'", size), text.size());
  return quotes - size <= 2 ? quotes : size;
}

// A quoted value ends at its quote and may contain blanks and commas.
std::string_view assigned(std::string_view text, std::size_t begin) {
  const char quote = begin == 0 ? ' ' : text[begin - 1];
  if (quote != '"' && quote != '\'') return value_of(text.substr(begin));
  const std::size_t end = text.find_first_of(quote == '"' ? "\"\n\\" : "'\n", begin);
  return text.substr(begin, end == npos ? npos : end - begin);
}

Found named_at(std::string_view text) {
  const auto* const name_end = std::find_if_not(text.begin(), text.end(), is_name);
  const auto length = static_cast<std::size_t>(name_end - text.begin());
  constexpr std::size_t kLongest = 64;
  if (length == 0 || length > kLongest) return {};
  std::string name = lowered(text.substr(0, length));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  const auto* const known = std::find_if(
      kNames.begin(), kNames.end(), [&](const Name& each) { return name.ends_with(each.ends); });
  if (known == kNames.end()) return {};

  const std::string_view rest = text.substr(length);
  std::size_t begin = assignment(rest);
  const bool is_flag = text.starts_with("--"), alone = begin == npos;
  // The value of a repository's --secret is the name of a Secret, not a credential.
  if (is_flag && known->ends == "secret") return {};
  if (alone && is_flag && rest.starts_with(' ')) {
    begin = blanks(rest);
    if (begin < rest.size() && (rest[begin] == '"' || rest[begin] == '\'')) ++begin;
  }
  if (begin == npos || begin >= rest.size()) return {};
  if (known->kind == Kind::kLine) {
    const std::string_view line = rest.substr(begin, rest.find_first_of("\r\n", begin) - begin);
    if (rest[begin - 1] == '=' || is_flag || line == "***") return {};
    return {length + begin, line.size()};
  }
  begin += scheme_at(rest.substr(begin));
  const std::string_view value = assigned(rest, begin);
  if (value.empty() || value == "***" || (alone && value.starts_with('-'))) return {};
  const bool always = known->kind == Kind::kAlways || is_flag;
  if (is_ordinary(value.substr(0, value.find(' ')))) return {};
  if (!always && !looks_random(value)) return {};
  return {length + begin, value.size()};
}

}  // namespace

Found secret_at(std::string_view text, std::size_t at) {
  const char before = at == 0 ? ' ' : text[at - 1];
  const std::string_view rest = text.substr(at);
  if (!is_name(before)) {
    if (const Found key = private_key_at(rest); key.size > 0) return key;
    if (const Found found = named_at(rest); found.size > 0) return found;
  }
  if (is_alnum(before)) return {};
  if (const Found found = shape_at(rest); found.size > 0) return found;
  if (const Found found = jwt_at(rest); found.size > 0) return found;
  return scheme_with_value(rest);
}

}  // namespace portico::secrets
