"""A remote that takes connections and says nothing: the others go on, and so does whoever wants to stop."""
import signal
import socket
import subprocess
import threading
import time
import unittest

import yaml
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}


class SilentRemote:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"git://127.0.0.1:{self.listener.getsockname()[1]}/x.git"
        self.connections = []
        self.reached = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                self.connections.append(self.listener.accept()[0])
                self.reached.set()
            except OSError:
                return

    def close(self):
        self.listener.close()
        for one in self.connections:
            one.close()


class Hangs(Fleet):
    def setUp(self):
        super().setUp()
        self.remote = SilentRemote()
        self.addCleanup(self.remote.close)
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.portico("repo", "register", "blueprints.git")
        self.bare("edge")
        self.portico("repo", "register", "edge.git", "--deployment")
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": "silent"},
            "spec": {"type": "git", "git": {"repo": self.remote.url}}}))
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": "fleet", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "targets": [{"repositories": [
                         {"name": "edge", "packageNames": ["a", "b"]},
                         {"name": "silent", "packageNames": ["a", "b"]}]}]}}))

    def test_the_others_go_on_and_serve_can_be_stopped(self):
        server = subprocess.Popen([binary(), "serve"], cwd=self.dir, env=ENVIRONMENT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(server.kill)
        until = time.monotonic() + 60  # git would wait twice as long
        while len(self.refs(self.dir / "edge.git", "refs/heads/drafts")) < 2:
            self.assertLess(time.monotonic(), until, "the silent remote holds up the others")
            time.sleep(0.05)
        self.assertTrue(self.remote.reached.wait(60))
        server.send_signal(signal.SIGTERM)
        output, _ = server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0, output)
        left = subprocess.run(["ps", "-eo", "args"], text=True, capture_output=True).stdout
        self.assertFalse([line for line in left.splitlines()
                          if self.remote.url in line and "git" in line.split()[0]])
        silent = self.objects("repo")["silent"]
        self.assertNotIn("conditions", silent.get("status", {}),
                         "that it was stopped is no news of the repository")

    def test_a_command_waits_no_longer_than_it_is_told(self):
        done = self.run_portico("apply", "-f", "-", "--wait", "--timeout", "3", timeout=60,
                                stdin=yaml.safe_dump({
                                    "apiVersion": "v1", "kind": "ConfigMap",
                                    "metadata": {"name": "x", "namespace": "default"}}))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("not settled after 3 s", done.stderr)


if __name__ == "__main__":
    unittest.main()
