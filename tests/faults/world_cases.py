"""Outside errors, case by case: the fault, how it is fixed, and the text that reports it."""
import errno
import pathlib
import ssl
import subprocess

import yaml
from fault_fleet import FaultFleet
from git_server import GitServer, Handler
from relay import Relay, git_daemon, tcp
from support import ENVIRONMENT, binary


WRONG_REQUEST = (3, 9, 11)  # INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE: not retried without a change

BUSY = "kNoStart: ETXTBSY"


def packet(data):
    return f"{len(data) + 4:04x}".encode() + data


def refusal(body, said, why):
    """git receive-pack's answer to the push `body` if it changes no ref: `why` for each ref, and `said` as progress."""
    commands, at = [], 0
    while size := int(body[at:at + 4], 16):
        commands.append(body[at + 4:at + size])
        at += size
    report = packet(b"unpack ok\n")
    for command in commands:
        ref = command.split(b"\0")[0].split()[2]
        report += packet(b"ng " + ref + b" " + why.encode() + b"\n")
    told = packet(b"\2" + said.encode() + b"\n") if said else b""
    return told + packet(b"\1" + report + b"0000") + b"0000"


class Answers(Handler):
    """Answers a status for a repository while `server.answers` names one: for all requests, or for pushes
    only. While `server.rejects` has a (text, reason) for the repository, pushes change no ref."""

    def serve(self):
        repository = self.path.split("/")[1]
        status, when = self.server.answers.get(repository, (None, None))
        if status and (when == "all" or "receive-pack" in self.path):
            if self.command == "POST":
                self.body()
            headers = [("WWW-Authenticate", 'Basic realm="git"')] if status == 401 else []
            self.reply(f"{status} said", headers, b"")
            return
        if repository in self.server.rejects and self.command == "POST" and "receive-pack" in self.path:
            self.reply("200 OK", [("Content-Type", "application/x-git-receive-pack-result")],
                       refusal(self.body(), *self.server.rejects[repository]))
            return
        super().serve()

    do_GET = do_POST = serve


def has_plugin():
    return (pathlib.Path(binary()).parent / "libportico_grpc.so").exists()


class Row:
    """A fault: the repository or function it affects, how it is fixed, the text that reports it, and the row of a table
    of src/base/world_error.cc ("kGit: quota") that it is a case of."""

    def __init__(self, name, says, mend, url=None, image=None, of=""):
        self.name, self.says, self.mend, self.url, self.image, self.of = name, says, mend, url, image, of


class WorldCases(FaultFleet):
    """Each method adds a case to `rows`."""

    def setUp(self):
        super().setUp()
        self.server = GitServer(self.dir, Answers)
        self.server.allow_only(None)
        self.server.http.answers, self.server.http.rejects = {}, {}
        self.addCleanup(self.server.close)
        self.rows = []

    # ---- rows

    def row(self, name, says, mend, **more):
        self.rows.append(Row(name, says, mend, **more))

    def http(self, status, says, when="all"):
        name = f"{'http' if when == 'all' else 'push'}-{status}"
        self.bare(name)
        self.server.http.answers[f"{name}.git"] = (status, when)
        own = {401: "authentication failed", 404: "not found", **{each: f"returned error: {each}" for each in (408, 429, 507)}}
        self.row(name, says, lambda: self.server.http.answers.pop(f"{name}.git"), url=self.server.url(f"{name}.git"),
                 of=f"kGit: {own.get(status, f'returned error: {status // 100}')}")

    def rejected(self, name, why, of, said=""):
        """Rejects each ref, in the words of servers other than git's, or of git's for a race."""
        self.bare(name)
        self.server.http.rejects[f"{name}.git"] = (said, why)
        self.row(name, said or why, lambda: self.server.http.rejects.pop(f"{name}.git"),
                 url=self.server.url(f"{name}.git"), of=of)

    def rejections(self):
        """A race is lost several times before it is reported; each try is a push and a fetch."""
        words = [("stale info", "stale info"), ("Internal Server Error", "internal server error"),
                 ("fetch first", "fetch first"), ("non-fast-forward", "non-fast-forward"),
                 ("already exists", "already exists"), ("cannot lock ref", "cannot lock ref"),
                 ("failed to update ref", "failed to update ref"),
                 ("remote ref updated since checkout", "remote ref updated"),
                 ("incorrect old value provided", "incorrect old value"), ("unable to lock", "unable to lock")]
        at, told = "error: cannot lock ref 'refs/heads/x': ", [
            ("is at 8a01d40 but expected 29fc5bd", "but expected"),
            ("reference already exists", "reference already exists"),
            ("unable to resolve reference 'refs/heads/x'", "unable to resolve reference"),
            ("'refs/heads' exists; cannot create 'refs/heads/x'", "cannot create")]
        for i, (why, of) in enumerate(words):
            self.rejected(f"rejected-{i}", why, f"kRejectedRef: {of}")
        for i, (says, of) in enumerate(told):
            self.rejected(f"unlocked-{i}", "atomic transaction failed", f"kUnlockedRef: {of}", at + says)

    def hook(self, name, kind, text, says):
        repository = self.bare(name)
        hook = repository / "hooks" / kind
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho '{text}' >&2\nexit 1\n")
        hook.chmod(0o755)
        self.row(name, says, hook.unlink, url=self.server.url(f"{name}.git"))

    def held(self):
        """Another process is changing the ref, or was killed while changing it."""
        lock = self.bare("held") / "refs/heads/drafts/held/packagevariant-1.lock"
        lock.parent.mkdir(parents=True)
        lock.touch()
        self.row("held", "cannot lock ref", lock.unlink, url=self.server.url("held.git"), of="kUnlockedRef: file exists")

    def blocked(self):
        """The same for a ref that has this one as a folder."""
        lock = self.bare("blocked") / "refs/heads/drafts/blocked/packagevariant-1/other.lock"
        lock.parent.mkdir(parents=True)
        lock.touch()
        self.row("blocked", "cannot lock ref", lock.unlink, url=self.server.url("blocked.git"),
                 of="kUnlockedRef: blocking reference")

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
        self.row("refused", "Connection refused", mend, url=f"git://127.0.0.1:{port}/refused.git",
                 of="kGit: connection refused")

    def nobody_serves(self):
        self.bare("closed")
        to_server = tcp(self.server.http.server_port)
        relay = Relay(to_server)
        port = relay.port
        relay.close()

        def mend():
            again = Relay(to_server, port)
            self.addCleanup(again.close)
        self.row("closed", "Failed to connect", mend, url=f"http://127.0.0.1:{port}/closed.git",
                 of="kGit: failed to connect")

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
        self.row("nowhere", "Could not resolve host", mend, url="http://no-such-host.invalid/nowhere.git",
                 of="kGit: could not resolve host")

    def untrusted(self):
        """A server with an untrusted certificate, until its CA is in a file of git's."""
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
        secure.http.answers, secure.http.rejects = {}, {}
        self.addCleanup(secure.close)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.dir / "right.pem", self.dir / "right.key")
        secure.http.socket = context.wrap_socket(secure.http.socket, server_side=True,
                                                 do_handshake_on_connect=False)
        self.row("untrusted", "certificate",
                 lambda: self.authorities.write_text((self.dir / "right.pem").read_text()),
                 url=secure.url("untrusted.git").replace("http://", "https://"), of="kGit: certificate")

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
                 url=f"git://127.0.0.1:{relay.port}/hidden.git", of="kGit: access denied")

    def ssh(self, name, says, of):
        """`ssh` is a script that refuses until a file exists, and then runs git locally."""
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
                 url=f"ssh://somewhere{self.dir}/{name}.git", of=f"kGit: {of}")

    def missing(self):
        self.row("missing", "not a git repository:", lambda: self.bare("missing"),
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
        says = "did not respond in time" if code == 4 else f"says {name}"

        def mend():
            self.evaluator.statuses.pop(name)
            if code in WRONG_REQUEST:
                config = self.function_config(name)
                config["spec"]["prefixes"].append("registry.example.com/again")
                self.portico("apply", "-f", "-", "--no-wait", stdin=yaml.safe_dump(config))
        self.row(name, says, mend, image=f"registry.example.com/fn/{name}:v1", of=f"kGrpc: {code}")

    def function_config(self, name):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "FunctionConfig", "metadata": {"name": name},
                "spec": {"image": name, "prefixes": ["registry.example.com/fn"],
                         "grpcExecutor": {"address": self.evaluator.address}}}

    def docker(self, text):
        script = self.dir / "bin" / "docker"
        script.parent.mkdir()
        script.write_text(text)
        script.chmod(0o755)
        return script

    def busy(self):
        """`docker` is open for writing."""
        script = self.docker("#!/bin/sh\nexec cat\n")
        writer = script.open("a")
        self.addCleanup(writer.close)
        try:
            subprocess.run([str(script)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            self.skipTest("this kernel runs what is being written")
        except OSError as error:
            self.assertEqual(error.errno, errno.ETXTBSY)
        self.row("busy", "Text file busy", writer.close, image="registry.example.com/other/busy:v1",
                 of=BUSY)

    def containers(self):
        """`docker` is a script that exits with 125 until a file exists, and then echoes."""
        self.docker(f"#!/bin/sh\nif [ -e {self.dir}/docker-runs ]; then exec cat; fi\n"
                    "echo 'Cannot connect to the Docker daemon' >&2\nexit 125\n")
        self.row("docker", "Cannot connect to the Docker daemon",
                 (self.dir / "docker-runs").touch, image="registry.example.com/other/docker:v1")
