import os
import re
import shutil
import stat
import subprocess

import support


class Dev(support.TreeTest):
    """A copy of ./dev in an empty folder, with apt-get, dpkg-query and id of the test's making."""

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

    def dev(self, *arguments):
        return subprocess.run([self.root / "dev", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"},
                              check=False)

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
