// Repository (config.porch.kpt.dev/v1alpha1): a registered git repository of packages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"
#include "api/retry.h"

namespace portico::api {

struct SecretRef {
  std::string name;
  bool operator==(const SecretRef&) const = default;
};

struct GitRepository {
  std::string repo;  // URL or path
  std::string branch;
  bool create_branch = false;
  std::string directory;
  SecretRef secret_ref;
  std::string author, email;
  std::string drafts;  // Portico only: "push" or "local"; empty: push for remotes
  bool operator==(const GitRepository&) const = default;
};

struct OciRepository {
  std::string registry;
  SecretRef secret_ref;
  bool operator==(const OciRepository&) const = default;
};

struct RepositorySync {
  std::string run_once_at;  // RFC 3339
  std::string schedule;     // see CronSchedule
  bool operator==(const RepositorySync&) const = default;
};

struct RepositorySpec {
  std::string description;
  bool deployment = false;
  std::string type;     // git, oci
  std::string content;  // deprecated; "Package"
  std::optional<RepositorySync> sync;
  std::optional<GitRepository> git;
  std::optional<OciRepository> oci;
  bool operator==(const RepositorySpec&) const = default;
};

struct RepositoryStatus {
  std::vector<Condition> conditions;
  std::int64_t observed_generation = 0;
  std::string last_full_sync_time, next_full_sync_time, observed_run_once_at;
  std::int64_t package_count = 0;
  std::string git_commit_hash;
  std::optional<Retry> retry;
  bool operator==(const RepositoryStatus&) const = default;
};

struct Repository {
  ObjectMeta metadata;
  RepositorySpec spec;
  RepositoryStatus status;
  bool operator==(const Repository&) const = default;
};

/// Fills in content "Package", type "git" if `git` is set, and git.branch "main".
Repository with_defaults(Repository repository);

/// The errors in `repository`, in field order; empty if it is valid. With `old` it also checks the
/// rules of an update: type, git.repo, git.branch, git.directory and oci.registry are immutable.
std::vector<Cause> validate(const Repository& repository, const Repository* old = nullptr);

}  // namespace portico::api
