"""`portico serve --kubernetes` under failures: kube-apiserver and etcd are killed or full; the connection is cut;
resourceVersions expire; servers are killed or paused, one of them between its push to git and the write that records
it. Each test must end like an undisturbed run: the same trees, nothing duplicated, nothing approved, no further writes.
Runs if $PORTICO_KUBERNETES names the command that starts a cluster (tests/kubernetes/start; its first run builds for
minutes)."""
import collections
import json
import os
import re
import signal
import subprocess
import threading
import time
import unittest

import yaml
from apart import COUNT
from failing_cluster import FailingCluster, Refusals

PACKAGE_REVS = re.compile(r"/apis/config\.porch\.kpt\.dev/[^/]+/namespaces/default/packagerevs(\?|$)")
# Similar to another test, or covered by tests of its module: for the nightly run.
LONG = unittest.skipUnless(os.environ.get("PORTICO_SLOW"), "./dev test --slow --kubernetes runs it")
VARIANT_STATUS = re.compile(r"/packagevariants/[^/]+/status(\?|$)")
FLEET_STATUS = re.compile(r"/packagevariant(s|sets)/[^/]+/status(\?|$)")


def is_record(method, target, body):
    """Whether the request creates the PackageRev of a draft."""
    return (method == "POST" and PACKAGE_REVS.search(target)
            and json.loads(body)["metadata"]["name"].startswith("cluster-"))


def is_status(method, target, body):
    """Whether the request writes the status of a variant that has its draft."""
    return method == "PUT" and VARIANT_STATUS.search(target) and json.loads(body)["status"].get("downstreamTargets")


class TheCluster(FailingCluster):
    """Failures of the cluster's programs."""

    alone = ("test_authorities_that_are_replaced",)

    def test_a_kube_apiserver_that_is_killed(self):
        trees = self.begin()
        self.fan_out(self.serve_cluster("first"))
        self.kubernetes.kill_and_start("kube-apiserver")
        self.end(trees, ())  # a starting kube-apiserver forbids everything for a moment

    @LONG
    def test_an_etcd_that_is_killed(self):
        trees = self.begin()
        self.fan_out(self.serve_cluster("first"))
        self.kubernetes.kill_and_start("etcd")
        self.end(trees)

    def test_versions_that_are_no_longer_kept(self):
        """A server hears nothing while a variant is deleted, a repository gets another label and etcd is compacted:
        it lists everything it watched again."""
        trees = self.begin()
        way = self.byte_way()
        first = self.serve_cluster("first", kubeconfig=way.kubeconfig)
        self.fan_out(first)
        self.until(self.settled)
        self.until(self.is_idle)
        way.silent()
        self.kubectl("label", "repository", "cluster-03", "env-")
        self.kubectl("annotate", "packagevariantset", "web", "by=ada")
        self.kubernetes.compact()
        self.kubernetes.kill_and_start("etcd", "kube-apiserver")
        self.kubernetes.compact()
        way.reset(10)
        way.open()
        self.until_all_but("cluster-03", trees)
        self.kubectl("label", "repository", "cluster-03", "env=prod")
        self.end(trees, ())
        self.assertRegex(self.log("first"), r"too old resource version|[Ee]xpired|Gone")

    @LONG
    def test_authorities_that_are_replaced(self):
        """Servers accept the replaced authorities of kube-apiserver without a restart."""
        self.begin()
        self.route(self.serve_cluster("first"))
        pki = self.cluster / "pki"

        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], cwd=pki, check=True, capture_output=True)
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        openssl("req", "-x509", *curve, "-keyout", "next-ca.key", "-out", "next-ca.crt", "-subj", "/CN=next-ca", "-days", "9")
        openssl("req", *curve, "-keyout", "next.key", "-out", "next.csr", "-subj", "/CN=front-proxy")
        self.write("client.ext", "extendedKeyUsage=clientAuth")
        openssl("x509", "-req", "-in", "next.csr", "-CA", "next-ca.crt", "-CAkey", "next-ca.key", "-CAcreateserial",
                "-days", "9", "-extfile", str(self.dir / "client.ext"), "-out", "next.crt")
        (pki / "both.crt").write_text((pki / "proxy-ca.crt").read_text() + (pki / "next-ca.crt").read_text())
        self.kubernetes.kill_and_start("kube-apiserver", flags=(
            f"--requestheader-client-ca-file={pki}/both.crt", f"--proxy-client-cert-file={pki}/next.crt",
            f"--proxy-client-key-file={pki}/next.key"))
        self.until(self.is_served)
        self.assertIn("client CAs have changed", self.log("first"))

    def is_served(self):
        """The servers answer through kube-apiserver."""
        return self.kubernetes.answers("/apis/porch.kpt.dev/v1alpha1/packagerevisions")


class OlderDefinitions(FailingCluster):
    """CustomResourceDefinitions without some fields that a server writes: the API server drops those."""

    alone = ("test_of_variants_and_sets",)

    def definition(self, plural):
        return next(each for each in self.printed if each["kind"] == "CustomResourceDefinition"
                    and each["spec"]["names"]["plural"] == plural)

    def with_fewer_fields(self, plural, kept):
        """Reduces the status in the cluster's definition to these fields."""
        definition = json.loads(json.dumps(self.definition(plural)))
        for version in definition["spec"]["versions"]:
            status = version["schema"]["openAPIV3Schema"]["properties"]["status"]
            anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
            known = status.get("properties", {name: {"type": "array", "items": anything} for name in kept})
            status.pop("x-kubernetes-preserve-unknown-fields", None)
            status["properties"] = {name: known[name] for name in kept}
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", stdin=yaml.safe_dump(definition))

    @LONG
    def test_of_variants_and_sets(self):
        """The fleet needs only the fields that have always existed."""
        trees = self.begin()
        self.with_fewer_fields("packagevariants", ("conditions", "downstreamTargets"))
        self.with_fewer_fields("packagevariantsets", ("conditions",))
        self.fan_out(self.serve_cluster("first"))
        self.end(trees)

    def test_of_package_revs(self):
        """Without fields for its content no revision can be stored: this is reported, not retried in a loop, and over
        once the definition is applied."""
        trees = self.begin()
        definition = json.loads(json.dumps(self.definition("packagerevs")))
        for version in definition["spec"]["versions"]:
            version["schema"]["openAPIV3Schema"]["properties"]["status"] = {
                "type": "object", "properties": {"publishTimestamp": {"type": "string"}}}
            version["subresources"] = {"status": {}}
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", stdin=yaml.safe_dump(definition))
        self.route(self.serve_cluster("first"))
        self.apply_fleet()

        def said():
            status = self.in_cluster("repositories")["blueprints"].get("status", {})
            return "portico install" in json.dumps(status.get("conditions", []))
        self.until(said)
        before, begun = self.writes(), time.monotonic()
        self.hold(10)
        # Each repository is looked at every three seconds here.
        looks = (time.monotonic() - begun) // 3 + 2
        for write, count in collections.Counter(self.written()[before:]).items():
            self.assertLessEqual(count, looks, write)
        self.assertEqual(self.trees(), {})
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-",
                     stdin=yaml.safe_dump(self.definition("packagerevs")))
        # While kube-apiserver switches over, writing the status may still need a separate right.
        self.end(trees, refused_for_a_moment="packagerevs/status")


class AFullEtcd(FailingCluster):
    def test_until_room_is_made(self):
        trees = self.begin()
        self.leave_little_room()
        self.fan_out(self.serve_cluster("first"))
        self.fill()
        self.until_said("space exceeded", "first")
        self.make_room()
        self.end(trees)
        self.take_all_again()


class TheWay(FailingCluster):
    """Failures of the connection between a server and the cluster."""

    def test_a_server_that_is_cut_off(self):
        """A server that is cut off loses its Lease, the other takes its share, and it comes back."""
        trees = self.begin()
        way = self.byte_way()
        first = self.serve_cluster("first", kubeconfig=way.kubeconfig)
        second = self.serve_cluster("second")
        for name in ("first", "second"):
            self.until(lambda name=name: len(self.members(name)) == 2)
        self.fan_out(second)
        way.silent()
        self.until(lambda: len(self.members("second")) == 1)
        self.until(self.settled)
        way.open_anew()
        for name in ("first", "second"):
            self.until(lambda name=name: len(self.members(name)) == 2)
        # Calls on the old connections run into their time limits and are retried, which is logged.
        self.until(lambda: not way.hangs())
        self.until(self.is_silent)
        self.end(trees, ("first", "second"))
        # It learns of changes made while it was cut off and of new ones: alone it does all the work.
        self.route(first)
        self.stop(second)
        self.until(lambda: len(self.members("first")) == 1)
        self.kubectl("label", "repository", "cluster-03", "env-")
        self.until_all_but("cluster-03", trees)

    @LONG
    def test_a_slow_way(self):
        trees = self.begin()
        way = self.byte_way()
        way.slow(0.1)
        self.fan_out(self.serve_cluster("first", kubeconfig=way.kubeconfig))
        self.until(self.settled)
        way.open()
        self.end(trees)

    @LONG
    def test_connections_that_are_reset(self):
        trees = self.begin()
        way = self.byte_way()
        self.fan_out(self.serve_cluster("first", kubeconfig=way.kubeconfig))
        way.reset(40)
        self.until(lambda: way.resets >= 3)
        way.open()
        self.end(trees)

    def test_answers_that_refuse(self):
        """429 with Retry-After, 500, a closed connection, and a 500 for a request that was carried out."""
        trees = self.begin()
        refusals = Refusals()
        way = self.http_way(refusals)
        first = self.serve_cluster("first", kubeconfig=way.kubeconfig)
        self.route(first)
        refusals.begin()
        self.apply_fleet()
        self.until(lambda: way.refused >= 100)
        refusals.end()
        self.end(trees)

    def test_rights_that_are_not_known_yet(self):
        """A kube-apiserver that starts again refuses everyone for a moment; no event signals the end of that."""
        trees = self.begin()
        tries, lock = collections.Counter(), threading.Lock()
        forbidden = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
                                "reason": "Forbidden", "message": "packagevariants is forbidden: not yet"})

        def is_last(target, body):
            """Of the set, the write that no event of a variant follows."""
            return VARIANT_STATUS.search(target) or json.loads(body)["status"]["targets"]["ready"] == COUNT

        def fault(method, target, body):
            if method != "PUT" or not FLEET_STATUS.search(target) or not is_last(target, body):
                return None
            with lock:
                tries[target] += 1
                if tries[target] == 1:
                    return "cut"
                if tries[target] <= 4:
                    return 403, [("Content-Type", "application/json")], forbidden.encode()
                return None
        way = self.http_way(fault)
        # The members must not change, because that would cause a pass over all objects.
        self.fan_out(self.serve_cluster("first", kubeconfig=way.kubeconfig, lease_seconds=60))
        self.until(lambda: len(tries) > COUNT)
        self.check(trees)
        self.assertTrue(all(each > 4 for each in tries.values()), tries)


class AServer(FailingCluster):
    """A server dies between a change in git and the write that records it."""

    def dies(self, moment):
        """`moment(die, method, target, body)` is called like the fault of an HttpWay; die() kills the server."""
        died, lock = threading.Event(), threading.Lock()

        def die(*_):
            with lock:
                self.kill(self.process)
                died.set()
            return "cut"
        way = self.http_way(lambda *request: None if died.is_set() else moment(die, *request))
        # self.process is set long before a request's thread kills it.
        self.process = self.serve_cluster("first", kubeconfig=way.kubeconfig)
        return died

    def fan_out_and_die(self, moment):
        trees = self.begin()
        died = self.dies(moment)
        self.route(self.process)
        self.apply_fleet()
        self.assertTrue(died.wait(90), "the moment has come")
        return trees

    def begin_again(self):
        again = self.serve_cluster("first")
        self.route(again)

    def drafts(self):
        revs = json.loads(self.kubectl("get", "packagerevs", "-n", "default", "-o", "json"))["items"]
        return {each["metadata"]["name"] for each in revs if not each["metadata"]["name"].startswith("blueprints.")}

    def test_after_the_push_and_before_its_record(self):
        trees = self.fan_out_and_die(lambda die, *request: die() if is_record(*request) else None)
        self.assertGreater(len(self.trees()), len(self.drafts()), "a draft of which no PackageRev tells")
        self.begin_again()
        self.end(trees)

    @LONG
    def test_after_the_record_and_before_its_answer(self):
        trees = self.fan_out_and_die(lambda die, *request: die if is_record(*request) else None)
        self.begin_again()
        self.end(trees)

    @LONG
    def test_after_the_record_and_before_the_status(self):
        trees = self.fan_out_and_die(lambda die, *request: die() if is_status(*request) else None)
        self.assertTrue(self.drafts())
        self.begin_again()
        self.end(trees)


class SeveralServers(FailingCluster):
    """Servers that share the work."""

    def two_share_a_fan_out(self):
        first, second = self.two_servers()
        self.fan_out(second)
        return first

    def test_another_takes_over(self):
        """One is killed in the middle of a fan-out, and the other takes its share."""
        trees = self.begin()
        self.kill(self.two_share_a_fan_out())
        self.until(lambda: len(self.members("second")) == 1)
        self.end(trees, ("first", "second"))

    def test_a_paused_server(self):
        """It wakes up after another server took its share, and gets it back."""
        trees = self.begin()
        first = self.two_share_a_fan_out()
        first.send_signal(signal.SIGSTOP)
        self.until(lambda: len(self.members("second")) == 1)
        first.send_signal(signal.SIGCONT)
        for name in ("first", "second"):
            self.until(lambda name=name: len(self.members(name)) == 2)
        self.end(trees, ("first", "second"))
        self.route(first)  # it answers requests

    def test_two_that_do_not_know_of_each_other(self):
        """Each does all the work: it finds what the other writes, and nothing is duplicated."""
        trees = self.begin()
        first = self.serve_cluster("first", "--members", "one")
        self.serve_cluster("second", "--members", "another")
        self.fan_out(first)
        self.end(trees, ("first", "second"))


if __name__ == "__main__":
    unittest.main()
