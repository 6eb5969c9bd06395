"""Terminal behavior: confirmation before packages are deleted, and the full-screen view."""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}
SET = {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
       "metadata": {"name": "fleet"},
       "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                "targets": [{"repositories": [{"name": "edge"}]}]}}


class OnTerminal:
    """A command on its own terminal; `see` waits for a text on it."""

    def __init__(self, folder, *arguments, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        self.process = subprocess.Popen([binary(), *arguments], cwd=folder, stdin=slave,
                                        stdout=slave, stderr=slave,
                                        env={**ENVIRONMENT, "TERM": "xterm", **environment})
        os.close(slave)
        self.seen = ""

    def see(self, text, timeout=60):
        end = time.monotonic() + timeout
        while text not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError(f"{text!r} is not on the terminal:\n{self.seen}")
            try:
                self.seen += os.read(self.master, 1 << 16).decode(errors="replace")
            except OSError as ended:
                raise AssertionError(f"{text!r} was not on the terminal:\n{self.seen}") from ended
        seen, self.seen = self.seen.split(text, 1)
        return seen

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        # Reads its remaining output, so that its writes do not block.
        while True:
            try:
                if not os.read(self.master, 1 << 16):
                    break
            except OSError:
                break
        os.close(self.master)
        return self.process.wait(timeout=60)


class Terminal(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git", "--no-wait")
        self.portico("repo", "register", "edge.git", "--deployment", "--no-wait")
        self.portico("apply", "-f", "-", "--wait", stdin=json.dumps(SET))

    def test_deleting_asks_and_says_what_becomes_of_packages(self):
        terminal = OnTerminal(self.dir, "delete", "pvs", "fleet")
        self.assertIn("removed", terminal.see("delete it? [y/N]"))
        terminal.type("n\n")
        self.assertEqual(terminal.end(), 1)
        self.assertIn("fleet", self.objects("pvs"))
        terminal = OnTerminal(self.dir, "delete", "pvs", "fleet")
        terminal.see("[y/N]")
        terminal.type("y\n")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(self.objects("pv"), {})

    def test_forgetting_a_repository_asks(self):
        terminal = OnTerminal(self.dir, "repo", "unregister", "edge", "--force")
        terminal.see("unregister it? [y/N]")
        terminal.type("\n")
        self.assertEqual(terminal.end(), 1)
        self.assertIn("edge", self.objects("repo"))

    def test_selecting_many_asks(self):
        terminal = OnTerminal(self.dir, "rpkg", "propose", "--all")
        self.assertIn("edge.web.packagevariant-1",
                      terminal.see("propose 1 package revision? [y/N]"))
        terminal.type("n\n")
        self.assertEqual(terminal.end(), 1)
        terminal = OnTerminal(self.dir, "rpkg", "propose", "--lifecycle", "Draft", "--yes")
        terminal.see("proposed")
        self.assertEqual(terminal.end(), 0)

    def test_a_question_ends_with_the_command(self):
        for command in (("rpkg", "propose", "--all"), ("delete", "pvs", "fleet"), ("repo", "unregister", "edge", "--force")):
            terminal = OnTerminal(self.dir, *command)
            terminal.see("[y/N]")
            # Other writers do not wait while the prompt is open.
            self.portico("label", "pvs", "fleet", f"asked={command[0]}", "--overwrite", "--no-wait")
            terminal.process.send_signal(signal.SIGINT)
            self.assertEqual(terminal.process.wait(timeout=60), 130)
            terminal.end()
        self.assertEqual([r["spec"]["lifecycle"] for r in self.objects("rpkg").values() if r["spec"]["repository"] == "edge"
                          and r["spec"].get("workspaceName") == "packagevariant-1"], ["Draft"])
        self.assertIn("fleet", self.objects("pvs"))

    def test_the_terminal_is_left_as_it_was(self):
        for ends in (lambda t: t.process.send_signal(signal.SIGTERM), lambda t: None):
            terminal = OnTerminal(self.dir, "top", "--timeout", "3")
            terminal.see("\x1b[?1049h")
            terminal.see("q: quit")
            ends(terminal)
            terminal.see("\x1b[?1049l")
            self.assertEqual(terminal.end(), 0)

    def test_an_editor_ends_with_the_command(self):
        editor = self.write("editor", "#!/bin/sh\necho editing\nexec sleep 600\n")
        os.chmod(editor, 0o755)
        for ends in (lambda t: t.process.send_signal(signal.SIGTERM), lambda t: None):
            terminal = OnTerminal(self.dir, "edit", "pvs", "fleet", "--timeout", "2", EDITOR=str(editor))
            terminal.see("editing")
            ends(terminal)
            terminal.see("a copy of your changes is in")
            kept = terminal.see("\r\n").strip()
            self.assertNotEqual(terminal.end(), 0)
            self.assertIn("kind: PackageVariantSet", open(kept, encoding="utf-8").read())
            os.remove(kept)

    def shown(self, *arguments, **environment):
        terminal = OnTerminal(self.dir, *arguments, **environment)
        return terminal.see("\r\n") + terminal.see("\r\n")

    def test_tables_have_colours(self):
        self.assertIn("\x1b[32mTrue\x1b[0m", self.shown("repo", "get"))
        self.assertIn("\x1b[33mDraft\x1b[0m", self.shown("rpkg", "get", "--lifecycle", "Draft"))
        self.assertNotIn("\x1b", self.shown("repo", "get", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.portico("repo", "get"))

    def test_a_summary_stays(self):
        self.portico("patch", "pvs/fleet", "-p", '{"metadata": {"labels": {"a": "b"}}}')
        terminal = OnTerminal(self.dir, "apply", "-f", self.write("set.json", json.dumps(SET)),
                              "--wait")
        terminal.see("reconciled: 1 of 1 variants settled")
        self.assertEqual(terminal.end(), 0)

    def test_a_summary_of_what_nothing_follows_from(self):
        self.portico("rpkg", "init", "alone", "--repository", "edge", "--workspace", "v1")
        terminal = OnTerminal(self.dir, "rpkg", "delete", "edge.alone.v1", "--wait")
        terminal.see("deleted")
        terminal.see("reconciled: 1 of 1 variants settled")
        self.assertEqual(terminal.end(), 0)

    def test_top(self):
        terminal = OnTerminal(self.dir, "top")
        terminal.see("1 set, 1 of 1 variants settled")
        terminal.see("packagevariant-1 Draft")
        terminal.see("q: quit")
        terminal.type("\x1b[B")  # down, to the variant
        terminal.see("q: quit")
        terminal.type("d")
        terminal.see("nothing -> edge.web.packagevariant-1")
        terminal.see("q: back")
        terminal.type("q")
        terminal.see("q: quit")
        terminal.type("p")
        terminal.see("packagevariant-1 proposed")
        terminal.type("a")
        terminal.see("v1 Published")
        terminal.see("packagevariant-1 approved")
        terminal.type("q")
        self.assertEqual(terminal.end(), 0)
        self.assertIn("not a terminal", self.fails("top"))


if __name__ == "__main__":
    unittest.main()
