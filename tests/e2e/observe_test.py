"""Observability of serve: log lines in both formats, metrics, a dump."""
import http.client
import json
import re
import signal
import shutil
import socket
import subprocess
import threading
import time
import unittest
import urllib.request

import yaml
from support import ENVIRONMENT, Fleet, binary

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
LINE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error) (.*)$")


def config(size):
    return {"web/Kptfile": KPTFILE,
            "web/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n"
                               f"data:\n  size: {size}\n"}


class Owner(http.client.HTTPConnection):
    """A client on the socket of a served folder."""

    def __init__(self, path):
        super().__init__("server", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(str(self.path))

    def send_json(self, method, target, body=None, **headers):
        """(object, Audit-Id) of the response, which must be a success."""
        self.request(method, target, None if body is None else json.dumps(body),
                     {"Content-Type": "application/json", **headers})
        response = self.getresponse()
        text = response.read().decode()
        if response.status >= 300:
            raise AssertionError(f"{method} {target}: {response.status} {text}")
        return json.loads(text), response.headers["Audit-Id"]


class Served:
    """A running `portico serve`, and its output so far."""

    def __init__(self, test, *arguments):
        self.test = test
        self.process = subprocess.Popen([binary(), "serve", *arguments], cwd=test.dir,
                                        env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        test.addCleanup(self.process.kill)
        self.lines, self.out = [], []
        for stream, lines in ((self.process.stderr, self.lines), (self.process.stdout, self.out)):
            threading.Thread(target=lambda s=stream, l=lines: l.extend(iter(s.readline, "")),
                             daemon=True).start()

    def find(self, pattern, lines=None):
        return [one for one in (self.lines if lines is None else lines) if re.search(pattern, one)]

    def wait_for(self, pattern, lines=None):
        until = time.monotonic() + 60
        while not self.find(pattern, lines):
            self.test.assertIsNone(self.process.poll(), "".join(self.lines))
            self.test.assertLess(time.monotonic(), until,
                                 f"no {pattern} in\n{''.join(self.lines)}")
            time.sleep(0.02)
        return self.find(pattern, lines)[0]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.test.assertEqual(self.process.wait(60), 0, "".join(self.lines))
        self.wait_end()

    def wait_end(self):
        until = time.monotonic() + 60
        while not self.find("^stopped", self.out) and time.monotonic() < until:
            time.sleep(0.02)


class Observe(Fleet):
    def setUp(self):
        super().setUp()
        self.upstream = self.bare("blueprints", config(1), tags=["web/v1"])
        self.edge = self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")

    def variant(self, revision=1):
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "downstream": {"repo": "edge", "package": "web"},
                     "approval": {"propose": {"policy": "always"}, "approve": {"policy": "always"}}}}))

    def test_a_line_for_each_thing_with_one_id_for_each_run(self):
        self.variant()
        served = Served(self, "-v")
        drafted = served.wait_for(" drafted ")
        served.wait_for(" proposed ")
        served.wait_for(" approved ")
        served.stop()
        for line in served.lines:
            self.assertRegex(line.rstrip("\n"), LINE)
        self.assertIn("PackageVariant", drafted)
        run = re.search(r" run=([0-9a-f]{8}) ", drafted).group(1)
        saved = served.find(f" saved .*run={run} ")
        self.assertEqual(len(saved), 1, "the commit has the id of the run")
        commit = re.search(r"commit=([0-9a-f]{40})", saved[0]).group(1)
        self.git(self.edge, "cat-file", "-e", commit)

    def test_a_request_and_its_commit_have_one_id(self):
        audit = self.dir / "audit.jsonl"
        served = Served(self, "-v", "--listen", "127.0.0.1:0", "--audit-log", str(audit))
        served.wait_for("^serving ", served.out)
        client = Owner(self.dir / ".portico/api.sock")
        self.addCleanup(client.close)
        paths = "/apis/porch.kpt.dev/v1alpha1/namespaces/default"

        def check(message, *expected):
            """The lines with this message, all of users, have these ids."""
            pattern, until = rf"Z (info|debug) {message} [^ ]*=.* audit_id=(\S+)", time.monotonic() + 60
            while len(lines := served.find(pattern)) < len(expected) and time.monotonic() < until:
                time.sleep(0.02)  # the response may arrive before the line
            self.assertEqual([re.search(pattern, line).group(2) for line in lines], list(expected))

        spec = {"repository": "edge", "packageName": "web", "workspaceName": "first",
                "tasks": [{"type": "clone", "clone": {"upstreamRef": {"upstreamRef": {"name": "blueprints.web.v1"}}}}]}
        draft, created = client.send_json("POST", f"{paths}/packagerevisions", {
            "apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
            "metadata": {"namespace": "default"}, "spec": spec})
        name = draft["metadata"]["name"]
        check("drafted", created)
        check("saved", created)

        files, read = client.send_json("GET", f"{paths}/packagerevisionresources/{name}")
        self.assertNotIn(read, (None, created))
        files["spec"]["resources"]["config.yaml"] = config(3)["web/config.yaml"]
        _, pushed = client.send_json("PUT", f"{paths}/packagerevisionresources/{name}", files)
        check("changed", pushed)
        check("saved", created, pushed)

        def move(lifecycle, **headers):
            revision, _ = client.send_json("GET", f"{paths}/packagerevisions/{name}")
            revision["spec"]["lifecycle"] = lifecycle
            approval = "/approval" if lifecycle == "Published" else ""
            return client.send_json("PUT", f"{paths}/packagerevisions/{name}{approval}", revision, **headers)[1]

        proposed = move("Proposed")
        check("proposed", proposed)
        check("proposed in git", proposed)
        # As a kube-apiserver in front sends it.
        approved = move("Published", **{"Audit-ID": "0b25a2ff-9d5a-4d3c-8a52-6c9d1f2c5a01"})
        self.assertEqual(approved, "0b25a2ff-9d5a-4d3c-8a52-6c9d1f2c5a01")
        check("approved", approved)
        check("published", approved)
        commit = re.search(r"commit=([0-9a-f]{40})", served.find(" published ")[0]).group(1)
        self.assertEqual(self.git(self.edge, "rev-parse", "web/v1^{commit}").strip(), commit)

        move("DeletionProposed")
        _, deleted = client.send_json("DELETE", f"{paths}/packagerevisions/{name}")
        check("deleted", deleted)
        check("deleted in git", deleted)
        served.stop()
        audited = {json.loads(line)["auditID"] for line in audit.read_text().splitlines()}
        self.assertLessEqual({created, pushed, proposed, approved, deleted}, audited)
        self.assertNotIn(read, audited)

    def test_without_v_only_what_people_care_about(self):
        self.variant()
        served = Served(self)
        served.wait_for(" approved ")
        served.stop()
        self.assertEqual(served.find(" debug "), [])
        self.assertEqual(len(served.find(" drafted ")), 1)

    def test_an_error_is_told_once_and_its_end(self):
        self.variant()
        self.edge.rename(self.dir / "away.git")
        served = Served(self, "--resync", "1", "--log-format", "json")
        served.wait_for('"repository not ready"')
        (self.dir / "away.git").rename(self.edge)
        served.wait_for('"repository ready again"')
        served.wait_for('"approved"')
        served.stop()
        told = [json.loads(line) for line in served.lines]
        for one in told:
            self.assertIn(one["level"], ("info", "warning"), one)
        self.assertEqual(len([t for t in told if t["message"] == "repository not ready"]), 1, told)

    def test_metrics_are_served(self):
        self.variant()
        served = Served(self, "--metrics", "127.0.0.1:0")
        url = served.wait_for("^metrics at http://127.0.0.1:[1-9]", served.out).split()[-1]
        served.wait_for(" approved ")
        self.assertIn("web", self.portico("get", "packagevariants"))
        text = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=60).read().decode()
        served.stop()
        families, samples = self.parse(text)
        for name, value in families.items():
            if name.startswith("exposer_"):  # metrics of the library about its own exposer
                continue
            self.assertRegex(name, "^portico_[a-z_]+$")
            if value == "counter":
                self.assertTrue(name.endswith("_total"), name)
            if value == "histogram":
                self.assertTrue(name.endswith("_seconds"), name)
        self.assertEqual(samples['portico_drafts_total{step="Clone",stored="true"}'], 1)
        self.assertEqual(samples['portico_variant_steps_total{outcome="ok",step="Approve"}'], 1)
        self.assertGreater(samples["portico_store_writes_total"], 0)
        self.assertIn('portico_queue_keys{queue="packagevariant",state="ready"}', samples)
        self.assertIn(
            'portico_reconcile_duration_seconds_count{kind="packagevariant",outcome="ok"}', samples)
        self.assertGreater(
            samples['portico_api_requests_total{code="200",resource="packagevariants",verb="list"}'], 0)
        self.assertGreater(
            samples['portico_api_request_duration_seconds_count{resource="packagevariants",verb="list"}'], 0)
        self.assertNotIn("default", text, "no label names an object")
        if shutil.which("promtool"):
            done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def parse(self, text):
        """Name -> type, and sample with its labels -> value; every line must follow the format."""
        families, helped, samples = {}, set(), {}
        for line in text.splitlines():
            if line.startswith("# HELP "):
                helped.add(line.split(" ", 3)[2])
                continue
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                self.assertNotIn(name, families, "a family is in one piece")
                self.assertIn(name, helped)
                families[name] = kind
                continue
            found = re.fullmatch(r'([a-z_]+)((?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})?) (\S+)', line)
            self.assertTrue(found, line)
            family = found.group(1)
            if family not in families:
                family = re.sub("_(bucket|sum|count)$", "", family)
            self.assertIn(family, families, line)
            sample = found.group(1) + found.group(2)
            self.assertNotIn(sample, samples)
            samples[sample] = float(found.group(3))
        return families, samples

    def test_an_address_that_cannot_be_used_is_said(self):
        self.assertIn('--metrics: invalid address "nowhere"', self.fails("serve", "--metrics", "nowhere"))

    def test_quit_writes_what_it_is_about_and_goes_on(self):
        self.variant()
        served = Served(self)
        served.wait_for(" approved ")
        served.process.send_signal(signal.SIGQUIT)
        served.wait_for("^---- end")
        self.assertTrue(served.find(r"^queue packagevariant: \d+ of 32 workers busy"), served.lines)
        self.assertTrue(served.find("^  next Repository.*edge in "), served.lines)
        self.assertTrue(served.find("^function results: "), served.lines)
        self.portico("version")
        served.process.send_signal(signal.SIGQUIT)
        until = time.monotonic() + 60
        while len(served.find("^---- end")) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(len(served.find("^---- end")), 2, "and it goes on")
        served.stop()

    def test_debug_dump_asks_what_it_is_about(self):
        self.assertIn("`portico serve` is not running on", self.fails("debug", "dump"))
        self.variant()
        served = Served(self)
        served.wait_for(" approved ")
        text = self.portico("debug", "dump")
        self.assertRegex(text, r"(?m)^---- portico \S+, process \d+, store at \d+$")
        self.assertRegex(text, r"(?m)^Threads: \d+, open files: \d+$|^VmRSS: .*Threads: \d+, open files: \d+$")
        self.assertRegex(text, r"(?m)^queue packagevariant: \d+ of 32 workers busy")
        self.assertRegex(text, r"(?m)^  next Repository.*edge in ")
        self.assertRegex(text, r"(?m)^---- end$")
        served.stop()


if __name__ == "__main__":
    unittest.main()
