"""`portico controllers` as a separate process, over a server that has the packages: the fleet ends in the same state as
with one process, whatever is killed on the way."""
import json
import re
import signal
import subprocess
import threading
import time
import unittest
import urllib.request

import yaml
from api_server import KUBECTL
from apart import COUNT, SET, Apart, files
from monitoring_test import OF_A_CLUSTER, labels_in
from support import ENVIRONMENT, SHARED


class Controllers(Apart):
    def test_a_fleet_is_as_one_process_makes_it(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        controllers = self.start_controllers("--metrics", "127.0.0.1:0")
        address = re.search(r"probes at (http://\S+)", controllers.stdout.readline())[1]
        self.check(trees)
        for path, text in (("/healthz", "ok"), ("/readyz", "ok"), ("/metrics", "portico_build_info")):
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address + path, timeout=10) as answer:
                metrics = answer.read().decode()
                self.assertIn(text, metrics)
        labels = labels_in(metrics)
        self.assertEqual({name: labels[name] for name in OF_A_CLUSTER}, OF_A_CLUSTER)
        samples = {line.rsplit(" ", 1)[0] for line in metrics.splitlines()}
        expected = {
            'portico_cluster_requests_total{code="200",resource="packagevariants",verb="watch"}',
            'portico_cluster_requests_total{code="201",resource="packagevariants",verb="create"}',
            'portico_cluster_request_duration_seconds_count{resource="leases",verb="create"}',
            'portico_cluster_request_duration_seconds_count{resource="packagevariants",verb="create"}'}
        self.assertEqual(expected - samples, set())
        watches = [one for one in samples if "request_duration_seconds_count" in one and 'verb="watch"' in one]
        self.assertEqual(watches, [], "how long a watch lasts is no latency")

        # An upgrade in place, with a user's changes.
        draft = "cluster-03.web.packagevariant-1"
        pulled = self.dir / "pulled"
        self.portico("rpkg", "pull", draft, str(pulled))
        text = (pulled / "deployment.yaml").read_text()
        (pulled / "deployment.yaml").write_text(text + "  paused: true\n")
        self.portico("rpkg", "push", draft, str(pulled))
        self.commit(self.dir / "blueprints.git", files(5), "More", tags=["web/v2"])
        self.portico("repo", "sync", "blueprints")
        newer = json.loads(json.dumps(SET))
        newer["spec"]["upstream"]["revision"] = 2
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump(newer))

        def upgraded():
            return all("replicas: 5" in self.show(self.dir / f"cluster-{i:02}.git",
                                                  "refs/heads/drafts/web/packagevariant-1:web/"
                                                  "deployment.yaml") for i in range(COUNT))
        self.until(upgraded)
        self.until(self.settled)
        self.assertIn("paused: true", self.show(self.dir / "cluster-03.git",
                                                "refs/heads/drafts/web/packagevariant-1:web/"
                                                "deployment.yaml"))
        self.ends(controllers)

    def ends(self, controllers):
        """They end within 5 s of SIGTERM, which is how Kubernetes stops a Pod."""
        began = time.monotonic()
        controllers.send_signal(signal.SIGTERM)
        self.assertEqual(controllers.wait(timeout=10), 0)
        self.assertLess(time.monotonic() - began, 5)

    def test_controllers_that_are_killed(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        for drafts in (1, 4, 8):
            controllers = self.start_controllers()

            def some():
                return len(self.trees()) >= drafts
            self.until(some)
            self.kill_controllers(controllers)
        self.start_controllers()
        self.check(trees)

    def test_a_server_that_is_killed(self):
        trees = self.undisturbed()
        self.serve_packages()
        port = self.url.rsplit(":", 1)[1]
        self.portico("apply", "-f", "-", stdin=self.fleet())
        self.start_controllers()

        def some():
            return len(self.trees()) >= 3
        self.until(some)
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.serve("--without-controllers", listen=f"127.0.0.1:{port}")
        self.check(trees)

    @unittest.skipUnless(KUBECTL, "kubectl is not installed")
    def test_a_draft_that_a_killed_server_forgot(self):
        """It is in git, half made, and the server no longer knows its variant: it is hidden, and gives way to a new
        draft."""
        trees = self.undisturbed()
        self.serve_packages()
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(self.repositories()))
        self.start_controllers()

        def works():
            return "works" in self.log()
        self.until(works)
        for name in ("cluster-03", "cluster-05"):
            done = subprocess.run([KUBECTL, "--kubeconfig", self.kubeconfig, "create", "-f", "-"], text=True,
                                  capture_output=True, env={**ENVIRONMENT, "HOME": str(self.dir)}, timeout=60,
                                  input=yaml.safe_dump({
                                      "apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
                                      "metadata": {"namespace": "default"},
                                      "spec": {"repository": name, "packageName": "web", "workspaceName": "packagevariant-1",
                                               "tasks": [{"type": "init", "init": {}}],
                                               "readinessGates": [{"conditionType": "portico.dev/Built"}]}}))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump(SET))
        self.check(trees)

    def test_two_instances(self):
        trees = self.undisturbed()
        self.serve_packages()
        first = self.start_controllers(name="first", lease_seconds=8)

        def leads():
            return "leads" in self.log("first")
        self.until(leads)
        self.start_controllers("--metrics", "127.0.0.1:0", name="second", lease_seconds=8)

        def waits():
            return "waiting for another instance" in self.log("second")
        self.until(waits)
        self.portico("apply", "-f", "-", stdin=self.fleet())

        def some():
            return len(self.trees()) >= 3
        self.until(some)
        self.assertNotIn("leads", self.log("second"))
        first.kill()
        first.wait()
        self.check(trees)
        self.assertIn("leads", self.log("second"))

    # ---- with Porch's behavior

    def test_a_fleet_beside_porch(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.put_porch_between()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        self.start_controllers()
        self.check(trees)
        made = [path for method, path, status in self.porch.writes
                if method == "POST" and path.endswith("/packagerevisions") and status == 201]
        self.assertEqual(len(made), COUNT)
        with self.porch.lock:
            self.porch.writes.clear()
        self.until(self.is_idle)
        self.assertEqual(self.porch.writes, [])

    DEFINITIONS = SHARED / "conformance/kube-api/crds"

    @unittest.skipUnless(DEFINITIONS.is_dir(), "../shared is not there")
    def test_definitions_that_do_not_have_our_fields(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.put_porch_between(definitions=[f.read_text() for f in self.DEFINITIONS.glob("config.porch*.yaml")])
        self.portico("apply", "-f", "-", stdin=self.fleet())
        controllers = self.start_controllers()

        def drafted():
            return self.trees() == trees and all(
                self.condition(v)["status"] == "True" for v in self.objects("packagevariants").values())
        self.until(drafted)
        self.until(self.is_idle)
        self.assertFalse([name for name, v in self.objects("packagevariants").items()
                          if "inputsHash" in json.dumps(v)], "the fields are not there")
        self.assertNotIn("steps", self.log(), "it is seen that there is nothing to do")
        with self.porch.lock:
            self.porch.writes.clear()
        self.kill_controllers(controllers)
        again = self.start_controllers()

        def works():
            return self.log().count("works") == 2
        self.until(works)
        self.until(self.is_idle)
        self.assertEqual([w for w in self.porch.writes if "packagerevision" in w[1]], [],
                         "what is built again is the same")
        self.assertIsNone(again.poll())

    def test_a_server_with_little_time(self):
        trees = self.undisturbed()
        self.serve_packages()
        asked = {"count": 0}

        def fault(method, path):
            if "/leases" in path or asked["count"] > 400:
                return None
            asked["count"] += 1
            if method == "WATCH":
                return ("cut" if asked["count"] % 3 else
                        (0, {}, json.dumps({"type": "ERROR", "object": {
                            "kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}})))
            if asked["count"] % 7 == 0:
                return 429, {"Retry-After": "0"}, "too much"
            if asked["count"] % 11 == 0:
                return 500, {}, "the server had a bad day"
            return {5: "cut", 8: "lose"}.get(asked["count"] % 17)
        self.put_porch_between(fault=fault)
        self.portico("apply", "-f", "-", stdin=self.fleet())
        self.start_controllers()
        self.check(trees)

    def test_killed_between_the_two_calls(self):
        trees = self.undisturbed()
        self.serve_packages()
        running = {}

        def fault(method, path):
            """The first content sent never arrives."""
            if "process" not in running:
                return None
            if method == "PUT" and "/packagerevisionresources/" in path and "killed" not in running:
                running["process"].kill()
                running["killed"] = path.rsplit("/", 1)[1]
                return "cut"
            return "cut" if running["process"].poll() is not None else None
        self.put_porch_between(fault=fault)
        running["process"] = self.start_controllers()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        running["process"].wait(timeout=60)
        half = self.objects("rpkg")[running["killed"]]
        self.assertEqual(half["spec"]["readinessGates"], [{"conditionType": "portico.dev/Built"}])
        self.kill_controllers(running["process"])
        running["process"] = self.start_controllers()
        self.check(trees)
        self.assertIn("removed incomplete drafts", self.log())

    def test_a_server_that_hangs(self):
        self.serve_packages()
        hangs = threading.Event()
        over = threading.Event()
        self.addCleanup(over.set)

        def fault(method, path):
            if hangs.is_set():
                over.wait()
        self.put_porch_between(fault=fault)
        self.portico("apply", "-f", "-", stdin=self.fleet())
        controllers = self.start_controllers()

        def some():
            return self.trees()
        self.until(some)
        hangs.set()
        self.ends(controllers)

    def test_content_that_does_not_arrive(self):
        trees = self.undisturbed()
        self.serve_packages()
        lost = set()

        def fault(method, path):
            """Each content is lost at the first try; the next try completes the half-made draft."""
            if method == "PUT" and "/packagerevisionresources/" in path and path not in lost:
                lost.add(path)
                return "cut"
            return None
        self.put_porch_between(fault=fault)
        self.portico("apply", "-f", "-", stdin=self.fleet())
        self.start_controllers()
        self.check(trees)
        self.assertEqual(len(lost), COUNT)
        self.assertFalse([w for w in self.porch.writes if w[0] == "DELETE" and "packagerevision" in w[1]])


if __name__ == "__main__":
    unittest.main()
