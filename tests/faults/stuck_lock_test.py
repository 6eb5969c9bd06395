"""Another git process died while it changed a ref of a repository: only operations on that ref wait until the lock is
removed."""
import json
import signal
import subprocess
import time
import unittest

import yaml
from fault_fleet import WEB, FaultFleet
from git_server import GitServer
from relay import Relay, git_daemon
from support import ENVIRONMENT, binary

PACKAGES = [f"web-{i}" for i in range(8)]
STUCK = "web-3"
MORE = [f"more-{i}" for i in range(8)]
LIMIT = 120  # seconds, for operations that take one second


class StuckLock(FaultFleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.edge = self.bare("edge")
        self.log = self.dir / "log"

    def lines(self):
        out = []
        for line in self.log.read_text().splitlines():
            try:
                out.append(json.loads(line))
            except ValueError:
                continue  # the last line, still being written
        return out

    def wait_for(self, what):
        until = time.monotonic() + LIMIT
        while not what():
            self.assertIsNone(self.server.poll(), "serve ended")
            if time.monotonic() > until:
                errors = [line for line in self.lines() if "error" in line]
                self.fail(f"not within {LIMIT} s: {json.dumps(errors[-5:], indent=1)}")
            time.sleep(0.05)

    def drafts(self):
        return {ref.split("/")[-2] for ref in self.refs(self.edge, "refs/heads/drafts")}

    def apply(self, packages):
        self.portico("apply", "-f", "-", "--no-wait", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": "fleet", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "targets": [{"repositories": [{"name": "edge", "packageNames": packages}]}]}}))

    def others_go_on(self, url, lock, says, failures=1):
        lock = self.edge / f"refs/heads/drafts/{STUCK}" / lock
        lock.parent.mkdir(parents=True)
        lock.touch()
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.portico("repo", "register", url, "--name", "edge", "--deployment", "--wait")
        self.apply(PACKAGES)
        with self.log.open("w") as log:
            self.server = subprocess.Popen(
                [binary(), "serve", "-v", "--log-format", "json", "--resync", "1"], cwd=self.dir, env=ENVIRONMENT,
                stdout=subprocess.DEVNULL, stderr=log)
        self.addCleanup(self.server.kill)
        stuck = f"default/fleet-edge-{STUCK}"
        self.wait_for(lambda: self.drafts() == set(PACKAGES) - {STUCK})
        self.wait_for(lambda: len({line["run"] for line in self.lines() if line.get("object", "").endswith(stuck)
                                   and says in line.get("error", "")}) >= failures)
        # Its failure is known by now; other variants are added.
        self.apply(PACKAGES + MORE)
        self.wait_for(lambda: self.drafts() == {*PACKAGES, *MORE} - {STUCK})
        lock.unlink()
        self.wait_for(lambda: STUCK in self.drafts())
        self.wait_for(lambda: any(line["message"] == "recovered" for line in self.lines()))
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=60), 0)
        failed = {line.get("object", "").split(" ")[-1]: line["error"] for line in self.lines() if "error" in line}
        self.assertEqual(list(failed), [stuck], failed)
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "True", f"{name}: {ready['message']}")
        self.fsck(self.edge)

    def over_http(self):
        server = GitServer(self.dir)
        server.allow_only(None)
        self.addCleanup(server.close)
        return server.url("edge.git")

    def over_git(self):
        relay = Relay(git_daemon(self.dir))
        self.addCleanup(relay.close)
        return f"git://127.0.0.1:{relay.port}/edge.git"

    def test_over_http(self):
        self.others_go_on(self.over_http(), "packagevariant-1.lock", "cannot lock ref")

    def test_over_git(self):
        self.others_go_on(self.over_git(), "packagevariant-1.lock", "cannot lock ref")

    def test_in_a_folder_of_its_name(self):
        self.others_go_on(self.over_http(), "packagevariant-1/other.lock", "blocking reference")

    def test_on_this_machine(self):
        # A variant held back by the first failure is held back longer by later ones.
        self.others_go_on("edge.git", "packagevariant-1.lock", "another git process", failures=4)


if __name__ == "__main__":
    unittest.main()
