"""Two teams in two namespaces of a cluster, in each mode of running Portico there: one team tries to read, change and
learn about the other's packages. Also the rights of each shipped role, starting from none. The program runs in its
image, as in the manifests of `portico install`. Runs if $PORTICO_KUBERNETES names the command that starts a cluster
(tests/kubernetes/start)."""
import base64
import json
import pathlib
import ssl
import subprocess
import unittest
import urllib.error
import urllib.request

import yaml

from api_server import KUBECTL
from deploy_test import KPTFILE, START, Cluster
from git_server import GitServer, basic
from support import ENVIRONMENT, binary

PASSWORD = "tr0ub4dor"
# Known to team-a only. The malicious team guesses some names; it must never see a word that it has not sent itself.
HIDDEN = ("payroll", "31337", PASSWORD, "launch-codes", "0000-0000")
SECRET_FILE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: salaries\ndata:\n  ada: \"31337\"\n"
INJECTED = """apiVersion: v1
kind: ConfigMap
metadata:
  name: codes
  annotations:
    kpt.dev/config-injection: required
data: {}
"""
READABLE = ("packagerevisions", "packagerevisionresources", "packages.porch.kpt.dev", "packagevariants",
            "packagevariantsets", "repositories", "functionconfigs")


def repository(name, namespace, url, secret=None):
    git = {"repo": url, "branch": "main", **({"secretRef": {"name": secret}} if secret else {})}
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"type": "git", "deployment": name == "edge", "git": git}}


def variant(name, namespace, upstream, downstream, package="web", **spec):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"upstream": {"repo": upstream, "package": package, "revision": 1},
                     "downstream": {"repo": downstream, "package": name}, **spec}}


def revision(name, namespace, repo, tasks=(), lifecycle="Draft"):
    return {"apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
            "metadata": {"generateName": name, "namespace": namespace},
            "spec": {"packageName": name, "repository": repo, "workspaceName": "w", "lifecycle": lifecycle,
                     "tasks": list(tasks)}}

# Automatic approval needs a separate right, also in the user's own namespace.
AUTOMATIC = variant("auto", "team-a", "up", "edge", approval={"propose": {"policy": "always"}, "approve": {"policy": "always"}})


class Teams(Cluster):
    # Answers of Portico's own port to unknown users.
    past_the_cluster = (401,)

    def setUp(self):
        super().setUp()
        self.image()
        self.start_server()
        self.seen, self.said = "", ""
        self.users = {}
        self.bare("vault", {"payroll/Kptfile": KPTFILE.replace("web", "payroll"), "payroll/salaries.yaml": SECRET_FILE},
                  tags=["payroll/v1"])
        self.bare("up", {"web/Kptfile": KPTFILE, "web/codes.yaml": INJECTED}, tags=["web/v1"])
        self.bare("edge")
        self.private, self.open = GitServer(self.dir), GitServer(self.dir)
        for server in (self.private, self.open):
            self.addCleanup(server.close)
        self.private.allow_only(basic("ada", PASSWORD))
        self.open.allow_only(None)
        # The administrator's part in the guide: namespaces, injected objects and credentials.
        namespaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in ("team-a", "team-b")]
        self.apply(namespaces)
        self.administer(*namespaces, {"apiVersion": "v1", "kind": "ConfigMap", "data": {"code": "0000-0000"},
                                  "metadata": {"name": "launch-codes", "namespace": "team-a"}},
                    {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/basic-auth",
                     "metadata": {"name": "login", "namespace": "team-a"},
                     "stringData": {"username": "ada", "password": PASSWORD}},
                    repository("vault", "team-a", self.private.url("vault.git"), "login"))
        self.wait("team-a", "repositories/vault")

    # ---- users

    def user(self, name, role, namespace):
        """Creates a user of the cluster with that role in one namespace and no other rights."""
        made = subprocess.run([str(pathlib.Path(START).with_name("user")), str(self.dir / "cluster"), name],
                              text=True, capture_output=True, check=True)
        self.users[name] = made.stdout.strip()
        if role:
            self.bind(name, role, namespace)

    def bind(self, name, role, namespace):
        self.kubectl("create", "rolebinding", f"{name}-{role}", f"--clusterrole={role}", f"--user={name}", "-n", namespace)

    def wait(self, namespace, *objects):
        for each in objects:
            self.kubectl("wait", "-n", namespace, each, "--for=condition=Ready", "--timeout=60s")

    def as_(self, name, *arguments, objects=()):
        done = self.run_kubectl(*arguments, kubeconfig=self.users[name],
                                stdin=yaml.safe_dump_all(objects) if objects else None)
        if name == "mallory":
            self.said += json.dumps([arguments, objects])
            self.seen += done.stdout + done.stderr
        return done

    def may(self, name, *arguments, objects=()):
        done = self.as_(name, *arguments, objects=objects)
        self.assertEqual(done.returncode, 0, f"{name}: {arguments}\n{done.stdout}{done.stderr}")
        return done.stdout

    def may_not(self, name, *arguments, objects=(), said="forbidden"):
        done = self.as_(name, *arguments, objects=objects)
        self.assertNotEqual(done.returncode, 0, f"{name}: {arguments}\n{done.stdout}")
        self.assertRegex(done.stderr, said, f"{name}: {arguments}")

    def create(self, name, *objects, said="forbidden"):
        self.may_not(name, "create", "-f", "-", objects=objects, said=said)

    def knows_nothing(self):
        for word in HIDDEN:
            if word not in self.said:
                self.assertNotIn(word, self.seen)
        self.seen = ""

    def same_for_what_is_not_there(self, there, not_there, *names):
        """The answers for an object of the other team and for a missing one differ in the names only."""
        answers = []
        for objects, name in ((there, names[0]), (not_there, names[1])):
            done = self.as_("mallory", "create", "-f", "-", objects=[objects])
            answers.append((done.returncode, (done.stdout + done.stderr).replace(name, "NAME")))
        self.assertEqual(answers[0], answers[1])
        return answers[0]

    # ---- the malicious team

    def attacks(self):
        return (self.reads, self.reads_past_the_cluster, self.injects, self.takes_packages, self.approves,
                self.takes_credentials, self.uses_the_machine)

    def test_a_malicious_team(self):
        before = self.git(self.dir / "vault.git", "for-each-ref")
        self.user("ada", "admin", "team-a")
        self.user("mallory", "admin", "team-b")
        self.may("ada", "get", "packagerevisions", "-n", "team-a")
        self.may("mallory", "create", "-f", "-", objects=[
            repository(name, "team-b", self.open.url(f"{name}.git")) for name in ("up", "edge")])
        self.wait("team-b", "repositories/up", "repositories/edge")
        self.may("mallory", "create", "-f", "-", objects=[variant("web", "team-b", "up", "edge", injectors=[
            {"name": "own"}])])
        for attack in self.attacks():
            with self.subTest(attack.__name__):
                attack()
                self.knows_nothing()
        self.assertEqual(self.git(self.dir / "vault.git", "for-each-ref"), before, "nothing of team-a's has changed")

    def reads(self):
        for kind in (*READABLE, "events", "secrets", "configmaps"):
            self.may_not("mallory", "get", kind, "-n", "team-a")
            self.may_not("mallory", "get", kind, "-A")
        for kind in READABLE:
            resource = kind.split(".")[0]
            group = ("porch.kpt.dev/v1alpha1" if resource.startswith("package") and "variant" not in resource else
                     "config.porch.kpt.dev/v1alpha1")
            self.may_not("mallory", "get", "--raw", f"/apis/{group}/{resource}?watch=true")
            self.may_not("mallory", "get", "--raw", f"/apis/{group}/namespaces/team-a/{resource}?watch=true")
            for question in ("fieldSelector=metadata.namespace%3Dteam-a", "labelSelector=", "limit=500"):
                self.as_("mallory", "get", "--raw", f"/apis/{group}/namespaces/team-b/{resource}?{question}")
            for path in ("team-b%2F..%2Fteam-a", "team-b/../team-a", "team-a%00"):
                self.may_not("mallory", "get", "--raw", f"/apis/{group}/namespaces/{path}/{resource}", said=".")
        self.may_not("mallory", "get", "--raw", "/portico/v1/status", said=".")
        self.assertIn("edge", self.may("mallory", "get", "repositories", "-n", "team-b"))
        self.may("mallory", "get", "events", "-n", "team-b")

    def reads_past_the_cluster(self):
        """Portico's own port, with forged front-proxy headers and with credentials that the cluster issued."""
        port = self.kubectl("get", "service", "portico-server", "-n", "portico-system", "-o", "jsonpath={.spec.ports[0].port}")
        config = subprocess.run([KUBECTL, "config", "view", "--raw", "-o", "json"], text=True, capture_output=True, check=True,
                                env={**ENVIRONMENT, "KUBECONFIG": self.users["mallory"]}).stdout
        user = json.loads(config)["users"][0]["user"]
        token = self.may("mallory", "create", "token", "default", "-n", "team-b").strip()
        own = self.write("own.pem", "".join(base64.b64decode(user[f"client-{part}-data"]).decode()
                                            for part in ("certificate", "key")))
        claims = {"X-Remote-User": "admin", "X-Remote-Group": "system:masters"}
        for certificate, headers in ((None, claims), (own, claims), (own, {}), (None, {"Authorization": f"Bearer {token}"}),
                                     (None, {**claims, "Authorization": f"Bearer {token}"})):
            context = ssl._create_unverified_context()
            if certificate:
                context.load_cert_chain(certificate)
            request = urllib.request.Request(
                f"https://127.0.0.1:{port}/apis/porch.kpt.dev/v1alpha1/namespaces/team-a/packagerevisions", headers=headers)
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
            try:
                answer = opener.open(request, timeout=20)
                self.fail(f"{headers}: {answer.status} {answer.read()[:200]}")
            except urllib.error.HTTPError as refused:
                self.assertIn(refused.code, self.past_the_cluster, headers)
                self.seen += refused.read().decode()
            except (urllib.error.URLError, ConnectionError, ssl.SSLError):
                self.assertTrue(certificate, "only a certificate of a foreign authority ends the connection")

    def injects(self):
        """A variant injects objects of its own namespace only, whatever their names."""
        wanted = variant("inject", "team-b", "up", "edge", injectors=[{"name": "launch-codes"}])
        self.may("mallory", "create", "-f", "-", objects=[wanted])
        self.kubectl("wait", "-n", "team-b", "packagevariant/inject", "--for=condition=Ready", "--timeout=60s")
        self.may("mallory", "describe", "packagevariant", "inject", "-n", "team-b")
        for ref in self.refs(self.dir / "edge.git"):
            files = self.git(self.dir / "edge.git", "grep", "-I", "-h", "", ref)
            self.assertNotIn("0000-0000", files)
        # A set over all repositories covers those of its own namespace.
        everywhere = {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
                      "metadata": {"name": "all", "namespace": "team-b"},
                      "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1}, "targets": [
                          {"repositorySelector": {}, "template": {"downstream": {"package": "everywhere"}}},
                          {"objectSelector": {"apiVersion": "v1", "kind": "ConfigMap"}, "template": {
                              "downstream": {"repo": "edge", "packageExpr": "target.name + '-' + target.namespace"}}}]}}
        self.may("mallory", "create", "-f", "-", objects=[everywhere])
        self.kubectl("wait", "-n", "team-b", "packagevariantset/all", "--for=jsonpath={.status.conditions}", "--timeout=60s")
        self.as_("mallory", "get", "packagevariants,packagevariantsets", "-n", "team-b", "-o", "yaml")
        self.may("mallory", "delete", "packagevariantset", "all", "-n", "team-b", "--wait=false")

    def takes_packages(self):
        """Clones, copies and creates with the other team's names are answered as if those did not exist."""
        clone = {"type": "clone", "clone": {"upstreamRef": {"upstreamRef": {"name": "vault.payroll.v1"}}}}
        other = {"type": "clone", "clone": {"upstreamRef": {"upstreamRef": {"name": "vault.nothing.v1"}}}}
        code, said = self.same_for_what_is_not_there(
            revision("copy", "team-b", "edge", [clone]), revision("copy", "team-b", "edge", [other]), "payroll", "nothing")
        self.assertNotEqual(code, 0, said)
        edit = {"type": "edit", "edit": {"sourceRef": {"name": "vault.payroll.v1"}}}
        other = {"type": "edit", "edit": {"sourceRef": {"name": "vault.nothing.v1"}}}
        code, said = self.same_for_what_is_not_there(
            revision("copy", "team-b", "edge", [edit]), revision("copy", "team-b", "edge", [other]), "payroll", "nothing")
        self.assertNotEqual(code, 0, said)
        code, said = self.same_for_what_is_not_there(
            revision("payroll", "team-b", "vault"), revision("payroll", "team-b", "empty"), "vault", "empty")
        self.assertNotEqual(code, 0, said)
        # Conditions of variants are the same for the other team's upstream or downstream and for a missing one.
        said = {}
        for name, upstream, package, downstream in (
                ("u-there", "vault", "payroll", "edge"), ("u-none", "empty", "payroll", "edge"),
                ("d-there", "up", "web", "vault"), ("d-none", "up", "web", "empty")):
            self.may("mallory", "create", "-f", "-", objects=[
                variant(name, "team-b", upstream, downstream, package, adoptionPolicy="adoptExisting")])
            self.kubectl("wait", "-n", "team-b", f"packagevariant/{name}", "--for=condition=Ready=False", "--timeout=60s")
            conditions = self.may("mallory", "get", "packagevariant", name, "-n", "team-b", "-o",
                                  "jsonpath={.status.conditions[*].message}")
            said[name] = conditions.replace("vault", "REPO").replace("empty", "REPO").replace(name, "NAME")
        self.assertEqual(said["u-there"], said["u-none"])
        self.assertEqual(said["d-there"], said["d-none"])
        self.may("mallory", "delete", "packagevariant", "u-there", "u-none", "d-there", "d-none", "-n", "team-b")

    def approves(self):
        approval = json.dumps({"spec": {"lifecycle": "DeletionProposed"}})
        name = json.loads(self.may("ada", "get", "packagerevisions", "-n", "team-a", "-o", "json"))["items"][0]["metadata"]["name"]
        for more in ((), ("--subresource=approval",)):
            self.may_not("mallory", "patch", "packagerevision", name, "-n", "team-a", "--type=merge", "-p", approval, *more)
        self.may_not("mallory", "annotate", "packagerevision", name, "-n", "team-a", "approval.nephio.org/policy=always")
        self.may_not("mallory", "delete", "packagerevision", name, "-n", "team-a")
        self.may_not("mallory", "delete", "packagerevision", name, "-n", "team-b", said="not found")
        # An object of the other namespace, sent to the path of the own one.
        body = self.write("elsewhere.json", json.dumps(variant("there", "team-a", "up", "edge")))
        self.may_not("mallory", "create", "--raw", "/apis/config.porch.kpt.dev/v1alpha1/namespaces/team-b/packagevariants",
                     "-f", body, said="namespace")

    def takes_credentials(self):
        """The other team's repository without its login: the existing mirror gives no access."""
        url = self.private.url("vault.git")
        self.may("mallory", "create", "-f", "-", objects=[repository("mine", "team-b", url)])
        self.kubectl("wait", "-n", "team-b", "repositories.config.porch.kpt.dev/mine", "--for=condition=Ready=False",
                     "--timeout=60s")
        asked = len(self.private.seen)
        self.names_a_login(repository("login", "team-b", url, "login"))
        upstream = {"type": "git", "git": {"repo": url, "ref": "payroll/v1", "directory": "payroll"}}
        for secret in (None, "login"):
            if secret:
                upstream["git"]["secretRef"] = {"name": secret}
            self.create("mallory", revision("copy", "team-b", "edge", [{"type": "clone", "clone": {"upstreamRef": upstream}}]),
                        said=".")
        self.assertEqual(set(self.private.seen[asked:]) - {None, basic("ada", PASSWORD)}, set())
        for kind in ("packagerevisions", "repositories", "events"):
            self.may("mallory", "get", kind, "-n", "team-b", "-o", "yaml")
        self.wait("team-a", "repositories/vault")

    def uses_the_machine(self):
        for number, url in enumerate(("/var/lib/portico", "file:///var/lib/portico", "/etc/portico", "../vault.git",
                                      "~/vault.git")):
            with self.subTest(url):
                self.names_a_folder(repository(f"local-{number}", "team-b", url))
        self.create("mallory", {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "FunctionConfig",
                                "metadata": {"name": "shell", "namespace": "team-b"},
                                "spec": {"image": "shell", "binaryExecutor": {"tags": ["v1"], "path": "/bin/sh"}}},
                    said="forbidden|nvalid")

    # ---- roles, starting from no rights

    def test_each_role_and_no_more(self):
        self.user("eve", None, None)
        draft = [revision("new", "team-a", "edge")]
        register = [repository("edge", "team-a", self.open.url("edge.git"))]
        for kind in READABLE:
            self.may_not("eve", "get", kind, "-n", "team-a")
        self.create("eve", *register)
        self.bind("eve", "view", "team-a")
        for kind in READABLE:
            self.may("eve", "get", kind, "-n", "team-a")
        self.may_not("eve", "get", "secrets", "-n", "team-a")
        self.create("eve", variant("web", "team-a", "up", "edge"))
        self.create("eve", *draft)
        self.bind("eve", "edit", "team-a")
        self.create("eve", *register)
        self.create("eve", AUTOMATIC, said="automate")
        self.bind("eve", "admin", "team-a")
        self.may("eve", "create", "-f", "-", objects=register)
        self.wait("team-a", "repositories/edge")
        self.kubectl("delete", "rolebinding", "eve-admin", "-n", "team-a")
        name = self.may("eve", "create", "-f", "-", "-o", "jsonpath={.metadata.name}", objects=draft)
        self.may("eve", "patch", "packagerevision", name, "-n", "team-a", "--type=merge", "-p",
                 '{"spec":{"lifecycle":"Proposed"}}')
        publish = ("patch", "packagerevision", name, "-n", "team-a", "--type=merge", "-p",
                   '{"spec":{"lifecycle":"Published"}}', "--subresource=approval")
        self.may_not("eve", *publish)
        self.bind("eve", "portico-approve", "team-a")
        self.may("eve", *publish)
        self.assertIn("refs/tags/new/v1", self.refs(self.dir / "edge.git"))
        for kind in READABLE:
            self.may_not("eve", "get", kind, "-n", "team-b")


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class OfOneServerWithAVolume(Teams):
    """The cluster's roles decide on requests; Portico's own roles decide on what an object makes Portico do."""

    def start_server(self):
        self.serve()

    def administer(self, *objects):
        done = subprocess.run(self.runner.command(["/usr/bin/portico", "apply", "-f", "-"],
                                                  [(self.state, "/var/lib/portico", ["rw"])]),
                              input=yaml.safe_dump_all(objects), text=True, capture_output=True,
                              timeout=120, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)

    def approves(self):
        super().approves()
        mine = {**AUTOMATIC, "metadata": {**AUTOMATIC["metadata"], "namespace": "team-b"}}
        self.create("mallory", mine, said="automate")

    def names_a_login(self, login):
        self.create("mallory", login, said="secretRef")

    def names_a_folder(self, local):
        self.create("mallory", local, said="forbidden|nvalid")


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class OfControllersBesidePorch(OfOneServerWithAVolume):
    """They have rights in all namespaces, which users cannot exploit. A Portico server without controllers plays
    Porch."""

    def start_server(self):
        self.serve("--without-controllers")
        self.start_the_controllers()

    def test_a_malicious_team(self):
        super().test_a_malicious_team()
        self.assertIn("refs/heads/drafts/web/packagevariant-1", self.refs(self.dir / "edge.git"), "they do work")


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class OfServersThatShareTheCluster(Teams):
    """Everything is in the cluster: namespaces, Secrets, roles, and the records of package revisions."""

    past_the_cluster = (401, 403)  # users of the cluster are known, with the rights it gives them

    def start_server(self):
        self.serve_in_the_cluster()

    def administer(self, *objects):
        self.apply(list(objects))

    def attacks(self):
        return (*super().attacks(), self.reads_records, self.asks_as_the_commands_do)

    def names_a_login(self, login):
        """The name of the other team's login refers to the own namespace, which has no such Secret."""
        self.may("mallory", "create", "-f", "-", objects=[login])
        self.kubectl("wait", "-n", "team-b", "repositories.config.porch.kpt.dev/login", "--for=condition=Ready=False",
                     "--timeout=60s")

    def names_a_folder(self, local):
        """It is stored, because kube-apiserver does not check folders, but never opened."""
        self.may("mallory", "create", "-f", "-", objects=[local])
        name = local["metadata"]["name"]
        self.kubectl("wait", "-n", "team-b", f"repositories.config.porch.kpt.dev/{name}", "--for=condition=Ready=False",
                     "--timeout=60s")
        self.assertIn("a local path on the server", self.may(
            "mallory", "get", "repository", name, "-n", "team-b", "-o", "jsonpath={.status.conditions[*].message}"))

    def reads_records(self):
        """Only servers may access PackageRevs."""
        for namespace in ("team-a", "team-b"):
            self.may_not("mallory", "get", "packagerevs", "-n", namespace)
            self.may_not("mallory", "get", "--raw",
                         f"/apis/config.porch.kpt.dev/v1alpha1/namespaces/{namespace}/packagerevs?watch=true")
            self.create("mallory", {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageRev",
                                    "metadata": {"name": "vault.payroll.v1", "namespace": namespace}})
        self.may_not("mallory", "get", "leases", "-n", "portico-system")
        self.may_not("mallory", "get", "pods", "-n", "portico-system")

    def asks_as_the_commands_do(self):
        """Paths of portico.dev, which every role may call: for the other team's objects, and for own objects with the
        other team's names and commits."""
        commit = self.git(self.dir / "vault.git", "rev-parse", "payroll/v1^{commit}").strip()
        mine = json.loads(self.may("mallory", "get", "packagerevisions", "-n", "team-b", "-o", "json"))["items"][0]
        base = "/apis/portico.dev/v1/namespaces"
        for what in ("content", "history", "log", "pristine"):
            self.may_not("mallory", "get", "--raw", f"{base}/team-a/packagerevisions/vault.payroll.v1/{what}")
            self.may_not("mallory", "get", "--raw", f"{base}/team-b/packagerevisions/vault.payroll.v1/{what}", said="not found")
            self.may_not("mallory", "get", "--raw", f"{base}/team-b%2F..%2Fteam-a/packagerevisions/vault.payroll.v1/{what}",
                         said=".")
        self.may_not("mallory", "get", "--raw",
                     f"{base}/team-a/contents?repository=vault&package=payroll&commit={commit}")
        for repository_name in ("vault", mine["spec"]["repository"]):
            self.may_not("mallory", "get", "--raw", f"{base}/team-b/contents?repository={repository_name}&package=payroll"
                         f"&commit={commit}", said="not found|no ")
        self.may_not("mallory", "get", "--raw", "/apis/portico.dev/v1/dump", said=".")
        body = self.write("empty.json", "{}")
        for verb in ("sync", "forget"):
            self.may_not("mallory", "create", "--raw", f"{base}/team-a/repositories/vault/{verb}", "-f", body)
            self.as_("mallory", "create", "--raw", f"{base}/team-b/repositories/vault/{verb}", "-f", body)
        self.assertIn("vault.payroll.v1", self.may("ada", "get", "packagerevisions", "-n", "team-a"))
        for namespace in ("team-a", "team-b"):
            for words in (("rpkg", "pull", "vault.payroll.v1", "stolen"), ("rpkg", "diff", "vault.payroll.v1", "pristine"),
                          ("rpkg", "clone", "vault.payroll.v1", "copy", "--repository", "edge", "--workspace", "w"),
                          ("rpkg", "copy", "vault.payroll.v1", "--workspace", "w"), ("history", "vault/payroll"),
                          ("rpkg", "propose-delete", "vault.payroll.v1"), ("explain", "vault.payroll.v1")):
                done = self.portico_as("-n", namespace, *words)
                self.assertNotEqual(done.returncode, 0, words)
                self.assertRegex(done.stderr, "forbidden|not found|no ", words)
        # A plan sees only what its user may see, and plans nothing elsewhere.
        for namespace in ("team-a", "team-b"):
            done = self.plan(namespace, variant("stolen", "team-a", "vault", "vault", "payroll"))
            self.assertNotEqual(done.returncode, 0, done.stdout)
        self.plan("team-b", variant("stolen", "team-b", "vault", "edge", "payroll"))
        done = self.portico_as("status", "-A")
        self.assertNotIn("vault", done.stdout)

    def portico_as(self, *words, stdin=None):
        done = subprocess.run([binary(), "--kubeconfig", self.users["mallory"], *words], cwd=self.dir, text=True,
                              input=stdin, capture_output=True, timeout=120, env={**ENVIRONMENT, "HOME": str(self.dir)})
        self.said += json.dumps(words) + (stdin or "")
        self.seen += done.stdout + done.stderr
        return done

    def plan(self, namespace, planned):
        return self.portico_as("-n", namespace, "plan", "-f", "-", stdin=yaml.safe_dump(planned))


def load_tests(loader, *_):
    """Loads the classes of the modes; the base class Teams is not a test itself."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(each) for each in (
        OfOneServerWithAVolume, OfControllersBesidePorch, OfServersThatShareTheCluster))


if __name__ == "__main__":
    unittest.main()
