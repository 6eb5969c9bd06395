"""Variants of `portico controllers` and their package revisions beside Porch: the owners that they write, and what they
make of responses that are late and of events that are lost. Porch's resourceVersions are git commits, which nothing
orders, and a revision that is created again has its former uid."""
import threading
import time
import unittest

import yaml
from apart import Apart


class PackageRevisionsBesidePorch(Apart):
    def setUp(self):
        super().setUp()
        self.serve_packages()
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(self.repositories()))
        self.held = None  # a response to be held back: (method, path, Event)
        self.put_porch_between(fault=lambda *request: self.held[2] if self.held and self.held[:2] == request else None)
        self.start_controllers()

    def variant(self, **spec):
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "downstream": {"repo": "cluster-01", "package": "web"}, **spec}}))

    def of_cluster(self):
        return {name: each for name, each in self.objects("rpkg").items() if name.startswith("cluster-01.web.")}

    def owners(self):
        return [each["name"] for revision in self.of_cluster().values()
                for each in revision["metadata"].get("ownerReferences", [])]

    def test_adoption(self):
        self.portico("rpkg", "clone", "blueprints.web.v1", "web", "--repository", "cluster-01", "--workspace", "v1")
        self.variant(adoptionPolicy="adoptExisting")
        self.until(lambda: self.owners() == ["web"], 30)

    def test_a_deleted_variant_that_releases_its_draft(self):
        self.variant(deletionPolicy="orphan")
        self.until(lambda: self.owners() == ["web"], 30)
        self.portico("delete", "packagevariant", "web")
        self.until(lambda: not self.objects("packagevariants"), 30)
        self.assertEqual((len(self.of_cluster()), self.owners()), (1, []))

    def test_a_deleted_variant_with_a_published_revision(self):
        self.variant()
        self.until(lambda: self.owners() == ["web"] and "portico.dev/Built" not in str(self.of_cluster()), 30)
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, "cluster-01.web.packagevariant-1")
        self.portico("delete", "packagevariant", "web")
        self.until(lambda: not self.objects("packagevariants"), 30)
        self.assertIn("DeletionProposed", [each["spec"]["lifecycle"] for each in self.of_cluster().values()])

    def test_a_rollback(self):
        self.variant()
        self.until(lambda: self.owners() == ["web"], 30)
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, "cluster-01.web.packagevariant-1")
        said = self.fails("--kubeconfig", str(self.kubeconfig_of_controllers), "rpkg", "rollback", "web", "--to", "v1")
        self.assertIn("cannot roll back to cluster-01.web.packagevariant-1", said)
        self.assertIn("spec.upstream.revision", said)

    def test_a_response_that_arrives_after_later_changes(self):
        name = "cluster-01.web.packagevariant-1"
        path = f"/apis/porch.kpt.dev/v1alpha1/namespaces/default/packagerevisions/{name}"
        late = threading.Event()
        self.addCleanup(late.set)
        self.held = ("GET", path, late)  # the controllers read the draft that they have filled
        self.variant()
        self.until(lambda: self.owners() == ["web"] and "portico.dev/Built" not in str(self.of_cluster()), 30)
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, name)
        time.sleep(1)  # for the watch
        self.assertNotIn("drafted", self.log(), "the response was not held back")
        self.held = None
        late.set()
        self.until(lambda: "drafted" in self.log(), 30)
        self.portico("delete", "packagevariant", "web")
        self.until(lambda: not self.objects("packagevariants"), 30)
        self.assertEqual(self.of_cluster()[name]["spec"]["lifecycle"], "DeletionProposed", self.log())

    def test_a_deletion_between_two_watches(self):
        self.variant()
        self.until(lambda: self.owners() == ["web"] and "portico.dev/Built" not in str(self.of_cluster()), 30)
        self.porch.loses_events = True
        self.portico("rpkg", "delete", "cluster-01.web.packagevariant-1")
        self.until(lambda: self.porch.events_lost, 30)
        self.assertFalse(self.of_cluster())
        self.porch.loses_events = False
        self.until(lambda: self.owners() == ["web"], 30)

    def test_a_draft_that_is_made_again(self):
        for _ in range(3):
            self.variant()
            self.until(lambda: self.objects("packagevariants")["web"].get("status", {}).get("downstreamTargets"), 30)
            self.assertEqual(self.owners(), ["web"])
            self.portico("delete", "packagevariant", "web")
            self.until(lambda: not self.objects("packagevariants") and not self.of_cluster(), 30)


if __name__ == "__main__":
    unittest.main()
