// Who can fix each error from outside, row by row.
#include "base/world_error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/fd.h"

namespace portico {
namespace {

constexpr Remedy kSoon = Remedy::kRetry, kSlowly = Remedy::kOperator;

struct Said {
  const char* text;
  Remedy remedy;
};

TEST(WorldError, WhoseObjectsGitBlames) {
  for (const char* said : {
           "fatal: loose object 29fc5bd (stored in ./objects/29/fc5bd) is corrupt",
           "error: corrupt loose object '8a01d40'\nfatal: unpack-objects failed",
           "fatal: unresolved deltas left after unpacking",
           "error: Could not read 8c76208",
           "fatal: bad object refs/heads/main",
           "error: packfile ./objects/pack/pack-1.pack does not match index",
           "fatal: unexpected line in .git/packed-refs: x",
           "error: index file ./objects/pack/pack-1.idx: file is empty",
           "error: unable to read sha1 file of web/Kptfile (29fc5bd)",
       })
    EXPECT_TRUE(blames_own_objects(said)) << said;
  for (const char* said : {
           "remote: fatal: loose object 29fc5bd is corrupt\nfatal: early EOF",
           "fatal: could not read Username for 'https://git.example.com': No such device",
           "fatal: Could not read Password for 'https://bot@git.example.com'",
           "fatal: Could not read from remote repository.",
           "fatal: the remote end hung up unexpectedly",
           "",
       })
    EXPECT_FALSE(blames_own_objects(said)) << said;
}

TEST(WorldError, WhatGitSaysOfATransfer) {
  const std::string url = "fatal: unable to access 'https://git.example.com/a.git/': ";
  const Said rows[] = {
      {"The requested URL returned error: 401", kSlowly},
      {"The requested URL returned error: 403", kSlowly},
      {"The requested URL returned error: 404", kSlowly},
      {"The requested URL returned error: 407", kSlowly},
      {"The requested URL returned error: 408", kSoon},
      {"The requested URL returned error: 429", kSoon},
      {"The requested URL returned error: 500", kSoon},
      {"The requested URL returned error: 502", kSoon},
      {"The requested URL returned error: 503", kSoon},
      {"The requested URL returned error: 504", kSoon},
      {"The requested URL returned error: 507", kSlowly},
      {"fatal: Authentication failed for 'https://git.example.com/a.git/'", kSlowly},
      {"fatal: could not read Username for 'https://git.example.com': No such device", kSlowly},
      {"fatal: could not read Password for 'https://bot@git.example.com'", kSlowly},
      {"git@git.example.com: Permission denied (publickey).", kSlowly},
      {"remote: HTTP Basic: Access denied", kSlowly},
      {"Host key verification failed.", kSlowly},
      {"SSL certificate problem: unable to get local issuer certificate", kSlowly},
      {"remote: Repository not found.\nfatal: repository 'https://x/' not found", kSlowly},
      {"fatal: '/srv/a.git' does not appear to be a git repository", kSlowly},
      {"fatal: remote error: access denied or repository not exported: /a.git", kSlowly},
      {"ERROR: The project you were looking for does not exist", kSlowly},
      {"remote: error: disk quota exceeded", kSlowly},
      {"remote: pre-receive hook declined", kSlowly},
      {"Could not resolve host: git.example.com", kSoon},
      {"Failed to connect to git.example.com port 443: Connection refused", kSoon},
      {"ssh: connect to host git.example.com port 22: Connection timed out", kSoon},
      {"fatal: read error: Connection reset by peer", kSoon},
      {"fatal: the remote end hung up unexpectedly", kSoon},
      {"error: RPC failed; curl 18 transfer closed", kSoon},
      {"", kSoon},
  };
  for (const Said& row : rows) {
    EXPECT_EQ(remedy_of_git(row.text), row.remedy) << row.text;
    EXPECT_EQ(remedy_of_git(url + row.text), row.remedy) << row.text;
  }
}

TEST(WorldError, WhatGitSaysOfARejectedRef) {
  const Said rows[] = {
      {"[rejected] (stale info)", Remedy::kRetryNow},
      {"[rejected] (fetch first)", Remedy::kRetryNow},
      {"[rejected] (non-fast-forward)", Remedy::kRetryNow},
      {"[rejected] (already exists)", Remedy::kRetryNow},
      {"[remote rejected] (cannot lock ref 'refs/heads/main': is at 1 but expected 2)",
       Remedy::kRetryNow},
      {"[remote rejected] (failed to update ref)", Remedy::kRetryNow},
      {"[rejected] (remote ref updated since checkout)", Remedy::kRetryNow},
      {"[remote rejected] (reference already exists)", Remedy::kRetryNow},
      {"[remote rejected] (incorrect old value provided)", Remedy::kRetryNow},
      {"[remote rejected] (unable to lock refs)", Remedy::kRetryNow},
      {"[remote rejected] (Internal Server Error)", kSoon},
      {"[remote rejected] (pre-receive hook declined)", kSlowly},
      {"[remote rejected] (hook declined)", kSlowly},
      {"[remote rejected] (protected branch hook declined)", kSlowly},
      {"[remote rejected] (unpacker error)", kSlowly},
      {"[remote rejected] (push declined due to repository rule violations)", kSlowly},
      {"[remote rejected] (deny deleting a hidden ref)", kSlowly},
  };
  for (const Said& row : rows) EXPECT_EQ(remedy_of_rejected_ref(row.text), row.remedy) << row.text;
}

TEST(WorldError, WhatGitSaysOfARefThatIsNotLocked) {
  const std::string at = "remote: error: cannot lock ref 'refs/heads/file exists': ";
  const Said rows[] = {
      {"Unable to create '/srv/a.git/./refs/heads/x.lock': File exists.", kSlowly},
      {"there is a non-empty directory './refs/heads/x' blocking reference 'refs/heads/x'",
       kSlowly},
      {"is at 8a01d40 but expected 29fc5bd", Remedy::kRetryNow},
      {"reference already exists", Remedy::kRetryNow},
      {"unable to resolve reference 'refs/heads/x'", Remedy::kRetryNow},
      {"'refs/heads/x' exists; cannot create 'refs/heads/x/y'", Remedy::kRetryNow},
  };
  for (const Said& row : rows) {
    EXPECT_EQ(remedy_of_unlocked_ref(at + row.text), row.remedy) << row.text;
    EXPECT_EQ(remedy_of_unlocked_ref("Total 0\n" + at + row.text + "\nremote: \nerror: failed"),
              row.remedy)
        << row.text;
  }
  for (const char* said : {
           "Unable to create '/srv/a.git/./refs/heads/x.lock': No space left on device",
           "Unable to create '/srv/a.git/./refs/heads/x.lock': Permission denied",
       })
    EXPECT_EQ(remedy_of_unlocked_ref(at + said), std::nullopt) << said;
  for (const char* said : {
           "remote: error: Unable to create '/srv/a.git/./packed-refs.lock': File exists.",
           "fatal: the remote end hung up unexpectedly",
           "",
       })
    EXPECT_EQ(remedy_of_unlocked_ref(said), std::nullopt) << said;
}

TEST(WorldError, WhatFunctionServersAnswer) {
  const struct {
    int status;
    const char* name;
    Remedy remedy;
  } rows[] = {
      {1, "CANCELLED", kSoon},
      {2, "UNKNOWN", kSlowly},
      {3, "INVALID_ARGUMENT", Remedy::kObject},
      {4, "DEADLINE_EXCEEDED", kSoon},
      {5, "NOT_FOUND", kSlowly},
      {6, "ALREADY_EXISTS", kSlowly},
      {7, "PERMISSION_DENIED", kSlowly},
      {8, "RESOURCE_EXHAUSTED", kSoon},
      {9, "FAILED_PRECONDITION", Remedy::kObject},
      {10, "ABORTED", kSoon},
      {11, "OUT_OF_RANGE", Remedy::kObject},
      {12, "UNIMPLEMENTED", kSlowly},
      {13, "INTERNAL", kSlowly},
      {14, "UNAVAILABLE", kSoon},
      {15, "DATA_LOSS", kSlowly},
      {16, "UNAUTHENTICATED", kSlowly},
      {99, "a status of tomorrow", kSlowly},
  };
  for (const auto& row : rows) EXPECT_EQ(remedy_of_grpc(row.status), row.remedy) << row.name;
  EXPECT_EQ(remedy_of_grpc(8, "Received message larger than max (2000 vs. 1000)"), Remedy::kObject);
}

TEST(WorldError, WhatApiServersAnswer) {
  const struct {
    int status;
    Remedy remedy;
  } rows[] = {
      {400, Remedy::kObject},
      {401, kSlowly},
      {403, kSlowly},
      {404, Remedy::kObject},
      {405, Remedy::kObject},
      {408, kSoon},
      {409, Remedy::kRetryNow},
      {410, Remedy::kRetryNow},
      {412, Remedy::kRetryNow},
      {413, Remedy::kObject},
      {415, Remedy::kObject},
      {422, Remedy::kObject},
      {425, kSoon},
      {429, kSoon},
      {499, kSlowly},
      {500, kSoon},
      {501, kSlowly},
      {502, kSoon},
      {503, kSoon},
      {504, kSoon},
      {505, kSlowly},
      {507, kSlowly},
  };
  for (const auto& row : rows) EXPECT_EQ(remedy_of_http(row.status), row.remedy) << row.status;
}

TEST(WorldError, WhatCurlSays) {
  const struct {
    int code;
    const char* name;
    Remedy remedy;
  } rows[] = {
      {1, "UNSUPPORTED_PROTOCOL", kSlowly},
      {3, "URL_MALFORMAT", Remedy::kObject},
      {4, "NOT_BUILT_IN", kSlowly},
      {6, "COULDNT_RESOLVE_HOST", kSoon},
      {7, "COULDNT_CONNECT", kSoon},
      {28, "OPERATION_TIMEDOUT", kSoon},
      {35, "SSL_CONNECT_ERROR", kSoon},
      {52, "GOT_NOTHING", kSoon},
      {53, "SSL_ENGINE_NOTFOUND", kSlowly},
      {56, "RECV_ERROR", kSoon},
      {58, "SSL_CERTPROBLEM", kSlowly},
      {59, "SSL_CIPHER", kSlowly},
      {60, "PEER_FAILED_VERIFICATION", kSlowly},
      {67, "LOGIN_DENIED", kSlowly},
      {77, "SSL_CACERT_BADFILE", kSlowly},
      {83, "SSL_ISSUER_ERROR", kSlowly},
      {90, "SSL_PINNEDPUBKEYNOTMATCH", kSlowly},
      {98, "SSL_CLIENTCERT", kSlowly},
  };
  for (const auto& row : rows) EXPECT_EQ(remedy_of_curl(row.code), row.remedy) << row.name;
}

TEST(WorldError, WhatTheSystemSays) {
  for (const int number : {EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY, EIO})
    EXPECT_EQ(remedy_of_no_start(number), kSoon) << number;
  for (const int number : {EACCES, EPERM, ENOENT, ENOEXEC, ELIBBAD})
    EXPECT_EQ(remedy_of_no_start(number), kSlowly) << number;
  for (const int number : {ENOSPC, EDQUOT, EROFS, EIO, EACCES, EMFILE})
    EXPECT_EQ(remedy_of(file_error("write", "/a", number)), kSoon) << number;
  EXPECT_TRUE(is_of_container_runtime(125));
  for (const int status : {0, 1, 126, 127, 137}) EXPECT_FALSE(is_of_container_runtime(status));
}

TEST(WorldError, AnErrorKeepsWhoCanMendIt) {
  for (const Remedy remedy : {kSoon, kSlowly, Remedy::kRetryNow, Remedy::kObject})
    EXPECT_EQ(remedy_of(error_for(remedy, "x").in("place")), remedy);
  EXPECT_EQ(remedy_of(not_found("x")), Remedy::kObject);
  EXPECT_EQ(remedy_of(internal("x")), kSoon);
  EXPECT_EQ(remedy_of(forbidden("x")), Remedy::kObject)
      << "what an API forbids is no refusal of git";
  EXPECT_EQ(remedy_of(unavailable("x").because(Reason::kTooManyRequests)), kSoon);
  EXPECT_EQ(refused("{} said no", "git").text(), "git said no");
}

TEST(WorldError, WordsOfTheAddressDoNotDecide) {
  for (const char* name : {"certificates", "quota", "access denied", "not found", "timed out",
                           "permission denied", "returned error: 403", "it's not found"}) {
    const std::string url = std::string("http://git.example:1/") + name + ".git";
    const std::string access = "fatal: unable to access '" + url + "/': ";
    for (const Said& row : {
             Said{"Failed to connect to git.example port 1 after 0 ms: Couldn't connect", kSoon},
             Said{"transfer closed with outstanding read data remaining", kSoon},
             Said{"The requested URL returned error: 403", kSlowly},
             Said{"SSL certificate problem: self-signed certificate", kSlowly},
         })
      EXPECT_EQ(remedy_of_git(access + row.text), row.remedy) << name << ": " << row.text;
    EXPECT_EQ(remedy_of_git("fatal: repository '" + url + "/' not found", url), kSlowly) << name;
    EXPECT_EQ(remedy_of_git(std::string("fatal: remote error: service is busy: /") + name + ".git",
                            "git://git.example/" + std::string(name) + ".git"),
              kSoon)
        << name;
  }
  for (const char* host : {"quota.example", "certificate.example", "certificate", "quota"})
    for (const char* url : {"ssh://git@HOST:22/a.git", "git@HOST:a.git", "https://HOST/a.git"}) {
      const std::string address = std::string(url).replace(std::string(url).find("HOST"), 4, host);
      EXPECT_EQ(remedy_of_git(std::string("kex_exchange_identification: Connection closed by ") +
                                  host + " port 22",
                              address),
                kSoon)
          << address;
    }
  EXPECT_EQ(remedy_of_git("remote: Repository not found.", "https://x/not found"), kSlowly);
  EXPECT_EQ(remedy_of_git("remote: disk quota exceeded", "git@quota:a.git"), kSlowly);
}

TEST(WorldError, WordsOfTheRefDoNotDecide) {
  EXPECT_EQ(remedy_of_rejected_ref("!\trefs/heads/stale info:refs/heads/fetch first\t"
                                   "[remote rejected] (pre-receive hook declined)"),
            kSlowly);
  EXPECT_EQ(remedy_of_rejected_ref("!\ta:b\t[remote rejected] (cannot write 'refs/heads/already "
                                   "exists': denied)"),
            kSlowly);
  EXPECT_EQ(remedy_of_rejected_ref("!\ta:b\t[rejected] (fetch first)"), Remedy::kRetryNow);
}

}  // namespace
}  // namespace portico
