"""Difficult upgrades: concurrent work of two users, commits that bypass Portico, and remains of an old
build."""
import json
import unittest

from support import Fleet

IMAGE = "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0"
KPTFILE = ("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\npipeline:\n  mutators:\n"
           "  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1\n"
           "    configMap:\n      namespace: prod\n")
FIELD = "web.yaml:Deployment/web:"


def deployment(replicas, image="web:1", extra=""):
    return ("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n"
            f"  replicas: {replicas} # how many\n{extra}  template:\n    spec:\n      containers:\n"
            f"      - name: web\n        image: {image}\n")


class Upgrades(Fleet):
    def setUp(self):
        super().setUp()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE,
                                   "web/web.yaml": deployment(1, extra="  minReadySeconds: 5\n")},
                            tags=["web/v1"])
        self.edge = self.bare("edge")
        for name, *more in (("up",), ("edge", "--deployment")):
            self.portico("repo", "register", str(self.dir / f"{name}.git"), *more)

    def variant(self, **spec):
        self.settles("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "pv", "namespace": "default"},
            "spec": {"upstream": {"repo": "up", "package": "web"},
                     "downstream": {"repo": "edge", "package": "web"}, **spec}}))

    def edit(self, draft, old, new):
        self.portico("rpkg", "pull", draft, f"work/{draft}")
        file = self.dir / "work" / draft / "web.yaml"
        self.assertIn(old, file.read_text())
        file.write_text(file.read_text().replace(old, new))
        self.portico("rpkg", "push", draft, f"work/{draft}")

    def publish(self, draft):
        self.portico("rpkg", "propose", draft)
        self.portico("rpkg", "approve", draft, "--wait")

    def upstream(self, number, text):
        self.commit(self.up, {"web/web.yaml": text}, f"Release {number}", tags=[f"web/v{number}"])
        self.portico("repo", "sync", "up", "--wait")

    def published(self):
        return self.show(self.edge, "main:web/web.yaml")

    def hotfix(self):
        text = self.published().replace("web:1", "web:1-hotfix")
        self.commit(self.edge, {"web/web.yaml": text}, "Hotfix at night")
        self.portico("repo", "sync", "edge", "--wait")

    def first(self, **spec):
        self.variant(**spec)
        self.publish("edge.web.packagevariant-1")

    def drafts(self):
        return [n for n, r in self.objects("rpkg").items()
                if r["spec"]["lifecycle"] in ("Draft", "Proposed")]

    def test_a_lost_update_is_refused_and_then_rebased(self):
        self.first()
        for name in ("ada", "bob"):
            self.portico("rpkg", "copy", "edge.web.packagevariant-1", "--workspace", name)
        self.assertIn("nothing to rebase", self.portico("rpkg", "rebase", "edge.web.bob"))
        self.edit("edge.web.ada", "replicas: 1", "replicas: 4")
        self.edit("edge.web.bob", "web:1", "web:1-bob")
        self.publish("edge.web.ada")
        wide = self.portico("rpkg", "get", "edge.web.bob", "-o", "wide")
        self.assertIn("(stale)", wide)
        proposed = self.run_portico("rpkg", "propose", "edge.web.bob")
        self.assertEqual(proposed.returncode, 0, proposed.stderr)
        self.assertIn("v2 has been published since", proposed.stderr)
        self.assertIn("portico rpkg rebase edge.web.bob", proposed.stderr)
        self.assertIn("v2 has been published since", self.fails("rpkg", "approve", "edge.web.bob"))
        self.assertIn("reject it first", self.fails("rpkg", "rebase", "edge.web.bob"))
        self.portico("rpkg", "reject", "edge.web.bob")
        self.assertIn("onto edge.web.ada", self.portico("rpkg", "rebase", "edge.web.bob"))
        base = self.portico("rpkg", "diff", "edge.web.bob", "base")
        self.assertIn("+        image: web:1-bob", base)
        self.assertNotIn("replicas: 4", "".join(l for l in base.splitlines() if l[:1] in "+-"))
        self.publish("edge.web.bob")
        self.assertIn("replicas: 4", self.published())
        self.assertIn("web:1-bob", self.published())
        self.fsck(self.edge)

    def test_a_rebase_reports_conflicts_and_takes_whom_it_is_told(self):
        self.first()
        for name in ("ada", "bob", "eve"):
            self.portico("rpkg", "copy", "edge.web.packagevariant-1", "--workspace", name)
            self.edit(f"edge.web.{name}", "replicas: 1", f"replicas: {len(name) + ord(name[0])}")
        self.publish("edge.web.ada")
        self.assertIn("spec.replicas",
                      self.fails("rpkg", "rebase", "edge.web.bob", "--on-conflict", "fail"))
        out = self.portico("rpkg", "rebase", "edge.web.bob")
        self.assertIn("spec.replicas", out)
        self.assertIn("replicas: 100", self.show(self.edge, "drafts/web/bob:web/web.yaml"))
        out = self.portico("rpkg", "rebase", "edge.web.eve", "--on-conflict", "keepLocal")
        self.assertIn("spec.replicas", out)
        self.assertIn("replicas: 104", self.show(self.edge, "drafts/web/eve:web/web.yaml"))

    def test_a_hotfix_on_the_branch_is_shown_and_carried_on(self):
        self.first()
        self.hotfix()
        for command in (("tree",), ("status",), ("explain", "pv")):
            out = self.portico(*command)
            self.assertIn("drifted: ", out)
            self.assertIn("Hotfix at night", out)
        diff = self.portico("rpkg", "diff", "edge.web.main", "published")
        self.assertIn("+        image: web:1-hotfix", diff)
        self.upstream(2, deployment(3))
        draft = self.drafts()[0]
        self.publish(draft)
        self.assertIn("web:1-hotfix", self.published())
        self.assertIn("replicas: 3", self.published())
        self.assertNotIn("minReadySeconds", self.published(), "upstream took it away")
        self.assertNotIn("drifted", self.portico("tree"))

    def test_a_hotfix_is_published_by_a_copy_that_is_rebased(self):
        self.first()
        self.hotfix()
        self.portico("rpkg", "copy", "edge.web.packagevariant-1", "--workspace", "take")
        self.assertIn("rebased onto edge.web.main", self.portico("rpkg", "rebase", "edge.web.take"))
        self.publish("edge.web.take")
        self.assertIn("web:1-hotfix", self.published())
        self.assertNotIn("drifted", self.portico("status"))

    def test_what_a_removed_mutator_did_is_undone_and_edits_stay(self):
        labels = {"mutators": [{"image": IMAGE, "name": "labels",
                                "configMap": {"tier": "gold"}}]}
        self.first(pipeline=labels)
        self.assertIn("tier: gold", self.published())
        self.portico("rpkg", "copy", "edge.web.packagevariant-1", "--workspace", "tuned")
        self.edit("edge.web.tuned", "replicas: 1", "replicas: 4")
        self.publish("edge.web.tuned")
        self.variant()
        self.publish(self.drafts()[0])
        self.assertNotIn("tier", self.published())
        self.assertIn("replicas: 4 # how many", self.published())

    def test_an_upgrade_by_hand_keeps_what_the_variant_makes(self):
        self.first(upstream={"repo": "up", "package": "web", "revision": 1},
                   packageContext={"data": {"team": "ada"}})
        self.upstream(2, deployment(1, "web:2"))
        said = self.portico("rpkg", "upgrade", "edge.web.packagevariant-1", "--workspace", "hand",
                            "--strategy", "force-delete-replace")
        self.assertIn("upgraded to edge.web.hand", said)
        files = {path: self.show(self.edge, f"drafts/web/hand:web/{path}")
                 for path in ("package-context.yaml", "web.yaml", "Kptfile")}
        self.assertIn("team: ada", files["package-context.yaml"])
        self.assertIn("web:2", files["web.yaml"])
        self.assertNotIn("minReadySeconds", files["web.yaml"])
        self.assertIn("namespace: prod", files["web.yaml"])
        self.assertIn("ref: web/v2", files["Kptfile"])
        self.publish("edge.web.hand")
        self.assertIn("no difference", self.portico("rpkg", "diff", "edge.web.hand", "pristine"))

    def test_edits_and_who_made_them(self):
        self.first()
        self.assertIn("no variant has local edits", self.portico("status", "--edited"))
        self.portico("rpkg", "copy", "edge.web.packagevariant-1", "--workspace", "tuned")
        self.edit("edge.web.tuned", "replicas: 1", "replicas: 4")
        self.publish("edge.web.tuned")
        self.upstream(2, deployment(1, "web:2"))
        draft = self.drafts()[0]
        rows = [line.split() for line in self.portico("status", "--edited").splitlines()]
        self.assertEqual(rows[0][:5], ["NAME", "REVISION", "EDITS", "FIELDS", "FILES"])
        self.assertEqual(rows[1][:5], ["pv", draft, "1", "1", "1"])
        diff = self.portico("rpkg", "diff", draft, "pristine")
        self.assertIn("+  replicas: 4 # how many", diff)
        self.assertNotIn("image", "".join(l for l in diff.splitlines() if l[:1] in "+-"))

        def given(field, name="pv"):
            lines = self.portico("explain", name, "--field", FIELD + field).splitlines()
            return next(l for l in lines if l.startswith("set by"))
        self.assertRegex(given("spec.replicas"),
                         "set by   Ada <ada@example.com>, commit [0-9a-f]{8} of 20.*: ")
        self.assertIn("push", given("spec.replicas"))
        self.assertIn("upstream up.web.v2", given(
            "spec.template.spec.containers[name=web].image"))
        self.assertIn("set-namespace", given("metadata.namespace"))
        self.assertIn("upstream up.web.v1", given("spec.replicas", "edge.web.packagevariant-1"))
        self.assertIn("found replicas", self.fails("explain", "pv", "--field", FIELD + "spec.replica"))
        self.assertIn("Deployment.apps/prod/web",
                      self.fails("explain", "pv", "--field", "web.yaml:Deployment/wbe:spec"))

    def test_rebase_onto_names_what_a_package_was_made_from(self):
        # Created by a user: nothing records its upstream.
        kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: api\n"
        gone = "  minReadySeconds: 5\n"
        for repository, text in ((self.up, deployment(1, extra=gone)),
                                 (self.edge, deployment(1, "web:mine", extra=gone))):
            self.commit(repository, {"api/Kptfile": kptfile, "api/web.yaml": text}, "By hand",
                        tags=["api/v1"])
        self.portico("repo", "sync", "--all", "--wait")
        self.assertIn("--workspace", self.fails("rpkg", "rebase", "edge.api.v1", "--onto",
                                                "up.api.v1"))
        self.portico("rpkg", "rebase", "edge.api.v1", "--onto", "up.api.v1", "--workspace", "known")
        self.assertIn("upstreamLock:", self.show(self.edge, "drafts/api/known:api/Kptfile"))
        self.publish("edge.api.known")
        self.commit(self.up, {"api/web.yaml": deployment(3, "web:2")}, "2", tags=["api/v2"])
        self.portico("repo", "sync", "up", "--wait")
        out = self.portico("rpkg", "upgrade", "edge.api.known", "--workspace", "next",
                           "--on-conflict", "keepLocal")
        self.assertIn("image", out, "a conflict with the base of v1")
        text = self.show(self.edge, "drafts/api/next:api/web.yaml")
        self.assertIn("replicas: 3", text)
        self.assertIn("web:mine", text)
        self.assertNotIn("minReadySeconds", text)

    def test_an_injection_that_is_not_met_is_seen(self):
        self.commit(self.up, {"web/region.yaml": (
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: region\n  annotations:\n"
            "    kpt.dev/config-injection: required\ndata: {}\n")}, "Region", tags=["web/v2"])
        self.portico("repo", "sync", "up", "--wait")
        self.variant(injectors=[{"name": "eu"}])
        for command in (("tree",), ("status",), ("explain", "pv")):
            self.assertIn("is waiting for injection: ConfigMap region", self.portico(*command))


if __name__ == "__main__":
    unittest.main()
