"""A remote that accepts connections but never answers: other repositories continue, and commands can be stopped."""
import os
import signal
import socket
import subprocess
import threading
import time
import unittest

import yaml
from git_server import GitServer
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"


class SilentRemote:
    def __init__(self, port=0):
        self.listener = socket.create_server(("127.0.0.1", port))
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
        for condition in silent.get("status", {}).get("conditions", []):
            # The network may end the wait itself; being stopped must not be reported as a failure of the repository.
            self.assertRegex(condition["message"], "reset by peer|hung up")

    def test_a_command_waits_no_longer_than_it_is_told(self):
        done = self.run_portico("annotate", "pvs", "fleet", "a=b", "--wait", "--timeout", "3",
                                timeout=60)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("not settled after 3 s", done.stderr)

    # Less than the time limit of git for a silent remote.
    SOON = ("--wait", "--timeout", "15")

    def ask_for_something_else(self):
        self.portico("apply", "-f", "-", *self.SOON, stdin=yaml.safe_dump({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "x", "namespace": "default"}}))
        self.portico("repo", "sync", "edge", *self.SOON)
        draft = next(name for name in self.objects("packagerevisions") if "edge.a." in name)
        self.portico("rpkg", "propose", draft, *self.SOON)
        self.portico("rpkg", "approve", draft, *self.SOON)
        self.assertEqual(["refs/tags/a/v1"], self.refs(self.dir / "edge.git", "refs/tags"))
        # A deleted revision no longer says which package it belonged to.
        made = next(name for name in self.objects("packagerevisions") if "edge.b." in name)
        self.assertIn("deleted", self.portico("rpkg", "delete", made, *self.SOON))
        self.assertEqual(len(self.refs(self.dir / "edge.git", "refs/heads/drafts/b")), 1, "made anew")
        self.portico("rpkg", "init", "alone", "--repository", "edge", "--workspace", "v1")
        self.assertIn("deleted", self.portico("rpkg", "delete", "edge.alone.v1", *self.SOON))

    def test_who_asks_for_something_else_does_not_wait(self):
        self.ask_for_something_else()

    def test_who_asks_a_server_for_something_else_does_not_wait(self):
        server = subprocess.Popen([binary(), "serve"], cwd=self.dir, env=ENVIRONMENT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        server.stdout.readline()
        until = time.monotonic() + 60
        while len(self.refs(self.dir / "edge.git", "refs/heads/drafts")) < 2:
            self.assertLess(time.monotonic(), until, "the silent remote holds up the others")
            time.sleep(0.05)
        self.ask_for_something_else()


class Commands(Fleet):
    """Each command that talks to git or runs a function, with a silent other side."""
    SECONDS = 2

    def setUp(self):
        super().setUp()
        self.bare("edge", WEB, tags=["web/v1"])
        self.bare("good", WEB, tags=["web/v1"])
        server = GitServer(self.dir)
        server.allow_only(None)
        self.url = server.url("edge.git")
        self.portico("repo", "register", str(self.dir / "good.git"), "--wait")
        self.portico("repo", "register", self.url, "--name", "edge", "--deployment", "--wait")
        self.portico("rpkg", "copy", "edge.web.v1", "--workspace", "draft")
        self.portico("rpkg", "copy", "edge.web.v1", "--workspace", "proposed")
        self.portico("rpkg", "propose", "edge.web.proposed")
        self.portico("rpkg", "clone", "good.web.v1", "old", "--repository", "edge",
                     "--workspace", "first")
        self.publish("edge.old.first")
        self.portico("rpkg", "copy", "edge.old.first", "--workspace", "stale")
        self.portico("rpkg", "copy", "edge.old.first", "--workspace", "second")
        self.portico("rpkg", "pull", "edge.old.second", "second")
        self.write("second/c.yaml", CONFIG)
        self.portico("rpkg", "push", "edge.old.second", "second")
        self.publish("edge.old.second")
        self.commit(self.dir / "good.git", {"web/b.yaml": "b: 1\n"}, "More", tags=["web/v2"])
        self.portico("repo", "sync", "good", "--wait")
        self.portico("rpkg", "pull", "edge.web.draft", "pulled")
        self.write("pulled/c.yaml", CONFIG)
        self.portico("pkg", "get", self.url + "/web@v1", "web")
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump(self.variant("web2")))
        server.close()
        port = int(self.url.split(":")[2].split("/")[0])
        self.remote = SilentRemote(port)
        self.addCleanup(self.remote.close)
        self.program = self.write("slow.sh", "#!/bin/sh\nsleep 60\n")
        os.chmod(self.program, 0o755)

    def publish(self, name):
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, name)

    @staticmethod
    def variant(name):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                "metadata": {"name": name, "namespace": "default"},
                "spec": {"upstream": {"repo": "good", "package": "web", "revision": 1},
                         "downstream": {"repo": "edge", "package": name}}}

    def test_each_ends_in_time_and_says_what_it_waited_for(self):
        silent = self.remote.url.replace("git://", "").split("/")[0]
        new = yaml.safe_dump(self.variant("web3"))
        render = "kind: Kptfile\napiVersion: kpt.dev/v1\nmetadata:\n  name: r\npipeline:\n  mutators:\n"
        self.write("r/Kptfile", render + f"  - exec: {self.program}\n")
        self.write("g/Kptfile", render + "  - image: example.com/fn:v1\n")
        ours, git = "timed out after 2 s (--timeout)", "git fetch was stopped"
        table = [
            (["apply", "-f", "-", "--wait"], new, "not settled after 2 s", "Repository"),
            (["delete", "pv", "web2"], None, "not settled after 2 s", "in progress"),
            (["plan", "-f", "-"], new, "no plan after 2 s", ""),
            (["repo", "sync", "edge"], None, ours, git),
            (["repo", "sync", "--all", "--wait"], None, "after 2 s", git),
            (["repo", "register", self.url, "--name", "third"], None, ours,
             "git ls-remote was stopped"),
            (["repo", "register", self.url, "--name", "other", "--no-check", "--wait"], None,
             "not settled after 2 s", "default/other"),
            (["repo", "unregister", "edge", "--dry-run", "--force"], None, "no plan after 2 s", ""),
            (["rpkg", "init", "new", "--repository", "edge", "--workspace", "v1"], None, ours, git),
            (["rpkg", "clone", "good.web.v1", "new", "--repository", "edge"], None, ours, git),
            (["rpkg", "copy", "edge.web.v1", "--workspace", "v9"], None, ours, git),
            (["rpkg", "propose", "edge.web.draft"], None, ours, git),
            (["rpkg", "approve", "edge.web.proposed"], None, ours, git),
            (["rpkg", "reject", "edge.web.proposed"], None, ours, git),
            (["rpkg", "propose-delete", "edge.web.v1"], None, ours, git),
            (["rpkg", "delete", "edge.web.draft"], None, ours, git),
            (["rpkg", "upgrade", "edge.old.second", "--workspace", "v9"], None, ours, git),
            (["rpkg", "rebase", "edge.old.stale"], None, ours, git),
            (["rpkg", "rollback", "edge.old.second", "--to", "v1"], None, ours, git),
            (["rpkg", "diff", "edge.old.second"], None, ours, git),
            (["rpkg", "diff", "edge.old.second", "upstream"], None, ours, git),
            (["rpkg", "push", "edge.web.draft", "pulled"], None, ours, git),
            (["explain", "edge.web.v1", "--field", "Kptfile/web:metadata.name"], None, ours, git),
            (["rpkg", "pull", "edge.web.v1", "out"], None, ours, git),
            (["rpkg", "read", "edge.web.v1"], None, ours, git),
            (["history", "edge/web"], None, ours, git),
            (["pkg", "get", self.url + "/web@v2", "other"], None, ours, git),
            (["pkg", "update", "web@v2"], None, ours, git),
            (["pkg", "diff", "web@v2"], None, ours, git),
            (["fn", "render", "r", "--allow-exec", "--no-sandbox"], None, "2 s", "slow.sh"),
            (["fn", "eval", "r", "--exec", self.program, "--no-sandbox"], None, "2 s", "slow.sh"),
            (["--function-runner", silent, "fn", "render", "g"], None, "2 s", "function runner"),
        ]
        took = {}
        for words, stdin, late, step in table:
            with self.subTest(" ".join(words)):
                begin = time.monotonic()
                done = self.run_portico(*words, "--timeout", str(self.SECONDS), stdin=stdin, timeout=60)
                took[" ".join(words)] = time.monotonic() - begin
                said = done.stdout + done.stderr
                self.assertNotEqual(done.returncode, 0, said)
                self.assertIn(late, said)
                self.assertIn(step, said)
                # A second more is allowed; the rest is for a busy machine.
                self.assertLess(took[" ".join(words)], self.SECONDS + 4, said)
                left = subprocess.run(["ps", "-eo", "args"], text=True, capture_output=True).stdout
                self.assertFalse([line for line in left.splitlines()
                                  if self.url in line and line.startswith("git ")
                                  or self.program in line and "portico" not in line])
        # Stored state is shown without the remote.
        for words in (["explain", "web2"], ["describe", "pv", "web2"], ["describe", "repo", "edge"],
                      ["describe", "rpkg", "edge.web.v1"], ["status"], ["tree"], ["rpkg", "get"]):
            with self.subTest(" ".join(words)):
                begin = time.monotonic()
                self.portico(*words, "--timeout", str(self.SECONDS))
                self.assertLess(time.monotonic() - begin, self.SECONDS)
        if os.environ.get("PORTICO_TIMES"):
            for words, seconds in took.items():
                print(f"{seconds:.2f} s  {words}")


if __name__ == "__main__":
    unittest.main()
