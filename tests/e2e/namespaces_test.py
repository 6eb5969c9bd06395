"""Namespaces are created with their service account and deleted with all their objects."""
import json
import subprocess
import unittest

from api_server import ApiServer
from support import ENVIRONMENT


class Namespaces(ApiServer):
    def refs(self, name):
        return subprocess.run(["git", "for-each-ref"], cwd=self.dir / f"{name}.git", check=True,
                              env=ENVIRONMENT, text=True, capture_output=True).stdout

    def test_what_is_in_it_goes_and_git_stays(self):
        self.stop()
        self.bare("up", {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\n"
                                        "metadata:\n  name: web\n"}, tags=["web/v1"])
        self.bare("edge")
        self.serve()
        self.kubectl("create", "namespace", "team")
        self.assertIn("default", self.kubectl("get", "serviceaccounts", "-n", "team"))
        for name in ("up", "edge"):
            self.kubectl("create", "-n", "team", "-f", "-", stdin=json.dumps({
                "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name},
                "spec": {"type": "git", "git": {"repo": str(self.dir / f"{name}.git")}}}))
        self.kubectl("wait", "-n", "team", "repositories", "--all", "--for=condition=Ready",
                     "--timeout=60s")
        self.kubectl("create", "-n", "team", "-f", "-", stdin=json.dumps({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "pv"},
            "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1},
                     "downstream": {"repo": "edge", "package": "web"}}}))
        self.kubectl("wait", "-n", "team", "packagevariant/pv", "--for=condition=Ready",
                     "--timeout=60s")
        before = self.refs("edge")
        self.assertIn("packagevariant-1", before)
        self.kubectl("delete", "namespace", "team", "--timeout=60s")
        self.assertEqual(self.refs("edge"), before)
        self.assertEqual(self.kubectl("get", "packagerevisions,packagevariants,repositories",
                                      "-A", "-o", "name"), "")
        self.kubectl("create", "namespace", "team")

    def test_one_that_waits_says_for_what(self):
        self.kubectl("create", "namespace", "team")
        self.kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "held", "namespace": "team",
                         "finalizers": ["example.com/hold"]}}))
        self.kubectl("delete", "namespace", "team", "--wait=false")
        self.assertIn("Terminating", self.kubectl("get", "namespace", "team"))
        self.assertIn("example.com/hold in 1", 
                      self.kubectl("get", "ns", "team", "-o", "jsonpath={.status.conditions}"))
        self.assertIn("because it is being terminated",
                      self.run_kubectl("create", "cm", "late", "-n", "team").stderr)
        self.kubectl("patch", "cm", "held", "-n", "team", "--type=merge", "-p",
                     '{"metadata":{"finalizers":null}}')
        self.assertIn("NotFound", self.run_kubectl("get", "namespace", "team").stderr)


if __name__ == "__main__":
    unittest.main()
