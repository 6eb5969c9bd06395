"""Two processes on one folder, and two state folders on one repository: a process that has to wait says
so, and nothing breaks."""
import json
import signal
import subprocess
import threading
import time
import unittest

from fault_fleet import CLUSTERS, PACKAGES, STEPS, FaultFleet, fleet_set, runs
from support import ENVIRONMENT, binary


def config_map(name):
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"},
                       "metadata": {"name": name, "namespace": "default"}})


class Two(FaultFleet):
    def together(self, commands, folders=None):
        """(status, output, error text) of each command; all are started at the same time."""
        processes = [subprocess.Popen([binary(), *command], cwd=folder or self.dir,
                                      env=ENVIRONMENT, text=True, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                     for (command, _), folder in zip(commands, folders or [None] * len(commands))]
        ends = [None] * len(processes)

        def finish(index, stdin):
            output, error = processes[index].communicate(stdin, timeout=120)
            ends[index] = (processes[index].returncode, output, error)

        threads = [threading.Thread(target=finish, args=(index, stdin))
                   for index, (_, stdin) in enumerate(commands)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ends

    def test_commands_beside_serve_go_through_it(self):
        self.build("apply")
        server = self.start("serve")
        self.addCleanup(server.kill)
        self.assertIn("serving", server.stdout.readline())
        for command in (["apply", "-f", "-"], ["get", "pv"], ["status"], ["repo", "sync", "--all"],
                        ["rpkg", "approve", "--set", "fleet"]):
            done = self.run_portico(*command, stdin=fleet_set())
            self.assertNotIn("this folder is in use", done.stderr, command)
        done = self.run_portico("serve")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"this folder is in use by process {server.pid}", done.stderr)
        self.assertIsNone(server.poll())
        server.send_signal(signal.SIGTERM)
        self.assertEqual(self.end_of(server, timeout=20)[0], 0)
        self.portico(*STEPS["apply"].command, stdin=fleet_set())

    def test_many_commands_at_once(self):
        self.build("apply")
        for turn in range(runs(3, 50)):
            ends = self.together([(["apply", "-f", "-"], config_map(f"c{turn}-{i}"))
                                  for i in range(8)])
            for status, output, error in ends:
                self.assertEqual(status, 0, error)
                self.assertIn("created", output)
            stored = [name for name in self.objects("configmaps") if name.startswith(f"c{turn}-")]
            self.assertEqual(len(stored), 8, "each had its turn")

    def test_two_state_folders_on_the_same_repositories(self):
        self.build("approve")
        other = self.dir / "other"
        self.portico("init", str(other))
        at = ["--state", str(other)]
        for name in self.repositories():
            self.portico(*at, "repo", "register", f"{name}.git", "--name", name, "--wait")
        names = [f"{cluster}.{package}.packagevariant-1"
                 for cluster in CLUSTERS for package in PACKAGES]
        ends = self.together([(["rpkg", "approve", *names], None),
                              ([*at, "rpkg", "approve", *reversed(names)], None)])
        for status, output, error in ends:
            self.assertIn(status, (0, 1), error)
            self.assertNotIn("bug in Portico", error)
        approved = [line.split()[0] for _, output, _ in ends for line in output.splitlines()
                    if line.endswith(" approved")]
        self.assertEqual(sorted(approved), sorted(names), f"each by one of them: {ends}")
        for state in ([], at):
            self.portico(*state, "repo", "sync", "--all", "--wait")
            published = json.loads(self.portico(*state, "get", "rpkg", "-o", "json"))["items"]
            self.assertEqual({item["metadata"]["name"] for item in published
                              if item["spec"]["lifecycle"] == "Published"
                              and item["spec"].get("revision") == 1
                              and item["spec"]["repository"] != "blueprints"}, set(names))
        self.check_repositories()

    def test_a_command_and_people_with_git(self):
        self.build("apply")
        stop = threading.Event()
        pushed = []

        def push():
            while not stop.is_set():
                number = len(pushed)
                try:
                    self.commit(self.dir / "cluster-0.git", {f"notes/{number}.txt": "x"}, "Note")
                    pushed.append(number)
                except AssertionError:
                    pass  # Portico was faster

        person = threading.Thread(target=push)
        person.start()
        try:
            self.portico(*STEPS["apply"].command, stdin=fleet_set())
            self.portico(*STEPS["propose"].command)
            self.portico(*STEPS["approve"].command)
            until = time.monotonic() + 30
            while not pushed and time.monotonic() < until:
                time.sleep(0.05)
        finally:
            stop.set()
            person.join()
        self.assertGreater(len(pushed), 0)
        files = self.git(self.dir / "cluster-0.git", "ls-tree", "-r", "--name-only", "main").split()
        for number in pushed:
            self.assertIn(f"notes/{number}.txt", files)
        for package in PACKAGES:
            self.assertIn(f"{package}/Kptfile", files)
        self.portico("repo", "sync", "--all", "--wait")
        self.check_repositories()


if __name__ == "__main__":
    unittest.main()
