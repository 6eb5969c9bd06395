import os
import re
import shutil
import stat
import subprocess
import unittest

import support


class DevTest(support.TreeTest):
    """A copy of ./dev in an empty folder, with fakes of apt-get, dpkg-query and id."""

    def setUp(self):
        super().setUp()
        self.tree({"tools/packages-build.txt": "# comment\nlibone-dev\nlibtwo-dev\n",
                   "tools/packages-check.txt": "clang\n",
                   "tools/packages-test.txt": "golang-go\n", "installed": "libone-dev\nclang\n"})
        shutil.copy(support.ROOT / "dev", self.root)
        self.program("dpkg-query", 'sed "s/$/ installed/" installed')
        self.program("apt-get", 'echo "$@" >>called; [ "$1" = update ] || echo "${@: -1}" >>installed')
        self.program("id", "echo 0")

    def program(self, name, body):
        self.tree({f"bin/{name}": f"#!/bin/bash\n{body}\n"})
        file = self.root / "bin" / name
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def dev(self, *arguments, **variables):
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        return subprocess.run([self.root / "dev", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": path, **variables}, check=False)


class Dev(DevTest):
    def test_help_names_every_command(self):
        script = (support.ROOT / "dev").read_text()
        functions = re.findall(r"^cmd_(\w+)\(\)", script, re.M)
        self.assertEqual(sorted(functions), sorted(re.findall(r"^## (\w+)", script, re.M)))
        done = self.dev("help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in functions:
            self.assertRegex(done.stdout, rf"(?m)^  {name}\b")
            self.assertRegex(script, rf"(?m)^  [a-z |]*\b{name}\b[a-z |]*\)$")

    def test_an_unknown_command_fails(self):
        done = self.dev("frobnicate")
        self.assertEqual(done.returncode, 2)
        self.assertIn('no command "frobnicate"', done.stderr)

    def test_only_missing_packages_are_installed_and_once(self):
        self.assertEqual(self.dev("setup").returncode, 0)
        called = (self.root / "called").read_text()
        self.assertIn("install -y --no-install-recommends libtwo-dev\n", called)
        self.assertNotIn("libone-dev", called)
        self.assertNotIn("comment", called)
        self.assertEqual(self.dev("setup").returncode, 0)
        self.assertEqual((self.root / "called").read_text(), called)

    def test_a_go_that_is_there_is_not_installed_again(self):
        self.program("go", "exit 0")
        self.dev("setup")
        self.assertNotIn("golang-go", (self.root / "called").read_text())

    def test_a_changed_list_installs_what_is_new(self):
        self.dev("setup")
        self.tree({"tools/packages-build.txt": "libone-dev\nlibtwo-dev\nlibthree-dev\n"})
        self.dev("setup")
        self.assertTrue((self.root / "called").read_text().endswith(" libthree-dev\n"))

    def test_a_package_that_cannot_be_installed_is_named(self):
        self.program("apt-get", "exit 0")
        done = self.dev("setup")
        self.assertEqual(done.returncode, 2)
        self.assertIn("still not installed: libtwo-dev", done.stderr)

    def test_a_refused_sudo_is_a_clear_failure(self):
        self.program("id", "echo 1000")
        self.program("sudo", "exit 1")
        done = self.dev("setup")
        self.assertEqual(done.returncode, 2)
        self.assertIn("dev: apt-get could not install them", done.stderr)

    def test_the_lists_never_name_a_second_kubectl(self):
        for name in ("build", "check", "test"):
            self.assertNotIn("kubernetes-client",
                             (support.ROOT / f"tools/packages-{name}.txt").read_text().split())


@unittest.skipUnless(shutil.which("ctest"), "needs ctest: ./dev build installs it")
class Again(DevTest):
    """`./dev test` on generated tests, which ctest runs."""

    def setUp(self):
        super().setUp()
        self.tree({"build/debug/build.ninja": ""})
        shutil.copy(support.ROOT / "tools/test_summary", self.root / "tools")
        self.program("ninja", "exit 0")
        self.dev("setup")

    def tests(self, **bodies):
        """Creates a test for each script; scripts may count their runs in the shared folder."""
        lines = []
        for name, body in bodies.items():
            self.tree({f"{name}.sh": body})
            lines.append(f"add_test({name} bash {self.root}/{name}.sh)\n"
                         f"set_tests_properties({name} PROPERTIES LABELS tools)\n")
        self.tree({"build/debug/CTestTestfile.cmake": "".join(lines)})

    def run_tests(self, ci="1"):
        return self.dev("test", "tools", CI=ci)

    def runs(self, name):
        return len((self.root / name).read_text().splitlines())

    SHAKY = 'cd "$(dirname "$0")"; echo >>{0}; echo "says {0}"; [[ $(wc -l <{0}) -ge {1} ]]\n'

    def test_what_fails_by_chance_is_run_again_and_named(self):
        self.tests(good=self.SHAKY.format("good", 1), shaky=self.SHAKY.format("shaky", 2))
        done = self.run_tests()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("2 passed, 0 failed\n"), done.stdout)
        self.assertIn("passed when run again: shaky", done.stdout)
        self.assertIn("says shaky", done.stdout)  # its output when it failed
        self.assertIn("says shaky", (self.root / "build/debug/results/log").read_text())
        self.assertEqual((self.runs("good"), self.runs("shaky")), (1, 2))

    def test_what_fails_again_is_failed(self):
        self.tests(good=self.SHAKY.format("good", 1), shaky=self.SHAKY.format("shaky", 2),
                   bad=self.SHAKY.format("bad", 3))
        done = self.run_tests()
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith("2 passed, 1 failed\n"), done.stdout)
        self.assertIn("FAILED bad", done.stdout)
        self.assertEqual((self.runs("shaky"), self.runs("bad")), (2, 2))

    def test_people_see_each_failure(self):
        self.tests(shaky=self.SHAKY.format("shaky", 2))
        done = self.run_tests(ci="")
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith("0 passed, 1 failed\n"), done.stdout)
        self.assertEqual(self.runs("shaky"), 1)

    def test_as_often_as_is_said_until_something_fails(self):
        self.tests(good=self.SHAKY.format("good", 1),
                   late='cd "$(dirname "$0")"; echo >>late; [[ $(wc -l <late) -ne 3 ]]\n')
        done = self.dev("test", "--repeat", "5", "tools", CI="")
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith("1 passed, 1 failed\n"), done.stdout)
        self.assertEqual((self.runs("good"), self.runs("late")), (5, 3))
        for wrong in ("0", "many"):
            self.assertEqual(self.dev("test", "--repeat", wrong, "tools").returncode, 2)

    def test_one_file_of_them(self):
        self.tests(**{"e2e.get": self.SHAKY.format("e2e.get", 1), "e2e.getter": self.SHAKY.format("e2e.getter", 1)})
        done = self.dev("test", "e2e.get", CI="")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.runs("e2e.get"), 1)
        self.assertFalse((self.root / "e2e.getter").exists())
        self.assertNotEqual(self.dev("test", "e2e.none", CI="").returncode, 0)

    def test_many_failures_are_no_chance(self):
        for count, again in ((8, 2), (9, 1)):
            with self.subTest(count):
                self.setUp()
                self.tests(**{f"t{i}": self.SHAKY.format(f"t{i}", 2) for i in range(count)})
                done = self.run_tests()
                self.assertEqual(done.returncode == 0, again == 2, done.stdout)
                self.assertEqual([self.runs(f"t{i}") for i in range(count)], [again] * count)
