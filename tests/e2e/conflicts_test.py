"""A conflict of an upgrade is shown everywhere: status, diff, commit message."""
import json
import unittest

from support import Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


def deployment(replicas, image="web:1"):
    return ("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n"
            f"  replicas: {replicas} # how many\n  template:\n    spec:\n      containers:\n"
            f"      - name: web\n        image: {image}\n")


class Conflicts(Fleet):
    def setUp(self):
        super().setUp()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE, "web/web.yaml": deployment(1)},
                            tags=["web/v1"])
        self.edge = self.bare("edge")
        for name, *more in (("up",), ("edge", "--deployment")):
            self.portico("repo", "register", str(self.dir / f"{name}.git"), *more)

    def replicas_here(self, name):
        """Publishes a local change of the draft `name`."""
        self.portico("rpkg", "pull", name, "work")
        text = (self.dir / "work/web.yaml").read_text()
        (self.dir / "work/web.yaml").write_text(text.replace("replicas: 1", "replicas: 7"))
        self.portico("rpkg", "push", name, "work")
        self.portico("rpkg", "propose", name)
        self.portico("rpkg", "approve", name, "--wait")
        self.commit(self.up, {"web/web.yaml": deployment(3, "web:2")}, "Second", tags=["web/v2"])

    def reported(self, name, draft):
        diff = self.portico("rpkg", "diff", name)
        row = next(line for line in diff.splitlines() if line.startswith("web.yaml "))
        for want in ("Deployment.apps web", "spec.replicas", " 1 ", " 7 ", " 3 ",
                     "changed on both sides"):
            self.assertIn(want, row)
        message = self.git(self.edge, "log", "-1", "--format=%b", draft)
        self.assertIn("Merge conflicts:\n- web.yaml: Deployment.apps web: spec.replicas: 7 here, "
                      "3 upstream: changed on both sides, kept upstream\n", message)
        text = self.show(self.edge, f"{draft}:web/web.yaml")
        self.assertIn("replicas: 3 # how many", text)

    def test_of_a_variant(self):
        variant = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                   "metadata": {"name": "pv", "namespace": "default"},
                   "spec": {"upstream": {"repo": "up", "package": "web"},
                            "downstream": {"repo": "edge", "package": "web"}}}
        self.settles("apply", "-f", "-", stdin=json.dumps(variant))
        self.replicas_here("edge.web.packagevariant-1")
        self.portico("repo", "sync", "up", "--wait")
        conflicts = self.objects("packagevariants")["pv"]["status"]["mergeConflicts"]
        self.assertEqual(conflicts, [{
            "path": "web.yaml", "object": "Deployment.apps web", "field": "spec.replicas",
            "base": "1", "ours": "7", "theirs": "3", "taken": "theirs",
            "rule": "changed on both sides"}])
        self.reported("edge.web.packagevariant-2", "drafts/web/packagevariant-2")

    def test_of_an_upgrade_by_hand(self):
        self.portico("rpkg", "clone", "up.web.v1", "web", "--repository", "edge")
        self.replicas_here("edge.web.v1")
        self.portico("repo", "sync", "up", "--wait")
        out = self.portico("rpkg", "upgrade", "edge.web.v1", "--workspace", "v2")
        self.assertIn("spec.replicas", out)
        self.reported("edge.web.v2", "drafts/web/v2")
        self.assertIn("conflict", self.fails("rpkg", "upgrade", "edge.web.v1", "--workspace", "v3",
                                             "--on-conflict", "fail"))
        self.portico("rpkg", "upgrade", "edge.web.v1", "--workspace", "v4", "--on-conflict",
                     "keepLocal")
        self.assertIn("replicas: 7", self.show(self.edge, "drafts/web/v4:web/web.yaml"))


if __name__ == "__main__":
    unittest.main()
