#include "cli/command_line.h"

namespace portico::cli {

void add_api_options(CLI::App& app, ServeOptions& options, CLI::Option* listen) {
  CLI::Option* const audit =
      app.add_option("--audit-log", options.audit_log,
                     "File for audit events of all writes and denied requests: one JSON object per "
                     "line, in the form of Kubernetes audit events of level Metadata; mode 0600")
          ->needs(listen)
          ->group("Audit log");
  app.add_option("--audit-log-maxsize", options.audit_mebibytes,
                 "Size in MiB at which the file is rotated to FILE.1, FILE.1 to FILE.2, and so on")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->needs(audit)
      ->group("Audit log");
  app.add_option("--audit-log-maxbackup", options.audit_kept, "Number of rotated files to keep")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->needs(audit)
      ->group("Audit log");
  const auto add = [&](const char* name, auto& value, const char* text) {
    return app.add_option(name, value, text)->needs(listen)->group("Authentication");
  };
  CLI::Option* const certificate = add("--tls-cert", options.tls_certificate,
                                       "File with the serving certificate, reloaded when it "
                                       "changes (default: issued by the CA of the state folder)");
  CLI::Option* const key =
      add("--tls-key", options.tls_key, "File with the private key of --tls-cert");
  certificate->needs(key);
  key->needs(certificate);
  add("--tls-name", options.tls_names,
      "DNS name or address of the API for the serving certificate; can be repeated")
      ->excludes(certificate);
  add("--client-ca", options.client_ca,
      "File with additional CAs for client certificates: CN is the user name, O the groups");
  CLI::Option* const proxy =
      add("--requestheader-client-ca", options.front_proxy_ca,
          "File with the CA of an authenticating proxy that sets X-Remote-User, -Group and "
          "-Extra-, such as a kube-apiserver that aggregates this API");
  add("--requestheader-allowed-names", options.front_proxy_names,
      "Common name that is allowed in the proxy's certificate; can be repeated (default: any)")
      ->needs(proxy);
  add("--token-file", options.token_file,
      "File of mode 0600 with bearer tokens: token,user,uid,\"group,group\"");
  CLI::Option* const issuer =
      add("--oidc-issuer-url", options.oidc_issuer,
          "Issuer URL of OpenID Connect tokens, as in the claim iss: https://...");
  const auto oidc = [&](const char* name, auto& value, const char* text) {
    return add(name, value, text)->needs(issuer);
  };
  issuer->needs(
      oidc("--oidc-client-id", options.oidc_client_id, "Client ID: the audience of the tokens"));
  oidc("--oidc-username-claim", options.oidc_username_claim, "Claim that holds the user name")
      ->capture_default_str();
  oidc("--oidc-username-prefix", options.oidc_username_prefix,
       "Prefix of user names; - for none (default: ISSUER#, and none for the claim email)");
  oidc("--oidc-groups-claim", options.oidc_groups_claim, "Claim that holds the groups");
  oidc("--oidc-groups-prefix", options.oidc_groups_prefix, "Prefix of groups");
  oidc("--oidc-required-claim", options.oidc_required_claims,
       "KEY=VALUE claim that tokens must have; can be repeated");
  oidc("--oidc-ca-file", options.oidc_ca,
       "File with the CAs of the issuer (default: the system's CAs)");
}

void add_cluster_options(CLI::App& app, ServeOptions& options, CLI::Option* listen,
                         CLI::Option* without) {
  CLI::Option* const cluster =
      app.add_flag(
             "--kubernetes", options.kubernetes,
             "Keep all state in the cluster (the one this runs in, or that of --kubeconfig) and "
             "serve porch.kpt.dev as its aggregated API. --state holds only mirrors and "
             "certificates. Any number of replicas can run; all serve, and they share the work")
          ->needs(listen)
          ->excludes(without)
          ->group("Kubernetes");
  const auto add = [&](const char* name, auto& value, const char* text) {
    return app.add_option(name, value, text)->needs(cluster)->group("Kubernetes");
  };
  add("--members", options.members,
      "Group of replicas that share the work: the value of the label portico.dev/members on their "
      "Leases")
      ->capture_default_str();
  add("--lease-namespace", options.lease_ns,
      "Namespace of the Leases (default: that of the pod, else of the context)");
  add("--lease-seconds", options.lease_seconds,
      "Lease duration: how long the other replicas wait before they take over the share of one "
      "that does not renew its Lease")
      ->check(CLI::Range(3, 3600))
      ->capture_default_str();
  app.add_flag("--allow-local-repositories", options.allow_local_repositories,
               "Accept Repositories that are folders of this machine. Anybody who may write "
               "Repositories can then read what this process can read")
      ->needs(cluster)
      ->group("Kubernetes");
}

}  // namespace portico::cli
