"""Concurrent commands on one state folder: writers take turns, readers do not wait, and commands find a
server that starts or stops."""
import signal
import subprocess

from support import ENVIRONMENT, Fleet, binary

# Holds the folder as a command does, until its standard input ends.
HOLDER = """
import fcntl, os, sys
lock = open(sys.argv[1], "w")
fcntl.flock(lock, fcntl.LOCK_EX)
print(os.getpid(), file=lock, flush=True)
print("held", flush=True)
sys.stdin.read()
"""


def config_map(name):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"


class Turns(Fleet):
    serves = False

    def popen(self, command, stdin=None):
        process = subprocess.Popen(command, cwd=self.dir, env=ENVIRONMENT, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        if stdin is not None:
            process.stdin.write(stdin)
            process.stdin.flush()
            process.stdin.close()
            process.stdin = None
        return process

    def hold(self):
        holder = self.popen(["python3", "-c", HOLDER, str(self.dir / ".portico/store.lock")])
        self.assertEqual(holder.stdout.readline(), "held\n")
        return holder

    def apply(self, name, *more):
        return self.popen([binary(), "apply", "-f", "-", *more], config_map(name))

    def ends_well(self, process):
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return out

    def names(self):
        return set(self.objects("configmaps"))

    def test_a_reader_waits_for_nobody(self):
        self.ends_well(self.apply("one"))
        self.hold()
        self.assertEqual(self.names(), {"one"})
        self.portico("status")
        self.assertIn("configured", self.portico("apply", "-f", "-", "--dry-run",
                                                 stdin=config_map("one") + "data: {a: b}\n"))

    def test_a_writer_waits_for_its_turn_and_says_for_whom(self):
        holder = self.hold()
        writer = self.apply("one")
        self.assertRegex(writer.stderr.readline(),
                         f"waiting for process {holder.pid} .*, which is using this folder")
        holder.stdin.close()
        holder.stdin = None
        self.assertEqual(self.ends_well(writer), "configmap/one created\n")

    def test_a_writer_goes_on_where_the_other_one_is_killed(self):
        holder = self.hold()
        writer = self.apply("one")
        writer.stderr.readline()
        holder.send_signal(signal.SIGKILL)
        self.assertEqual(self.ends_well(writer), "configmap/one created\n")

    def test_a_writer_waits_no_longer_than_it_may(self):
        holder = self.hold()
        writer = self.apply("one", "--timeout", "2")
        _, err = writer.communicate(timeout=60)
        self.assertEqual(writer.returncode, 1)
        self.assertIn(f"still in use by process {holder.pid}", err)

    def test_many_writers_at_once(self):
        wanted = {f"m{i}" for i in range(8)}
        for writer in [self.apply(name) for name in sorted(wanted)]:
            self.ends_well(writer)
        self.assertEqual(self.names(), wanted)

    def test_who_serves_is_found(self):
        self.ends_well(self.apply("before"))
        self.start_server()
        self.portico("apply", "-f", "-", stdin=config_map("during"))
        self.assertEqual(self.names() & {"before", "during"}, {"before", "during"})
        self.assertIn("this folder is in use by process", self.fails("serve"), "two of them do not go together")
        self.server_process.send_signal(signal.SIGKILL)
        self.stop_server()
        self.assertTrue((self.dir / ".portico/api.sock").exists(), "nobody tidied up")
        self.ends_well(self.apply("after"))
        self.assertEqual(self.names() & {"before", "during", "after"},
                         {"before", "during", "after"})
        self.start_server()
        self.assertIn("after", self.names())
