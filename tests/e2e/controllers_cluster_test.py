"""`portico controllers` on a real kube-apiserver, with the rights that are shipped and no others: variants and sets are
in the cluster, package revisions come from a server of ours as an aggregated API, as they would from Porch. Where
$PORTICO_KUBERNETES names what starts one (tests/kubernetes/start, whose first start builds for minutes)."""
import os
import signal
import unittest

from apart import COUNT
from beside_porch import BesidePorch
from support import SHARED

PORCH_DEFINITIONS = SHARED / "conformance/kube-api/crds"


class OnACluster(BesidePorch):
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

    def test_controllers_that_are_killed(self):
        trees = self.begin()
        for drafts in (1, 5):
            controllers = self.start()
            self.until_drafts(drafts)
            controllers.kill()
            controllers.wait()
        self.start()
        self.end(trees)

    def test_a_paused_replica(self):
        """It wakes up when another one has its Lease, and ends without a write."""
        trees = self.begin()
        self.dir.joinpath("controllers.log").touch()
        first = self.start("first")
        self.until_drafts(2, "first")
        self.start("second")
        first.send_signal(signal.SIGSTOP)

        def leads():
            return "leads" in self.log("second")
        self.until(leads)
        first.send_signal(signal.SIGCONT)
        self.assertEqual(first.wait(timeout=30), 1, self.log("first"))
        self.end(trees, ("first", "second"))

    def test_an_api_server_that_is_killed(self):
        """Who cannot renew the Lease ends, and a kubelet starts it again."""
        trees = self.begin()
        controllers = self.start()
        self.until_drafts(3)
        for program in ("kube-apiserver", "etcd"):
            os.kill(int((self.cluster / f"{program}.pid").read_text().split()[0]), signal.SIGKILL)
        self.assertEqual(controllers.wait(timeout=30), 1, self.log())
        self.start_cluster()
        self.start()
        self.end(trees)


if __name__ == "__main__":
    unittest.main()
