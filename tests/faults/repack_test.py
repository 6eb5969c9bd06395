"""The program is stopped or killed during a repack: it ends, and leaves nothing that blocks the next one."""
import os
import shutil
import signal
import stat
import subprocess
import time
import unittest

from fault_fleet import WEB, FaultFleet
from git_server import GitServer
from support import ENVIRONMENT

PACKS = 60  # more than a repository keeps without a repack
# Replaces git: the first repack stops itself (SIGSTOP) once it has begun to write its pack.
GIT = """#!/bin/sh
case " $* " in
*" repack "*)
  test -e {began} && exec {git} "$@"
  {git} "$@" &
  until ls "$2"/objects/pack/tmp_pack_* >/dev/null 2>&1; do
    kill -0 $! || exit 9
  done
  for one in $(cat /proc/$!/task/$!/children) $!; do kill -STOP $one; done
  ls "$2"/objects/pack/tmp_pack_* >/dev/null 2>&1 || {{ kill -CONT 0; exit 9; }}
  echo "$$" > {began}.new
  mv {began}.new {began}
  kill -STOP $$ ;;
*) exec {git} "$@" ;;
esac
"""


class Repack(FaultFleet):
    def setUp(self):
        super().setUp()
        self.began = self.dir / "began"
        tools = self.dir / "tools"
        tools.mkdir()
        git = tools / "git"
        git.write_text(GIT.format(git=shutil.which("git"), began=self.began))
        git.chmod(git.stat().st_mode | stat.S_IXUSR)
        self.path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.edge = self.bare("edge")
        self.portico("repo", "register", "blueprints.git", "--wait")

    def many_packs(self, folder):
        """Creates packs of unneeded objects, so that one repack takes all of them."""
        for i in range(PACKS):
            blob = subprocess.run(["git", "-C", folder, "hash-object", "-w", "--stdin"], env=ENVIRONMENT, check=True,
                                  input=os.urandom(400_000), capture_output=True).stdout
            subprocess.run(["git", "-C", folder, "pack-objects", "-q", "objects/pack/pack"], env=ENVIRONMENT, check=True,
                           input=blob, stdout=subprocess.DEVNULL)
        self.git(folder, "prune-packed")

    @staticmethod
    def packs(folder):
        return list((folder / "objects/pack").glob("*.idx"))

    def init(self, workspace):
        return ("rpkg", "init", "web", "--repository", "edge", "--workspace", workspace)

    def serve_until_it_repacks(self):
        server = self.start("serve", extra=self.path)
        until = time.monotonic() + 120  # a repack that finished too early starts again
        while not self.began.exists():
            self.assertIsNone(server.poll(), "serve ended")
            self.assertLess(time.monotonic(), until, "nothing is repacked")
            time.sleep(0.02)
        return server, int(self.began.read_text())

    def assert_gone(self, group):
        """No process of the group is left, except zombies that init has not reaped yet."""
        until = time.monotonic() + 5
        while True:
            left = [line for line in subprocess.run(["ps", "-eo", "pgid,stat,args"], text=True,
                                                    capture_output=True).stdout.splitlines()[1:]
                    if int(line.split()[0]) == group and not line.split()[1].startswith("Z")]
            if not left:
                return
            self.assertLess(time.monotonic(), until, left)
            time.sleep(0.02)

    def ends(self, number, folder):
        self.many_packs(folder)
        before = len(self.packs(folder))
        self.assertGreaterEqual(before, PACKS)
        server, group = self.serve_until_it_repacks()
        begin = time.monotonic()
        server.send_signal(number)
        code, _, said = self.end_of(server)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(code, {signal.SIGTERM: 0, signal.SIGKILL: -signal.SIGKILL}[number], said)
        self.assert_gone(group)
        self.assertEqual(len(self.packs(folder)), before, "it had not come so far")
        if number == signal.SIGTERM:  # otherwise it noticed its parent's death and had time to clean up
            self.assertTrue(list((folder / "objects/pack").glob("tmp_pack_*")), "it was in the middle")
        self.fsck(folder)
        # The next process finds everything in order and completes the repack.
        self.portico(*self.init("after"))
        server = self.start("serve")
        until = time.monotonic() + 60
        while len(self.packs(folder)) >= PACKS // 2:
            self.assertLess(time.monotonic(), until, "it is not repacked")
            time.sleep(0.02)
        server.send_signal(signal.SIGTERM)
        self.assertEqual(self.end_of(server)[0], 0)
        self.fsck(folder)
        self.fsck(self.edge)
        self.assertEqual(self.refs(self.edge, "refs/heads/drafts"), ["refs/heads/drafts/web/after"])
        left = [path for path in folder.rglob("*.lock") if path.name != "portico.lock"]
        self.assertEqual(left, [])

    def here(self):
        self.portico("repo", "register", "edge.git", "--deployment", "--wait")
        return self.edge

    def mirror(self):
        server = GitServer(self.dir)
        server.allow_only(None)
        self.addCleanup(server.close)
        self.portico("repo", "register", server.url("edge.git"), "--name", "edge", "--deployment", "--wait")
        mirror, = (self.dir / ".portico/mirrors").glob("*.git")
        return mirror

    def test_told_to_stop(self):
        self.ends(signal.SIGTERM, self.here())

    def test_told_to_stop_in_a_mirror(self):
        mirror = self.mirror()
        self.ends(signal.SIGTERM, mirror)
        self.assertEqual([path.name for path in (mirror / "objects/pack").iterdir() if "tmp" in path.name], [])

    def test_killed(self):
        self.ends(signal.SIGKILL, self.here())

    def test_killed_in_a_mirror(self):
        mirror = self.mirror()
        self.ends(signal.SIGKILL, mirror)
        self.assertEqual([path.name for path in (mirror / "objects/pack").iterdir() if "tmp" in path.name], [])


if __name__ == "__main__":
    unittest.main()
