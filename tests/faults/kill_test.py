"""kill -9 at any moment of any command: nothing acknowledged is lost, and repeating the command leads to
the same state."""
import signal
import time
import unittest

from fault_fleet import STEPS, FaultFleet, fleet_set, runs, seeded
from relay import Relay, git_daemon


class Kills(FaultFleet):
    """Repositories on this machine, to which Portico writes itself."""
    KIND = "folders"
    SERVES = 0.8  # seconds within which `serve` writes the fleet

    def wait_for_remotes(self):
        """Waits until the repositories have ended what killed clients began."""

    def kills(self, name, count):
        step = STEPS[name]
        moments = seeded(f"kill {name}, {self.KIND}")
        self.build(name)
        began = time.monotonic()
        self.end_of(self.start(*step.command, stdin=step.stdin))
        took = time.monotonic() - began
        wanted = self.undisturbed(step)
        for number in range(count):
            self.restore()
            # Sometimes the recovery is killed, too.
            for _ in range(moments.choice([1, 1, 1, 2, 3])):
                moment = moments.uniform(0, took)
                with self.subTest(step=name, run=number, seconds=round(moment, 4)):
                    self.kill_once(step, moment, moments.random() < 0.5)
            with self.subTest(step=name, run=number):
                self.check_finished(step, wanted)

    def kill_once(self, step, moment, children_too):
        process = self.start(*step.command, stdin=step.stdin)
        time.sleep(moment)
        if children_too:
            process.send_signal(signal.SIGSTOP)  # does not see that its children are gone
            self.end_session(process)
        process.kill()
        _, output, _ = self.end_of(process, timeout=30)
        self.wait_for_remotes()
        self.check_repositories(may_lock=True)
        self.check_acknowledged(output)

    def check_finished(self, step, wanted):
        self.finish(step)
        self.check_repositories()
        self.assertEqual(self.content(), wanted)

    def test_apply(self):
        self.kills("apply", runs(4, 100))

    def test_push(self):
        self.kills("push", runs(2, 50))

    def test_propose(self):
        self.kills("propose", runs(3, 75))

    def test_approve(self):
        self.kills("approve", runs(4, 100))

    def test_upgrade(self):
        self.kills("upgrade", runs(3, 75))

    def test_delete(self):
        self.kills("delete", runs(2, 50))

    def test_serve(self):
        step = STEPS["apply"]
        moments = seeded(f"kill serve, {self.KIND}")
        self.build("apply")
        wanted = self.undisturbed(step)
        for number in range(runs(2, 50)):
            self.restore()
            self.portico("apply", "-f", "-", stdin=fleet_set())
            with self.subTest(step="serve", run=number):
                for _ in range(moments.choice([1, 2, 3])):
                    process = self.start("serve", "--resync", "1")
                    time.sleep(moments.uniform(0, self.SERVES))
                    self.assertIsNone(process.poll(), "serve ended by itself")
                    process.kill()
                    self.end_of(process, timeout=30)
                    self.wait_for_remotes()
                    self.check_repositories(may_lock=True)
                self.check_finished(step, wanted)


class Remotes(Kills):
    """Repositories behind a git daemon: kills hit git fetch, git push and the mirrors."""
    KIND = "remotes"
    SERVES = 2

    def setUp(self):
        super().setUp()
        self.remote = Relay(git_daemon(self.dir))
        self.addCleanup(self.remote.close)

    def url(self, name):
        return f"git://127.0.0.1:{self.remote.port}/{name}.git"

    def wait_for_remotes(self):
        until = time.monotonic() + 60
        while self.remote.open:
            self.assertLess(time.monotonic(), until, "a connection of a killed client stays open")
            time.sleep(0.01)

    def restore(self):
        while self.started:
            self.end_session(self.started.pop())
        self.wait_for_remotes()
        super().restore()

    def check_finished(self, step, wanted):
        super().check_finished(step, wanted)
        for mirror in (self.dir / ".portico" / "mirrors").iterdir():
            self.fsck(mirror)
            left = [path for path in mirror.rglob("*.lock") if path.name != "portico.lock"]
            self.assertEqual(left, [], "locks that are left")


if __name__ == "__main__":
    unittest.main()
