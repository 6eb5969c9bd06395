"""`portico serve --kubernetes` on a real kube-apiserver, with exactly the shipped rights: everything is in the cluster
and in git, and several servers share the work. Runs if $PORTICO_KUBERNETES names the command that starts one
(tests/kubernetes/start; its first run builds for minutes)."""
import json
import pathlib
import ssl
import subprocess
import unittest
import urllib.error
import urllib.request

import yaml
from apart import COUNT, files
from support import ENVIRONMENT, binary
from without_porch import WithoutPorch


class ServersOnACluster(WithoutPorch):
    kind = "plain"

    def test_a_fleet(self):
        trees = self.begin()
        self.route(self.serve_cluster("first"))
        self.apply_fleet()
        self.end(trees, ("first",))
        # User operations through the cluster's API server: an upgrade is published and reaches every cluster.
        drafts = [each for each in self.in_cluster("packagerevisions").values() if each["spec"]["lifecycle"] == "Draft"]
        self.assertEqual(len(drafts), COUNT)
        name = drafts[0]["metadata"]["name"]
        for lifecycle, part in (("Proposed", []), ("Published", ["--subresource=approval"])):
            self.kubectl("patch", "packagerevision", name, "--type=merge", *part, "-p",
                         json.dumps({"spec": {"lifecycle": lifecycle}}))
        one = self.in_cluster("packagerevisions")[name]
        self.assertEqual((one["spec"]["lifecycle"], one["spec"]["revision"]), ("Published", 1))
        self.assertEqual(one["status"]["publishedBy"], self.kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        content = json.loads(self.kubectl("get", "packagerevisionresources", name, "-o", "json"))
        self.assertIn("deployment.yaml", content["spec"]["resources"])
        # The set is deleted, and unpublished revisions with it.
        self.kubectl("delete", "packagevariantset", "web", "--timeout=60s")
        self.until(lambda: not self.in_cluster("packagevariants") and not self.trees())

    def test_the_commands_of_portico(self):
        """Their requests outside the APIs of Kubernetes and Porch also go through the cluster's API server."""
        trees = self.begin()
        self.route(self.serve_cluster("first"))
        self.apply_fleet()
        self.check(trees)

        def portico(*words, kubeconfig=self.front):
            return subprocess.run([binary(), "--kubeconfig", str(kubeconfig), *words], cwd=self.dir, text=True, timeout=120,
                                  capture_output=True, env={**ENVIRONMENT, "HOME": str(self.dir)})

        def says(*words):
            done = portico(*words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
            return done.stdout
        self.assertIn("12      12", says("status"))
        says("rpkg", "init", "fresh", "--repository", "blueprints", "--workspace", "v1")
        self.assertIn("blueprints.fresh.v1", self.in_cluster("packagerevisions"))
        says("rpkg", "propose", "blueprints.fresh.v1")
        says("rpkg", "approve", "blueprints.fresh.v1")
        self.assertIn("fresh/v1", self.git(self.dir / "blueprints.git", "tag"))
        self.assertIn("fresh", says("history", "blueprints/fresh"))
        says("repo", "sync", "blueprints")
        draft = next(name for name, each in self.in_cluster("packagerevisions").items()
                     if each["spec"]["lifecycle"] == "Draft")
        says("rpkg", "pull", draft, "pulled")
        says("rpkg", "diff", draft)
        # The objects show when the controllers are done (waits_cluster_test.py).
        says("annotate", "packagevariantset", "web", "by=ada", "--wait")
        self.assertEqual(self.in_cluster("packagevariantsets")["web"]["metadata"]["annotations"]["by"], "ada")
        # Readers may call its paths; the operations behind them require their own rights.
        self.kubectl("create", "serviceaccount", "ada")
        self.kubectl("create", "rolebinding", "ada", "--clusterrole=view", "--serviceaccount=default:ada")
        config = yaml.safe_load(pathlib.Path(self.front).read_text(encoding="utf-8"))
        config["users"] = [{"name": config["users"][0]["name"],
                            "user": {"token": self.kubectl("create", "token", "ada").strip()}}]
        ada = self.write("ada.kubeconfig", yaml.safe_dump(config))
        self.until(lambda: portico("history", "blueprints/fresh", kubeconfig=ada).returncode == 0)
        refused = portico("rpkg", "init", "hers", "--repository", "blueprints", "--workspace", "v1", kubeconfig=ada)
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("forbidden", refused.stderr)

    def test_who_asks(self):
        """Authentication and authorization are the cluster's."""
        self.begin()
        server = self.serve_cluster("first")
        self.route(server)
        self.kubectl("create", "serviceaccount", "ada")
        token = self.kubectl("create", "token", "ada").strip()

        def ask(path, bearer):
            request = urllib.request.Request(f"https://127.0.0.1:{server.port}{path}",
                                             headers={"Authorization": f"Bearer {bearer}"} if bearer else {})
            try:
                with urllib.request.urlopen(request, context=ssl._create_unverified_context(), timeout=30) as answer:
                    return answer.status
            except urllib.error.HTTPError as refused:
                return refused.code
        path = "/apis/porch.kpt.dev/v1alpha1/namespaces/default/packagerevisions"
        self.assertEqual(ask(path, None), 401)
        self.assertEqual(ask(path, "made-up"), 401)
        self.assertEqual(ask(path, token), 403)
        self.kubectl("create", "rolebinding", "ada", "--clusterrole=view", "--serviceaccount=default:ada")
        self.until(lambda: ask(path, token) == 200)
        self.assertEqual(ask("/apis/porch.kpt.dev/v1alpha1/packagerevisions", token), 403)
        # No other resources are served: they would be this server's own, not the cluster's.
        self.assertIn(ask("/api/v1/namespaces/default/configmaps", token), (403, 404))

    def test_one_that_ends_is_not_waited_for(self):
        self.begin()
        first, _ = self.two_servers()
        leases = json.loads(self.kubectl("get", "leases", "-n", "portico-system", "-o", "json"))["items"]
        self.assertEqual(len(leases), 2)
        self.stop(first)
        leases = json.loads(self.kubectl("get", "leases", "-n", "portico-system", "-o", "json"))["items"]
        self.assertEqual(len(leases), 1, "it gives its Lease back")
        self.until(lambda: len(self.members("second")) == 1)

    def test_what_is_pushed_beside_it(self):
        """A new upstream revision pushed to git is found, and every variant is upgraded."""
        trees = self.begin()
        self.route(self.serve_cluster("first"))
        self.apply_fleet()
        self.check(trees)
        self.commit(self.dir / "blueprints.git", files(2), "Two replicas", tags=["web/v2"])
        self.until(lambda: "blueprints.web.v2" in self.in_cluster("packagerevisions"))
        self.kubectl("patch", "packagevariantset", "web", "--type=merge", "-p",
                     json.dumps({"spec": {"upstream": {"revision": 2}}}))
        self.until(lambda: self.trees() != trees and self.settled())

if __name__ == "__main__":
    unittest.main()
