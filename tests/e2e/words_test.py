"""The program's self-description: completion, help, version, explain of kinds; also apply sets."""
import json
import shutil
import subprocess
import unittest

from support import ENVIRONMENT, Fleet, binary


def config_map(name, **more):
    return {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"},
            "metadata": {"name": name, **more}}


GEARS = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "gears.farm.example.com"},
    "spec": {"group": "farm.example.com", "scope": "Namespaced",
             "names": {"kind": "Gear", "plural": "gears", "shortNames": ["gr"], "singular": "gear"},
             "versions": [
                 {"name": "v1", "served": True, "storage": False, "schema": {"openAPIV3Schema": {
                     "type": "object"}}},
                 {"name": "v2", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                     "type": "object", "properties": {"spec": {
                         "type": "object", "required": ["replicas"], "properties": {
                             "replicas": {"type": "integer",
                                          "description": "How many teeth."}}}}}}}]}}


class Words(Fleet):
    def offered(self, *words):
        return [line.split("\t")[0] for line in self.portico("__complete", *words).splitlines()]

    def test_completion_of_words(self):
        self.portico("apply", "-f", "-", stdin=json.dumps(config_map("one")))
        self.assertEqual(self.offered("anno"), ["annotate"])
        self.assertIn("packagevariants", self.offered("get", "pack"))
        self.assertEqual(self.offered("patch", "--type", "m"), ["merge"])
        self.assertEqual(self.offered("get", "pv", "--sort"), ["--sort-by"])
        self.assertEqual(self.offered("apply", "-f", ""), [":file"])
        self.assertEqual(self.offered("explain", "pvs.spec.deletion"), ["pvs.spec.deletionGuard"])
        self.assertEqual(self.offered("rpkg", "approve", ""), [])
        self.assertEqual(self.offered("completion", "z"), ["zsh"])
        self.assertEqual(self.offered("get", "-n", "other", "pv", "x"), [])

    def test_completion_of_names(self):
        self.bare("blueprints")
        self.portico("repo", "register", "blueprints.git")
        self.assertEqual(self.offered("get", "repo", "blue"), ["blueprints"])
        self.assertEqual(self.offered("describe", "repo/b"), ["repo/blueprints"])
        self.assertEqual(self.offered("rpkg", "clone", "--repository", ""), ["blueprints"])
        self.assertEqual(self.offered("repo", "-n", "other", "sync", ""), [])

    def test_completion_in_bash(self):
        script = self.portico("completion", "bash")
        done = subprocess.run(
            ["bash", "-c", script + 'COMP_WORDS=(%s rpkg cop) COMP_CWORD=2; _portico_complete; '
             'echo "${COMPREPLY[@]}"' % binary()],
            cwd=self.dir, env=ENVIRONMENT, text=True, capture_output=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("copy\n", ""))
        for shell in ("zsh", "fish"):
            script = self.portico("completion", shell)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)
        self.assertIn("bash", self.fails("completion", "tcsh"))

    def test_help_and_version(self):
        self.assertEqual(self.portico("help", "rpkg", "copy"),
                         self.portico("rpkg", "copy", "--help"))
        self.assertEqual(self.portico("help"), self.portico("--help"))
        self.assertEqual(self.portico("--version"), self.portico("version"))

    def test_explain_of_kinds(self):
        self.assertIn("FIELD: upstream <Object>", self.portico("explain", "pv.spec.upstream"))
        self.assertIn("repositorySelector", self.portico("explain", "pvs", "--recursive"))
        self.assertIn("did you mean targets?", self.fails("explain", "pvs.spec.target"))
        self.assertIn("not repositories", self.fails("explain", "repo/blueprints"))

    def test_explain_of_other_kinds(self):
        self.assertRegex(self.portico("explain", "cm"), r"data\s<map\[string\]string>\n +UTF-8 configuration data")
        self.assertIn("Time when the object was created", self.portico("explain", "pv.metadata"))
        for kind in ("secret", "ns", "sa", "ev", "lease", "crd", "clusterrole", "rolebinding"):
            self.assertIn("DESCRIPTION", self.portico("explain", kind))
        self.assertEqual(self.offered("explain", "secret.str"), ["secret.stringData"])
        self.assertIn("did you mean data?", self.fails("explain", "configmap.dada"))
        self.portico("apply", "-f", "-", stdin=json.dumps(GEARS))
        self.assertIn("VERSION:    v2", self.portico("explain", "gears"))
        self.assertRegex(self.portico("explain", "gr.spec"),
                         r"replicas\s<integer> -required-\n +How many teeth")
        self.assertIn("did you mean replicas?", self.fails("explain", "gear.spec.replica"))
        for wrong, right in (("confgmap", "configmap"), ("packagevarient.spec", "packagevariant"),
                             ("gaers", "gears")):
            self.assertIn(f"did you mean {right}?", self.fails("explain", wrong))
        self.assertIn('no PackageVariant "quite-another-thing"',
                      self.fails("explain", "quite-another-thing"))

    def applied(self, *objects, more=()):
        return sorted(self.portico("apply", "-f", "-", "--prune", "--applyset", "fleet", *more,
                                   stdin=json.dumps({"apiVersion": "v1", "kind": "List",
                                                     "items": list(objects)})).splitlines())

    def test_prune(self):
        self.portico("apply", "-f", "-", stdin=json.dumps(config_map("other")))
        self.applied(config_map("one"), config_map("two"))
        self.assertEqual(self.applied(config_map("two"), more=["--dry-run"]),
                         ["configmap/one pruned (dry run)", "configmap/two unchanged (dry run)"])
        self.assertEqual(self.applied(config_map("two")),
                         ["configmap/one pruned", "configmap/two unchanged"])
        self.assertEqual(sorted(self.objects("configmap")), ["other", "two"])
        parent = self.objects("secret")["fleet"]
        self.assertEqual(parent["metadata"]["annotations"]
                         ["applyset.kubernetes.io/contains-group-kinds"], "ConfigMap")
        self.assertIn("must be used together", self.fails("apply", "-f", "-", "--prune", stdin="{}"))
        two = self.write("two.yaml", json.dumps(config_map("two")))
        self.assertIn("another ApplySet",
                      self.fails("apply", "-f", two, "--prune", "--applyset", "other"))

    def test_prune_in_other_namespaces(self):
        there = config_map("one")
        there["metadata"]["namespace"] = "there"
        self.applied(there, config_map("two"))
        annotations = self.objects("secret")["fleet"]["metadata"]["annotations"]
        self.assertEqual(annotations["applyset.kubernetes.io/additional-namespaces"], "there")
        self.assertEqual(self.applied(config_map("two"), more=["--dry-run"]),
                         ["configmap/one pruned (dry run)", "configmap/two unchanged (dry run)"])
        self.assertIn("one", self.objects("configmap", "-n", "there"))
        self.assertEqual(self.applied(config_map("two")),
                         ["configmap/one pruned", "configmap/two unchanged"])
        self.assertNotIn("applyset.kubernetes.io/additional-namespaces",
                         self.objects("secret")["fleet"]["metadata"]["annotations"])

    @unittest.skipUnless(shutil.which("kubectl") or shutil.which("kustomize"), "no kustomize")
    def test_kustomizations(self):
        self.write("base/map.yaml", json.dumps(config_map("one")))
        self.write("base/kustomization.yaml", "resources: [map.yaml]\nnamePrefix: my-\n")
        self.assertEqual(self.portico("apply", "-k", "base"), "configmap/my-one created\n")
        self.write("base/kustomization.yaml", "resources: [none.yaml]\n")
        self.assertIn("none.yaml", self.fails("apply", "-k", "base"))
        self.assertIn("must specify one of -f FILE", self.fails("apply"))


if __name__ == "__main__":
    unittest.main()
