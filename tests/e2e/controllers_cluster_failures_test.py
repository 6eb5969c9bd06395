"""`portico controllers` under failures: they are killed or paused, or two work at once by mistake; kube-apiserver and
etcd are killed or full; the connection is cut; resourceVersions expire. Each test must end like an undisturbed run: the
same trees, nothing duplicated, nothing approved, no further writes. Failures in Porch's answers are in
controllers_test.py. Runs if $PORTICO_KUBERNETES names the command that starts a cluster (tests/kubernetes/start; its
first run builds for minutes)."""
import os
import signal
import unittest

import yaml
from failing_cluster import FailingBesidePorch, Refusals

LONG = unittest.skipUnless(os.environ.get("PORTICO_SLOW"), "./dev test --slow --kubernetes runs it")


class TheWay(FailingBesidePorch):
    """Failures of the connection between the controllers and the cluster."""

    def test_controllers_that_are_cut_off(self):
        """They end in time, and the standby does all the work."""
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
        self.assertIn("failed to renew the Lease", self.log("first"))

    def test_versions_that_are_no_longer_kept(self):
        """Changes made while the watches hear nothing, and then compacted, are found by listing again."""
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
        self.end(trees, ())  # a starting kube-apiserver forbids everything for a moment
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
        """429 with Retry-After, 500, a closed connection, and a 500 for a request that was carried out."""
        trees = self.begin()
        refusals = Refusals()
        way = self.http_way(refusals)
        self.start(kubeconfig=way.kubeconfig, lease_seconds=60)
        # Every second request is refused: with no other requests, each write of the Lease, but no read.
        self.until(lambda: "leads" in self.log())
        refusals.begin()
        self.until(lambda: way.refused >= 60)
        refusals.end()
        self.end(trees)


class TheCluster(FailingBesidePorch):
    """Failures of the cluster's programs."""

    def test_that_is_killed(self):
        """Controllers that cannot renew the Lease end, and a kubelet starts them again."""
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
        """No Lease can be renewed, so the controllers end; restarted ones wait for room."""
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
        """They wake up after others took their Lease, and end without a write."""
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
        """Their Leases are in two namespaces: each finds what the other writes, and nothing is duplicated."""
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
