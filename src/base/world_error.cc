#include "base/world_error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <span>
#include <string>

namespace portico {
namespace {

struct TextRow {
  std::string_view says;  // in lower case
  Mend mend;
};

// The first match wins. Servers answer "not found" for a repository that exists but may not be
// seen, so it counts as a refusal: a person creates it, renames it or grants access.
constexpr auto kGit = std::to_array<TextRow>({
    {"could not resolve host", Mend::kRetry},
    {"failed to connect", Mend::kRetry},
    {"connection refused", Mend::kRetry},
    {"connection reset", Mend::kRetry},
    {"timed out", Mend::kRetry},
    {"returned error: 429", Mend::kRetry},
    {"returned error: 408", Mend::kRetry},
    {"returned error: 507", Mend::kPerson},  // quota
    {"returned error: 5", Mend::kRetry},
    {"returned error: 4", Mend::kPerson},
    {"authentication failed", Mend::kPerson},
    {"could not read username", Mend::kPerson},
    {"could not read password", Mend::kPerson},
    {"permission denied", Mend::kPerson},
    {"access denied", Mend::kPerson},
    {"host key verification failed", Mend::kPerson},
    {"certificate", Mend::kPerson},
    {"hook declined", Mend::kPerson},
    {"quota", Mend::kPerson},
    {"repository not exported", Mend::kPerson},
    {"does not appear to be a git repository", Mend::kPerson},
    {"not found", Mend::kPerson},
    {"does not exist", Mend::kPerson},
});

// Anything else is a refusal: by a hook, a protected branch, a quota, a full disk on the server.
constexpr auto kRejectedRef = std::to_array<TextRow>({
    {"stale info", Mend::kAgain},
    {"fetch first", Mend::kAgain},
    {"non-fast-forward", Mend::kAgain},
    {"already exists", Mend::kAgain},
    {"cannot lock ref", Mend::kAgain},
    {"failed to update ref", Mend::kAgain},
    {"remote ref updated", Mend::kAgain},
    {"incorrect old value", Mend::kAgain},
    {"unable to lock", Mend::kAgain},
    {"internal server error", Mend::kRetry},
});

// What servers say after "cannot lock ref". Anything else (a full disk) is not about that ref.
constexpr auto kUnlockedRef = std::to_array<TextRow>({
    {"file exists", Mend::kPerson},         // unable to create X.lock
    {"blocking reference", Mend::kPerson},  // a directory of that name, with such a lock in it
    {"but expected", Mend::kAgain},         // ref is at X
    {"reference already exists", Mend::kAgain},
    {"unable to resolve reference", Mend::kAgain},
    {"cannot create", Mend::kAgain},  // another ref exists
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
  Mend mend;
};

constexpr auto kGrpc = std::to_array<NumberRow>({
    {1, Mend::kRetry},    // CANCELLED
    {2, Mend::kPerson},   // UNKNOWN: the function or its server failed
    {3, Mend::kObject},   // INVALID_ARGUMENT
    {4, Mend::kRetry},    // DEADLINE_EXCEEDED
    {5, Mend::kPerson},   // NOT_FOUND: no function of that name
    {6, Mend::kPerson},   // ALREADY_EXISTS
    {7, Mend::kPerson},   // PERMISSION_DENIED
    {8, Mend::kRetry},    // RESOURCE_EXHAUSTED
    {9, Mend::kObject},   // FAILED_PRECONDITION
    {10, Mend::kRetry},   // ABORTED
    {11, Mend::kObject},  // OUT_OF_RANGE
    {12, Mend::kPerson},  // UNIMPLEMENTED
    {13, Mend::kPerson},  // INTERNAL: also how Porch's runners report a failed function
    {14, Mend::kRetry},   // UNAVAILABLE
    {15, Mend::kPerson},  // DATA_LOSS
    {16, Mend::kPerson},  // UNAUTHENTICATED
});

// Any other status: kPerson from 400 on, kRetry from 500 on.
constexpr auto kHttp = std::to_array<NumberRow>({
    {400, Mend::kObject},
    {404, Mend::kObject},
    {405, Mend::kObject},
    {408, Mend::kRetry},
    {409, Mend::kAgain},
    {410, Mend::kAgain},
    {412, Mend::kAgain},
    {413, Mend::kObject},
    {415, Mend::kObject},
    {422, Mend::kObject},
    {425, Mend::kRetry},
    {429, Mend::kRetry},
    {501, Mend::kPerson},
    {505, Mend::kPerson},
    {507, Mend::kPerson},  // quota
});

// Any other error is retried.
constexpr auto kCurl = std::to_array<NumberRow>({
    {1, Mend::kPerson},   // CURLE_UNSUPPORTED_PROTOCOL
    {3, Mend::kObject},   // CURLE_URL_MALFORMAT
    {4, Mend::kPerson},   // CURLE_NOT_BUILT_IN
    {53, Mend::kPerson},  // CURLE_SSL_ENGINE_NOTFOUND
    {58, Mend::kPerson},  // CURLE_SSL_CERTPROBLEM: the client's own
    {59, Mend::kPerson},  // CURLE_SSL_CIPHER
    {60, Mend::kPerson},  // CURLE_PEER_FAILED_VERIFICATION
    {67, Mend::kPerson},  // CURLE_LOGIN_DENIED
    {77, Mend::kPerson},  // CURLE_SSL_CACERT_BADFILE
    {83, Mend::kPerson},  // CURLE_SSL_ISSUER_ERROR
    {90, Mend::kPerson},  // CURLE_SSL_PINNEDPUBKEYNOTMATCH
    {98, Mend::kPerson},  // CURLE_SSL_CLIENTCERT
});

// Any other error is due to the program or its permissions: kPerson.
constexpr auto kNoStart = std::to_array<NumberRow>({
    {EAGAIN, Mend::kRetry},  // too many processes
    {ENOMEM, Mend::kRetry},
    {EMFILE, Mend::kRetry},
    {ENFILE, Mend::kRetry},
    {ETXTBSY, Mend::kRetry},  // being written
    {EIO, Mend::kRetry},
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
  std::string_view host = rest.substr(0, path);
  if (const std::size_t at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
  host = host.substr(0, host.find(':'));
  take_out(text, rest.substr(path));
  take_out(text, host, host.find_first_of(".-_") == host.npos);
  return without_quotes(text);
}

Mend find(std::span<const TextRow> rows, const std::string& text, Mend otherwise) {
  for (const TextRow& row : rows)
    if (text.find(row.says) != std::string::npos) return row.mend;
  return otherwise;
}

Mend find(std::span<const NumberRow> rows, int number, Mend otherwise) {
  for (const NumberRow& row : rows)
    if (row.number == number) return row.mend;
  return otherwise;
}

}  // namespace

Mend mend_of(const Error& error) {
  switch (error.code) {
    case Code::kInvalid:
    case Code::kNotFound:
      return Mend::kObject;
    case Code::kConflict:
      return Mend::kAgain;
    case Code::kUnavailable:
      if (error.reason == Reason::kForbidden || error.reason == Reason::kUnauthorized)
        return Mend::kPerson;
      return Mend::kRetry;
    case Code::kInternal:
      break;
  }
  return Mend::kRetry;
}

Error error_for(Mend mend, std::string text) {
  switch (mend) {
    case Mend::kRetry:
      break;
    case Mend::kPerson:
      return refused("{}", text);
    case Mend::kAgain:
      return conflict("{}", text);
    case Mend::kObject:
      return invalid("{}", text);
  }
  return unavailable("{}", text);
}

Mend mend_of_git(std::string_view said, std::string_view url) {
  return find(kGit, words_of(said, url), Mend::kRetry);
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
Mend mend_of_rejected_ref(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  if (tab != line.npos) line.remove_prefix(tab + 1);
  return find(kRejectedRef, words_of(line, ""), Mend::kPerson);
}
std::optional<Mend> mend_of_unlocked_ref(std::string_view said) {
  constexpr std::string_view kMark = "cannot lock ref '";
  std::optional<Mend> out;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const std::string_view line = said.substr(0, end);
    said.remove_prefix(std::min(end + 1, said.size()));
    const std::size_t at = line.find(kMark);
    if (at == line.npos) continue;
    const std::string why = words_of(line.substr(at + kMark.size() - 1), "");
    for (const TextRow& row : kUnlockedRef)
      if (!out && why.find(row.says) != why.npos) out = row.mend;
  }
  return out;
}
Mend mend_of_grpc(int status, std::string_view said) {
  // RESOURCE_EXHAUSTED is also the status for a message that exceeds its receiver's size limit.
  if (said.find("message larger than max") != std::string_view::npos) return Mend::kObject;
  return find(kGrpc, status, Mend::kPerson);
}
Mend mend_of_http(int status) {
  return find(kHttp, status, status < 500 ? Mend::kPerson : Mend::kRetry);
}
Mend mend_of_curl(int code) { return find(kCurl, code, Mend::kRetry); }
Mend mend_of_no_start(int number) { return find(kNoStart, number, Mend::kPerson); }

bool is_of_container_runtime(int exit_code) {
  constexpr int kRuntimeFailed = 125;  // no server, no such image, no network
  return exit_code == kRuntimeFailed;
}

}  // namespace portico
