// The commands: an options struct and a function for each, implemented in one .cc file each.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace portico::cli {

struct InitOptions {
  std::string dir = ".";
  bool sample = false;
};
Result<Exit> run_init(const InitOptions& options, Context& context);

struct ApplyOptions {
  std::vector<std::string> files, kustomizations;  // -f, -k
  std::string applyset;                            // with --prune: the parent of the apply set
  std::string selector;                            // -l: only these of the objects in the files
  bool prune = false;
  bool define = false;  // create definitions for kinds without one
  bool dry_run = false;
  bool confirm_deletions = false;
  WaitOptions wait;
};
Result<Exit> run_apply(const ApplyOptions& options, Context& context);

struct GetOptions {
  std::string type;  // as for asked_of
  std::vector<std::string> names, files;
  std::string output;                     // as for print_objects
  std::string selector, fields, sort_by;  // -l, --field-selector, --sort-by
  bool all_namespaces = false, no_headers = false, show_labels = false;
  bool watch = false;  // -w
};
Result<Exit> run_get(const GetOptions& options, Context& context);

struct DescribeOptions {
  std::string type;
  std::vector<std::string> names;
  std::string selector;
};
Result<Exit> run_describe(const DescribeOptions& options, Context& context);

struct LabelOptions {
  std::string type;
  std::vector<std::string> words;  // names, then key=value and key-
  std::string selector;            // -l
  bool all = false;                // in the namespace
  bool overwrite = false;
  WaitOptions wait;
};
Result<Exit> run_label(const LabelOptions& options, Context& context);
Result<Exit> run_annotate(const LabelOptions& options, Context& context);

struct DeleteOptions {
  std::string type;
  std::vector<std::string> names;
  std::vector<std::string> files;
  std::string selector;
  bool dry_run = false, ignore_not_found = false;
  bool all = false;    // in the namespace
  bool force = false;  // even a Repository that is in use
  bool yes = false;    // do not ask for confirmation
  WaitOptions wait{.wait = true};
};
Result<Exit> run_delete(const DeleteOptions& options, Context& context);

struct RepoRegisterOptions {
  std::string url, name, description, branch = "main", directory, secret, sync_schedule;
  std::string username, password;  // stored in a Secret NAME-auth
  bool deployment = false, create_branch = false;
  bool no_check = false;            // do not check that it can be read
  std::vector<std::string> labels;  // key=value
  WaitOptions wait{.wait = true};
};
Result<Exit> run_repo_register(const RepoRegisterOptions& options, Context& context);
struct RepoNamesOptions {
  std::vector<std::string> names;
  bool all = false;
  std::string output;  // name
  WaitOptions wait;    // sync
};
Result<Exit> run_repo_sync(const RepoNamesOptions& options, Context& context);
struct RepoUnregisterOptions {
  std::vector<std::string> names;
  bool force = false, dry_run = false, yes = false;
  bool keep_secret = false;  // the one that `register` created
  WaitOptions wait{.wait = true};
};
Result<Exit> run_repo_unregister(const RepoUnregisterOptions& options, Context& context);

constexpr int kAnyRevision = -2;
struct RpkgGetOptions {
  std::vector<std::string> names;
  std::string package, workspace, repository, lifecycle, output, selector, sort_by;
  int revision = kAnyRevision;
  bool all_namespaces = false, no_headers = false, show_labels = false;
};
Result<Exit> run_rpkg_get(const RpkgGetOptions& options, Context& context);

struct RpkgInitOptions {
  std::string package, repository, workspace, description = "sample description", site;
  std::vector<std::string> keywords;
};
Result<Exit> run_rpkg_init(const RpkgInitOptions& options, Context& context);
struct RpkgCloneOptions {
  std::string source;  // a package revision, or a URL as for run_pkg_get
  std::string package, repository, workspace = "v1";
  std::string directory, ref;  // for the URL of a repository
  std::string strategy;        // of later upgrades, for the Kptfile; "": not recorded
};
Result<Exit> run_rpkg_clone(const RpkgCloneOptions& options, Context& context);
struct RpkgCopyOptions {
  std::string source, workspace;
};
Result<Exit> run_rpkg_copy(const RpkgCopyOptions& options, Context& context);
struct RpkgUpgradeOptions {
  std::vector<std::string> names;  // the one to upgrade; with `discover` any number, none: all
  std::string workspace;
  std::string discover;               // upstream, downstream: list the possible upgrades
  std::string strategy, on_conflict;  // "": from the variant, if one makes the package
  int revision = 0;                   // 0: the latest
};
Result<Exit> run_rpkg_upgrade(const RpkgUpgradeOptions& options, Context& context);
struct RpkgRebaseOptions {
  std::string name;
  std::string onto, workspace;  // upstream revision it was made from; workspace of the new draft
  std::string on_conflict = "takeUpstream";
};
Result<Exit> run_rpkg_rebase(const RpkgRebaseOptions& options, Context& context);
struct RpkgRollbackOptions {
  std::string name, to, workspace;  // "": the next free one
  WaitOptions wait;
};
Result<Exit> run_rpkg_rollback(const RpkgRollbackOptions& options, Context& context);
struct RpkgPullOptions {
  std::string name;
  std::string dir;     // "" and "-": a ResourceList on standard output
  bool force = false;  // overwrite edits and other files
};
Result<Exit> run_rpkg_pull(const RpkgPullOptions& options, Context& context);
struct RpkgPushOptions {
  std::string name;
  std::string dir;     // "" and "-": a ResourceList on standard input
  bool force = false;  // ignore the resourceVersion of the pull
  bool keep_comments = false;
};
Result<Exit> run_rpkg_push(const RpkgPushOptions& options, Context& context);
struct RpkgDiffOptions {
  /// other: "" for the revision that it would replace, "upstream", "pristine", "published", "base",
  /// or a name
  std::string name, other;
  bool stat = false;  // only the files and their numbers of changed lines
};
Result<Exit> run_rpkg_diff(const RpkgDiffOptions& options, Context& context);

struct RpkgLifecycleOptions {
  std::string verb;  // propose, approve, reject, propose-delete, delete
  std::vector<std::string> names;
  // Instead of names: all revisions that meet every given criterion.
  std::string selector;
  std::string variants_of;  // made for the variants of this set
  std::string repository, lifecycle;
  bool all = false;
  bool yes = false;  // do not ask before changing many
  bool ignore_not_found = false;
  std::string output;  // name
  WaitOptions wait;
};
Result<Exit> run_rpkg_lifecycle(const RpkgLifecycleOptions& options, Context& context);

struct PkgGetOptions {
  std::string url, dir = ".", strategy = "resource-merge";
  bool for_deployment = false;
};
Result<Exit> run_pkg_get(const PkgGetOptions& options, Context& context);
struct PkgInitOptions {
  std::string dir = ".", description = "sample description", site;
  std::vector<std::string> keywords;
};
Result<Exit> run_pkg_init(const PkgInitOptions& options, Context& context);
struct PkgUpdateOptions {
  std::string package = ".";  // DIR[@VERSION]
  std::string to, strategy;
  std::string on_conflict = "takeUpstream";
  bool dry_run = false;
};
Result<Exit> run_pkg_update(const PkgUpdateOptions& options, Context& context);
struct PkgDiffOptions {
  std::string package = ".";  // DIR[@VERSION]
  std::string to;
  std::string type;  // local, remote, combined, 3way; "": local, or combined with a version
  bool exit_code = false;
};
Result<Exit> run_pkg_diff(const PkgDiffOptions& options, Context& context);

struct PkgShowOptions {
  std::string dir = ".";
};
/// The resources of a package and its subpackages as a tree, or as YAML.
Result<Exit> run_pkg_tree(const PkgShowOptions& options, Context& context);
Result<Exit> run_pkg_cat(const PkgShowOptions& options, Context& context);

struct TreeOptions {
  std::string name;
  std::string output;  // "", json, name
};
Result<Exit> run_tree(const TreeOptions& options, Context& context);
struct StatusOptions {
  std::string output;  // "", json
  bool edited = false;
  bool all_namespaces = false;
};
Result<Exit> run_status(const StatusOptions& options, Context& context);

struct PlanOptions {
  std::vector<std::string> files;
  std::string upstream, to;         // REPO/PACKAGE and a revision of it
  std::vector<std::string> labels;  // TYPE/NAME and key=value, alternating
  bool confirm_deletions = false;
  bool no_diff = false;
  bool detailed_exit_code = false;  // 2 if there are changes
  std::string output;               // "", json
};
Result<Exit> run_plan(const PlanOptions& options, Context& context);
struct ExplainOptions {
  std::string output;      // "", json
  std::string name;        // a PackageVariant, also as TYPE/NAME; or KIND[.FIELD...]
  std::string object;      // NAME of "TYPE NAME"; "": `name` is complete
  bool recursive = false;  // for a kind: all fields at any depth
  std::string field;       // FILE:RESOURCE:PATH; `name` may then be a package revision
};
Result<Exit> run_explain(const ExplainOptions& options, Context& context);

struct HistoryOptions {
  std::string name;
  std::string output;  // "", json
};
Result<Exit> run_history(const HistoryOptions& options, Context& context);

struct ServeOptions {
  int resync_seconds = 60;
  std::string log_format = "text";
  std::string metrics;  // host:port; "": none
  std::string traces;   // URL of a collector; "": from the environment
  std::string listen;   // host:port of the Kubernetes API; "": none
  // Options of the API server, as for kube-apiserver; files by path.
  std::string tls_certificate, tls_key, client_ca, token_file;
  std::vector<std::string> tls_names;
  std::string front_proxy_ca;
  std::vector<std::string> front_proxy_names;
  std::string oidc_issuer, oidc_client_id, oidc_username_claim = "sub", oidc_username_prefix,
                                           oidc_groups_claim, oidc_groups_prefix, oidc_ca;
  std::vector<std::string> oidc_required_claims;  // KEY=VALUE
  std::string audit_log;                          // file; "": none
  int audit_mebibytes = 100, audit_kept = 10;
  bool forget_lost_secrets = false;
  bool without_controllers = false;
  // For a cluster.
  bool kubernetes = false, allow_local_repositories = false;
  std::string lease_ns, members = "portico-server";
  int lease_seconds = 15;
};
Result<Exit> run_serve(const ServeOptions& options, Context& context);

struct InstallOptions {
  bool kubernetes = false;
  bool with_porch = false, without_porch = false;
  std::string image;
  int replicas = 0;  // 0: as in the manifests
};
Result<Exit> run_install(const InstallOptions& options, Context& context);

struct ControllersOptions {
  std::string lease_ns, lease = "portico-controllers";
  int lease_seconds = 15;
  std::string log_format = "text";
  std::string metrics;  // host:port of metrics and probes; "": none
  std::string traces;   // URL of a collector; "": from the environment
};
Result<Exit> run_controllers(const ControllersOptions& options, Context& context);
struct KubeconfigOptions {};
Result<Exit> run_kubeconfig(const KubeconfigOptions& options, Context& context);

struct CelEvalOptions {
  std::string expression;
  std::vector<std::string> variables;  // name=JSON
  std::string env = "all";             // all, pvs
};
Result<Exit> run_cel_eval(const CelEvalOptions& options, Context& context);

/// Options shared by all commands that run functions on a folder.
struct FnRunOptions {
  bool allow_exec = false, no_builtin = false, no_sandbox = false, network = false;
  std::string output;  // "": in place; stdout, unwrap, or a new folder
  std::string results_dir;
  std::string pull = "IfNotPresent";  // Always, IfNotPresent, Never
  std::string image_prefix;
};

struct FnRenderOptions {
  std::string dir = ".";
  FnRunOptions run;
  bool no_status = false;
};
Result<Exit> run_fn_render(const FnRenderOptions& options, Context& context);

struct FnSelectorOptions {
  std::string api_version, kind, name, ns;
  std::vector<std::string> labels, annotations;  // key=value
};
struct FnEvalOptions {
  std::string dir = ".";  // - for a ResourceList on standard input
  FnRunOptions run;
  std::string image, exec, tag, config;
  std::vector<std::string> data;  // key=value, after --
  FnSelectorOptions match, exclude;
  std::vector<std::string> environment, mounts;
  bool as_current_user = false, save = false, include_meta = false;
  std::string type;  // mutator, validator
};
Result<Exit> run_fn_eval(const FnEvalOptions& options, Context& context);

struct FnSourceOptions {
  std::string dir = ".", output = "stdout", config;
};
Result<Exit> run_fn_source(const FnSourceOptions& options, Context& context);

struct FnSinkOptions {
  std::string dir;
};
Result<Exit> run_fn_sink(const FnSinkOptions& options, Context& context);

struct FnRunCommandOptions {
  std::string image;
};
/// From standard input to standard output; returns the function's exit code.
Result<Exit> run_fn_run(const FnRunCommandOptions& options, Context& context);

struct FnAboutOptions {
  std::string name;
};
/// List the built-in functions, and document one of them.
Result<Exit> run_fn_list(const FnAboutOptions& options, Context& context);
Result<Exit> run_fn_doc(const FnAboutOptions& options, Context& context);

struct FnRunnerOptions {
  std::string listen = "127.0.0.1:9445";
  std::size_t message_bytes = 64u << 20;
};
/// Runs until SIGINT or SIGTERM.
Result<Exit> run_fn_runner(const FnRunnerOptions& options, Context& context);

struct VersionOptions {
  std::string output;  // json or yaml; "": a line
};
Result<Exit> run_version(const VersionOptions& options, Context& context);

}  // namespace portico::cli
