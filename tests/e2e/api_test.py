"""The real kubectl against `portico serve --listen`: typical user operations."""
import json
import subprocess
import unittest

from api_server import KUBECTL, ApiServer
from support import ENVIRONMENT


class Api(ApiServer):
    def create(self, name):
        manifest = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                               "data": {"k": "v"}})
        return self.run_kubectl("create", "-f", "-", stdin=manifest)

    def test_config_maps_live_as_in_a_cluster(self):
        self.assertIn("configmap/web created", self.create("web").stdout)
        self.assertEqual(self.kubectl("get", "cm", "web", "-o", "jsonpath={.data.k}"), "v")
        table = self.kubectl("get", "configmaps").splitlines()
        self.assertEqual(table[0].split(), ["NAME", "DATA", "AGE"])
        self.assertEqual(table[1].split()[:2], ["web", "1"])
        self.kubectl("label", "cm", "web", "team=ada")
        self.kubectl("patch", "cm", "web", "--type=merge", "-p", '{"data":{"k":"w"}}')
        self.assertEqual(self.kubectl("get", "cm", "-l", "team=ada", "-o", "name").strip(),
                         "configmap/web")
        self.assertIn("already exists", self.create("web").stderr)
        self.assertIn("configmap \"web\" deleted", self.kubectl("delete", "cm", "web"))
        self.assertIn("NotFound", self.run_kubectl("get", "cm", "web").stderr)

    def test_apply_on_the_server_has_owners_and_conflicts(self):
        def manifest(value):
            return json.dumps({"apiVersion": "v1", "kind": "ConfigMap",
                               "metadata": {"name": "web"}, "data": {"k": value}})
        apply = ("apply", "--server-side", "-f", "-")
        self.kubectl(*apply, "--field-manager=ada", stdin=manifest("1"))
        refused = self.run_kubectl(*apply, "--field-manager=bob", stdin=manifest("2"))
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn('conflict with "ada": .data.k', refused.stderr)
        self.kubectl(*apply, "--field-manager=bob", "--force-conflicts", stdin=manifest("2"))
        self.assertEqual(self.kubectl("get", "cm", "web", "-o", "jsonpath={.data.k}"), "2")

    def test_a_variant_that_is_created_by_kubectl_gets_its_draft(self):
        self.stop()
        self.bare("up", {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\n"
                                        "metadata:\n  name: web\n"}, tags=["web/v1"])
        self.bare("edge")
        for name in ("up", "edge"):
            self.portico("repo", "register", str(self.dir / f"{name}.git"))
        self.serve()
        self.kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "pv"},
            "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1},
                     "downstream": {"repo": "edge", "package": "web"}}}))
        self.kubectl("wait", "packagevariant/pv", "--for=condition=Ready", "--timeout=60s")
        self.assertIn("edge.web.packagevariant-1", self.kubectl("get", "packagerevisions"))
        table = self.kubectl("get", "packagevariants").splitlines()
        self.assertIn("up/web", table[1])
        # Whichever API version kubectl picks for the kind.
        self.assertIn("Clone", self.kubectl("events", "--for", "packagevariant/pv"))

    def test_a_watch_sees_what_comes(self):
        environment = {**ENVIRONMENT, "KUBECONFIG": self.kubeconfig, "HOME": str(self.dir)}
        watch = subprocess.Popen([KUBECTL, "get", "cm", "-w", "-o", "name"], cwd=self.dir,
                                 env=environment, text=True, stdout=subprocess.PIPE)
        try:
            self.create("first")
            self.assertEqual(watch.stdout.readline().strip(), "configmap/first")
            self.create("second")
            self.assertEqual(watch.stdout.readline().strip(), "configmap/second")
        finally:
            watch.terminate()
            watch.wait(timeout=20)
            watch.stdout.close()

    def test_a_kind_that_a_definition_defines(self):
        names = {"plural": "widgets", "singular": "widget", "kind": "Widget", "shortNames": ["wd"]}
        schema = {"type": "object", "properties": {"spec": {
            "type": "object", "properties": {"size": {"type": "integer", "maximum": 5}}}}}
        self.kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": names,
                     "versions": [{"name": "v1", "served": True, "storage": True,
                                   "schema": {"openAPIV3Schema": schema}}]}}))
        def widget(size):
            return json.dumps({"apiVersion": "example.com/v1", "kind": "Widget",
                               "metadata": {"name": "w"}, "spec": {"size": size}})
        self.kubectl("create", "-f", "-", stdin=widget(3))
        self.assertIn("w", self.kubectl("get", "wd"))
        refused = self.run_kubectl("replace", "-f", "-", stdin=widget(9))
        self.assertIn("should be less than or equal to 5", refused.stderr)

    def test_explains_what_it_serves(self):
        text = self.kubectl("explain", "packagevariant.spec.upstream")
        self.assertIn("GROUP:      config.porch.kpt.dev", text)
        self.assertIn("FIELD: upstream <Object>", text)
        self.assertIn("The upstream package.", text)
        self.assertRegex(text, r"repo\s+<string>")
        self.assertIn("ownerReferences <[]OwnerReference>",
                      self.kubectl("explain", "configmap.metadata.ownerReferences"))
        self.assertRegex(self.kubectl("explain", "configmap"),
                         r"data\s+<map\[string\]string>\n\s+UTF-8 configuration data")
        documents = json.loads(self.kubectl("get", "--raw", "/openapi/v3"))["paths"]
        self.assertIn("apis/config.porch.kpt.dev/v1alpha1", documents)
        whole = json.loads(self.kubectl("get", "--raw", "/openapi/v2"))
        self.assertIn("io.k8s.api.core.v1.ConfigMap", whole["definitions"])

    def test_what_a_kind_does_not_have_is_refused(self):
        def variant(**more):
            return json.dumps({
                "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                "metadata": {"name": "pv"},
                "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1},
                         "downstream": {"repo": "edge", "package": "web"}, **more}})
        refused = self.run_kubectl("create", "-f", "-", stdin=variant(upsteam={}))
        self.assertIn('unknown field "spec.upsteam"', refused.stderr)
        warned = self.run_kubectl("create", "--validate=warn", "-f", "-",
                                  stdin=variant(upsteam={}))
        self.assertEqual(warned.returncode, 0, warned.stderr)
        self.assertIn('Warning: unknown field "spec.upsteam"', warned.stderr)
        stored = json.loads(self.kubectl("get", "packagevariant", "pv", "-o", "json"))
        self.assertNotIn("upsteam", stored["spec"])
        refused = self.run_kubectl("patch", "packagevariant", "pv", "--type=merge", "-p",
                                   '{"spec":{"labels":{"a":1}}}')
        self.assertIn("must be of type string", refused.stderr)

    def test_apply_keeps_what_others_set(self):
        def manifest(**data):
            return json.dumps({"apiVersion": "v1", "kind": "ConfigMap",
                               "metadata": {"name": "web"}, "data": data})
        self.kubectl("apply", "-f", "-", stdin=manifest(a="1", b="2"))
        self.kubectl("patch", "cm", "web", "--type=merge", "-p", '{"data":{"c":"3"}}')
        self.kubectl("apply", "-f", "-", stdin=manifest(a="2"))
        self.assertEqual(json.loads(self.kubectl("get", "cm", "web", "-o", "jsonpath={.data}")),
                         {"a": "2", "c": "3"})

    def test_kinds_that_kubectl_sends_in_protobuf(self):
        self.kubectl("create", "namespace", "team")
        self.kubectl("create", "configmap", "c", "-n", "team", "--from-literal=a=b")
        self.kubectl("create", "secret", "generic", "s", "-n", "team", "--from-literal=p=q")
        self.kubectl("create", "serviceaccount", "robot", "-n", "team")
        self.kubectl("create", "role", "r", "-n", "team", "--verb=get,list",
                     "--resource=configmaps")
        self.kubectl("create", "rolebinding", "rb", "-n", "team", "--role=r", "--user=ada")
        self.kubectl("create", "clusterrole", "cr", "--verb=get", "--resource=secrets")
        self.assertEqual(self.kubectl("get", "secret", "s", "-n", "team", "-o",
                                      "jsonpath={.data.p}"), "cQ==")
        self.assertEqual(json.loads(self.kubectl("get", "role", "r", "-n", "team", "-o",
                                                 "jsonpath={.rules}")),
                         [{"apiGroups": [""], "resources": ["configmaps"],
                           "verbs": ["get", "list"]}])
        refused = self.run_kubectl("create", "configmap", "c", "-n", "team", "--from-literal=a=b")
        self.assertIn("already exists", refused.stderr)

    def test_a_definition_lives_as_in_a_cluster(self):
        def definition(name, kind="Thing", plural="things"):
            return json.dumps({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": name},
                "spec": {"group": "example.com", "scope": "Namespaced",
                         "names": {"plural": plural, "kind": kind},
                         "versions": [{
                             "name": "v1", "served": True, "storage": True,
                             "subresources": {"scale": {"specReplicasPath": ".spec.replicas",
                                                        "statusReplicasPath": ".status.replicas"}},
                             "schema": {"openAPIV3Schema": {
                                 "type": "object",
                                 "x-kubernetes-preserve-unknown-fields": True}}}]}})
        refused = self.run_kubectl("create", "-f", "-", stdin=definition("wrong"))
        self.assertIn('must be spec.names.plural+"."+spec.group', refused.stderr)
        self.kubectl("create", "-f", "-", stdin=definition("things.example.com"))
        self.kubectl("wait", "crd/things.example.com", "--for=condition=Established",
                     "--timeout=20s")
        self.kubectl("create", "-f", "-", stdin=definition("others.example.com", plural="others"))
        self.kubectl("wait", "crd/others.example.com", "--for=condition=NamesAccepted=False",
                     "--timeout=20s")
        self.kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"},
            "spec": {"replicas": 1}}))
        self.kubectl("scale", "thing", "a", "--replicas=3")
        self.assertEqual(self.kubectl("get", "thing", "a", "-o", "jsonpath={.spec.replicas}"), "3")
        self.kubectl("delete", "crd", "things.example.com", "--timeout=20s")
        self.kubectl("wait", "crd/others.example.com", "--for=condition=Established",
                     "--timeout=20s")
        self.assertIn("No resources found", self.run_kubectl("get", "others").stderr)

    def test_strangers_are_not_let_in(self):
        done = self.run_kubectl("--kubeconfig=/dev/null", f"--server={self.url}",
                                "--insecure-skip-tls-verify", "--token=nonsense", "get", "cm")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("You must be logged in to the server", done.stderr)


if __name__ == "__main__":
    unittest.main()
