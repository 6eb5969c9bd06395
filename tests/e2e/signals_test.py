"""A signal or --timeout ends a command and the programs it started, whatever it waits for."""
import os
import signal
import subprocess
import time
import unittest

from hang_test import SilentRemote
from support import ENVIRONMENT, Fleet, binary

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"


class Signals(Fleet):
    def setUp(self):
        super().setUp()
        self.remote = SilentRemote()
        self.addCleanup(self.remote.close)

    def begin(self, *arguments):
        command = subprocess.Popen([binary(), *arguments], cwd=self.dir, env=ENVIRONMENT, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(command.kill)
        return command

    def ends(self, command, number, needle):
        """Signals a running command; no process with `needle` in its arguments may be left."""
        command.send_signal(number)
        _, said = command.communicate(timeout=20)
        until = time.monotonic() + 5
        while time.monotonic() < until:
            left = [line for line in subprocess.run(["ps", "-eo", "args"], text=True,
                                                    capture_output=True).stdout.splitlines()
                    if needle in line]
            if not left:
                break
            time.sleep(0.05)
        self.assertEqual(left, [])
        self.assertNotIn("Traceback", said)
        return command.returncode, said

    def test_programs_of_a_command_end_with_it(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            remote = SilentRemote()
            self.addCleanup(remote.close)
            command = self.begin("pkg", "get", remote.url + "/web", "web")
            self.assertTrue(remote.reached.wait(30))
            code, said = self.ends(command, number, remote.url)
            self.assertEqual(code, 128 + number, said)
        command = self.begin("repo", "register", self.remote.url, "--name", "silent", "--wait")
        self.assertTrue(self.remote.reached.wait(30))
        code, said = self.ends(command, signal.SIGTERM, self.remote.url)
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertIn("stopped", said)
        self.assertFalse((self.dir / "web").exists())

    def test_others_write_while_a_repository_is_checked(self):
        command = self.begin("repo", "register", self.remote.url, "--name", "silent")
        self.assertTrue(self.remote.reached.wait(30))
        self.portico("apply", "-f", "-", "--no-wait", stdin="apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n")
        self.assertIsNone(command.poll(), "it was not waited for")
        code, _ = self.ends(command, signal.SIGTERM, self.remote.url)
        self.assertEqual(code, 128 + signal.SIGTERM)

    def test_a_container_is_removed_with_its_command(self):
        self.write("p/Kptfile", KPTFILE)
        tools, began, removed = self.dir / "tools", self.dir / "began", self.dir / "removed"
        docker = tools / "docker"
        self.write("tools/docker", f"#!/bin/sh\ncase $1 in\nrm) sleep 1.5; touch {removed} ;;\n"
                                   f"run) touch {began}; exec sleep 612343 ;;\nesac\n")
        docker.chmod(0o755)
        command = subprocess.Popen([binary(), "--containers", "fn", "eval", "p", "-i", "example.com/slow:v1"],
                                   cwd=self.dir, text=True,
                                   env={**ENVIRONMENT, "PATH": f"{tools}:{os.environ['PATH']}"},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(command.kill)
        until = time.monotonic() + 30
        while not began.exists() and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(began.exists(), "the container program was not asked")
        code, said = self.ends(command, signal.SIGTERM, "sleep 612343")
        self.assertEqual(code, 128 + signal.SIGTERM, said)
        self.assertTrue(removed.exists(), "the container stays")

    def test_a_container_of_a_killed_process_is_removed_by_the_next_command(self):
        self.bare("blueprints", {"web/Kptfile": KPTFILE + "pipeline:\n  mutators:\n  - image: example.com/slow:v1\n"},
                  tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")
        # A fake docker whose containers are files with their labels, which outlive it.
        tools, containers = self.dir / "tools", self.dir / "containers"
        containers.mkdir()
        self.write("tools/docker", f"#!/bin/sh\ncd {containers}\ncase $1 in\n"
                                   "ps) for id in *; do [ -e $id ] && echo $id $(cat $id); done ;;\n"
                                   "rm) shift 2; rm $* ;;\n"
                                   "run) for word; do case $word in portico.asker=*) echo ${word#*=} > c$$.new;; esac; done\n"
                                   f"mv c$$.new c$$; exec sleep 61{os.getpid():07} ;;\nesac\n")
        (tools / "docker").chmod(0o755)
        environment = {**ENVIRONMENT, "PATH": f"{tools}:{os.environ['PATH']}"}
        command = subprocess.Popen([binary(), "--containers", "apply", "-f", "-", "--wait"], cwd=self.dir, text=True,
                                   env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        self.addCleanup(command.communicate)
        self.addCleanup(command.kill)
        command.stdin.write(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n"
            "spec: {upstream: {repo: blueprints, package: web, revision: 1}, downstream: {repo: edge, package: web}}\n")
        command.stdin.close()
        command.stdin = None
        self.wait_for(lambda: list(containers.glob("c*[0-9]")), command)
        command.kill()
        command.wait()
        self.assertEqual(len(list(containers.iterdir())), 1)
        done = subprocess.run([binary(), "delete", "packagevariant", "web", "--no-wait"], cwd=self.dir, env=environment,
                              text=True, capture_output=True)
        self.assertEqual(list(containers.iterdir()), [], done.stderr)
        self.assertIn("containers of a killed process were removed", done.stderr)

    def slow_removal(self):
        """Creates a `docker` shell script with slow containers and removals. Returns PATH, the text by which its
        processes are found, and a file that exists once a removal runs."""
        tools, removing, sleep = self.dir / "tools", self.dir / "removing", f"sleep 61{os.getpid():07}"
        self.write("tools/docker", f"#!/bin/sh\ncase $1 in\nrm) touch {removing}; {sleep}2; : ;;\n"
                                   f"run) {sleep}1; : ;;\nesac\n")
        (tools / "docker").chmod(0o755)
        return f"{tools}:{os.environ['PATH']}", sleep, removing

    def dies_of_the_second(self, *arguments):
        """Tries several times, because a removal has three seconds and the second signal may come late on a slow
        machine."""
        path, sleep, removing = self.slow_removal()
        for _ in range(10):
            removing.unlink(missing_ok=True)
            command = subprocess.Popen([binary(), "--containers", *arguments], cwd=self.dir, text=True,
                                       env={**ENVIRONMENT, "PATH": path}, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.addCleanup(command.kill)
            self.wait_for(lambda: self.running(f"{sleep}1"), command)
            command.send_signal(signal.SIGTERM)
            self.wait_for(removing.exists, command)
            code, said = self.ends(command, signal.SIGTERM, sleep)
            if code == -signal.SIGTERM:
                return
        self.fail(f"the second signal is not obeyed: {code} {said}")

    @staticmethod
    def running(needle):
        return [line for line in subprocess.run(["ps", "-eo", "args"], text=True, capture_output=True).stdout.splitlines()
                if line.startswith(needle)]

    def wait_for(self, what, command):
        until = time.monotonic() + 60
        while not what() and time.monotonic() < until and command.poll() is None:
            time.sleep(0.02)
        self.assertTrue(what(), f"waited in vain, {command.poll()}")

    def test_a_second_signal_ends_a_command_at_once(self):
        self.write("p/Kptfile", KPTFILE)
        self.dies_of_the_second("fn", "eval", "p", "-i", "example.com/slow:v1")

    def test_a_second_signal_ends_serve_at_once(self):
        self.bare("blueprints", {"web/Kptfile": KPTFILE + "pipeline:\n  mutators:\n  - image: example.com/slow:v1\n"},
                  tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")
        self.portico("apply", "-f", "-", "--no-wait", stdin=(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n"
            "spec: {upstream: {repo: blueprints, package: web, revision: 1}, downstream: {repo: edge, package: web}}\n"))
        self.dies_of_the_second("serve")
        self.assertEqual(self.refs(self.dir / "edge.git", "refs/heads/drafts"), [])

    def removed_after_two(self, *signals, when):
        """Sends two signals to a command with a container; `docker` must remove the container, which takes a second."""
        self.write("p/Kptfile", KPTFILE)
        tools, removing, removed = self.dir / "tools", self.dir / "removing", self.dir / "removed"
        sleep = f"sleep 61{os.getpid():07}"
        self.write("tools/docker", f"#!/bin/sh\ncase $1 in\nrm) touch {removing}; sleep 1; echo $* > {removed} ;;\n"
                                   f"run) {sleep}; : ;;\nesac\n")
        (tools / "docker").chmod(0o755)
        command = subprocess.Popen([binary(), "--containers", "fn", "eval", "p", "-i", "example.com/slow:v1"],
                                   cwd=self.dir, text=True, env={**ENVIRONMENT, "PATH": f"{tools}:{os.environ['PATH']}"},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(command.kill)
        self.wait_for(lambda: self.running(sleep), command)
        command.send_signal(signals[0])
        if when == "while it is removed":
            self.wait_for(removing.exists, command)
        command.send_signal(signals[1])
        code, said = self.ends(command, 0, sleep)
        # Two different signals may be delivered as one, or in reverse order.
        self.assertIn(code, (-signals[1], 128 + signals[0], 128 + signals[1]), said)
        until = time.monotonic() + 10
        while not removed.exists():
            self.assertLess(time.monotonic(), until, "the container stays")
            time.sleep(0.02)
        self.assertRegex(removed.read_text(), r"^rm -f portico-\d+-\d+$")

    def test_a_container_is_removed_after_a_second_signal(self):
        self.removed_after_two(signal.SIGTERM, signal.SIGTERM, when="while it is removed")
        (self.dir / "removed").unlink()
        (self.dir / "removing").unlink()
        self.removed_after_two(signal.SIGTERM, signal.SIGINT, when="at once")

    def test_a_function_ends_with_what_it_started(self):
        self.write("p/Kptfile", KPTFILE)
        mark = self.dir / "began"
        function = self.dir / "work.sh"
        function.write_text(f"#!/bin/sh\nsleep 612341 &\ntouch {mark}\nsleep 612342\n")
        function.chmod(0o755)
        command = self.begin("fn", "eval", "p", "--no-sandbox", "--exec", str(function))
        until = time.monotonic() + 30
        while not mark.exists() and time.monotonic() < until:
            time.sleep(0.02)
        code, _ = self.ends(command, signal.SIGTERM, "sleep 61234")
        self.assertEqual(code, 128 + signal.SIGTERM)

    def test_a_time_holds_for_what_is_read_too(self):
        os.mkfifo(self.dir / "fifo")
        for command in (["apply", "-f", "fifo"], ["plan", "-f", "fifo"], ["fn", "sink", "out"]):
            silent = os.open(self.dir / "fifo", os.O_RDWR)
            done = subprocess.run([binary(), *command, "--timeout", "1"], cwd=self.dir,
                                  env=ENVIRONMENT, text=True, capture_output=True, stdin=silent,
                                  timeout=30)
            os.close(silent)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn("timed out after 1 s (--timeout)", done.stderr)

    def test_a_server_that_does_not_reach_its_cluster_ends(self):
        config = self.write("away.kubeconfig", "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                            "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
                            "clusters: [{name: c, cluster: {server: \"http://127.0.0.1:1\"}}]\n"
                            "users: [{name: u, user: {token: x}}]\n")
        server = subprocess.Popen(
            [binary(), "serve", "--kubernetes", "--kubeconfig", config, "--state", str(self.dir / "server"), "--listen",
             "127.0.0.1:0"], cwd=self.dir, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(server.communicate)
        self.assertIn("watch failed", server.stderr.readline())
        server.terminate()
        # It exits on its own; after five seconds the signal would end it, with another status.
        self.assertEqual(server.wait(timeout=60), 0)

    def test_serve_ends_when_its_terminal_goes(self):
        server = self.begin("serve")
        for line in server.stdout:
            if "stop with Ctrl-C" in line:
                break
        server.send_signal(signal.SIGHUP)
        server.communicate(timeout=20)
        self.assertEqual(server.returncode, 0)


if __name__ == "__main__":
    unittest.main()
