"""A disk that is full or broken, at each write in turn: an error that says so, no lie, and once the
disk is well again the same command comes to the same end."""
import errno
import os
import unittest

from fault_fleet import SLOW, STEPS, FaultFleet, runs, seeded
from shim import Shim

REASONS = {
    errno.ENOSPC: ("No space left on device", "database or disk is full"),
    errno.EIO: ("Input/output error", "disk I/O error"),
}


class Disk(FaultFleet):
    def campaign(self, name, count):
        step = STEPS[name]
        self.build(name)
        self.state = self.dir.parent / (self.dir.name + "-shim")
        self.addCleanup(lambda: self.state.unlink(missing_ok=True))
        self.shim = Shim(self.state, self.dir)
        wanted = self.undisturbed(step)
        self.restore()
        self.attempt(step)
        calls = self.shim.calls
        choice = seeded(f"disk {name} ({calls} calls)")
        # A call of the run that is measured may be a later one in the next: threads take turns.
        numbers = range(1, calls + calls // 10 + 1)
        if not SLOW or len(numbers) > count:
            numbers = sorted(choice.sample(numbers, min(count, len(numbers))))
        for number in numbers:
            error = choice.choice([errno.ENOSPC, errno.EIO, Shim.KILL])
            stays = error != Shim.KILL and choice.random() < 0.3
            self.restore()
            with self.subTest(step=name, at=number, error=os.strerror(error) if error else "kill",
                              stays=stays):
                self.break_once(step, number, error, stays, wanted)

    def attempt(self, step, **fault):
        self.shim.reset()
        return self.end_of(self.start(*self.patient(step), stdin=step.stdin,
                                      extra=self.shim.environment(**fault)))

    def patient(self, step):
        """A disk that stays broken is waited for not longer than this."""
        more = ["--timeout", "2"] if "--wait" in step.command else []
        return [*step.command, *more]

    def break_once(self, step, number, error, stays, wanted):
        status, output, said = self.attempt(step, at=number, error=error, stays=stays)
        at = f"{self.shim.failed}: {status} {output} {said}"
        if error == Shim.KILL:
            self.assertIn(status, (0, 1, -9), at)
        else:
            self.assertIn(status, (0, 1), at)
            self.assertNotIn("mistake of its own", said, at)
            self.assertNotIn("exception", said, at)
            if status == 1:
                self.assertTrue(any(reason in said + output for reason in REASONS[error]), at)
                self.assertIn(str(self.dir), said + output, at)
            # Other commands than apply leave it at saying what fails now.
            if status == 0 and (step.command[0] == "apply" or "fails " not in output):
                self.assertEqual(self.content(), wanted, f"a success that is none: {at}")
        self.check_repositories(may_lock=True)
        self.check_acknowledged(output)
        try:
            self.finish(step)
            self.check_repositories()
            self.assertEqual(self.content(), wanted)
        except AssertionError as failure:
            raise AssertionError(f"after {at}\n{failure}") from failure

    def test_apply(self):
        self.campaign("apply", runs(12, 5000))

    def test_push(self):
        self.campaign("push", runs(6, 5000))

    def test_approve(self):
        self.campaign("approve", runs(12, 5000))

    def test_upgrade(self):
        self.campaign("upgrade", runs(10, 5000))

    def test_delete(self):
        self.campaign("delete", runs(6, 5000))


if __name__ == "__main__":
    unittest.main()
