"""Errors are reported with their location; nothing is lost, and everything else continues."""
import pathlib
import subprocess
import unittest

import yaml
from support import Fleet

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: {name}
"""
CONFIG = """apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  a: "1"
"""
BINARY = bytes(range(256)) * 3 + b"\x00\xff\xfe no newline at the end"


def variant(name, package, **spec):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": package, "revision": 1},
                     "downstream": {"repo": "edge", "package": name}, **spec}}


def variant_set(name, *targets, **spec):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "targets": list(targets), **spec}}


class BadInput(Fleet):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.bare("blueprints", {
            "web/Kptfile": KPTFILE.format(name="web"), "web/settings.yaml": CONFIG,
            # No pipeline, and a file that is not text.
            "logo/Kptfile": KPTFILE.format(name="logo"), "logo/settings.yaml": CONFIG,
            "logo/logo.png": BINARY, "logo/empty": b"",
            "broken/Kptfile": KPTFILE.format(name="broken"),
            "broken/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n name: b\n",
            "headless/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: [\n",
        }, tags=["web/v1", "logo/v1", "broken/v1", "headless/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")

    def apply(self, *objects):
        return self.settles("apply", "-f", "-", stdin=yaml.safe_dump_all(objects))

    def conditions(self, kind, name):
        item = self.objects(kind)[name]
        return {c["type"]: (c["status"], c.get("reason", ""), c.get("message", ""))
                for c in item.get("status", {}).get("conditions", [])}

    def refused(self, kind, item, *texts):
        """Nothing of an apply with an invalid object is stored, and the error says what is wrong."""
        said = self.fails("apply", "-f", "-",
                          stdin=yaml.safe_dump_all([item, variant("good", "web")]))
        for text in texts:
            self.assertIn(text, said)
        self.assertNotIn(item["metadata"]["name"], self.objects(kind))
        self.assertNotIn("good", self.objects("pv"))

    def test_rules_of_package_variants(self):
        self.refused("pv", {**variant("empty", "web"), "spec": {}},
                     "missing required field spec.upstream",
                     "missing required field spec.downstream")
        item = variant("names", "web")
        item["spec"]["upstream"] = {"repo": "blueprints", "revision": 1}
        item["spec"]["downstream"] = {"repo": "edge"}
        self.refused("pv", item, "spec.upstream.package", "spec.downstream.package")
        self.refused("pv", variant("policies", "web", adoptionPolicy="adoptSome",
                                   deletionPolicy="keep"),
                     'spec.adoptionPolicy field can only be', 'spec.deletionPolicy can only be')
        self.refused("pv", variant("context", "web", packageContext={
            "data": {"name": "x", "package-path": "y"}, "removeKeys": ["name", "package-path"]}),
            'spec.packageContext.data', 'spec.packageContext.removeKeys', '"name"',
            '"package-path"')
        self.refused("pv", variant("injectors", "web", injectors=[{"kind": "ConfigMap"}]),
                     "spec.injectors[0].name")
        item = variant("two", "web")
        item["spec"]["upstream"]["tag"] = "stable"
        self.refused("pv", item, "spec.upstream may specify only one of", "`revision`", "`tag`")

    def test_rules_of_package_variant_sets(self):
        repositories = {"repositories": [{"name": "edge", "packageNames": ["good"]}]}
        # An empty list explicitly means no targets.
        self.apply(variant_set("none"))
        self.assertEqual(self.conditions("pvs", "none")["Stalled"][0], "False")
        self.refused("pvs", variant_set("kinds", {**repositories, "repositorySelector": {}}),
                     "spec.targets[0]")
        self.refused("pvs", variant_set("hollow", {"repositories": []}), "spec.targets[0]")
        self.refused("pvs", variant_set("both", {**repositories, "template": {
            "downstream": {"repo": "edge", "repoExpr": "'edge'"},
            "labelExprs": [{"key": "a", "keyExpr": "'a'", "value": "b"}],
            "injectors": [{"kind": "ConfigMap"}]}}),
            "spec.targets[0].template may", "spec.targets[0].template.labelExprs[0]",
            "spec.targets[0].template.injectors[0]")
        self.refused("pvs", variant_set("syntax", {**repositories, "template": {
            "downstream": {"packageExpr": "'a' +"}}}),
            "spec.targets[0]", "template.downstream.packageExpr", "1:6")
        self.refused("pvs", variant_set("selector", {"objectSelector": {"kind": "ConfigMap"}}),
                     "spec.targets[0].objectselector.apiVersion")

    def test_manifests_that_are_none(self):
        before = self.objects("pv")
        for text, *wants in (
                ("a: [1\n", "1:"),
                ("apiVersion: v1\n", "kind"),
                ("apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n", "name"),
                ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n", "Bad_Name"),
                ("- a\n- b\n", ""),
                ("&a [*a, *a]\n", ""),
                ("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
                 "metadata: {name: x}\nspec: {upstream: 7}\n", "spec.upstream"),
                ("apiVersion: porch.kpt.dev/v1alpha1\nkind: PackageRevision\n"
                 "metadata: {name: x}\n", "rpkg")):
            path = pathlib.Path(self.write("bad.yaml", text)).name
            error = self.fails("apply", "-f", path)
            self.assertIn(path, error)
            for want in wants:
                self.assertIn(want, error)
        # If one document of a file is invalid, nothing of the file is applied.
        good = yaml.safe_dump(variant("first", "web"))
        self.fails("apply", "-f", "-", stdin=good + "---\napiVersion: v1\n")
        self.assertEqual(self.objects("pv"), before)
        self.fails("apply", "-f", "no-such-file.yaml")
        # An unknown field causes a warning and is kept.
        done = self.run_portico("apply", "-f", "-", stdin=yaml.safe_dump(
            variant("extra", "web", futureField={"a": 1})))
        self.assertEqual(done.returncode, 0)
        self.assertIn("spec.futureField", done.stderr)
        self.assertEqual(self.objects("pv")["extra"]["spec"]["futureField"], {"a": 1})

    def test_packages_without_pipeline_and_with_binary_files(self):
        self.apply(variant("logo", "logo"))
        self.portico("rpkg", "pull", "edge.logo.packagevariant-1", "work")
        self.assertEqual((self.dir / "work" / "logo.png").read_bytes(), BINARY)
        self.assertEqual((self.dir / "work" / "empty").read_bytes(), b"")
        with open(self.dir / "work" / "settings.yaml", "a") as file:
            file.write("  b: two # mine\n")
        self.portico("rpkg", "push", "edge.logo.packagevariant-1", "work")
        self.portico("rpkg", "propose", "edge.logo.packagevariant-1")
        self.portico("rpkg", "approve", "edge.logo.packagevariant-1", "--wait")
        # An upgrade that touches neither file.
        self.commit(self.dir / "blueprints.git", {"logo/new.yaml": CONFIG.replace("settings", "n")},
                    "More", tags=["logo/v2"])
        item = variant("logo", "logo")
        item["spec"]["upstream"]["revision"] = 2
        self.portico("repo", "sync", "blueprints")
        self.apply(item)
        shown = subprocess.run(["git", "-C", str(self.dir / "edge.git"), "show",
                                "drafts/logo/packagevariant-2:logo/logo.png"], capture_output=True,
                               check=True).stdout
        self.assertEqual(shown, BINARY)
        self.assertIn("b: two # mine", self.show(
            self.dir / "edge.git", "drafts/logo/packagevariant-2:logo/settings.yaml"))
        self.fsck(self.dir / "edge.git")

    def test_packages_that_do_not_parse(self):
        self.apply(variant("broken", "broken"), variant("headless", "headless"),
                   variant("good", "web"))
        broken, headless = self.conditions("pv", "broken"), self.conditions("pv", "headless")
        self.assertEqual(broken["Ready"][0], "False")
        self.assertIn("settings.yaml: 5:", broken["Ready"][2])
        self.assertEqual(headless["Ready"][0], "False")
        self.assertIn("Kptfile: ", headless["Ready"][2])
        self.assertEqual([n for n in self.objects("rpkg") if n.startswith("edge.")],
                         ["edge.good.packagevariant-1"])
        self.assertEqual(self.refs(self.dir / "edge.git", "refs/heads"),
                         ["refs/heads/drafts/good/packagevariant-1", "refs/heads/main"])
        # Content pushed by a user is checked as well.
        self.portico("rpkg", "pull", "edge.good.packagevariant-1", "work")
        (self.dir / "work" / "settings.yaml").write_text("a: [\n")
        error = self.fails("rpkg", "push", "edge.good.packagevariant-1", "work")
        self.assertIn("settings.yaml", error)
        self.assertEqual(self.show(self.dir / "edge.git",
                                   "drafts/good/packagevariant-1:good/settings.yaml").splitlines()[0],
                         "apiVersion: v1")

    def test_upstreams_that_are_not_there_yet(self):
        late = variant("late", "late")
        done = self.run_portico("apply", "-f", "-", "--wait",
                                stdin=yaml.safe_dump_all([late, variant("good", "web")]))
        self.assertEqual(done.returncode, 1, "a job that applies has to see that something failed")
        self.assertIn("packagevariant.config.porch.kpt.dev/late Stalled: ", done.stdout)
        self.assertNotIn("/good Stalled", done.stdout)
        conditions = self.conditions("pv", "late")
        self.assertEqual(conditions["Stalled"][:2], ("True", "UpstreamNotFound"), conditions)
        self.assertIn("late", conditions["Stalled"][2])
        self.commit(self.dir / "blueprints.git", {"late/Kptfile": KPTFILE.format(name="late")},
                    "Late", tags=["late/v1"])
        self.portico("repo", "sync", "blueprints", "--wait")
        conditions = self.conditions("pv", "late")
        self.assertEqual(conditions["Ready"][0], "True", conditions)
        self.assertIn("edge.late.packagevariant-1", self.objects("rpkg"))

    def test_repositories_that_do_not_answer(self):
        repository = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                      "metadata": {"name": "away", "namespace": "default"},
                      "spec": {"type": "git", "deployment": True,
                               "git": {"repo": str(self.dir / "away.git"), "branch": "main"}}}
        nobody = yaml.safe_load(yaml.safe_dump(repository))
        nobody["metadata"]["name"] = "nobody"
        nobody["spec"]["git"]["repo"] = "https://127.0.0.1:1/nobody.git"
        far = variant("far", "web")
        far["spec"]["downstream"]["repo"] = "away"
        self.apply(repository, nobody, far, variant("good", "web"))
        for name in ("away", "nobody"):
            ready = self.conditions("repositories", name)["Ready"]
            self.assertEqual(ready[:2], ("False", "Error"), ready)
        self.assertIn("away.git", self.conditions("repositories", "away")["Ready"][2])
        ready = self.conditions("pv", "far")["Ready"]
        self.assertEqual(ready[0], "False")
        self.assertIn("away", ready[2])
        self.assertEqual(self.conditions("pv", "good")["Ready"][0], "True")
        # When it is back, waiting variants continue on their own.
        self.bare("away")
        self.portico("repo", "sync", "away", "--wait")
        self.apply(variant("good", "web"))
        self.assertEqual(self.conditions("pv", "far")["Ready"][0], "True",
                         self.conditions("pv", "far"))

    def test_two_sets_that_claim_one_downstream(self):
        target = {"repositories": [{"name": "edge", "packageNames": ["web", "own"]}]}
        other = {"repositories": [{"name": "edge", "packageNames": ["web", "theirs"]}]}
        self.apply(variant_set("one", target))
        self.apply(variant_set("two", other))
        first, second = self.conditions("pv", "one-edge-web"), self.conditions("pv", "two-edge-web")
        self.assertEqual(first["Ready"][0], "True", first)
        self.assertEqual(second["Ready"][0], "False", second)
        self.assertIn("edge.web.packagevariant-1", second["Stalled"][2])
        self.assertIn("one-edge-web", second["Stalled"][2])
        drafts = [n for n in self.objects("rpkg") if n.startswith("edge.")]
        self.assertEqual(drafts, ["edge.own.packagevariant-1", "edge.theirs.packagevariant-1",
                                  "edge.web.packagevariant-1"])
        status = self.objects("pvs")["two"]["status"]
        self.assertEqual(status["targets"], {"desired": 2, "ready": 1, "waiting": 0, "failed": 1})
        # The first one releases the package; the second one takes over on its own.
        self.portico("delete", "pvs", "one", "--wait")
        self.assertEqual(self.conditions("pv", "two-edge-web")["Ready"][0], "True",
                         self.conditions("pv", "two-edge-web"))

    def test_one_bad_target_does_not_stop_the_others(self):
        item = variant_set("mixed", {
            "repositories": [{"name": "edge", "packageNames": ["a"]}, {"name": "missing"},
                             {"name": "edge", "packageNames": ["b"]}]})
        self.apply(item)
        self.assertEqual(sorted(self.objects("pv")), ["mixed-edge-a", "mixed-edge-b"])
        ready = self.conditions("pvs", "mixed")["Ready"]
        self.assertEqual(ready[0], "False", ready)
        self.assertIn('repository "missing" is not registered', ready[2])
        # If an expression needs the Repository, the set reports that it is missing.
        item["metadata"]["name"] = "seen"
        item["spec"]["targets"][0]["template"] = {
            "downstream": {"packageExpr": "'seen-' + repository.name + '-' + target.package"}}
        self.apply(item)
        self.assertIn('repository "missing"', self.conditions("pvs", "seen")["Ready"][2])
        self.assertEqual(self.objects("pvs")["mixed"]["status"]["targets"],
                         {"desired": 3, "ready": 2, "waiting": 0, "failed": 1})


if __name__ == "__main__":
    unittest.main()
