"""Portico as an aggregated API behind a real kube-apiserver. Runs if $PORTICO_KUBERNETES names the command that starts
one (tests/kubernetes/start; its first run builds for minutes)."""
import json
import os
import pathlib
import subprocess
import unittest

from api_server import KUBECTL, Served
from support import ENVIRONMENT

START = os.environ.get("PORTICO_KUBERNETES", "")
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class Aggregated(Served):
    def setUp(self):
        super().setUp()
        self.bare("up", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        self.portico("repo", "register", str(self.dir / "up.git"), "--wait")
        cluster = self.dir / "cluster"
        self.addCleanup(subprocess.run, [str(pathlib.Path(START).with_name("stop")), "--delete",
                                         str(cluster)], capture_output=True)
        done = subprocess.run([START, str(cluster)], text=True, capture_output=True, timeout=900,
                              env={**ENVIRONMENT, "KUBERNETES_CONTROLLERS": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.front = done.stdout.strip()
        authority = json.loads(self.kubectl("get", "configmap", "-n", "kube-system",
                                            "extension-apiserver-authentication", "-o", "json"))
        data = authority["data"]
        self.more = ["--requestheader-client-ca",
                     self.write("front.crt", data["requestheader-client-ca-file"])]
        for name in json.loads(data["requestheader-allowed-names"]):
            self.more += ["--requestheader-allowed-names", name]

    def kubectl(self, *arguments, stdin=None):
        done = subprocess.run([KUBECTL, *arguments], cwd=self.dir, input=stdin, text=True,
                              capture_output=True, timeout=60,
                              env={**ENVIRONMENT, "KUBECONFIG": self.front, "HOME": str(self.dir)})
        self.assertEqual(done.returncode, 0, f"kubectl {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_package_revisions_through_the_cluster(self):
        self.serve(*self.more)
        port = int(self.url.rsplit(":", 1)[1])
        self.kubectl("apply", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [
            {"apiVersion": "v1", "kind": "Service",
             "metadata": {"name": "portico", "namespace": "default"},
             "spec": {"type": "ExternalName", "externalName": "localhost",
                      "ports": [{"port": port}]}},
            {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
             "metadata": {"name": "v1alpha1.porch.kpt.dev"},
             "spec": {"group": "porch.kpt.dev", "version": "v1alpha1",
                      "groupPriorityMinimum": 1000, "versionPriority": 15,
                      "insecureSkipTLSVerify": True,
                      "service": {"name": "portico", "namespace": "default", "port": port}}}]}))
        self.kubectl("wait", "apiservice/v1alpha1.porch.kpt.dev", "--for=condition=Available",
                     "--timeout=60s")
        self.assertIn("up.web.v1", self.kubectl("get", "packagerevisions"))
        self.assertIn("web", self.kubectl("get", "packages.porch.kpt.dev"))
        # A user without rights in Portico has none through the cluster either.
        refused = subprocess.run(
            [KUBECTL, "get", "packagerevisions", "--as=eve"], cwd=self.dir, text=True,
            capture_output=True, env={**ENVIRONMENT, "KUBECONFIG": self.front, "HOME": str(self.dir)})
        self.assertIn('User "eve" cannot list resource "packagerevisions"', refused.stderr)


if __name__ == "__main__":
    unittest.main()
