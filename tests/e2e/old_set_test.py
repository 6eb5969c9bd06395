"""A PackageVariantSet of v1alpha1 is stored as v1alpha2 and works as specified."""
import json
import unittest

from support import Fleet

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
"""
OLD = """apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariantSet
metadata: {name: old}
spec:
  upstream: {package: {repo: blueprints, name: web}, revision: v1}
  labels: {from: old}
  targets:
  - package: {repo: edge-1, name: shop}
  - repositories: {matchLabels: {env: prod}}
    packageName:
      namePrefix: {value: web-}
      baseName: {fromField: "metadata.labels[example.com/site]"}
"""


class OldSet(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        self.portico("repo", "register", "blueprints.git")
        for name, *labels in (("edge-1",), ("edge-2", "env=prod", "example.com/site=north")):
            self.bare(name)
            self.portico("repo", "register", f"{name}.git", "--deployment",
                         *(word for label in labels for word in ("--label", label)))

    def test_is_converted_and_carried_out(self):
        self.write("old.yaml", OLD)
        done = self.run_portico("apply", "-f", "old.yaml", "--wait")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("v1alpha1 is converted to config.porch.kpt.dev/v1alpha2", done.stderr)
        stored = self.objects("pvs")["old"]
        self.assertEqual(stored["apiVersion"], "config.porch.kpt.dev/v1alpha2")
        self.assertEqual(stored["spec"]["upstream"],
                         {"repo": "blueprints", "package": "web", "revision": 1})
        self.assertEqual(self.condition(stored)["status"], "True", stored)
        revisions = self.objects("rpkg")
        for name in ("edge-1.shop.packagevariant-1", "edge-2.web-north.packagevariant-1"):
            self.assertEqual(revisions[name]["metadata"]["labels"], {"from": "old"})
        again = self.portico("apply", "-f", "old.yaml", "--wait")
        self.assertIn("unchanged", again)
        self.assertEqual(self.objects("rpkg"), revisions)
        # The user continues with the new version.
        self.portico("apply", "-f", "-", "--wait", stdin=json.dumps(stored))
        self.assertEqual(self.objects("rpkg"), revisions)

    def test_what_the_new_form_cannot_say_is_refused(self):
        for change, want in (
                (("metadata.labels[example.com/site]", "spec.deployment"),
                 "spec.targets[1].packageName.baseName.fromField"),
                (("labels: {from: old}", "pipeline: {}"), "spec.pipeline")):
            error = self.fails("apply", "-f", "-", stdin=OLD.replace(*change))
            self.assertIn(want, error)
        self.assertEqual(self.objects("pvs"), {})


if __name__ == "__main__":
    unittest.main()
