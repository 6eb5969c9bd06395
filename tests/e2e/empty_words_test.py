"""Empty operands, as a shell makes them from unset variables, and deleted folders: each command reports
them, and none crashes."""
import functools
import os
import re
import subprocess
import unittest

from support import ENVIRONMENT, Fleet, binary


def commands():
    """Every command without subcommands, from `portico --help` and the help of its subcommands."""
    found, todo = [], [[]]
    while todo:
        words = todo.pop()
        text = subprocess.run([binary(), *words, "--help"], env=ENVIRONMENT, text=True,
                              capture_output=True, check=True).stdout
        _, _, list_of_commands = text.partition("\nSubcommands:\n")
        below = re.findall(r"^  (\w[\w-]*)", list_of_commands, flags=re.M)
        if below:
            todo += [[*words, word] for word in below]
        else:
            found.append(words)
    return found


class EmptyWords(Fleet):
    def setUp(self):
        super().setUp()
        self.commands = commands()
        self.assertGreater(len(self.commands), 30)
        self.assertIn(["pkg", "get"], self.commands)

    def run_all(self, operands, gone=None):
        for words in self.commands:
            if words[0] in ("serve", "fn-runner"):  # these run until stopped
                continue
            with self.subTest(command=" ".join(words), operands=operands):
                if gone:
                    gone.mkdir()
                done = subprocess.run([binary(), *words, *operands], env=ENVIRONMENT, text=True,
                                      capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                                      cwd=gone or self.dir,
                                      preexec_fn=gone and functools.partial(os.rmdir, gone))
                self.assertIn(done.returncode, (0, 1, 2), done.stderr)
                self.assertNotIn("exception", done.stderr)

    def test_operands_may_not_be_empty(self):
        for operands in ([""], ["", ""], ["x", ""]):
            self.run_all(operands)

    def test_the_working_folder_may_be_gone(self):
        for operands in ([], ["x"], ["x", "y"], ["x.git/y", "z"]):
            self.run_all(operands, self.dir / "gone")

    def test_they_are_named(self):
        self.assertIn("may not be empty", self.fails("init", ""))
        self.assertIn("may not be empty", self.fails("delete", "pv", ""))
        self.assertIn("invalid namespace", self.fails("-n", "../x", "get", "pv"))


if __name__ == "__main__":
    unittest.main()
