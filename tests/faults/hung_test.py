"""A remote falls silent while forty variants write to it: all variants of another repository are done before the first
of the forty gives up, and the server can be stopped at once."""
import json
import pathlib
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
STOPS = 5  # seconds from SIGTERM to the end; a tenth is usual
HALF = 500  # bytes: the request of a push is sent, of its refs and pack a part


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
        self.serve()

    def repositories(self):
        return ["blueprints", "healthy", "hanging"]

    def serve(self):
        with self.log.open("w") as log:
            self.server = subprocess.Popen(
                [binary(), "serve", "-v", "--log-format", "json"], cwd=self.dir, env=ENVIRONMENT, text=True,
                stdout=subprocess.PIPE, stderr=log, start_new_session=True)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)
        self.assertIn("serving", self.server.stdout.readline())

    def git_processes(self):
        """The command lines of the server's git processes: those in its session, and all that talk to the relay."""
        out = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                session = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[3])
            except (OSError, IndexError):
                continue
            line = b" ".join(words).decode(errors="replace")  # empty for a process that has ended
            if "git" in words[0].decode(errors="replace") and (
                    session == self.server.pid or f"127.0.0.1:{self.relay.port}" in line):
                out.append(line)
        return out

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

    def stops_while_a_push_hangs(self):
        """The relay stalls pushes. Returns the refs of drafts that the silent remote has after SIGTERM."""
        self.apply("hanging", HANGING)
        self.wait_for(lambda: self.relay.hangs and any(" push " in line for line in self.git_processes()))
        begin = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=60), 0)
        self.assertLess(time.monotonic() - begin, STOPS)
        self.assertEqual(self.git_processes(), [])
        self.check_repositories(may_lock=True)
        left = self.drafts(self.hanging)
        self.relay.clear()
        self.relay.end_all()
        self.serve()
        self.wait_for(lambda: len(self.drafts(self.hanging)) == HANGING)
        self.portico("repo", "sync", "--all", "--wait")
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "True", f"{name}: {ready['message']}")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=60), 0)
        self.check_repositories()
        for mirror in (self.dir / ".portico" / "mirrors").iterdir():
            self.fsck(mirror)
        return left

    def test_stops_while_no_push_is_answered(self):
        self.portico("repo", "sync", "--all", "--wait")
        self.relay.stall_pushes(1)
        self.assertEqual(self.stops_while_a_push_hangs(), [])

    def test_stops_while_a_push_is_half_sent(self):
        self.portico("repo", "sync", "--all", "--wait")
        self.relay.stall_pushes(HALF)
        self.assertEqual(self.stops_while_a_push_hangs(), [])

    def test_stops_while_a_push_is_done_but_not_confirmed(self):
        self.portico("repo", "sync", "--all", "--wait")
        self.relay.stall_pushes(HALF, only_answers=True)
        self.assertNotEqual(self.stops_while_a_push_hangs(), [])


if __name__ == "__main__":
    unittest.main()
