"""Suspended variants, sets and repositories."""
import json
import unittest

from support import Fleet

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}
SET = {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
       "metadata": {"name": "fleet"},
       "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                "targets": [{"repositorySelector": {"matchLabels": {"env": "prod"}}}]}}


class Suspend(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1", "web/v2", "web/v3"])
        self.portico("repo", "register", "blueprints.git", "--no-wait")
        for name in ("edge1", "edge2"):
            self.bare(name)
            self.portico("repo", "register", f"{name}.git", "--deployment", "--no-wait", "--label",
                         "env=prod")
        self.portico("apply", "-f", "-", "--wait", stdin=json.dumps(SET))

    def upgrade(self, revision):
        return self.portico("patch", "pvs/fleet", "--wait", "-p",
                            json.dumps({"spec": {"upstream": {"revision": revision}}}))

    def follows(self):
        """Variant -> the upstream revision of its draft."""
        return {each["spec"]["repository"]: each["status"]["upstreamLock"]["git"]["ref"]
                for each in self.objects("rpkg").values()
                if each["spec"]["workspaceName"].startswith("packagevariant")}

    def state(self, kind, name):
        return self.portico("get", f"{kind}/{name}", "--no-headers").split()[3]

    def test_a_variant_of_a_set(self):
        self.assertEqual(self.portico("suspend", "pv/fleet-edge1-web", "--wait").splitlines()[0],
                         "packagevariant.config.porch.kpt.dev/fleet-edge1-web suspended")
        self.assertEqual(self.state("pv", "fleet-edge1-web"), "Suspended")
        # The set updates the variant's spec and leaves its suspension unchanged.
        self.upgrade(2)
        self.assertEqual(self.follows(), {"edge1": "web/v1", "edge2": "web/v2"})
        variant = self.objects("pv")["fleet-edge1-web"]
        self.assertEqual(variant["spec"]["upstream"]["revision"], 2)
        self.assertEqual(self.condition(variant, "Suspended")["status"], "True")
        self.assertIn("decision   Suspended", self.portico("explain", "pv/fleet-edge1-web"))
        self.assertIn("decision   Suspended", self.portico("explain", "pv", "fleet-edge1-web"))
        self.assertIn("(no change)", self.portico("suspend", "pv", "fleet-edge1-web"))
        self.portico("resume", "pv", "--all", "--wait")
        self.assertEqual(self.follows(), {"edge1": "web/v2", "edge2": "web/v2"})
        variant = self.objects("pv")["fleet-edge1-web"]
        self.assertEqual(self.condition(variant, "Suspended")["status"], "")
        self.assertNotIn("annotations", variant["metadata"])

    def test_a_set(self):
        self.portico("suspend", "pvs", "fleet", "--wait")
        self.upgrade(2)
        self.assertEqual(self.follows(), {"edge1": "web/v1", "edge2": "web/v1"})
        self.assertEqual(self.condition(self.objects("pvs")["fleet"], "Suspended")["status"], "True")
        self.portico("resume", "pvs", "fleet", "--wait")
        self.assertEqual(self.follows(), {"edge1": "web/v2", "edge2": "web/v2"})

    def test_a_repository_is_neither_read_nor_written(self):
        self.portico("suspend", "repo/edge2", "repo/blueprints", "--wait")
        self.commit(self.dir / "blueprints.git", {"web/new.txt": "x"}, "New", tags=["web/v4"])
        before = self.refs(self.dir / "edge2.git")
        self.upgrade(3)
        self.assertEqual(self.follows(), {"edge1": "web/v3", "edge2": "web/v1"})
        self.assertEqual(self.refs(self.dir / "edge2.git"), before)
        self.assertNotIn("blueprints.web.v4", self.objects("rpkg"))
        self.portico("resume", "repo", "--all", "--wait")
        self.assertEqual(self.follows(), {"edge1": "web/v3", "edge2": "web/v3"})
        self.assertIn("blueprints.web.v4", self.objects("rpkg"))

    def test_what_can_be_suspended(self):
        self.assertIn("cannot be suspended", self.fails("suspend", "rpkg", "blueprints.web.v1"))
        self.assertIn("-l or --all", self.fails("suspend", "pv"))
        self.assertIn("not found", self.fails("resume", "pv/nothing"))


if __name__ == "__main__":
    unittest.main()
