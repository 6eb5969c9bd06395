"""`portico controllers` on a real kube-apiserver, with the rights that are shipped and no others: variants and sets are
in the cluster, package revisions come from a server of ours as an aggregated API, as they would from Porch. Where
$PORTICO_KUBERNETES names what starts one (tests/kubernetes/start, whose first start builds for minutes)."""
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
        # The owner goes, and the cluster's collector does what a person expects: drafts go with their variants.
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
