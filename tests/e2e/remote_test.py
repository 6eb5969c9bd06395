"""portico as the client of a server over the network: the same commands, with RBAC applied."""
import json
import re

from api_server import ApiServer

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
info: {description: web}
"""
VARIANT = json.dumps({
    "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
    "metadata": {"name": "web"},
    "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1},
             "downstream": {"repo": "edge", "package": "web"}}})
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
DRAFT = "edge.web.packagevariant-1"


class Remote(ApiServer):
    def setUp(self):
        super().setUp()
        self.bare("up", {"web/Kptfile": KPTFILE, "web/cm.yaml": CONFIG_MAP}, tags=["web/v1"])
        self.bare("edge")
        for name in ("up", "edge"):
            self.portico("repo", "register", f"{name}.git", "--wait")
        self.portico("apply", "-f", "-", "--wait", stdin=VARIANT)

    def as_user(self, config, *arguments, stdin=None):
        return self.run_portico("--kubeconfig", str(config), *arguments, stdin=stdin)

    def may(self, config, *arguments, stdin=None):
        done = self.as_user(config, *arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def may_not(self, config, *arguments, stdin=None):
        done = self.as_user(config, *arguments, stdin=stdin)
        self.assertEqual(done.returncode, 1, f"{arguments}\n{done.stdout}")
        self.assertIn("forbidden", done.stderr, arguments)

    def test_rights_count(self):
        ada = self.user("ada")
        reads = (["get", "pv"], ["rpkg", "pull", DRAFT], ["rpkg", "diff", DRAFT, "pristine"],
                 ["history", "web"], ["explain", "web"], ["plan"],
                 ["explain", "web", "--field", "cm.yaml:ConfigMap/a:metadata.name"])
        for command in reads:
            self.may_not(ada, *command)
        self.kubectl("create", "rolebinding", "sees", "--clusterrole=portico:viewer", "--user=ada")
        for command in reads:
            self.may(ada, *command)
        self.assertIn("web", self.may(ada, "get", "pv"))
        for command, stdin in ((["apply", "-f", "-"], CONFIG_MAP), (["plan", "-f", "-"], CONFIG_MAP),
                               (["rpkg", "propose", DRAFT], None), (["label", "pv", "web", "a=b"], None),
                               (["rpkg", "copy", "up.web.v1", "--workspace", "by-hand"], None),
                               (["repo", "sync", "up"], None), (["delete", "pv", "web"], None)):
            self.may_not(ada, *command, stdin=stdin)
        self.kubectl("create", "rolebinding", "edits", "--clusterrole=portico:editor", "--user=ada")
        self.may(ada, "apply", "-f", "-", "--wait", stdin=CONFIG_MAP)
        self.may(ada, "plan", "-f", "-", stdin=CONFIG_MAP)
        self.may(ada, "rpkg", "propose", DRAFT)
        self.may_not(ada, "rpkg", "approve", DRAFT)
        self.kubectl("create", "rolebinding", "approves", "--clusterrole=portico:approver",
                     "--user=ada")
        self.may(ada, "rpkg", "approve", DRAFT, "--wait")
        log = self.git(self.dir / "edge.git", "log", "-1", "--format=%an", "web/v1")
        self.assertEqual(log.strip(), "ada", "whoever asks is the author, whatever git says here")
        self.may_not(self.kubeconfig, "--as", "bob", "get", "pv")

    def test_the_context_says_the_namespace(self):
        config = self.dir / "elsewhere.kubeconfig"
        with open(self.kubeconfig) as known:
            config.write_text(known.read().replace("namespace: default", "namespace: elsewhere"))
        self.assertIn("elsewhere", self.as_user(str(config), "get", "pv").stderr)
        self.assertIn("web", self.as_user(str(config), "-n", "default", "get", "pv").stdout)

    def test_completion_asks_the_server_that_is_named(self):
        elsewhere = self.dir / "elsewhere.kubeconfig"
        with open(self.kubeconfig) as known:
            elsewhere.write_text(known.read().replace("namespace: default", "namespace: elsewhere"))
        for config, offered in ((self.kubeconfig, ["web"]), (elsewhere, [])):
            for words in ((f"--kubeconfig={config}", "get", "pv", ""),
                          ("get", "pv", "--kubeconfig", str(config), "")):
                lines = self.portico("__complete", *words).splitlines()
                self.assertEqual([line.split("\t")[0] for line in lines], offered, words)

    def test_the_folder_and_the_network_show_the_same(self):
        for command in (["get", "pv", "-o", "yaml"], ["rpkg", "get"], ["tree"], ["status"],
                        ["rpkg", "pull", DRAFT], ["get", "repos", "-o", "json"], ["history", "web"]):
            there, here = (re.sub(r"\b\d+s *$", "AGE", text, flags=re.M)
                           for text in (self.may(self.kubeconfig, *command), self.portico(*command)))
            self.assertEqual(there, here, command)
        self.stop()
        for command in (["rpkg", "pull", DRAFT], ["history", "web"], ["tree"]):
            self.portico(*command)
        refused = self.as_user(self.kubeconfig, "get", "pv")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(self.url.removeprefix("https://").split(":")[1], refused.stderr)
