"""`portico controllers` on a real kube-apiserver, with exactly the shipped rights: variants and sets are in the
cluster, package revisions come from a Portico server as an aggregated API, as they would from Porch. Runs if
$PORTICO_KUBERNETES names the command that starts one (tests/kubernetes/start; its first run builds for minutes)."""
import unittest

from apart import COUNT
from beside_porch import BesidePorch
from support import SHARED

PORCH_DEFINITIONS = SHARED / "conformance/kube-api/crds"


class OnACluster(BesidePorch):
    kind = "plain"
    alone = ("test_a_fleet_with_the_definitions_of_porch",)

    def test_a_fleet_with_our_definitions(self):
        trees = self.begin()
        self.start()
        self.end(trees)
        targets = self.in_cluster("packagevariantsets")["web"]["status"]["targets"]
        self.assertEqual(targets["ready"], COUNT)
        # When the owner is deleted, the cluster's garbage collector deletes the drafts with their variants.
        self.kubectl("delete", "packagevariantset", "web", "--timeout=60s")

        def gone():
            return not self.in_cluster("packagevariants") and not self.trees()
        self.until(gone)

    @unittest.skipUnless(PORCH_DEFINITIONS.is_dir(), "../shared is not there")
    def test_a_fleet_with_the_definitions_of_porch(self):
        trees = self.begin(PORCH_DEFINITIONS)
        self.start()
        self.end(trees)


if __name__ == "__main__":
    unittest.main()
