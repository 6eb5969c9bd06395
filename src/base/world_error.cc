#include "base/world_error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <span>
#include <string>

#include "base/remote_host.h"

namespace portico {
namespace {

struct TextRow {
  std::string_view says;  // in lower case
  Remedy remedy;
};

// The first match wins. Servers answer "not found" for a repository that exists but may not be
// seen, so it counts as a refusal: a person creates it, renames it or grants access.
constexpr auto kGit = std::to_array<TextRow>({
    {"could not resolve host", Remedy::kRetry},
    {"failed to connect", Remedy::kRetry},
    {"connection refused", Remedy::kRetry},
    {"connection reset", Remedy::kRetry},
    {"timed out", Remedy::kRetry},
    {"returned error: 429", Remedy::kRetry},
    {"returned error: 408", Remedy::kRetry},
    {"returned error: 507", Remedy::kOperator},  // quota
    {"returned error: 5", Remedy::kRetry},
    {"returned error: 4", Remedy::kOperator},
    {"authentication failed", Remedy::kOperator},
    {"could not read username", Remedy::kOperator},
    {"could not read password", Remedy::kOperator},
    {"permission denied", Remedy::kOperator},
    {"access denied", Remedy::kOperator},
    {"host key verification failed", Remedy::kOperator},
    {"certificate", Remedy::kOperator},
    {"hook declined", Remedy::kOperator},
    {"quota", Remedy::kOperator},
    {"repository not exported", Remedy::kOperator},
    {"does not appear to be a git repository", Remedy::kOperator},
    {"not found", Remedy::kOperator},
    {"does not exist", Remedy::kOperator},
});

// Anything else is a refusal: by a hook, a protected branch, a quota, a full disk on the server.
constexpr auto kRejectedRef = std::to_array<TextRow>({
    {"stale info", Remedy::kRetryNow},
    {"fetch first", Remedy::kRetryNow},
    {"non-fast-forward", Remedy::kRetryNow},
    {"already exists", Remedy::kRetryNow},
    {"cannot lock ref", Remedy::kRetryNow},
    {"failed to update ref", Remedy::kRetryNow},
    {"remote ref updated", Remedy::kRetryNow},
    {"incorrect old value", Remedy::kRetryNow},
    {"unable to lock", Remedy::kRetryNow},
    {"internal server error", Remedy::kRetry},
});

// What servers say after "cannot lock ref". Anything else (a full disk) is not about that ref.
constexpr auto kUnlockedRef = std::to_array<TextRow>({
    {"file exists", Remedy::kOperator},         // unable to create X.lock
    {"blocking reference", Remedy::kOperator},  // a directory of that name, with such a lock in it
    {"but expected", Remedy::kRetryNow},        // ref is at X
    {"reference already exists", Remedy::kRetryNow},
    {"unable to resolve reference", Remedy::kRetryNow},
    {"cannot create", Remedy::kRetryNow},  // another ref exists
});

// What git says about the repository into which it fetches.
constexpr auto kOwnObjects = std::to_array<std::string_view>({
    "is corrupt",             // loose object X (stored in Y)
    "corrupt loose object",   //
    "does not match index",   // packfile X
    "bad object",             // refs/heads/main
    "unpack-objects failed",  // onto a missing base
    "unresolved deltas",      // likewise
    "error: could not read",  // X, while walking the history
    "unexpected line in",     // packed-refs
    "file is empty",          // packfile or index
    "unable to read",         // sha1 file of X
});

struct NumberRow {
  int number;
  Remedy remedy;
};

constexpr auto kGrpc = std::to_array<NumberRow>({
    {1, Remedy::kRetry},      // CANCELLED
    {2, Remedy::kOperator},   // UNKNOWN: the function or its server failed
    {3, Remedy::kObject},     // INVALID_ARGUMENT
    {4, Remedy::kRetry},      // DEADLINE_EXCEEDED
    {5, Remedy::kOperator},   // NOT_FOUND: no function of that name
    {6, Remedy::kOperator},   // ALREADY_EXISTS
    {7, Remedy::kOperator},   // PERMISSION_DENIED
    {8, Remedy::kRetry},      // RESOURCE_EXHAUSTED
    {9, Remedy::kObject},     // FAILED_PRECONDITION
    {10, Remedy::kRetry},     // ABORTED
    {11, Remedy::kObject},    // OUT_OF_RANGE
    {12, Remedy::kOperator},  // UNIMPLEMENTED
    {13, Remedy::kOperator},  // INTERNAL: also how Porch's runners report a failed function
    {14, Remedy::kRetry},     // UNAVAILABLE
    {15, Remedy::kOperator},  // DATA_LOSS
    {16, Remedy::kOperator},  // UNAUTHENTICATED
});

// Any other status: kOperator from 400 on, kRetry from 500 on.
constexpr auto kHttp = std::to_array<NumberRow>({
    {400, Remedy::kObject},
    {404, Remedy::kObject},
    {405, Remedy::kObject},
    {408, Remedy::kRetry},
    {409, Remedy::kRetryNow},
    {410, Remedy::kRetryNow},
    {412, Remedy::kRetryNow},
    {413, Remedy::kObject},
    {415, Remedy::kObject},
    {422, Remedy::kObject},
    {425, Remedy::kRetry},
    {429, Remedy::kRetry},
    {501, Remedy::kOperator},
    {505, Remedy::kOperator},
    {507, Remedy::kOperator},  // quota
});

// Any other error is retried.
constexpr auto kCurl = std::to_array<NumberRow>({
    {1, Remedy::kOperator},   // CURLE_UNSUPPORTED_PROTOCOL
    {3, Remedy::kObject},     // CURLE_URL_MALFORMAT
    {4, Remedy::kOperator},   // CURLE_NOT_BUILT_IN
    {53, Remedy::kOperator},  // CURLE_SSL_ENGINE_NOTFOUND
    {58, Remedy::kOperator},  // CURLE_SSL_CERTPROBLEM: the client's own
    {59, Remedy::kOperator},  // CURLE_SSL_CIPHER
    {60, Remedy::kOperator},  // CURLE_PEER_FAILED_VERIFICATION
    {67, Remedy::kOperator},  // CURLE_LOGIN_DENIED
    {77, Remedy::kOperator},  // CURLE_SSL_CACERT_BADFILE
    {83, Remedy::kOperator},  // CURLE_SSL_ISSUER_ERROR
    {90, Remedy::kOperator},  // CURLE_SSL_PINNEDPUBKEYNOTMATCH
    {98, Remedy::kOperator},  // CURLE_SSL_CLIENTCERT
});

// Any other error is due to the program or its permissions: kOperator.
constexpr auto kNoStart = std::to_array<NumberRow>({
    {EAGAIN, Remedy::kRetry},  // too many processes
    {ENOMEM, Remedy::kRetry},
    {EMFILE, Remedy::kRetry},
    {ENFILE, Remedy::kRetry},
    {ETXTBSY, Remedy::kRetry},  // being written
    {EIO, Remedy::kRetry},
});

std::string lowered(std::string_view said) {
  std::string text(said);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_name(char c) { return is_word(c) || c == '-' || c == '_' || c == '.'; }

// Removes `name` where it stands alone; with `before_port`, only where a port follows.
void take_out(std::string& text, std::string_view name, bool before_port = false) {
  if (name.empty()) return;
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos;) {
    const std::size_t end = at + name.size();
    const std::string_view rest = std::string_view(text).substr(end);
    const bool alone = (at == 0 || !is_name(text[at - 1]) || !is_name(name.front())) &&
                       (rest.empty() || !is_name(rest.front()) ||
                        (rest.front() == '.' && (rest.size() == 1 || !is_name(rest[1]))));
    if (!alone || (before_port && !rest.starts_with(':') && !rest.starts_with(" port")))
      at = end;
    else
      text.erase(at, name.size());
  }
}

// Removes quoted text and URLs. An apostrophe within a word is not a quote.
std::string without_quotes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if ((c == '\'' || c == '"') && (at == 0 || !is_word(text[at - 1]))) {
      std::size_t end = text.find(c, at + 1);
      while (end < text.size() - 1 && is_word(text[end + 1])) end = text.find(c, end + 1);
      if (end != text.npos) {
        at = end + 1;
        continue;
      }
    }
    if (text.substr(at).starts_with("://")) {
      at = std::min(text.find_first_of(" \t\n'\"", at), text.size());
      continue;
    }
    out += c;
    ++at;
  }
  return out;
}

// `said` in lower case, without the URL `url` and its parts.
std::string words_of(std::string_view said, std::string_view url) {
  std::string text = lowered(said);
  const std::string address = lowered(url);
  take_out(text, address);
  // "scheme://user@host:port/path", "user@host:path" or a path.
  std::string_view rest = address;
  const std::size_t scheme = rest.find("://");
  std::size_t path = 0;
  if (scheme != rest.npos) {
    rest.remove_prefix(scheme + 3);
    path = std::min(rest.find('/'), rest.size());
  } else if (const std::size_t colon = rest.find(':'); colon < rest.find('/')) {
    path = colon;
  }
  const std::string_view host = remote_host(address);
  take_out(text, rest.substr(path));
  take_out(text, host, host.find_first_of(".-_") == host.npos);
  return without_quotes(text);
}

Remedy find(std::span<const TextRow> rows, const std::string& text, Remedy otherwise) {
  for (const TextRow& row : rows)
    if (text.find(row.says) != std::string::npos) return row.remedy;
  return otherwise;
}

Remedy find(std::span<const NumberRow> rows, int number, Remedy otherwise) {
  for (const NumberRow& row : rows)
    if (row.number == number) return row.remedy;
  return otherwise;
}

}  // namespace

Remedy remedy_of(const Error& error) {
  switch (error.code) {
    case Code::kInvalid:
    case Code::kNotFound:
      return Remedy::kObject;
    case Code::kConflict:
      return Remedy::kRetryNow;
    case Code::kUnavailable:
      if (error.reason == Reason::kRefused || error.reason == Reason::kForbidden ||
          error.reason == Reason::kUnauthorized)
        return Remedy::kOperator;
      return Remedy::kRetry;
    case Code::kInternal:
      break;
  }
  return Remedy::kRetry;
}

Error error_for(Remedy remedy, std::string text) {
  switch (remedy) {
    case Remedy::kRetry:
      break;
    case Remedy::kOperator:
      return refused("{}", text);
    case Remedy::kRetryNow:
      return conflict("{}", text);
    case Remedy::kObject:
      return invalid("{}", text);
  }
  return unavailable("{}", text);
}

Remedy remedy_of_git(std::string_view said, std::string_view url) {
  return find(kGit, words_of(said, url), Remedy::kRetry);
}
bool blames_own_objects(std::string_view said) {
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const std::string line = lowered(said.substr(0, end));
    said.remove_prefix(std::min(end + 1, said.size()));
    if (line.starts_with("remote:")) continue;
    for (const std::string_view one : kOwnObjects)
      if (line.find(one) != line.npos) return true;
  }
  return false;
}
Remedy remedy_of_rejected_ref(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  if (tab != line.npos) line.remove_prefix(tab + 1);
  return find(kRejectedRef, words_of(line, ""), Remedy::kOperator);
}
std::optional<Remedy> remedy_of_unlocked_ref(std::string_view said) {
  constexpr std::string_view kMark = "cannot lock ref '";
  std::optional<Remedy> out;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const std::string_view line = said.substr(0, end);
    said.remove_prefix(std::min(end + 1, said.size()));
    const std::size_t at = line.find(kMark);
    if (at == line.npos) continue;
    const std::string why = words_of(line.substr(at + kMark.size() - 1), "");
    for (const TextRow& row : kUnlockedRef)
      if (!out && why.find(row.says) != why.npos) out = row.remedy;
  }
  return out;
}
Remedy remedy_of_grpc(int status, std::string_view said) {
  // RESOURCE_EXHAUSTED is also the status for a message that exceeds its receiver's size limit.
  if (said.find("message larger than max") != std::string_view::npos) return Remedy::kObject;
  return find(kGrpc, status, Remedy::kOperator);
}
Remedy remedy_of_http(int status) {
  return find(kHttp, status, status < 500 ? Remedy::kOperator : Remedy::kRetry);
}
Remedy remedy_of_curl(int code) { return find(kCurl, code, Remedy::kRetry); }
Remedy remedy_of_no_start(int number) { return find(kNoStart, number, Remedy::kOperator); }

bool is_of_container_runtime(int exit_code) {
  constexpr int kRuntimeFailed = 125;  // no server, no such image, no network
  return exit_code == kRuntimeFailed;
}

}  // namespace portico
