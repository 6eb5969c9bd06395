"""Typical use of kubectl, with the oldest and the newest installed version."""
import json
import subprocess
import unittest

from api_server import KUBECTL, ApiServer
from kubectl_versions import oldest_and_newest
from support import ENVIRONMENT


def config_map(name, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "gears.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced",
             "names": {"plural": "gears", "singular": "gear", "kind": "Gear", "shortNames": ["gr"],
                       "categories": ["all"]},
             "versions": [{
                 "name": "v1", "served": True, "storage": True,
                 "additionalPrinterColumns": [{"name": "Teeth", "type": "integer",
                                               "jsonPath": ".spec.replicas"}],
                 "subresources": {"status": {},
                                  "scale": {"specReplicasPath": ".spec.replicas",
                                            "statusReplicasPath": ".status.replicas"}},
                 "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                     "spec": {"type": "object", "description": "What is wanted.", "properties": {
                         "replicas": {"type": "integer", "minimum": 0},
                         "color": {"type": "string"}}},
                     "status": {"type": "object",
                                "x-kubernetes-preserve-unknown-fields": True}}}}}]}}


@unittest.skipUnless(KUBECTL, "kubectl is not installed")
class Versions(ApiServer):
    """Each test runs once per version, in a separate namespace."""

    def each(self, work):
        for version, program in oldest_and_newest():
            name = "v" + "-".join(map(str, version)) if version else "v"
            with self.subTest(kubectl=name):
                self.program, self.ns = program, name
                self.kubectl("create", "namespace", name)
                self.kubectl("config", "set-context", "--current", f"--namespace={name}")
                work()

    def apply(self, *objects, more=("apply", "-f", "-")):
        return self.kubectl(*more, stdin=json.dumps(
            {"apiVersion": "v1", "kind": "List", "items": objects}))

    def get(self, *arguments):
        return json.loads(self.kubectl("get", *arguments, "-o", "json"))

    def define(self):
        self.apply(DEFINITION)
        self.kubectl("wait", "crd/gears.example.com", "--for=condition=Established",
                     "--timeout=30s")

    def gear(self, name, replicas, **metadata):
        return {"apiVersion": "example.com/v1", "kind": "Gear",
                "metadata": {"name": name, **metadata}, "spec": {"replicas": replicas}}

    def test_apply(self):
        def work():
            self.assertIn("created", self.apply(config_map("web", a="1", b="2")))
            self.assertIn("unchanged", self.apply(config_map("web", a="1", b="2")))
            self.assertIn("configured", self.apply(config_map("web", a="3")))
            self.assertEqual(self.get("cm", "web")["data"], {"a": "3"})
            # From here on server-side apply: it takes over what the client's apply owned.
            server = ("apply", "--server-side", "-f", "-")
            self.assertIn("serverside-applied", self.apply(config_map("web", c="4"), more=server))
            self.assertEqual(self.get("cm", "web")["data"], {"c": "4"})
            refused = self.run_kubectl(*server, "--field-manager=bob",
                                       stdin=json.dumps(config_map("web", c="5")))
            self.assertIn("conflict with \"kubectl\"", refused.stderr)
            differs = self.run_kubectl("diff", "-f", "-", stdin=json.dumps(config_map("web", c="6")))
            self.assertEqual(differs.returncode, 1, differs.stderr)
            self.assertIn("+  c: \"6\"", differs.stdout)
            differs = self.run_kubectl("diff", "--server-side", "-f", "-",
                                       stdin=json.dumps(config_map("web", c="4")))
            self.assertEqual((differs.returncode, differs.stdout), (0, ""), differs.stderr)
            # Prunes objects that were applied with the label and are no longer applied.
            pruned = ("apply", "--prune", "-l", "of=web", "--prune-allowlist=core/v1/ConfigMap",
                      "-f", "-")
            one, two = (config_map(name) for name in ("one", "two"))
            for each in (one, two):
                each["metadata"]["labels"] = {"of": "web"}
            self.apply(one, two, more=pruned)
            self.assertIn("configmap/one pruned", self.apply(two, more=pruned))
        self.each(work)

    def test_changes(self):
        def work():
            self.define()
            self.apply(self.gear("g", 1))
            self.kubectl("label", "gear", "g", "team=ada")
            self.kubectl("label", "gear", "g", "team=bob", "--overwrite")
            self.assertNotEqual(self.run_kubectl("label", "gear", "g", "team=eve").returncode, 0)
            self.kubectl("annotate", "gear", "--all", "note=b c")
            self.kubectl("scale", "gear/g", "--replicas=3", "--current-replicas=1")
            self.kubectl("patch", "gear", "g", "--type=merge", "-p", '{"spec":{"color":"red"}}')
            self.kubectl("patch", "gear", "g", "--type=json", "-p",
                         '[{"op":"test","path":"/spec/color","value":"red"},'
                         '{"op":"replace","path":"/spec/color","value":"blue"}]')
            refused = self.run_kubectl("patch", "gear", "g", "--type=merge", "-p",
                                       '{"spec":{"replicas":-1}}')
            self.assertIn("should be greater than or equal to 0", refused.stderr)
            self.kubectl("patch", "gear", "g", "--subresource=status", "--type=merge", "-p",
                         '{"status":{"replicas":3,"phase":"Turning"}}')
            stored = self.get("gear", "g")
            self.assertEqual(stored["spec"], {"replicas": 3, "color": "blue"})
            self.assertEqual(stored["metadata"]["labels"], {"team": "bob"})
            self.assertEqual(stored["metadata"]["generation"], 4)
            self.kubectl("wait", "gear/g", "--for=jsonpath={.status.phase}=Turning", "--timeout=20s")
            stored["spec"]["color"] = "green"
            self.kubectl("replace", "-f", "-", stdin=json.dumps(stored))
            stale = self.run_kubectl("replace", "-f", "-", stdin=json.dumps(stored))
            self.assertIn("the object has been modified", stale.stderr)
            self.kubectl("replace", "--force", "-f", "-", stdin=json.dumps(self.gear("g", 5)))
            self.assertEqual(self.get("gear", "g")["spec"], {"replicas": 5})
            self.apply(config_map("kinds"))
            self.kubectl("patch", "cm", "kinds", "--type=strategic", "-p", '{"data":{"a":"1"}}')
            self.assertEqual(self.get("cm", "kinds")["data"], {"a": "1"})
            editor = self.write("editor.sh", '#!/bin/sh\nsed -i "s/a: .*/a: edited/" "$1"\n')
            subprocess.run(["chmod", "+x", editor], check=True)
            self.editor = editor
            self.assertIn("configmap/kinds edited", self.kubectl("edit", "cm", "kinds"))
            self.assertEqual(self.get("cm", "kinds")["data"], {"a": "edited"})
            self.kubectl("delete", "gears", "--all")
        self.each(work)

    def test_looks(self):
        def work():
            self.define()
            self.apply(*(self.gear(f"g{i}", i) for i in range(5)))
            table = self.kubectl("get", "gr").splitlines()
            self.assertEqual(table[0].split(), ["NAME", "TEETH"])
            self.assertEqual(self.kubectl("get", "gears", "--chunk-size=2").splitlines(), table)
            self.assertEqual(self.kubectl("get", "gears", "--sort-by=.spec.replicas", "-o",
                                          "custom-columns=N:.metadata.name,R:.spec.replicas",
                                          "--no-headers").split()[:4], ["g0", "0", "g1", "1"])
            self.assertIn("gear.example.com/g0", self.kubectl("get", "all", "-o", "name"))
            self.assertRegex(self.kubectl("get", "gears", "-o", "wide", "--show-labels"), "LABELS")
            self.assertEqual(self.kubectl("get", "gears", "-o",
                                          "go-template={{range .items}}{{.metadata.name}} {{end}}"),
                             "g0 g1 g2 g3 g4 ")
            self.assertIn("g1", self.kubectl("get", "gears", "-A"))
            self.assertEqual(self.kubectl("get", "gears", "--field-selector=metadata.name=g3",
                                          "-o", "name").strip(), "gear.example.com/g3")
            self.assertIn("What is wanted.",
                          self.kubectl("explain", "gear.spec"))
            self.assertRegex(self.kubectl("explain", "gear", "--recursive"), r"replicas\s+<integer>")
            self.assertRegex(self.kubectl("api-resources"),
                             r"gears\s+gr\s+example.com/v1\s+true\s+Gear")
            self.assertIn("example.com/v1", self.kubectl("api-versions"))
            self.assertIn("Server Version", self.kubectl("version"))
            self.kubectl("create", "-f", "-", stdin=json.dumps({
                "apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"}, "type": "Warning",
                "involvedObject": {"apiVersion": "example.com/v1", "kind": "Gear", "name": "g0",
                                   "namespace": self.ns, "uid": self.get("gear", "g0")["metadata"]["uid"]},
                "reason": "Stuck", "message": "a tooth broke", "count": 2,
                "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z"}))
            described = self.kubectl("describe", "gear", "g0")
            self.assertRegex(described, r"Kind:\s+Gear")
            self.assertIn("a tooth broke", described)
            self.assertIn("a tooth broke", self.kubectl("events", "--for=gear/g0"))
            self.assertIn("Stuck", self.kubectl("get", "events", "--field-selector",
                                                "involvedObject.name=g0"))
            self.assertIn("Name:         default", self.kubectl("describe", "ns", "default"))
            self.assertIn("No resources found", self.run_kubectl("get", "gears", "-l", "a=b").stderr)
            self.assertIn("NotFound", self.run_kubectl("get", "gear", "none").stderr)
            self.assertIn("doesn't have a resource type", self.run_kubectl("get", "nonsense").stderr)
            self.kubectl("delete", "gears", "--all")
        self.each(work)

    def test_waits_and_deletions(self):
        def work():
            self.define()
            self.apply(self.gear("held", 1, finalizers=["example.com/hold"]), self.gear("free", 1))
            self.kubectl("delete", "gear", "held", "--wait=false")
            self.assertIn("deletionTimestamp", self.get("gear", "held")["metadata"])
            slow = self.run_kubectl("wait", "gear/held", "--for=delete", "--timeout=1s")
            self.assertIn("timed out", slow.stderr)
            waiting = self.start("wait", "gear/held", "--for=delete", "--timeout=60s")
            self.kubectl("patch", "gear", "held", "--type=json", "-p",
                         '[{"op":"remove","path":"/metadata/finalizers"}]')
            self.assertEqual(waiting.wait(timeout=60), 0)
            waiting = self.start("wait", "gear/free", "--for=condition=Ready", "--timeout=60s")
            self.kubectl("patch", "gear", "free", "--subresource=status", "--type=merge", "-p",
                         '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}')
            self.assertEqual(waiting.wait(timeout=60), 0)
            follower = self.start("get", "gears", "-w", "--output-watch-events", "--no-headers")
            self.assertIn("free", follower.stdout.readline())
            self.kubectl("delete", "gear", "free", "--cascade=foreground")
            lines = [follower.stdout.readline()]
            while "DELETED" not in lines[-1] and lines[-1]:
                lines.append(follower.stdout.readline())
            self.assertIn("free", lines[-1])
            follower.terminate()
            self.assertEqual(self.kubectl("delete", "gear", "free", "--ignore-not-found"), "")
            self.kubectl("create", "cm", "owner")
            owned = config_map("owned")
            owned["metadata"]["ownerReferences"] = [{
                "apiVersion": "v1", "kind": "ConfigMap", "name": "owner",
                "uid": self.get("cm", "owner")["metadata"]["uid"]}]
            self.apply(owned)
            self.kubectl("delete", "cm", "owner", "--cascade=orphan")
            self.assertNotIn("ownerReferences", self.get("cm", "owned")["metadata"])
            self.assertIn("configmap \"owned\" deleted",
                          self.kubectl("delete", "cm", "owned", "--now"))
        self.each(work)

    def test_creates(self):
        def work():
            self.kubectl("create", "cm", "c", "--from-literal=a=b")
            self.kubectl("create", "secret", "generic", "s", "--from-literal=p=q")
            self.kubectl("create", "secret", "docker-registry", "d", "--docker-server=r",
                         "--docker-username=u", "--docker-password=p")
            self.kubectl("create", "sa", "robot")
            self.kubectl("create", "role", "r", "--verb=get", "--resource=configmaps")
            self.kubectl("create", "rolebinding", "rb", "--role=r", "--user=ada")
            dry = self.kubectl("create", "cm", "dry", "--dry-run=server", "-o", "name")
            self.assertEqual(dry.strip(), "configmap/dry")
            self.assertIn("NotFound", self.run_kubectl("get", "cm", "dry").stderr)
            self.assertIn("unknown field",
                          self.run_kubectl("create", "-f", "-", stdin=json.dumps(
                              {**config_map("x"), "dada": {}})).stderr)
            raw = json.loads(self.kubectl("get", "--raw", f"/api/v1/namespaces/{self.ns}/configmaps/c"))
            self.assertEqual(raw["data"], {"a": "b"})
            self.assertIn("kubernetes.io/dockerconfigjson", self.kubectl("get", "secrets"))
            self.assertRegex(self.kubectl("describe", "secret", "s"), r"p:\s+1 bytes")
        self.each(work)

    def run_kubectl(self, *arguments, stdin=None, timeout=60, kubeconfig=None):
        return subprocess.run([self.program, *arguments], cwd=self.dir, env=self.program_environment(),
                              input=stdin, text=True, capture_output=True, timeout=timeout)

    def start(self, *arguments):
        process = subprocess.Popen(["timeout", "100", self.program, *arguments], cwd=self.dir, text=True,
                                   env=self.program_environment(), stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def program_environment(self):
        return {**ENVIRONMENT, "KUBECONFIG": str(self.kubeconfig), "HOME": str(self.dir),
                "KUBE_EDITOR": getattr(self, "editor", "false")}


if __name__ == "__main__":
    unittest.main()
