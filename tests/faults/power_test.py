"""Power loss at any moment: everything acknowledged is kept, repositories are intact, and repeating the
command leads to the same state."""
import os
import pathlib
import shutil
import unittest

from fault_fleet import STEPS, FaultFleet, runs, seeded
from power import Recording
from relay import Relay, git_daemon
from shim import Shim


class Power(FaultFleet):
    """Repositories on this machine, to which Portico writes itself."""
    NAMES_ALONE = True  # also holds if the file system keeps no order between folders

    def cut_folder(self):
        return self.dir

    def campaign(self, name, count):
        step = STEPS[name]
        self.build(name)
        beside = pathlib.Path(str(self.dir) + "-power")
        beside.mkdir()
        self.addCleanup(shutil.rmtree, beside, ignore_errors=True)
        shim = Shim(beside / "shim", self.cut_folder())
        wanted = self.undisturbed(step)
        self.restore()
        self.end_of(self.start(*step.command, stdin=step.stdin, extra=shim.environment()))
        calls = shim.calls
        choice = seeded(f"power {name} ({calls} calls)")
        for number in range(count):
            self.restore()
            at = choice.randint(1, calls + calls // 10)
            alone = self.NAMES_ALONE and choice.random() < 0.5
            recording = Recording(self.cut_folder(), beside / "keep")
            shim.reset()
            process = self.start(*step.command, stdin=step.stdin, extra=shim.environment(
                at=at, error=Shim.KILL, keep=recording.keep))
            _, output, said = self.end_of(process)
            self.end_session(process)
            with self.subTest(step=name, run=number, at=at, alone=alone, failed=shim.failed):
                lost = recording.cut(choice, alone)
                try:
                    self.check_after(step, output, wanted)
                except AssertionError as failure:
                    raise AssertionError(f"lost {lost}: {failure}") from failure

    def check_after(self, step, output, wanted):
        # The next process, even one that only reads, removes the locks of a process of which it knows that it was killed.
        # If the disk lost the record, or that the lock of a process that ended well is gone, the next writer does it.
        record = self.dir / ".portico" / "store.lock"
        known = record.exists() and record.read_bytes().strip(b"\0\n") != b""
        self.portico("status")
        self.check_repositories(may_lock=not known)
        self.check_acknowledged(output)
        self.finish(step)
        self.check_repositories()
        self.assertEqual(self.content(), wanted)

    def test_apply(self):
        self.campaign("apply", runs(4, 400))

    def test_approve(self):
        self.campaign("approve", runs(4, 400))

    def test_upgrade(self):
        self.campaign("upgrade", runs(3, 300))

    def test_delete(self):
        self.campaign("delete", runs(2, 200))


class Mirrors(Power):
    """Remote repositories: this machine has the state folder with their mirrors. git writes those, and
    relies on a file system that keeps the order of name changes."""
    NAMES_ALONE = False

    def setUp(self):
        super().setUp()
        self.remote = Relay(git_daemon(self.dir))
        self.addCleanup(self.remote.close)

    def url(self, name):
        return f"git://127.0.0.1:{self.remote.port}/{name}.git"

    def cut_folder(self):
        return self.dir / ".portico"

    def check_after(self, step, output, wanted):
        super().check_after(step, output, wanted)
        for mirror in (self.dir / ".portico" / "mirrors").iterdir():
            self.fsck(mirror)


if __name__ == "__main__":
    unittest.main()
