"""kill -9 at any moment of any command: nothing acknowledged is lost, and repeating the command leads to
the same state."""
import os
import signal
import time
import unittest

from fault_fleet import STEPS, FaultFleet, fleet_set, runs, seeded


class Kills(FaultFleet):
    def kills(self, name, count):
        step = STEPS[name]
        moments = seeded(f"kill {name}")
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
                self.finish(step)
                self.check_repositories()
                self.assertEqual(self.content(), wanted)

    def kill_once(self, step, moment, children_too):
        process = self.start(*step.command, stdin=step.stdin)
        time.sleep(moment)
        if children_too:
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        _, output, _ = self.end_of(process, timeout=30)
        self.check_repositories(may_lock=True)
        self.check_acknowledged(output)

    def test_apply(self):
        self.kills("apply", runs(8, 200))

    def test_push(self):
        self.kills("push", runs(4, 100))

    def test_propose(self):
        self.kills("propose", runs(6, 150))

    def test_approve(self):
        self.kills("approve", runs(8, 200))

    def test_upgrade(self):
        self.kills("upgrade", runs(6, 150))

    def test_delete(self):
        self.kills("delete", runs(4, 100))

    def test_serve(self):
        step = STEPS["apply"]
        moments = seeded("kill serve")
        self.build("apply")
        wanted = self.undisturbed(step)
        for number in range(runs(4, 100)):
            self.restore()
            self.portico("apply", "-f", "-", stdin=fleet_set())
            with self.subTest(step="serve", run=number):
                for _ in range(moments.choice([1, 2, 3])):
                    process = self.start("serve", "--resync", "1")
                    time.sleep(moments.uniform(0, 0.8))
                    self.assertIsNone(process.poll(), "serve ended by itself")
                    process.kill()
                    self.end_of(process, timeout=30)
                    self.check_repositories(may_lock=True)
                self.finish(step)
                self.check_repositories()
                self.assertEqual(self.content(), wanted)


if __name__ == "__main__":
    unittest.main()
