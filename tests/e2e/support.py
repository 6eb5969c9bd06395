"""For tests that use Portico like a user: a state folder, git repositories and the real binary."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

# Keeps the configuration of the user who runs the tests away from git and portico.
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PORTICO_", "OTEL_"))},
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
    # Servers of the tests are local and must not be reached through a proxy.
    "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
}


def binary():
    path = os.environ.get("PORTICO_BINARY")
    if not path:
        raise RuntimeError("PORTICO_BINARY names the program that is tested")
    return path


# How the commands of a test reach the state: "folder", directly in their own process; "socket",
# through the socket of a `portico serve` on the folder; "server", over TLS with the server's
# kubeconfig.
MODE = os.environ.get("PORTICO_MODE", "folder")
# The author of a test's commits: over the network it is the authenticated user.
AUTHOR = ("portico-admin", "portico-admin") if MODE == "server" else ("Ada", "ada@example.com")


class Fleet(unittest.TestCase):
    """Each test has a temporary folder with a state folder in it."""

    serves = True  # whether the tests of the class use a server in the modes that have one

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="portico-e2e-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.environment = dict(ENVIRONMENT)
        self.portico("init", str(self.dir))
        if MODE != "folder" and self.serves:
            self.start_server("--listen", "127.0.0.1:0")

    def start_server(self, *arguments):
        """Runs `portico serve` on the state folder until stop_server() or the end of the test."""
        self.server_log = open(self.dir / "serve.log", "a+")
        self.addCleanup(self.server_log.close)
        self.server_process = subprocess.Popen(
            [binary(), "serve", *arguments], cwd=self.dir, env=ENVIRONMENT, text=True,
            stdout=subprocess.PIPE, stderr=self.server_log)
        self.addCleanup(self.stop_server)
        for line in self.server_process.stdout:
            if line.startswith("serving "):
                break
            if found := re.search(r"Kubernetes API at (https://\S+); export KUBECONFIG=(.*)", line):
                if MODE == "server":
                    self.environment.update(PORTICO_SERVER=found[1], KUBECONFIG=found[2])
        else:
            self.server_log.seek(0)
            self.fail(f"serve ended: {self.server_log.read()}")

    def stop_server(self):
        if self.server_process.poll() is None:
            self.server_process.terminate()
        self.server_process.wait(timeout=60)
        self.server_process.stdout.close()

    def run_portico(self, *arguments, stdin=None, timeout=120):
        return subprocess.run([binary(), *arguments], cwd=self.dir, env=self.environment,
                              input=stdin, text=True, capture_output=True, timeout=timeout)

    def portico(self, *arguments, stdin=None, timeout=120):
        """Runs a command that must succeed; returns its standard output."""
        done = self.run_portico(*arguments, stdin=stdin, timeout=timeout)
        self.assertEqual(done.returncode, 0,
                         f"portico {' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def settles(self, *arguments, stdin=None, timeout=300):
        """Runs a command with --wait after which some objects may fail; returns its standard output."""
        done = self.run_portico(*arguments, "--wait", stdin=stdin, timeout=timeout)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("portico: ", done.stderr, "only what the objects say")
        return done.stdout

    def fails(self, *arguments, stdin=None):
        """Runs a command that must fail without a crash; returns its standard error."""
        done = self.run_portico(*arguments, stdin=stdin)
        self.assertIn(done.returncode, (1, 2), f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stderr

    def objects(self, kind, *arguments):
        """Name -> object, as `portico get` returns them."""
        return {o["metadata"]["name"]: o
                for o in json.loads(self.portico("get", kind, "-o", "json", *arguments))["items"]}

    def git(self, repository, *arguments, stdin=None):
        done = subprocess.run(["git", "-C", str(repository), *arguments], env=ENVIRONMENT,
                              input=stdin, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, f"git {arguments}: {done.stderr}")
        return done.stdout

    def bare(self, name, files=None, tags=()):
        """Creates a bare repository with `files` (path -> text) on main, tagged with `tags`."""
        path = self.dir / f"{name}.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], env=ENVIRONMENT,
                       check=True)
        self.commit(path, files or {"README.md": f"# {name}\n"}, "Begin", tags)
        return path

    def commit(self, repository, files, subject, tags=()):
        """Adds or replaces files on main of a bare repository, through a clone."""
        with tempfile.TemporaryDirectory(dir=self.dir) as work:
            subprocess.run(["git", "clone", "-q", str(repository), work], env=ENVIRONMENT,
                           check=True, capture_output=True)
            for path, text in files.items():
                target = pathlib.Path(work) / path
                if text is None:
                    target.unlink()
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(text, bytes):
                    target.write_bytes(text)
                else:
                    target.write_text(text)
            self.git(work, "add", "-A")
            self.git(work, "commit", "-q", "-m", subject)
            for tag in tags:
                self.git(work, "tag", tag)
            self.git(work, "push", "-q", "origin", "HEAD:refs/heads/main", *tags)

    def show(self, repository, spec):
        return self.git(repository, "show", spec)

    def refs(self, repository, pattern="refs"):
        return self.git(repository, "for-each-ref", "--format=%(refname)", pattern).split()

    def fsck(self, repository):
        done = subprocess.run(["git", "-C", str(repository), "fsck", "--full", "--strict"],
                              env=ENVIRONMENT, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        noise = [l for l in (done.stdout + done.stderr).splitlines()
                 if l and not l.startswith(("dangling", "notice", "Checking"))]
        self.assertEqual(noise, [])

    def condition(self, item, kind="Ready"):
        for each in item.get("status", {}).get("conditions", []):
            if each["type"] == kind:
                return each
        return {"status": "", "reason": "", "message": ""}

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)
