"""A running server recovers from outside failures once they are fixed, without a restart."""
import signal
import subprocess
import time
import unittest

import yaml
from git_server import GitServer
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}


class Heals(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.portico("repo", "register", "blueprints.git")
        self.edge = self.bare("edge")
        self.hook = self.edge / "hooks" / "pre-receive"
        server = GitServer(self.dir)
        server.allow_only(None)  # everyone
        self.addCleanup(server.close)
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": "edge"},
            "spec": {"type": "git", "deployment": True,
                     "git": {"repo": server.url("edge.git")}}}))
        self.refuse()
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "web"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "downstream": {"repo": "edge", "package": "web"}}}))

    def refuse(self):
        tried = self.dir / "tried"
        self.hook.parent.mkdir(exist_ok=True)
        self.hook.write_text(f"#!/bin/sh\necho x >> '{tried}'\necho 'frozen until Monday' >&2\nexit 1\n")
        self.hook.chmod(0o755)
        self.tried = tried

    def wait_for(self, what, seconds=60):
        until = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), until, "waited in vain")
            time.sleep(0.05)

    def test_a_hook_that_is_removed_while_it_runs(self):
        log = self.dir / "log"
        with log.open("w") as stderr:
            server = subprocess.Popen([binary(), "serve", "--resync", "1"], cwd=self.dir,
                                      env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                      stderr=stderr)
        self.addCleanup(server.kill)
        self.wait_for(self.tried.exists)
        self.hook.unlink()
        self.wait_for(lambda: self.refs(self.edge, "refs/heads/drafts"))
        # The draft exists before the status says so.
        self.wait_for(lambda: " recovered " in log.read_text())
        server.send_signal(signal.SIGTERM)
        output, _ = server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0, output + log.read_text())
        self.assertEqual(self.condition(self.objects("pv")["web"])["status"], "True")

    def test_how_often_it_was_tried_is_told(self):
        server = subprocess.Popen([binary(), "serve", "--resync", "1"], cwd=self.dir,
                                  env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(server.kill)
        # The second try's message is written before the third begins.
        self.wait_for(lambda: self.tried.exists() and self.tried.read_text().count("x") > 2)
        server.send_signal(signal.SIGTERM)
        output, _ = server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0, output)
        retry = self.objects("pv")["web"]["status"]["retry"]
        self.assertGreaterEqual(retry["failures"], 2)
        told = rf"tried {retry['failures']} times( or more)? since {retry['since']}, next try "
        for words in (["explain", "web"], ["describe", "pv", "web"], ["status"]):
            self.assertRegex(self.portico(*words), told)
        self.assertRegex(self.portico("explain", "web"),
                         r"condition  Ready=False Error for \d+s: .*pre-receive hook declined")
        self.hook.unlink()
        self.portico("repo", "sync", "edge", "--wait")
        self.assertNotIn("retry", self.objects("pv")["web"]["status"])
        self.assertNotIn("tried", self.portico("explain", "web"))

    def test_a_sync_that_is_asked_for(self):
        self.settles("repo", "sync", "edge")
        ready = self.condition(self.objects("pv")["web"])
        self.assertEqual((ready["status"], ready["reason"]), ("False", "Error"))
        self.assertIn("pre-receive hook declined", ready["message"])
        self.hook.unlink()
        self.portico("repo", "sync", "edge", "--wait")
        self.assertEqual(self.condition(self.objects("pv")["web"])["status"], "True")


if __name__ == "__main__":
    unittest.main()
