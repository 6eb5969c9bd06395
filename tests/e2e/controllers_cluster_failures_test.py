"""`portico controllers` while the world fails: they are killed and paused, two work at once that should not, kube-apiserver
and etcd are killed or full, the way to them is cut, and versions expire. Each test ends as an undisturbed run does: the same
trees, nothing doubled, nothing approved, and silence. What goes wrong with Porch's answers is in controllers_test.py. Where
$PORTICO_KUBERNETES names what starts a cluster (tests/kubernetes/start, whose first start builds for minutes)."""
import os
import signal
import unittest

import yaml
from failing_cluster import FailingBesidePorch, Refusals

LONG = unittest.skipUnless(os.environ.get("PORTICO_SLOW"), "./dev test --slow --kubernetes runs it")


class TheWay(FailingBesidePorch):
    """Between the controllers and the cluster."""

    def test_controllers_that_are_cut_off(self):
        """They end in time, and those that stood by do all of the work."""
        trees = self.begin()
        way = self.byte_way()
        first = self.start("first", kubeconfig=way.kubeconfig, lease_seconds=8)
        self.until_drafts(2, "first")
        self.start("second", lease_seconds=8)
        self.until(lambda: "waiting for another instance" in self.log("second"))
        way.silent()
        self.assertEqual(first.wait(timeout=60), 1, self.log("first"))
        self.assertNotIn("leads", self.log("second"), "who is cut off ends before another begins")
        self.until(lambda: "leads" in self.log("second"))
        self.end(trees, ("first", "second"))
        self.assertIn("could not be renewed", self.log("first"))

    def test_versions_that_are_no_longer_kept(self):
        """What changes while nothing is heard, and is compacted, is listed again."""
        trees = self.begin()
        way = self.byte_way()
        self.start(kubeconfig=way.kubeconfig, lease_seconds=600)
        self.until(self.settled)
        self.until(self.is_idle)
        way.silent()
        self.kubectl("label", "repository", "cluster-03", "env-")
        self.kubernetes.compact()
        self.kubernetes.kill_and_start("etcd", "kube-apiserver")
        self.kubernetes.compact()
        way.reset(10)
        way.open()
        self.until_all_but("cluster-03", trees)
        self.kubectl("label", "repository", "cluster-03", "env=prod")
        self.end(trees, ())  # a kube-apiserver that has just begun forbids everything, for a moment
        self.assertRegex(self.log(), r"too old resource version|[Ee]xpired|Gone")

    @LONG
    def test_connections_that_are_reset(self):
        trees = self.begin()
        way = self.byte_way()
        self.start(kubeconfig=way.kubeconfig, lease_seconds=60)
        self.until_drafts(1)
        way.reset(40)
        self.until(lambda: way.resets >= 3)
        way.open()
        self.end(trees)

    @LONG
    def test_a_slow_way(self):
        trees = self.begin()
        way = self.byte_way()
        way.slow(0.1)
        self.start(kubeconfig=way.kubeconfig, lease_seconds=60)
        self.until(self.settled)
        way.open()
        self.end(trees)

    @LONG
    def test_answers_that_refuse(self):
        """429 with Retry-After, 500, a connection that ends, and a 500 for what was done."""
        trees = self.begin()
        refusals = Refusals()
        way = self.http_way(refusals)
        self.start(kubeconfig=way.kubeconfig, lease_seconds=60)
        refusals.begin()
        self.until(lambda: way.refused >= 60)
        refusals.end()
        self.end(trees)


class TheCluster(FailingBesidePorch):
    """Its programs fail."""

    def test_that_is_killed(self):
        """Who cannot renew the Lease ends, and a kubelet starts it again."""
        trees = self.begin()
        controllers = self.start(lease_seconds=8)
        self.until_drafts(3)
        lines = self.kubernetes.kill("kube-apiserver", "etcd")
        self.assertEqual(controllers.wait(timeout=60), 1, self.log())
        self.kubernetes.start_again(lines)
        self.start()
        self.end(trees)


class AFullEtcd(FailingBesidePorch):
    def test_until_room_is_made(self):
        """No Lease can be renewed, so the controllers end; those that are started again wait for room."""
        trees = self.begin()
        self.leave_little_room()
        controllers = self.start(lease_seconds=8)
        self.until_drafts(2)
        self.fill()
        self.assertEqual(controllers.wait(timeout=60), 1, self.log())
        self.assertIn("space exceeded", self.log())
        again = self.start("again", lease_seconds=8)
        self.until_said("space exceeded", "again")
        self.assertIsNone(again.poll(), self.log("again"))
        self.make_room()
        self.end(trees, ("controllers", "again"))
        self.take_all_again()


class TheControllers(FailingBesidePorch):
    def test_that_are_killed(self):
        trees = self.begin()
        for drafts in (1, 5):
            controllers = self.start()
            self.until_drafts(drafts)
            self.kill_controllers(controllers)
        self.start()
        self.end(trees)

    def test_that_are_paused(self):
        """They wake up when others have their Lease, and end without a write."""
        trees = self.begin()
        first = self.start("first", lease_seconds=8)
        self.until_drafts(2, "first")
        self.start("second", lease_seconds=8)
        first.send_signal(signal.SIGSTOP)
        self.until(lambda: "leads" in self.log("second"))
        first.send_signal(signal.SIGCONT)
        self.assertEqual(first.wait(timeout=30), 1, self.log("first"))
        self.end(trees, ("first", "second"))

    def test_two_that_do_not_know_of_each_other(self):
        """Their Leases are in two namespaces: what one writes the other finds, and nothing is there twice."""
        trees = self.begin()
        for each in self.printed:
            if each["kind"] in ("Role", "RoleBinding") and each["metadata"]["namespace"] == "portico-system":
                self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(
                    {**each, "metadata": {**each["metadata"], "namespace": "default"}}))
        self.start("first")
        self.start("second", lease_namespace="default")
        for name in ("first", "second"):
            self.until(lambda name=name: "leads" in self.log(name))
        self.end(trees, ("first", "second"))


if __name__ == "__main__":
    unittest.main()
