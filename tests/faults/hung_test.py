"""A remote falls silent while forty variants write to it: all variants of another repository are done before the first
of the forty gives up."""
import json
import signal
import subprocess
import time
import unittest

import yaml
from fault_fleet import WEB, FaultFleet
from relay import Relay, git_daemon
from support import ENVIRONMENT, binary

HANGING, HEALTHY = 40, 20
LIMIT = 120


class Hung(FaultFleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.healthy, self.hanging = self.bare("healthy"), self.bare("hanging")
        self.relay = Relay(git_daemon(self.dir))
        self.addCleanup(self.relay.close)
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.portico("repo", "register", "healthy.git", "--deployment", "--wait")
        self.portico("repo", "register", f"git://127.0.0.1:{self.relay.port}/hanging.git", "--name", "hanging",
                     "--deployment", "--wait")
        self.log = self.dir / "log"
        with self.log.open("w") as log:
            self.server = subprocess.Popen(
                [binary(), "serve", "-v", "--log-format", "json"], cwd=self.dir, env=ENVIRONMENT, text=True,
                stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)
        self.assertIn("serving", self.server.stdout.readline())

    def apply(self, repository, count):
        self.portico("apply", "-f", "-", "--no-wait", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": repository, "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "targets": [{"repositories": [{"name": repository,
                                                    "packageNames": [f"web-{i}" for i in range(count)]}]}]}}))

    def wait_for(self, what, seconds=LIMIT):
        until = time.monotonic() + seconds
        while not what():
            self.assertIsNone(self.server.poll(), "serve ended")
            self.assertLess(time.monotonic(), until, "waited in vain")
            time.sleep(0.05)

    def lines(self, repository):
        """(line number, line) of the log lines about variants in a repository."""
        out = []
        for at, text in enumerate(self.log.read_text().splitlines()):
            try:
                line = json.loads(text)
            except ValueError:
                continue  # the last line, still being written
            if f"/{repository}-{repository}-web-" in line.get("object", ""):
                out.append((at, line))
        return out

    def drafts(self, repository):
        return self.refs(repository, "refs/heads/drafts")

    def test_the_others_are_done_first(self):
        self.portico("repo", "sync", "--all", "--wait")  # so that later log lines are not from the start
        self.relay.hang()
        self.apply("hanging", HANGING)
        self.wait_for(lambda: self.relay.open)
        self.apply("healthy", HEALTHY)

        def drafted():
            return {line["object"] for _, line in self.lines("healthy") if line["message"] == "drafted"}
        self.wait_for(lambda: len(drafted()) == HEALTHY)
        self.assertEqual(len(self.drafts(self.healthy)), HEALTHY)
        self.assertEqual([line for _, line in self.lines("hanging") if "error" in line or line["message"] == "drafted"], [],
                         "all forty wait for the first push")
        self.assertEqual(self.drafts(self.hanging), [])
        # One of them finds out that it answers again and tells the others, so all are done soon.
        self.relay.clear()
        self.relay.end_all()
        self.wait_for(lambda: len(self.drafts(self.hanging)) == HANGING)
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
