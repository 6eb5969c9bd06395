"""Repositories that need authentication: credentials come from Secrets, and nowhere else."""
import base64
import json
import unittest

from git_server import GitServer, basic
from support import Fleet

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
"""
PASSWORD, TOKEN = "tr0ub4dor&3 \"'$(x)", "gh-0123456789abcdef"


def repository(name, url, secret=None):
    git = {"repo": url, "branch": "main"}
    if secret:
        git["secretRef"] = {"name": secret}
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"type": "git", "deployment": name != "blueprints", "git": git}}


def secret(name, kind="kubernetes.io/basic-auth", **values):
    return {"apiVersion": "v1", "kind": "Secret", "type": kind, "stringData": values,
            "metadata": {"name": name, "namespace": "default"}}


VARIANT = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
           "metadata": {"name": "pv", "namespace": "default"},
           "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                    "downstream": {"repo": "edge", "package": "web"}}}


class GitAuth(Fleet):
    said = ""

    def setUp(self):
        super().setUp()
        self.bare("blueprints", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        self.bare("edge")
        self.server = self.serve()
        self.server.allow_only(basic("ada", PASSWORD))
        self.repositories = [repository(name, self.server.url(f"{name}.git"), "git-login")
                             for name in ("blueprints", "edge")]

    def tearDown(self):
        # No output contained a secret.
        for hidden in (PASSWORD, TOKEN, "wr0ng"):
            for form in (hidden, base64.b64encode(hidden.encode()).decode()):
                self.assertNotIn(form, self.said)

    def serve(self):
        server = GitServer(self.dir)
        self.addCleanup(server.close)
        return server

    def run_portico(self, *arguments, **options):
        done = super().run_portico(*arguments, **options)
        if arguments[:2] != ("get", "secret"):
            self.said += done.stdout + done.stderr
        return done

    def apply(self, *objects):
        text = "\n---\n".join(json.dumps(o) for o in objects)
        return self.run_portico("apply", "-f", "-", "--wait", stdin=text)

    def ready(self, name):
        return self.condition(self.objects("repositories")[name])

    def works(self):
        for name in ("blueprints", "edge"):
            self.assertEqual(self.ready(name)["status"], "True", self.ready(name))
        self.portico("rpkg", "propose", "edge.web.packagevariant-1")
        self.portico("rpkg", "approve", "edge.web.packagevariant-1")
        self.assertIn("refs/tags/web/v1", self.refs(self.dir / "edge.git"))
        for kind in ("repositories", "pv", "rpkg", "secret"):
            self.run_portico("describe", kind)
            self.portico("get", kind)
        self.portico("get", "repositories", "-o", "yaml")

    def test_name_and_password(self):
        self.apply(*self.repositories, VARIANT, secret("git-login", username="ada",
                                                       password=PASSWORD))
        self.works()
        self.assertEqual(set(self.server.seen), {None, basic("ada", PASSWORD)})
        # Stored once, as in Kubernetes, and not in the last-applied annotation.
        text = self.portico("get", "secret", "git-login", "-o", "json")
        encoded = base64.b64encode(PASSWORD.encode()).decode()
        self.assertEqual(text.count(encoded), 1)
        self.assertEqual(json.loads(text)["data"]["password"], encoded)
        self.assertNotIn("stringData", json.loads(text))
        again = self.apply(secret("git-login", username="ada", password=PASSWORD))
        self.assertIn("unchanged", again.stdout)

    def test_bearer_token(self):
        self.server.allow_only(f"Bearer {TOKEN}")
        self.apply(*self.repositories, VARIANT, secret("git-login", "Opaque", bearerToken=TOKEN))
        self.works()

    def test_what_is_missing_or_wrong_is_said_and_then_mended(self):
        self.apply(*self.repositories, VARIANT)
        self.assertEqual(self.server.seen, [])
        for given, *wants in (
                (None, 'spec.git.secretRef: Secret "git-login" not found in namespace "default"'),
                (secret("git-login", username="ada"), "data.password: missing required key"),
                (secret("git-login", "Opaque", token=TOKEN), "data.bearerToken: missing"),
                (secret("git-login", "kpt.dev/workload-identity-auth", bearerToken=TOKEN),
                 "kpt.dev/workload-identity-auth", "use kubernetes.io/basic-auth"),
                (secret("git-login", username="ada", password="wr0ng"), "is refused")):
            if given:
                self.run_portico("delete", "secret", "git-login")  # so that its type can change
                self.apply(given)
            ready = self.ready("edge")
            self.assertEqual((ready["status"], ready["reason"]), ("False", "Error"), ready)
            for want in wants:
                self.assertIn(want, ready["message"])
        self.assertEqual(self.objects("rpkg"), {})
        self.apply(secret("git-login", username="ada", password=PASSWORD))
        self.works()
        # Deleted: access ends.
        self.portico("delete", "secret", "git-login")
        self.assertIn("Secret \"git-login\" not found", self.ready("edge")["message"])
        self.fails("rpkg", "pull", "edge.web.packagevariant-1", "work")

    def test_secrets_that_are_none(self):
        bad = secret("git-login")
        for change, want in (({"data": {"password": "%wr0ng%"}}, "data.password: is not base64"),
                             ({"data": {"password": 7}}, "data.password: must be a string"),
                             ({"stringData": ["wr0ng"]}, "stringData: must be a map")):
            self.assertIn(want, self.fails("apply", "-f", "-", stdin=json.dumps({**bad, **change})))

    def test_other_servers_are_not_told(self):
        """A redirect to another server does not carry the password or the token."""
        other = self.serve()
        for given in (secret("git-login", username="ada", password=PASSWORD),
                      secret("git-token", "Opaque", bearerToken=TOKEN)):
            name = given["metadata"]["name"]
            self.server.redirect("/moved.git/info/refs", other.url("edge.git/info/refs"))
            self.apply(given, repository(name, self.server.url("moved.git"), name))
            self.assertEqual(self.ready(name)["status"], "False")
        self.assertEqual(set(other.seen) - {None}, set())


if __name__ == "__main__":
    unittest.main()
