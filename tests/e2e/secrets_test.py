"""What must stay secret, and what one team must not learn about another."""
import json
import os
import pathlib
import stat
import unittest

from git_server import GitServer
from support import Fleet

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
"""
FAILING = KPTFILE + """pipeline:
  validators:
    - image: ghcr.io/kptdev/krm-functions-catalog/starlark:latest
      configPath: check.yaml
"""
CHECK = """apiVersion: fn.kpt.dev/v1alpha1
kind: StarlarkRun
metadata:
  name: check
  annotations:
    config.kubernetes.io/local-config: "true"
source: |
  fail("cannot reach https://bot:s3cr3t@example.com/x?token=abcdef with Authorization: Bearer t0ps3cret")
"""


def variant(name, package):
    return json.dumps({
        "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
        "metadata": {"name": name},
        "spec": {"upstream": {"repo": "blueprints", "package": package, "revision": 1},
                 "downstream": {"repo": "edge", "package": package}}})


class Secrets(Fleet):
    def test_the_state_folder_is_its_owners_alone(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        home = self.dir / "home"
        self.portico("init", str(home))
        state = home / ".portico"
        self.portico("--state", str(state), "get", "repositories")
        self.assertEqual(stat.S_IMODE(state.stat().st_mode), 0o700)
        for path in state.iterdir():
            if path.is_file():
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)

    def test_a_login_in_a_url_is_refused(self):
        error = self.fails("repo", "register", "https://ada:s3cr3t@git.example.com/edge.git")
        self.assertIn("must not contain credentials", error)
        self.assertIn("--secret", error)
        self.assertNotIn("s3cr3t", error)
        self.assertEqual(self.objects("repositories"), {})

    def test_what_a_function_says_is_stripped(self):
        self.bare("blueprints", {"web/Kptfile": FAILING, "web/check.yaml": CHECK}, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")
        said = self.settles("apply", "-f", "-", stdin=variant("v", "web"))
        for command in (["get", "packagevariants", "-o", "yaml"], ["status"], ["explain", "v"],
                        ["describe", "packagevariant", "v"], ["plan", "-f", "v.json"],
                        ["plan", "-f", "v.json", "-o", "json"]):
            self.write("v.json", variant("v", "web"))
            done = self.run_portico(*command)
            said += done.stdout + done.stderr
        self.assertIn("https://***@example.com/x?***", said)
        for hidden in ("s3cr3t", "abcdef", "t0ps3cret"):
            self.assertNotIn(hidden, said)

    def test_local_drafts_belong_to_their_namespace(self):
        remote = self.bare("edge")
        server = GitServer(self.dir)
        server.allow_only(None)
        self.addCleanup(server.close)
        self.bare("blueprints", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        for namespace in ("team-a", "team-b"):
            for name, url in (("blueprints", str(self.dir / "blueprints.git")),
                              ("edge", server.url("edge.git"))):
                self.portico("-n", namespace, "apply", "-f", "-", "--wait", stdin=json.dumps({
                    "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                    "metadata": {"name": name},
                    "spec": {"type": "git", "git": {"repo": url, "drafts": "local"}}}))
        self.portico("-n", "team-a", "apply", "-f", "-", "--wait", stdin=variant("v", "web"))
        self.portico("-n", "team-b", "repo", "sync", "--all", "--wait")
        self.assertIn("edge.web.packagevariant-1", self.objects("packagerevisions", "-n", "team-a"))
        self.assertNotIn("edge.web", str(self.objects("packagerevisions", "-n", "team-b")))
        self.assertEqual([r for r in self.refs(remote) if "drafts" in r], [])


if __name__ == "__main__":
    unittest.main()
