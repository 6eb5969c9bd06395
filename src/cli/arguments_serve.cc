#include "cli/command_line.h"

namespace portico::cli {

void add_api_options(CLI::App& app, ServeOptions& options, CLI::Option* listen) {
  CLI::Option* const audit =
      app.add_option("--audit-log", options.audit_log,
                     "File for a line of JSON about each write and each refusal, as Kubernetes' "
                     "audit events of level Metadata; mode 0600")
          ->needs(listen)
          ->group("What is kept of requests");
  app.add_option("--audit-log-maxsize", options.audit_mebibytes,
                 "MiB at which the file becomes FILE.1, and that FILE.2 and so on")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->needs(audit)
      ->group("What is kept of requests");
  app.add_option("--audit-log-maxbackup", options.audit_kept, "How many of those are kept")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->needs(audit)
      ->group("What is kept of requests");
  const auto add = [&](const char* name, auto& value, const char* text) {
    return app.add_option(name, value, text)->needs(listen)->group("Who sends requests");
  };
  CLI::Option* const certificate =
      add("--tls-cert", options.tls_certificate,
          "File with the certificate of the API, read again when it changes; without it the CA "
          "of the state folder issues one");
  CLI::Option* const key = add("--tls-key", options.tls_key, "File with the key of --tls-cert");
  certificate->needs(key);
  key->needs(certificate);
  add("--tls-name", options.tls_names,
      "Name or address by which clients reach the API, for the certificate; can be repeated")
      ->excludes(certificate);
  add("--client-ca", options.client_ca,
      "File with CAs whose client certificates are users, too: CN is the user, O its groups");
  CLI::Option* const proxy =
      add("--requestheader-client-ca", options.front_proxy_ca,
          "File with the CA of a proxy that says who users are (X-Remote-User, -Group, -Extra-): "
          "of a kube-apiserver that aggregates this API");
  add("--requestheader-allowed-names", options.front_proxy_names,
      "Common name that the proxy's certificate may have; can be repeated, without it any")
      ->needs(proxy);
  add("--token-file", options.token_file,
      "File of mode 0600 with users and their tokens: token,user,uid,\"group,group\"");
  CLI::Option* const issuer = add("--oidc-issuer-url", options.oidc_issuer,
                                  "Issuer of OpenID Connect tokens, as they name it: https://...");
  const auto oidc = [&](const char* name, auto& value, const char* text) {
    return add(name, value, text)->needs(issuer);
  };
  issuer->needs(oidc("--oidc-client-id", options.oidc_client_id, "For whom the tokens are"));
  oidc("--oidc-username-claim", options.oidc_username_claim, "Claim with the user's name")
      ->capture_default_str();
  oidc("--oidc-username-prefix", options.oidc_username_prefix,
       "Before each name; - for none. Without it ISSUER#, but for the claim email");
  oidc("--oidc-groups-claim", options.oidc_groups_claim, "Claim with the user's groups");
  oidc("--oidc-groups-prefix", options.oidc_groups_prefix, "Before each group");
  oidc("--oidc-required-claim", options.oidc_required_claims,
       "KEY=VALUE that tokens must have; can be repeated");
  oidc("--oidc-ca-file", options.oidc_ca, "File with CAs of the issuer; without it the system's");
}

void add_cluster_options(CLI::App& app, ServeOptions& options, CLI::Option* listen,
                         CLI::Option* without) {
  CLI::Option* const cluster =
      app.add_flag("--kubernetes", options.kubernetes,
                   "Keep everything in the cluster that this runs in (or that --kubeconfig names), "
                   "and serve porch.kpt.dev behind its API server; --state is a folder for mirrors "
                   "and certificates. Several can run: all answer, and they share the work")
          ->needs(listen)
          ->excludes(without)
          ->group("On a cluster");
  const auto add = [&](const char* name, auto& value, const char* text) {
    return app.add_option(name, value, text)->needs(cluster)->group("On a cluster");
  };
  add("--members", options.members,
      "Who shares the work: the label portico.dev/members of their Leases, of which each has one")
      ->capture_default_str();
  add("--lease-namespace", options.lease_ns,
      "Namespace of the Leases; without it that of the pod, or of the context");
  add("--lease-seconds", options.lease_seconds,
      "How long others wait for one that says nothing any more, and then take over its share")
      ->check(CLI::Range(3, 3600))
      ->capture_default_str();
  app.add_flag("--allow-local-repositories", options.allow_local_repositories,
               "Take Repositories that are folders of this machine: whoever may write Repositories "
               "reads what this process can read")
      ->needs(cluster)
      ->group("On a cluster");
}

}  // namespace portico::cli
