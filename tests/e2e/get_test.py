"""The output of get, and the ways to name objects."""
import json
import unittest

from support import Fleet

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}


class Get(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1", "web/v2", "web/v10"])
        self.portico("repo", "register", "blueprints.git", "--label", "tier=base")

    def get(self, *words):
        return self.portico("get", *words).splitlines()

    def refused(self, *words):
        done = self.run_portico("get", *words)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_jsonpath(self):
        self.assertEqual(
            self.portico("get", "rpkg", "-o",
                         'jsonpath={range .items[?(@.spec.lifecycle=="Published")]}'
                         '{.spec.workspaceName}{" "}{end}'),
            "main v1 v10 v2 ")
        self.assertEqual(self.portico("get", "repo", "blueprints", "-o", "jsonpath={.spec.type}"),
                         "git")
        self.assertIn("column 1", self.refused("rpkg", "-o", "jsonpath={.items"))

    def test_go_template(self):
        (self.dir / "names").write_text("{{range .items}}{{.spec.workspaceName}} {{end}}")
        self.assertEqual(self.portico("get", "rpkg", "-o", "go-template-file=names"),
                         "main v1 v10 v2 ")
        self.assertEqual(self.portico("get", "repo/blueprints", "-o",
                                      'go-template={{.spec.type}}:{{index .metadata.labels "tier"}}'),
                         "git:base")
        self.assertIn("line 1, column 10", self.refused("rpkg", "-o", "go-template={{.kind}}{{"))
        self.assertIn("did you mean go-template=?", self.refused("rpkg", "-o", "gotemplate={{.}}"))

    def test_custom_columns(self):
        self.assertEqual([line.split() for line in self.get(
            "rpkg", "--sort-by", "{.spec.revision}", "-o",
            "custom-columns=NAME:.spec.workspaceName,N:spec.revision,NONE:.a.b")],
            [["NAME", "N", "NONE"], ["main", "-1", "<none>"], ["v1", "1", "<none>"],
             ["v2", "2", "<none>"], ["v10", "10", "<none>"]])
        (self.dir / "columns").write_text("WHAT   TYPE\n.metadata.name .spec.type\n")
        self.assertEqual([line.split() for line in self.get(
            "repo", "-o", "custom-columns-file=columns", "--no-headers")], [["blueprints", "git"]])
        self.assertIn("expected HEADER:PATH", self.refused("repo", "-o", "custom-columns=NAME"))

    def test_names_of_types_and_of_objects(self):
        names = self.get("rpkg/blueprints.web.v1", "repo/blueprints", "-o", "name")
        self.assertEqual(names, ["packagerevision.porch.kpt.dev/blueprints.web.v1",
                                 "repository.config.porch.kpt.dev/blueprints"])
        self.assertEqual(self.get(*names, "-o", "name"), names)
        self.assertEqual(
            [line.split()[0] for line in self.get("repo,rpkg") if line and "NAME" not in line],
            ["repository.config.porch.kpt.dev/blueprints"] +
            [f"packagerevision.porch.kpt.dev/blueprints.web.{each}"
             for each in ("main", "v1", "v10", "v2")])
        self.assertIn("Published", self.portico("rpkg", "get", names[0]))
        self.assertIn("not one of the packagerevisions",
                      self.run_portico("rpkg", "get", names[1]).stderr)
        self.assertIn("use TYPE NAME", self.refused("rpkg/blueprints.web.v1", "blueprints"))
        self.assertIn("use TYPE NAME", self.refused("rpkg", "repo/blueprints"))
        self.assertIn('"nothing" not found', self.refused("repo/nothing"))

    def test_short_names_and_all(self):
        for word in ("cm", "ns", "sa", "crd"):
            self.assertEqual(self.run_portico("get", word).returncode, 0, word)
        self.assertIn('doesn\'t have a resource type "po"', self.refused("po"))
        self.assertEqual(
            [line.split("/")[0] for line in self.get("all", "-o", "name")],
            ["repository.config.porch.kpt.dev"] + 4 * ["packagerevision.porch.kpt.dev"])

    def test_columns_of_defined_kinds(self):
        self.portico("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "geese.farm.example.com"},
            "spec": {"group": "farm.example.com", "scope": "Namespaced",
                     "names": {"kind": "Goose", "plural": "geese", "singular": "goose",
                               "listKind": "GooseList"},
                     "versions": [{
                         "name": "v1", "served": True, "storage": True,
                         "additionalPrinterColumns": [
                             {"name": "Colour", "type": "string", "jsonPath": ".spec.colour"},
                             {"name": "Eggs", "type": "integer", "priority": 1,
                              "jsonPath": ".spec.eggs"}],
                         "schema": {"openAPIV3Schema": {
                             "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}))
        self.portico("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "farm.example.com/v1", "kind": "Goose", "metadata": {"name": "a"},
            "spec": {"colour": "grey", "eggs": 3}}))
        self.assertEqual([line.split() for line in self.get("goose")],
                         [["NAME", "COLOUR"], ["a", "grey"]])
        self.assertEqual([line.split() for line in self.get("geese", "-o", "wide")],
                         [["NAME", "COLOUR", "EGGS"], ["a", "grey", "3"]])
        self.assertEqual([line.split() for line in self.get("geese", "-w", "--timeout", "1s")],
                         [["NAME", "COLOUR"], ["a", "grey"]])

    def test_repositories_are_looked_at_before_they_are_stored(self):
        for words, why in ((["nothing.git"], "not a git repository"),
                           (["blueprints.git", "--name", "b", "--branch", "nope"], "does not exist"),
                           (["https://127.0.0.1:1/a.git"], "Failed to connect")):
            error = self.run_portico("repo", "register", *words).stderr
            self.assertIn(why, error)
        self.assertEqual(self.get("repo", "-o", "name"),
                         ["repository.config.porch.kpt.dev/blueprints"])
        self.portico("repo", "register", "nothing.git", "--no-check", "--no-wait")
        self.assertEqual(len(self.get("repo", "-o", "name")), 2)

    def test_selectors(self):
        self.assertIn("packagerevisions have no field", self.refused(
            "rpkg", "--field-selector", "spec.lifecyle=Draft"))
        self.assertEqual(self.get("rpkg", "--field-selector", "spec.revision!=-1,spec.revision!=2",
                                  "--no-headers", "-o", "custom-columns=A:.spec.workspaceName"),
                         ["v1", "v10"])
        self.assertIn("FIELD=VALUE", self.refused("rpkg", "--field-selector", "x"))
        self.assertIn("tier=base", self.portico("get", "repo", "--show-labels"))
        self.assertIn("when a selector is specified", self.refused("repo", "blueprints", "-l", "tier=base"))
        self.assertIn("blueprints", self.portico("describe", "repo", "-l", "tier=base"))

    def test_watching(self):
        lines = self.get("repo", "-w", "--timeout", "5s")
        self.assertEqual([line.split()[0] for line in lines], ["NAME", "blueprints"])
        self.assertIn("single resource type", self.refused("repo,rpkg", "-w"))
        self.assertIn("-f or --sort-by", self.refused("repo", "-w", "--sort-by", ".metadata.name"))

    def test_what_is_not_there(self):
        self.assertIn("no package revisions found", self.run_portico(
            "rpkg", "get", "--repository", "none").stderr)
        self.assertEqual(self.portico("rpkg", "get", "--repository", "none"), "")
        for verb in ("propose", "approve"):
            self.assertIn('PackageVariantSet "none" not found in namespace "default"',
                          self.run_portico("rpkg", verb, "--set", "none").stderr)
        for verb in ("propose", "delete"):
            self.assertIn('PackageRevision "none" not found in namespace "default"',
                          self.run_portico("rpkg", verb, "none").stderr)
        self.assertIn("when a selection is specified", self.run_portico(
            "rpkg", "approve", "--all", "blueprints.web.v1").stderr)
        self.assertEqual(self.portico("rpkg", "propose", "--repository", "blueprints"),
                         "nothing to propose\n")
        self.assertIn("not found", self.run_portico("events", "--for", "pv/none").stderr)
        self.assertIn("no resources found", self.run_portico("delete", "pv", "-l", "a=b").stderr)

    def test_json_for_programs(self):
        status = json.loads(self.portico("status", "-o", "json"))
        self.assertEqual(status["kinds"]["repositories"],
                         {"total": 1, "ready": 1, "waiting": 0, "failed": 0})
        self.assertEqual(status["lifecycles"], {"Published": 3})
        self.assertEqual(json.loads(self.portico("tree", "-o", "json")),
                         {"sets": [], "variants": []})

    def test_stat_of_a_difference(self):
        self.assertEqual(self.portico("rpkg", "diff", "blueprints.web.v2", "blueprints.web.v1",
                                      "--stat"), "")
        self.commit(self.dir / "blueprints.git", {"web/a.yaml": "a: 1\nb: 2\n"}, "Two lines",
                    tags=["web/v11"])
        self.portico("repo", "sync", "--all")
        self.assertEqual(self.portico("rpkg", "diff", "blueprints.web.v11", "blueprints.web.v1",
                                      "--stat").splitlines(),
                         [" a.yaml | +2 -0", " 1 file, 2 lines added, 0 lines removed"])

    def test_packages_shown(self):
        self.write("web/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n")
        self.write("web/in/Kptfile",
                   "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: in\n")
        self.write("web/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n")
        self.assertEqual(self.portico("pkg", "tree", "web").splitlines(),
                         ['Package "web"', "├─ [Kptfile] Kptfile web", "├─ [a.yaml] ConfigMap c",
                          '└─ Package "in"', "   └─ [Kptfile] Kptfile in"])
        self.assertEqual(self.portico("pkg", "cat", "web").count("apiVersion"), 3)
        self.assertIn("set-namespace", self.portico("fn", "list"))
        self.assertIn("CONFIG:", self.portico("fn", "doc", "set-labels"))
        self.assertIn("did you mean set-labels?", self.run_portico("fn", "doc", "set-label").stderr)

    def test_objects_of_a_file(self):
        (self.dir / "repo.yaml").write_text(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\n"
            "metadata:\n  name: blueprints\n")
        found = json.loads(self.portico("get", "-f", "repo.yaml", "-o", "json"))
        self.assertEqual(found["items"][0]["spec"]["type"], "git")
        self.assertIn("must specify what to get", self.refused())

    def test_delete_all(self):
        self.portico("apply", "-f", "-", stdin="".join(
            f"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c{i}\n" for i in range(3)))
        self.assertEqual(len(self.get("configmaps", "-o", "name")), 3)
        deleted = self.portico("delete", "configmaps", "--all").splitlines()
        self.assertEqual(deleted, [f"configmap/c{i} deleted" for i in range(3)])
        self.assertIn("mutually exclusive", self.run_portico("delete", "repo", "blueprints", "--all").stderr)


if __name__ == "__main__":
    unittest.main()
