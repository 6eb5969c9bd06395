#include "git/remote.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "base/secrets.h"
#include "base/tracer.h"
#include "base/world_error.h"
#include "git/internal/ref_transaction.h"
#include "git/internal/run_git.h"

namespace portico::git {
namespace {

std::string decoded(std::string_view text) {
  std::string out;
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
        digit(text[i + 2]) >= 0) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// "https://example.com:8443" of an http(s) URL: the origin that may get the credentials.
std::string origin_of(const std::string& url) {
  const std::size_t start = url.find("://") + 3;
  return url.substr(0, url.find_first_of("/?#", start));
}

template <class Work>
auto with_remote(std::string_view name, const RemoteAddress& remote, const Work& work) {
  return traced(name, SpanKind::kClient, [&](Span& span) {
    if (span) span.set("portico.repository.url", without_secrets(remote.url));
    return work();
  });
}

// The environment that git needs besides its arguments. Its configuration is passed in variables
// too.
std::map<std::string, std::string> environment_of(const RemoteAddress& remote) {
  std::map<std::string, std::string> out{
      {"GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"},
      {"GIT_ASKPASS", "true"},  // answers nothing, so git never waits for a user
      {"SSH_ASKPASS", "true"},
      {"GIT_HTTP_LOW_SPEED_LIMIT", "1"},
      {"GIT_HTTP_LOW_SPEED_TIME", "60"},
  };
  if (!std::getenv("GIT_SSH_COMMAND") && !std::getenv("GIT_SSH"))
    out["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes -o ConnectTimeout=30";
  std::vector<std::pair<std::string, std::string>> config{
      {"gc.auto", "0"},
      {"maintenance.auto", "false"},
      {"protocol.version", "2"},
      // Fetched objects are on disk before refs point to them. Storing them as packs takes fewer
      // syncs than loose objects. Both are set here rather than left to git's defaults.
      {"fetch.unpackLimit", "1"},
      {"core.fsync", "all"},
  };
  if (!remote.bearer_token.empty()) {
    config.emplace_back("http." + remote.url + ".extraHeader",
                        "Authorization: Bearer " + remote.bearer_token);
    config.emplace_back("http.followRedirects", "false");  // it would resend the header
  } else if ((!remote.username.empty() || !remote.password.empty()) &&
             remote.url.starts_with("http")) {
    out["PORTICO_GIT_USERNAME"] = remote.username;
    out["PORTICO_GIT_PASSWORD"] = remote.password;
    config.emplace_back("credential.helper", "");  // disables other credential helpers
    // After a redirect to another host, git must not ask for the credentials there.
    config.emplace_back("credential." + origin_of(remote.url) + ".helper",
                        "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' "
                        "\"$PORTICO_GIT_USERNAME\" \"$PORTICO_GIT_PASSWORD\"; }; f");
  }
  out["GIT_CONFIG_COUNT"] = std::to_string(config.size());
  for (std::size_t i = 0; i < config.size(); ++i) {
    out[fmt::format("GIT_CONFIG_KEY_{}", i)] = config[i].first;
    out[fmt::format("GIT_CONFIG_VALUE_{}", i)] = config[i].second;
  }
  return out;
}

void replace_all(std::string& text, const std::string& what) {
  if (what.size() < 3) return;  // would only garble the message
  constexpr std::string_view kHidden = "***";
  // Continue after the replacement: it may itself match `what`.
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += kHidden.size())
    text.replace(at, what.size(), kHidden);
}

// Lines about progress and completed steps, which do not explain a failure.
bool is_progress(std::string_view line) {
  if (line.starts_with("remote: ")) line.remove_prefix(8);
  if (line.starts_with(' ')) return !line.starts_with(" ! ");
  for (const std::string_view word :
       {"Enumerating objects", "Counting objects", "Compressing objects", "Delta compression",
        "Receiving objects", "Resolving deltas", "Unpacking objects", "Writing objects", "Total ",
        "From ", "To ", "hint:", "POST git-", "Checking connectivity"})
    if (line.starts_with(word)) return true;
  return line.empty();
}

// git's stderr, line by line, without progress.
std::string said(const Outcome& outcome) {
  std::string text;
  std::string_view rest = outcome.err;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of("\r\n");
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (is_progress(line)) continue;
    // Servers pad their lines with blanks to clear the terminal line.
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    text.append(line) += '\n';
  }
  return text;
}

// The same on one line, without secrets.
std::string reason_of(const Outcome& outcome, const RemoteAddress& remote) {
  constexpr std::size_t kMost = 400;
  std::string text;
  const std::string all = said(outcome);
  for (std::string_view rest = all; !rest.empty() && text.size() < kMost;) {
    const std::size_t end = rest.find('\n');
    if (!text.empty()) text += "; ";
    text += rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  replace_all(text, remote.password);
  replace_all(text, remote.bearer_token);
  text = without_secrets(text);
  return text.empty() ? fmt::format("git ended with status {}", outcome.status) : text;
}

bool says(const std::string& text, std::initializer_list<std::string_view> any) {
  for (const std::string_view one : any)
    if (text.find(one) != std::string::npos) return true;
  return false;
}

// Classifies the error by what the caller can do about it. A refusal here applies to every caller.
Error transport_error(std::string_view doing, const Outcome& outcome, const RemoteAddress& remote) {
  const std::string where = without_secrets(remote.url), why = reason_of(outcome, remote);
  if (remedy_of_git(said(outcome), remote.url) == Remedy::kOperator)
    return refused("{} {:?} is refused: {}", doing, where, why);
  return unavailable("{} {:?} failed: {}", doing, where, why);
}

}  // namespace

Result<RemoteAddress> parse_remote(const std::string& url) {
  RemoteAddress remote;
  remote.url = url;
  for (const char c : url)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return invalid("repository URL {:?} contains a control character", without_secrets(url));
  if (url.empty() || url.starts_with('-'))
    return invalid("repository URL {:?} is not a URL", without_secrets(url));
  if (const std::string_view helper = transport_helper(url); !helper.empty())
    return invalid(
        "repository URL \"{}::...\" uses a transport helper; transport helpers are not supported",
        helper);
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return remote;
  const std::string name = url.substr(0, scheme);
  if (name != "https" && name != "http" && name != "ssh" && name != "git" && name != "file")
    return invalid("repository URL {:?} has unsupported scheme {:?}", without_secrets(url), name);
  if (name != "https" && name != "http") return remote;
  const std::size_t start = scheme + 3;
  const std::string authority = url.substr(start, url.find_first_of("/?#", start) - start);
  const std::size_t at = authority.rfind('@');
  if (at == std::string::npos) return remote;
  const std::string who = authority.substr(0, at);
  const std::size_t colon = who.find(':');
  remote.username = decoded(std::string_view(who).substr(0, colon));
  if (colon != std::string::npos)
    remote.password = decoded(std::string_view(who).substr(colon + 1));
  remote.url = url.substr(0, start) + url.substr(start + at + 1);
  return remote;
}

static Result<Done> fetch_now(const std::string& folder, const RemoteAddress& remote) {
  PORTICO_TRY(const Outcome outcome,
              run_git(folder,
                      {"fetch", "--progress", "--prune", "--no-write-fetch-head", "--no-tags",
                       "--no-recurse-submodules", "--atomic", "--", remote.url,
                       "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"},
                      environment_of(remote), remote.patience, remote.stopped, remote.silence));
  if (outcome.status == 0) return Done{};
  if (blames_own_objects(said(outcome)))
    return internal("{:?} is damaged: {}", folder, reason_of(outcome, remote));
  return transport_error("fetching from", outcome, remote);
}

Result<Done> fetch(const std::string& folder, const RemoteAddress& remote) {
  return with_remote("git fetch", remote, [&] { return fetch_now(folder, remote); });
}

Result<Done> take_ref(const std::string& folder, const std::string& from, const std::string& ref,
                      const RemoteAddress& limits) {
  PORTICO_TRY(RemoteAddress remote, parse_remote(from));
  remote.stopped = limits.stopped;
  remote.patience = limits.patience;
  PORTICO_TRY(const Outcome outcome,
              run_git(folder,
                      {"fetch", "--no-write-fetch-head", "--no-tags", "--no-recurse-submodules",
                       "--", remote.url, "+" + ref + ":" + ref},
                      environment_of(remote), remote.patience, remote.stopped, remote.silence));
  if (outcome.status != 0) return transport_error("fetching from", outcome, remote);
  return Done{};
}

Result<Done> fetch_into_mirror(const std::string& folder, const RemoteAddress& remote) {
  auto done = fetch(folder, remote);
  if (done || !clean_all_locks(folder)) return done;
  // The locks just removed may be those of this very git, which was stopped or timed out.
  if (done.error().what.find(".lock'") == std::string::npos) return done;
  return fetch(folder, remote);
}

Result<Done> fetch_alone(const std::string& folder, const RemoteAddress& remote) {
  constexpr int kPatience = 60;  // seconds
  PORTICO_TRY(const WriterLock lock, WriterLock::take(folder, kPatience, remote.stopped));
  return fetch_into_mirror(folder, remote);
}

static Result<std::string> ls_remote(const RemoteAddress& remote, const char* which,
                                     const std::string& ref) {
  return with_remote("git ls-remote", remote, [&]() -> Result<std::string> {
    PORTICO_TRY(Outcome outcome,
                run_git(".", {"ls-remote", which, "--", remote.url, ref}, environment_of(remote),
                        remote.patience, remote.stopped, remote.silence));
    if (outcome.status != 0) return transport_error("listing the refs of", outcome, remote);
    return std::move(outcome.out);
  });
}

Result<std::string> default_branch(const RemoteAddress& remote) {
  PORTICO_TRY(const std::string told, ls_remote(remote, "--symref", "HEAD"));
  // "ref: refs/heads/main\tHEAD"
  constexpr std::string_view kMark = "ref: refs/heads/";
  const std::size_t at = told.find(kMark);
  const std::size_t end = told.find("\tHEAD", at);
  if (at == std::string::npos || end == std::string::npos)
    return not_found("cannot determine the default branch of {:?}", without_secrets(remote.url));
  return told.substr(at + kMark.size(), end - at - kMark.size());
}

Result<bool> has_ref(const RemoteAddress& remote, const std::string& ref) {
  PORTICO_TRY(const std::string told, ls_remote(remote, "--refs", ref));
  // ls-remote also matches the pattern against the ends of longer names.
  return ("\n" + told).find("\t" + ref + "\n") != std::string::npos;
}

// Server hooks may run for a while without output.
static constexpr int kHooks = 3;
// Tries for a ref that is locked there. The server itself waits briefly each time, and the lock
// holder is usually done soon.
static constexpr int kLockTries = 3;

// If the server changed nothing because of one ref: the error for a writer that wants to change
// that ref, so that lost races are not mistaken for missing permission.
static std::optional<Error> unlocked_ref(const Outcome& outcome, const RemoteAddress& remote) {
  const auto remedy = remedy_of_unlocked_ref(said(outcome));
  if (!remedy) return std::nullopt;
  const std::string where = without_secrets(remote.url), why = reason_of(outcome, remote);
  if (*remedy == Remedy::kRetryNow)
    return conflict("refs of {:?} changed during the push: {}", where, why);
  return refused("{:?} cannot update a ref: {}", where, why);
}

static Result<Done> push_now(const std::string& folder, const RemoteAddress& remote,
                             std::span<const RefChange> changes, int tries) {
  std::vector<std::string> arguments{"push", "--porcelain", "--progress", "--atomic",
                                     "--no-verify"};
  // Each ref must hold on the remote what it held here: that is the lease. Nothing else is forced.
  for (const RefChange& change : changes)
    arguments.push_back(fmt::format("--force-with-lease={}:{}", change.name,
                                    change.before.is_zero() ? "" : change.before.hex()));
  arguments.insert(arguments.end(), {"--", remote.url});
  for (const RefChange& change : changes)
    arguments.push_back(
        fmt::format("{}:{}", change.after.is_zero() ? "" : change.after.hex(), change.name));
  PORTICO_TRY(const Outcome outcome,
              run_git(folder, arguments, environment_of(remote), remote.patience, remote.stopped,
                      kHooks * remote.silence));
  if (outcome.status == 0) return Done{};

  std::map<Remedy, std::string> found;  // the last line for each
  bool none_for_one = false;
  std::string_view rest = outcome.out;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.starts_with("!\t")) continue;
    if (says(line, {"atomic push fail", "atomic transaction failed"})) {
      none_for_one = true;
      continue;
    }
    found[remedy_of_rejected_ref(line)] = line.substr(2);
  }
  const std::string where = without_secrets(remote.url);
  if (const auto no = found.find(Remedy::kOperator); no != found.end())
    return refused("{:?} rejected the push: {}", where, no->second);
  if (const auto broken = found.find(Remedy::kRetry); broken != found.end())
    return unavailable("{:?} could not accept the push: {}", where, broken->second);
  if (const auto moved = found.find(Remedy::kRetryNow); moved != found.end())
    return conflict("refs of {:?} changed during the push: {}", where, moved->second);
  if (none_for_one)
    if (auto error = unlocked_ref(outcome, remote)) {
      if (remedy_of(*error) == Remedy::kOperator && tries > 1)
        return push_now(folder, remote, changes, tries - 1);
      return *std::move(error);
    }
  return transport_error("pushing to", outcome, remote);
}

Result<Done> push(const std::string& folder, const RemoteAddress& remote,
                  std::span<const RefChange> changes) {
  if (changes.empty()) return Done{};
  return with_remote("git push", remote,
                     [&] { return push_now(folder, remote, changes, kLockTries); });
}

}  // namespace portico::git
