"""A full or broken disk at each write in turn: the command reports it and claims no false success; once
the disk works again, the same command leads to the same state."""
import errno
import os
import unittest

from fault_fleet import SLOW, STEPS, WEB, FaultFleet, later, runs, seeded
from shim import Shim

MORE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n"
REASONS = {
    errno.ENOSPC: ("No space left on device", "database or disk is full"),
    errno.EIO: ("Input/output error", "disk I/O error"),
}
# SQLite's messages for a call that failed once, whose reason it does not pass on.
ONCE = ("unable to open database file", "attempt to write a readonly database", "disk I/O error")


def explains(error, text):
    return any(reason in text for reason in REASONS[error])


class Broken(FaultFleet):
    def make_shim(self):
        state = self.dir.parent / (self.dir.name + "-shim")
        self.addCleanup(lambda: state.unlink(missing_ok=True))
        self.shim = Shim(state, self.dir)

    def attempt(self, command, stdin=None, **fault):
        self.shim.reset()
        return self.end_of(self.start(*command, stdin=stdin,
                                      extra=self.shim.environment(**fault)))

    def faults(self, name, count):
        """(number of the call, errno or KILL, whether the fault stays), for calls of the run just counted."""
        calls = self.shim.calls
        choice = seeded(f"disk {name} ({calls} calls)")
        # Because of threads, a call of the counted run may have a higher number in the next run.
        numbers = range(1, calls + calls // 10 + 1)
        if not SLOW or len(numbers) > count:
            numbers = sorted(choice.sample(numbers, min(count, len(numbers))))
        for number in numbers:
            error = choice.choice([errno.ENOSPC, errno.EIO, Shim.KILL])
            yield number, error, error != Shim.KILL and choice.random() < 0.3

    def check_end(self, error, stays, status, said, at):
        """The command reported its outcome truthfully and did not crash."""
        if error == Shim.KILL:
            self.assertIn(status, (0, 1, -9), at)
            return
        self.assertIn(status, (0, 1), at)
        self.assertNotIn("bug in Portico", said, at)
        self.assertNotIn("exception", said, at)
        if status == 1:
            # On a slow machine the time may run out during the next try.
            self.assertTrue(explains(error, said) or (not stays and any(text in said for text in ONCE)) or
                            "not settled" in said, at)


class Disk(Broken):
    def campaign(self, name, count):
        step = STEPS[name]
        self.build(name)
        self.make_shim()
        wanted = self.undisturbed(step)
        self.restore()
        # Limits the wait for a disk that stays broken.
        command = [*step.command, *(["--timeout", "2"] if "--wait" in step.command else [])]
        self.attempt(command, step.stdin)
        for number, error, stays in self.faults(name, count):
            self.restore()
            with self.subTest(step=name, at=number, error=os.strerror(error) if error else "kill",
                              stays=stays):
                status, output, said = self.attempt(command, step.stdin, at=number, error=error,
                                                    stays=stays)
                at = f"{self.shim.failed}: {status} {output} {said}"
                self.check_end(error, stays, status, output + said, at)
                # On a slow machine the time may run out before the call that should fail.
                if status == 1 and self.shim.failed:
                    self.assertTrue(self.names_a_place(output + said), at)
                # Commands other than apply only report what fails now.
                if status == 0 and (name == "apply" or "fails " not in output):
                    self.assertEqual(self.content(), wanted, f"a success that is none: {at}")
                self.check_repositories(may_lock=True)
                self.check_acknowledged(output)
                self.check_again(step, wanted, at)

    def names_a_place(self, said):
        """Whether it names the folder, or the failed file relative to the working folder."""
        path = self.shim.failed.split(" ", 1)[-1]
        return str(self.dir) in said or os.path.relpath(path, self.dir) in said

    def check_again(self, step, wanted, at):
        try:
            self.finish(step)
            self.check_repositories()
            self.assertEqual(self.content(), wanted)
        except AssertionError as failure:
            raise AssertionError(f"after {at}\n{failure}") from failure

    def test_apply(self):
        self.campaign("apply", runs(5, 5000))

    def test_push(self):
        self.campaign("push", runs(3, 5000))

    def test_approve(self):
        self.campaign("approve", runs(4, 5000))

    def test_upgrade(self):
        self.campaign("upgrade", runs(4, 5000))

    def test_delete(self):
        self.campaign("delete", runs(3, 5000))


class Folders(Broken):
    """Packages in folders are changed as a whole, or not at all."""

    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.commit(self.dir / "blueprints.git",
                    {"web/service.yaml": later(WEB["web/service.yaml"]), "web/more.yaml": MORE},
                    "Second", tags=["web/v2"])
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.make_shim()

    def tree(self, folder):
        return {str(path.relative_to(self.dir)): path.read_text()
                for path in (self.dir / folder).rglob("*")
                if path.is_file() and ".portico" not in str(path.relative_to(self.dir))}

    def campaign(self, name, folder, count, *command):
        self.keep()
        old = self.tree(folder)
        self.attempt(command)
        new = self.tree(folder)
        for number, error, stays in self.faults(name, count):
            self.restore()
            with self.subTest(command=name, at=number, error=error, stays=stays):
                status, output, said = self.attempt(command, at=number, error=error, stays=stays)
                at = f"{self.shim.failed}: {status} {output} {said}"
                self.check_end(error, stays, status, output + said, at)
                if status == 0:
                    self.assertEqual(self.tree(folder), new, f"a success that is none: {at}")
                if status == 1 and "is incomplete" not in said:
                    self.assertEqual(self.tree(folder), old, f"changed by a failure: {at}")
                # A new folder appears as a whole, and then the command reports success.
                if status != 0 and (old or self.tree(folder) != new):
                    again = self.run_portico(*command)
                    self.assertEqual(again.returncode, 0, f"after {at}\n{again.stderr}")
                self.assertEqual(self.tree(folder), new, at)

    def test_get(self):
        self.campaign("pkg get", "web", runs(3, 5000), "pkg", "get", "blueprints.git/web@v1", "web")

    def test_update(self):
        self.portico("pkg", "get", "blueprints.git/web@v1", "web")
        self.campaign("pkg update", "web", runs(4, 5000), "pkg", "update", "web@v2")

    def test_pull(self):
        self.campaign("rpkg pull", "pulled", runs(3, 5000), "rpkg", "pull", "blueprints.web.v1",
                      "pulled")

    def test_init(self):
        self.keep()
        self.attempt(["init", "sub"])
        for number, error, stays in self.faults("init", 10**6):
            self.restore()
            with self.subTest(command="init", at=number, error=error, stays=stays):
                status, output, said = self.attempt(["init", "sub"], at=number, error=error,
                                                    stays=stays)
                self.check_end(error, stays, status, output + said, f"{self.shim.failed}: {said}")
                if status != 0:
                    self.portico("init", "sub")
                self.portico("--state", "sub", "get", "repositories")
                self.assertEqual((self.dir / "sub/.portico").stat().st_mode & 0o777, 0o700)


if __name__ == "__main__":
    unittest.main()
