#include "api/repository.h"

#include <fmt/format.h>

#include "api/internal/findings.h"
#include "api/internal/shared_fields.h"
#include "api/kinds.h"
#include "base/cron.h"
#include "base/secrets.h"
#include "base/time.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(GitRepository, field("repo", &GitRepository::repo),
                  field("branch", &GitRepository::branch),
                  field("createBranch", &GitRepository::create_branch),
                  field("directory", &GitRepository::directory),
                  field("secretRef", &GitRepository::secret_ref),
                  field("author", &GitRepository::author), field("email", &GitRepository::email),
                  field("drafts", &GitRepository::drafts));

PORTICO_API_TABLE(OciRepository, field("registry", &OciRepository::registry),
                  field("secretRef", &OciRepository::secret_ref));

PORTICO_API_TABLE(RepositorySync, field("runOnceAt", &RepositorySync::run_once_at),
                  field("schedule", &RepositorySync::schedule));

PORTICO_API_TABLE(RepositorySpec, field("description", &RepositorySpec::description),
                  field("deployment", &RepositorySpec::deployment),
                  field("type", &RepositorySpec::type), field("content", &RepositorySpec::content),
                  field("sync", &RepositorySpec::sync), field("git", &RepositorySpec::git),
                  field("oci", &RepositorySpec::oci));

PORTICO_API_TABLE(RepositoryStatus, field("conditions", &RepositoryStatus::conditions),
                  field("observedGeneration", &RepositoryStatus::observed_generation),
                  field("lastFullSyncTime", &RepositoryStatus::last_full_sync_time),
                  field("nextFullSyncTime", &RepositoryStatus::next_full_sync_time),
                  field("observedRunOnceAt", &RepositoryStatus::observed_run_once_at),
                  field("packageCount", &RepositoryStatus::package_count),
                  field("gitCommitHash", &RepositoryStatus::git_commit_hash),
                  field("retry", &RepositoryStatus::retry));

PORTICO_API_TABLE(Repository, field("metadata", &Repository::metadata),
                  field("spec", &Repository::spec), field("status", &Repository::status));
PORTICO_API_KIND(Repository, kConfigV1Alpha1, kRepositoryKind);

}  // namespace internal

namespace {

// Everyone who may read the object can read the address, so it must not contain credentials.
void check_address(const std::string& address, internal::Findings& findings) {
  if (const std::string_view helper = transport_helper(address); !helper.empty())
    return findings.invalid(
        "spec.git.repo",
        "spec.git.repo \"{}::...\" is a git transport helper, which is not allowed: specify the "
        "URL of a git repository, and its credentials in a Secret (repo register --secret)",
        helper);
  const std::string_view credential = credential_in(address);
  if (credential.empty()) return;
  const std::string shown = without_secrets(address);
  findings.invalid(
      "spec.git.repo",
      "spec.git.repo \"{}\" must not contain {}, because it is readable by all users of the API: "
      "put it in a Secret and reference the Secret in spec.git.secretRef (repo register --secret)",
      shown.substr(0, shown.find_first_of("?#")), credential);
}

}  // namespace

PORTICO_API_TYPE(RepositorySpec);
PORTICO_API_TYPE(RepositoryStatus);
PORTICO_API_TYPE(Repository);

Repository with_defaults(Repository repository) {
  RepositorySpec& spec = repository.spec;
  if (spec.content.empty()) spec.content = "Package";
  if (spec.type.empty() && spec.git) spec.type = "git";
  if (spec.git && spec.git->branch.empty()) spec.git->branch = "main";
  return repository;
}

std::vector<Cause> validate(const Repository& repository, const Repository* old) {
  internal::Findings findings;
  const RepositorySpec& spec = repository.spec;
  if (!krm::is_dns1123_label(repository.metadata.name))
    findings.invalid("metadata.name",
                     "metadata.name must be an RFC 1123 label of at most 63 characters, found "
                     "\"{}\"",
                     repository.metadata.name);
  if (spec.type == "oci") {
    findings.unsupported(
        "spec.type",
        "spec.type \"oci\" is not supported; register the packages as a git repository");
  } else if (spec.type != "git") {
    findings.unsupported("spec.type", "spec.type must be \"git\", found \"{}\"", spec.type);
  } else if (!spec.git) {
    findings.required("spec.git", "spec.git is required where spec.type is \"git\"");
  }
  if (!spec.content.empty() && spec.content != "Package")
    findings.unsupported("spec.content", "spec.content can only be \"Package\", found \"{}\"",
                         spec.content);
  if (spec.git) {
    if (spec.git->repo.empty())
      findings.required("spec.git.repo", "spec.git.repo must not be empty");
    check_address(spec.git->repo, findings);
    const std::string& drafts = spec.git->drafts;
    if (!drafts.empty() && drafts != "push" && drafts != "local")
      findings.unsupported("spec.git.drafts",
                           "spec.git.drafts can only be \"push\" or \"local\", found \"{}\"",
                           drafts);
  }
  if (spec.sync && !spec.sync->schedule.empty())
    if (const auto schedule = CronSchedule::parse(spec.sync->schedule); !schedule)
      findings.invalid("spec.sync.schedule", "spec.sync.schedule: {}", schedule.error().text());
  if (spec.sync && !spec.sync->run_once_at.empty())
    if (const auto time = parse_rfc3339(spec.sync->run_once_at); !time)
      findings.invalid("spec.sync.runOnceAt", "spec.sync.runOnceAt: {}", time.error().text());
  if (old == nullptr) return std::move(findings).take();

  const auto stays = [&](const std::string& path, const std::string& was, const std::string& is) {
    if (was != is)
      findings.invalid(path,
                       "{} is immutable: cannot change \"{}\" to \"{}\"; unregister the repository "
                       "and register it again under its name",
                       path, was, is);
  };
  stays("spec.type", old->spec.type, spec.type);
  if (old->spec.git && spec.git) {
    stays("spec.git.repo", old->spec.git->repo, spec.git->repo);
    stays("spec.git.branch", old->spec.git->branch, spec.git->branch);
    stays("spec.git.directory", old->spec.git->directory, spec.git->directory);
  }
  if (old->spec.oci && spec.oci)
    stays("spec.oci.registry", old->spec.oci->registry, spec.oci->registry);
  return std::move(findings).take();
}

}  // namespace portico::api
