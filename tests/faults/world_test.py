"""Each answer of the world that src/base/world_error.cc knows: a server says what it was, and goes on
by itself once it is mended, without a restart."""
import errno
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import time
import unittest

import yaml
from evaluator import Evaluator
from fault_fleet import SLOW, WEB, FaultFleet
from git_server import GitServer, Handler
from relay import Relay, git_daemon
from shim import Shim
from support import ENVIRONMENT, binary

LIMIT = 90  # seconds, for all rows to fail and then for all to be Ready


class Answers(Handler):
    """Answers a status for a repository while `server.answers` names one: for all that is asked of
    it, or for pushes alone."""

    def serve(self):
        repository = self.path.split("/")[1]
        status, when = self.server.answers.get(repository, (None, None))
        if status and (when == "all" or "receive-pack" in self.path):
            if self.command == "POST":
                self.body()
            headers = [("WWW-Authenticate", 'Basic realm="git"')] if status == 401 else []
            self.reply(f"{status} said", headers, b"")
            return
        super().serve()

    do_GET = do_POST = serve


def has_plugin():
    return (pathlib.Path(binary()).parent / "libportico_grpc.so").exists()


class Row:
    """A fault: the repository or function it is about, how it is mended, what is said of it."""

    def __init__(self, name, says, mend, url=None, image=None):
        self.name, self.says, self.mend, self.url, self.image = name, says, mend, url, image


class World(FaultFleet):
    def setUp(self):
        super().setUp()
        self.server = GitServer(self.dir, Answers)
        self.server.allow_only(None)
        self.server.http.answers = {}
        self.addCleanup(self.server.close)
        self.rows = []

    # ---- rows

    def row(self, name, says, mend, **more):
        self.rows.append(Row(name, says, mend, **more))

    def http(self, status, says, when="all"):
        name = f"{'http' if when == 'all' else 'push'}-{status}"
        self.bare(name)
        self.server.http.answers[f"{name}.git"] = (status, when)
        self.row(name, says, lambda: self.server.http.answers.pop(f"{name}.git"),
                 url=self.server.url(f"{name}.git"))

    def hook(self, name, kind, text, says):
        repository = self.bare(name)
        hook = repository / "hooks" / kind
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho '{text}' >&2\nexit 1\n")
        hook.chmod(0o755)
        self.row(name, says, hook.unlink, url=self.server.url(f"{name}.git"))

    def disk(self, slot, name, error, says):
        repository = self.bare(name)
        self.shim.break_folder(slot, repository, error)
        self.row(name, says, lambda: self.shim.break_folder(slot, "", 0), url=f"{name}.git")

    def nobody_listens(self):
        self.bare("refused")
        relay = Relay(git_daemon(self.dir))
        port = relay.port
        relay.close()

        def mend():
            again = Relay(git_daemon(self.dir), port)
            self.addCleanup(again.close)
        self.row("refused", "Connection refused", mend, url=f"git://127.0.0.1:{port}/refused.git")

    def reset(self):
        self.bare("reset")
        relay = Relay(git_daemon(self.dir))
        self.addCleanup(relay.close)
        relay.cut("down", 1, "dead")
        self.row("reset", ("Connection reset by peer", "hung up"), relay.clear,
                 url=f"git://127.0.0.1:{relay.port}/reset.git")

    def no_such_host(self):
        self.bare("nowhere")

        def mend():
            self.portico("repo", "unregister", "nowhere", "--force")
            self.portico("apply", "-f", "-", stdin=yaml.safe_dump(
                self.repository("nowhere", self.server.url("nowhere.git"))))
        self.row("nowhere", "Could not resolve host", mend,
                 url="http://no-such-host.invalid/nowhere.git")

    def untrusted(self):
        """A server with a certificate that nobody knows, until its CA is in a file of git's."""
        self.bare("untrusted")
        for name in ("right", "wrong"):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                            "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-keyout", f"{name}.key", "-out", f"{name}.pem"],
                           cwd=self.dir, check=True, capture_output=True)
        self.authorities = self.dir / "authorities.pem"
        self.authorities.write_text((self.dir / "wrong.pem").read_text())
        secure = GitServer(self.dir, Answers)
        secure.allow_only(None)
        secure.http.answers = {}
        self.addCleanup(secure.close)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.dir / "right.pem", self.dir / "right.key")
        secure.http.socket = context.wrap_socket(secure.http.socket, server_side=True,
                                                 do_handshake_on_connect=False)
        self.row("untrusted", "certificate",
                 lambda: self.authorities.write_text((self.dir / "right.pem").read_text()),
                 url=secure.url("untrusted.git").replace("http://", "https://"))

    def silent(self):
        self.bare("silent")
        relay = Relay(git_daemon(self.dir))
        self.addCleanup(relay.close)
        relay.hang()
        self.row("silent", "made no progress for 20 s", relay.clear,
                 url=f"git://127.0.0.1:{relay.port}/silent.git")

    def not_exported(self):
        self.bare("hidden")
        relay = Relay(git_daemon(self.dir, export_all=False))
        self.addCleanup(relay.close)
        self.row("hidden", "not exported",
                 (self.dir / "hidden.git" / "git-daemon-export-ok").touch,
                 url=f"git://127.0.0.1:{relay.port}/hidden.git")

    def ssh(self, name, says):
        """`ssh` is a script that refuses until a file is there, and then runs git here."""
        self.bare(name)
        script = self.dir / "ssh"
        script.write_text(
            "#!/bin/sh\n"
            "for last; do :; done\n"
            f"name=$(expr \"$last\" : \".*/\\([a-z-]*\\).git'\")\n"
            f"if [ -e {self.dir}/$name.known ]; then cd {self.dir}; exec sh -c \"$last\"; fi\n"
            f"cat {self.dir}/$name.says >&2\nexit 255\n")
        script.chmod(0o755)
        (self.dir / f"{name}.says").write_text(says + "\n")
        self.row(name, says, (self.dir / f"{name}.known").touch,
                 url=f"ssh://somewhere{self.dir}/{name}.git")

    def missing(self):
        self.row("missing", "there is no git repository at", lambda: self.bare("missing"),
                 url=str(self.dir / "missing.git"))

    def no_branch(self):
        path = self.dir / "branchless.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], env=ENVIRONMENT,
                       check=True)
        self.row("branchless", 'branch "main" does not exist',
                 lambda: self.commit(path, {"README.md": "x\n"}, "Begin"),
                 url=self.server.url("branchless.git"))

    def grpc(self, code):
        name = f"code-{code}"
        self.evaluator.statuses[name] = code
        says = "gave no answer in time" if code == 4 else f"says {name}"
        self.row(name, says, lambda: self.evaluator.statuses.pop(name),
                 image=f"registry.example.com/fn/{name}:v1")

    def containers(self):
        """`docker` is a script that ends with 125 until a file is there, and then echoes."""
        script = self.dir / "bin" / "docker"
        script.parent.mkdir()
        script.write_text(f"#!/bin/sh\nif [ -e {self.dir}/docker-runs ]; then exec cat; fi\n"
                          "echo 'Cannot connect to the Docker daemon' >&2\nexit 125\n")
        script.chmod(0o755)
        self.row("docker", "Cannot connect to the Docker daemon",
                 (self.dir / "docker-runs").touch, image="registry.example.com/other/docker:v1")

    # ---- the fleet

    def blueprints(self):
        files = {}
        for row in self.rows:
            for path, text in WEB.items():
                package = path.replace("web/", f"{row.name}/")
                files[package] = text.replace("set-labels:v0.2.0", row.image) if row.image else text
        self.bare("blueprints", files, tags=[f"{row.name}/v1" for row in self.rows])
        self.bare("edge")

    @staticmethod
    def repository(name, url):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name},
                "spec": {"type": "git", "deployment": True, "git": {"repo": url}}}

    def manifests(self):
        out = [self.repository(name, url)
               for name, url in [("blueprints", str(self.dir / "blueprints.git")),
                                 ("edge", str(self.dir / "edge.git")),
                                 *((row.name, row.url) for row in self.rows if row.url)]]
        out += [{"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                 "metadata": {"name": row.name},
                 "spec": {"upstream": {"repo": "blueprints", "package": row.name, "revision": 1},
                          "downstream": {"repo": row.name if row.url else "edge",
                                         "package": row.name}}} for row in self.rows]
        for row in self.rows:
            if row.image and "/fn/" in row.image:
                out.append({"apiVersion": "config.porch.kpt.dev/v1alpha1",
                            "kind": "FunctionConfig", "metadata": {"name": row.name},
                            "spec": {"image": row.name, "prefixes": ["registry.example.com/fn"],
                                     "grpcExecutor": {"address": self.evaluator.address}}})
        return "---\n".join(map(yaml.safe_dump, out))

    def drafts(self, row):
        repository = self.dir / f"{row.name if row.url else 'edge'}.git"
        if not repository.exists():
            return []
        return self.refs(repository, f"refs/heads/drafts/{row.name}")

    def lines(self):
        out = []
        for line in self.log.read_text().splitlines():
            try:
                out.append(json.loads(line))
            except ValueError:
                continue  # the last one, as it is written
        return out

    def wait_for(self, what, rows):
        until = time.monotonic() + LIMIT
        left = list(rows)
        while left:
            self.assertIsNone(self.process.poll(), "serve ended")
            lines = self.lines()
            left = [row for row in left if not what(row, lines)]
            if left and time.monotonic() > until:
                last = {row.name: [line for line in lines if row.name in line.get("object", "")][-2:]
                        for row in left}
                self.fail(f"not within {LIMIT} s: {json.dumps(last, indent=1)}")
            time.sleep(0.1)

    @staticmethod
    def has_failed(row, lines):
        says = row.says if isinstance(row.says, tuple) else (row.says,)
        return any(any(one in line.get("error", "") for one in says) and
                   line.get("object", "").rstrip().endswith("/" + row.name) for line in lines)

    def test_all_rows(self):
        self.shim = Shim(self.dir / "shim", self.dir)
        for status, says in {401: "Authentication failed", 403: "403", 404: "not found", 408: "408",
                             429: "429", 500: "500", 502: "502", 503: "503", 507: "507"}.items():
            self.http(status, says)
        for status in (403, 429, 500, 507):
            self.http(status, str(status), "push")
        self.hook("hook", "pre-receive", "frozen until Monday", "pre-receive hook declined")
        self.hook("quota", "pre-receive", "quota exceeded", "hook declined")
        self.hook("protected", "update", "protected branch", "hook declined")
        self.disk(0, "full", errno.ENOSPC, "No space left on device")
        self.disk(1, "readonly", errno.EROFS, "Read-only file system")
        self.nobody_listens()
        self.reset()
        self.no_such_host()
        self.untrusted()
        self.not_exported()
        self.ssh("host-key", "Host key verification failed.")
        self.ssh("key", "Permission denied (publickey).")
        self.missing()
        self.no_branch()
        self.containers()
        if SLOW:
            self.silent()
        if has_plugin():
            self.evaluator = Evaluator()
            self.addCleanup(self.evaluator.close)
            for code in (1, 2, 4, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16):
                self.grpc(code)
        self.blueprints()
        self.portico("apply", "-f", "-", stdin=self.manifests())

        self.log = self.dir / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [binary(), "--containers", "serve", "-v", "--log-format", "json", "--resync", "1"],
                cwd=self.dir, text=True, stdout=subprocess.DEVNULL, stderr=log,
                env={**ENVIRONMENT, **self.shim.environment(),
                     "PATH": f"{self.dir}/bin:{os.environ['PATH']}",
                     "GIT_SSL_CAINFO": str(self.authorities),
                     "GIT_SSH_COMMAND": str(self.dir / "ssh")})
        self.addCleanup(self.process.kill)
        self.wait_for(self.has_failed, self.rows)
        for row in self.rows:
            self.assertEqual(self.drafts(row), [], f"{row.name} did not fail")
            row.mend()
        self.wait_for(lambda row, _: self.drafts(row), self.rows)
        # The draft is there before the status says so.
        self.wait_for(lambda row, lines: any(
            line.get("message") == "recovered" and line["object"].endswith("/" + row.name)
            for line in lines), self.rows)
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=20), 0)
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "True", f"{name}: {ready['message']}")


if __name__ == "__main__":
    unittest.main()
