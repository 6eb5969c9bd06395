"""The wall clock jumps by a year, forward and back, while serve runs: serve keeps working, is idle when
it has nothing to do, and revisions keep their order."""
import json
import os
import signal
import time
import unittest

from fault_fleet import WEB, FaultFleet
from shim import Shim

YEAR = 365 * 24 * 3600
VARIANT = """\
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: web
spec:
  upstream: {repo: blueprints, package: web}
  downstream: {repo: edge, package: web}
  approval:
    propose: {policy: always, after: 1s}
    approve: {policy: always, after: 1s}
"""


class Clock(FaultFleet):
    def repositories(self):
        return ["blueprints", "edge"]

    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.edge = self.bare("edge")
        for name in self.repositories():
            self.portico("repo", "register", f"{name}.git", "--deployment")
        self.shim = Shim(self.dir / "shim", self.dir / "nothing")
        self.errors = self.dir / "errors"

    def serve(self):
        self.server = self.start("serve", "--resync", "1", extra=self.shim.environment())
        self.addCleanup(self.server.kill)

    def processor_seconds(self):
        with open(f"/proc/{self.server.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def release(self, number):
        self.commit(self.dir / "blueprints.git",
                    {"web/service.yaml": WEB["web/service.yaml"].replace("80", str(8000 + number))},
                    f"v{number}", tags=[f"web/v{number}"])

    def wait_until_published(self, number):
        until = time.monotonic() + 60
        while f"refs/tags/web/v{number}" not in self.refs(self.edge, "refs/tags"):
            self.assertIsNone(self.server.poll(), "serve ended")
            self.assertLess(time.monotonic(), until, f"v{number} was not published")
            time.sleep(0.1)
        self.assertIn(str(8000 + number) if number > 1 else "80",
                      self.show(self.edge, "main:web/service.yaml"))

    def rests(self):
        before = self.processor_seconds()
        time.sleep(1.5)
        self.assertLess(self.processor_seconds() - before, 0.5, "it spins")

    def test_forth_and_back(self):
        self.portico("apply", "-f", "-", stdin=VARIANT)
        self.serve()
        self.wait_until_published(1)
        jumps = [YEAR, 2 * YEAR, 0, -YEAR, 0]
        for number, offset in enumerate(jumps, start=2):
            with self.subTest(offset=offset):
                self.shim.set_clock(offset)
                self.release(number)
                self.wait_until_published(number)
                self.rests()
        self.server.send_signal(signal.SIGTERM)
        status, _, said = self.end_of(self.server, timeout=20)
        self.assertEqual(status, 0, said)
        last = len(jumps) + 1
        story = json.loads(self.portico("history", "edge/web", "-o", "json"))
        self.assertEqual([each["revision"] for each in story if "Approving" in each["what"]],
                         [f"v{n}" for n in range(last, 0, -1)])
        revisions = {item["spec"]["revision"]: item
                     for item in self.objects("packagerevisions").values()
                     if item["spec"]["repository"] == "edge" and item["spec"].get("revision", 0) > 0}
        self.assertEqual(sorted(revisions), list(range(1, last + 1)))
        self.portico("repo", "sync", "--all", "--wait")
        self.assertEqual(self.condition(self.objects("packagevariants")["web"])["status"], "True")
        self.check_repositories()


if __name__ == "__main__":
    unittest.main()
