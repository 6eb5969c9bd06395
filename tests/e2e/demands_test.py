"""The policies of deploy/kubernetes/demands: if an object makes Portico do something, kube-apiserver requires that its
author has the right to do that, as Portico's own server does. Both are checked with the same cases,
src/access/tests/data/demands. $PORTICO_KUBERNETES names the command that starts a kube-apiserver
(tests/kubernetes/start)."""
import base64
import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import time
import unittest

import yaml
from api_server import KUBECTL
from support import ENVIRONMENT, ROOT

START = os.environ.get("PORTICO_KUBERNETES", "")
CASES = ROOT / "src/access/tests/data/demands"
PLURALS = {"PackageVariant": "packagevariants", "PackageVariantSet": "packagevariantsets", "Repository": "repositories",
           "FunctionConfig": "functionconfigs"}
# Fields that the definitions require and that the cases omit.
REST = {"PackageVariant": {"upstream": {"repo": "up", "package": "web", "revision": 1},
                           "downstream": {"repo": "edge", "package": "web"}},
        "PackageVariantSet": {"upstream": {"repo": "up", "package": "web", "revision": 1}},
        "Repository": {"type": "git"},
        "FunctionConfig": {}}


def merged(rest, given):
    if not isinstance(rest, dict) or not isinstance(given, dict):
        return given
    return {**rest, **{key: merged(rest.get(key), value) for key, value in given.items()}}


def sections(file):
    parts = re.split(r"^-- (\w+) --\n", file.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def wanted_rights(text):
    """For each object, in order: its name, and (verb, resource, name) of each required right."""
    out = []
    for line in text.splitlines():
        if not line.startswith(" "):
            out.append((line, []))
        else:
            out[-1][1].append(re.match(r' +(\S+) (\S+) "(.*?)" in ', line).groups())
    return out


def in_cluster(objects):
    """The objects that kube-apiserver stores itself, with all required fields."""
    return [{**each, "spec": merged(REST[each["kind"]], each.get("spec", {}))} for each in objects
            if each["kind"] in REST]


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class Demands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dir = pathlib.Path(folder.name)
        cls.cluster = cls.dir / "cluster"
        cls.addClassCleanup(subprocess.run, [str(pathlib.Path(START).with_name("stop")), "--delete", str(cls.cluster)],
                            capture_output=True)
        cls.admin = cls.run_tool(START, str(cls.cluster), timeout=900).strip()
        cls.kubectl("apply", "--server-side", "-k", str(ROOT / "deploy/crds"))
        cls.kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=60s")
        cls.kubectl("apply", "-k", str(ROOT / "deploy/kubernetes/base"))
        cls.kubectl("create", "namespace", "a")
        cls.kubectl("create", "clusterrole", "writes", "--verb=get,create,update,delete",
                    "--resource=packagevariants.config.porch.kpt.dev,packagevariantsets.config.porch.kpt.dev,"
                    "repositories.config.porch.kpt.dev,functionconfigs.config.porch.kpt.dev")
        cls.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([
            cls.role("automates", "porch.kpt.dev", "packagerevisions/approval", "automate"),
            cls.role("sends", "", "secrets", "get", ["cred"]),
            cls.role("runs", "config.porch.kpt.dev", "localprograms", "use", ["/usr/bin/f"])]))
        cls.users = {name: cls.user(name) for name in ("editor", "leader", "other")}
        for user in ("editor", "leader", "other"):
            cls.bind(user, "a", "clusterrole", "writes")
        for role in ("automates", "sends", "runs"):
            cls.bind("leader", "a", "role", role)
        # None of these gives a right in namespace a.
        cls.kubectl("create", "namespace", "b")
        cls.bind("other", "b", "clusterrole", "cluster-admin")

    @classmethod
    def run_tool(cls, *command, stdin=None, kubeconfig=None, timeout=60):
        done = subprocess.run(command, cwd=cls.dir, input=stdin, text=True, capture_output=True, timeout=timeout,
                              env={**ENVIRONMENT, "KUBECONFIG": str(kubeconfig)} if kubeconfig else ENVIRONMENT)
        if done.returncode != 0:
            raise AssertionError(f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    @classmethod
    def kubectl(cls, *arguments, stdin=None):
        return cls.run_tool(KUBECTL, *arguments, stdin=stdin, kubeconfig=cls.admin)

    @classmethod
    def user(cls, name):
        """The TLS context with which the user connects."""
        file = cls.run_tool(str(pathlib.Path(START).with_name("user")), str(cls.cluster), name).strip()
        config = yaml.safe_load(pathlib.Path(file).read_text(encoding="utf-8"))
        server, who = config["clusters"][0]["cluster"], config["users"][0]["user"]
        cls.address = server["server"].removeprefix("https://")
        data = {}
        for part, holder in (("certificate-authority", server), ("client-certificate", who), ("client-key", who)):
            data[part] = holder.get(part)
            if data[part] is None:
                data[part] = str(cls.dir / f"{name}-{part}")
                pathlib.Path(data[part]).write_bytes(base64.b64decode(holder[part + "-data"]))
        context = ssl.create_default_context(cafile=data["certificate-authority"])
        context.load_cert_chain(data["client-certificate"], data["client-key"])
        return context

    @classmethod
    def bind(cls, user, namespace, kind, role):
        cls.kubectl("create", "rolebinding", f"{user}-{role}", "-n", namespace, f"--{kind}={role}", f"--user={user}")

    @staticmethod
    def role(name, group, resource, verb, names=()):
        return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                "metadata": {"name": name, "namespace": "a"},
                "rules": [{"apiGroups": [group], "resources": [resource], "verbs": [verb],
                           **({"resourceNames": list(names)} if names else {})}]}

    def tried(self, user, verb, thing):
        """kube-apiserver's refusal if the user tries to write it (dry run); None if the write is allowed."""
        meta = thing["metadata"]
        path = f"/apis/{thing['apiVersion']}/namespaces/{meta['namespace']}/{PLURALS[thing['kind']]}"
        method = "POST" if verb == "create" else "PUT"
        if verb == "replace":
            path += "/" + meta["name"]
            thing = merged(thing, {"metadata": {"resourceVersion": self.versions[thing["kind"], meta["name"]]}})
        connection = http.client.HTTPSConnection(self.address, context=self.users[user], timeout=60)
        try:
            connection.request(method, path + "?dryRun=All", json.dumps(thing), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = json.load(answer)
        finally:
            connection.close()
        return None if answer.status < 300 else f"{body['reason']}: {body['message']}"

    def until_asked(self):
        """Waits until the policies are in effect, which is a moment after they are stored."""
        probes = in_cluster(each for file in sorted(CASES.glob("*.txt"))
                            for each in yaml.safe_load_all(sections(file)["wanted"]) if each["metadata"]["name"] in
                            ("annotates", "new", "program"))
        self.assertEqual(len(probes), 4)
        end = time.monotonic() + 60
        for probe in probes:
            while self.tried("editor", "create", probe) is None:
                self.assertLess(time.monotonic(), end, probe)

    def test_as_the_server_asks(self):
        self.assertIsNone(self.tried("editor", "create", in_cluster([{
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "free", "namespace": "a"}, "spec": {"approval": {"approve": {"policy": "always"}}}}])[0]))
        said = self.kubectl("apply", "--server-side", "-k", str(ROOT / "deploy/kubernetes/demands"))
        self.assertNotIn("Warning", said)
        self.until_asked()
        asked = 0
        for file in sorted(CASES.glob("*.txt")):
            case = sections(file)
            made = self.kubectl("create", "-f", "-", "-o", "yaml", stdin=yaml.safe_dump_all(
                in_cluster(yaml.safe_load_all(case["stored"]))))
            self.versions = {(each["kind"], each["metadata"]["name"]): each["metadata"]["resourceVersion"]
                             for each in yaml.safe_load_all(made)}
            objects = list(yaml.safe_load_all(case["wanted"]))
            rights = wanted_rights(case["want"])
            self.assertEqual([each["metadata"]["name"] for each in objects], [name for name, _ in rights])
            for given, (name, needs) in zip(objects, rights):
                # Whoever names a local folder, the process that would read it refuses it, not the policy.
                needs = [each for each in needs if each[1] != "localrepositories"]
                for thing in in_cluster([given]):
                    verb = "replace" if (thing["kind"], name) in self.versions else "create"
                    with self.subTest(file=file.name, kind=thing["kind"], name=name):
                        self.assertIsNone(self.tried("leader", verb, thing))
                        for user in ("editor", "other"):
                            said = self.tried(user, verb, thing)
                            if not needs:
                                self.assertIsNone(said)
                            for right, resource, _ in needs:
                                asked += 1
                                self.assertIn("Forbidden", said)
                                self.assertIn(right, said)
                                self.assertIn(resource, said)
        self.assertGreater(asked, 10)


if __name__ == "__main__":
    unittest.main()
