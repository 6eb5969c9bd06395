"""A cluster on which things go wrong under `portico serve --kubernetes`, and what must hold of it afterwards: for tests."""
import base64
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.error
import urllib.request

import yaml
from apart import COUNT
from support import ENVIRONMENT
from way import HttpWay, Way, server_of, through
from without_porch import WithoutPorch

ACCOUNT = "system:serviceaccount:portico-system:portico-server"


class FailingCluster(WithoutPorch):
    """What servers write, but for Leases and reviews, is in the audit log."""

    lease_seconds = 8  # a busy machine is not to look like one more failure

    def setUp(self):
        self.programs = []
        self.addCleanup(self.reap)
        super().setUp()

    @property
    def flags(self):
        policy = self.write("audit-policy.yaml", yaml.safe_dump({
            "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
            "rules": [{"level": "None", "resources": [{"group": group} for group in (
                          "coordination.k8s.io", "authentication.k8s.io", "authorization.k8s.io")]},
                      {"level": "Metadata", "users": [ACCOUNT],
                       "verbs": ["create", "update", "patch", "delete", "deletecollection"]},
                      {"level": "None"}]}))
        return f"--audit-policy-file={policy} --audit-log-path={self.dir}/audit.log"

    def written(self):
        """(verb, resource, name) of each write that servers have tried."""
        out = []
        for line in (self.dir / "audit.log").read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            what = event["objectRef"]
            out.append((event["verb"], "/".join(filter(None, (what["resource"], what.get("subresource")))),
                        what.get("name")))
        return out

    def writes(self):
        return len(self.written())

    # ---- ways

    def http_way(self, fault=None):
        """A kubeconfig of the servers whose requests pass by `fault` (way.py)."""
        way = HttpWay(self.front, self.cluster / "pki", fault)
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account, way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    def byte_way(self):
        way = Way(server_of(self.front))
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account, way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    # ---- programs of the cluster

    def kill_and_start(self, *programs, flags=()):
        """kill -9, all of them first, and the same command lines again, with more flags; until the API server is
        ready."""
        lines = {}
        for program in programs:
            pid = int((self.cluster / f"{program}.pid").read_text(encoding="utf-8").split()[0])
            lines[program] = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
            os.kill(pid, signal.SIGKILL)
            self.until(lambda pid=pid: self.state_of(pid) in ("", "Z"))
        for program, line in lines.items():
            with open(self.cluster / f"{program}.log", "ab") as log:
                process = subprocess.Popen([*line, *flags], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           start_new_session=True)
            self.programs.append(process)
            started = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
            (self.cluster / f"{program}.pid").write_text(f"{process.pid} {started}\n", encoding="utf-8")
        self.until(self.is_ready)

    @staticmethod
    def state_of(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except OSError:
            return ""

    def is_ready(self):
        done = subprocess.run(["kubectl", "--kubeconfig", str(self.front), "get", "--raw", "/readyz"],
                              capture_output=True, text=True, timeout=60, env={**ENVIRONMENT, "HOME": str(self.dir)})
        return done.returncode == 0

    def reap(self):
        for process in self.programs:
            process.wait(timeout=30)

    def etcd(self, path, **request):
        """What etcd answers through its gateway; the error's text where it refuses."""
        port = (self.cluster / "etcd.port").read_text(encoding="utf-8").strip()
        ask = urllib.request.Request(f"http://127.0.0.1:{port}/v3/{path}", method="POST",
                                     data=json.dumps(request).encode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(ask, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            return refused.read().decode()

    @staticmethod
    def etcd_key(text):
        return base64.b64encode(text.encode()).decode()

    def compact(self):
        """Of all that etcd has nothing but the newest is kept."""
        now = self.etcd("kv/range", key=self.etcd_key("nothing"))["header"]["revision"]
        self.etcd("kv/compaction", revision=now, physical=True)

    # ---- what must hold

    def fan_out(self, server):
        """The fleet is asked for, and has begun."""
        self.route(server)
        self.apply_fleet()
        self.until(lambda: len(self.trees()) >= 2)

    def end(self, trees, names=("first",), refused_for_a_moment=None):
        """The same content as without a disturbance, nothing doubled, then silence; and nothing was approved that
        nobody has approved. Nothing was forbidden, but for one resource."""
        self.check(trees)
        before = self.writes()
        self.hold(10)
        self.assertEqual(self.written()[before:], [], "nothing is written where nothing changes")
        for name in names:
            self.assertEqual([line for line in self.log(name).splitlines() if "forbidden" in line and
                              (refused_for_a_moment is None or refused_for_a_moment not in line)], [])
        drafts = [name for name, each in self.in_cluster("packagerevisions").items()
                  if each["spec"]["repository"] != "blueprints"]
        self.assertEqual(len(drafts), COUNT)
        for repository in self.dir.glob("cluster-*.git"):
            refs = self.refs(repository)
            self.assertEqual(len(refs), 2, f"main and one draft, not {refs}")

    def until_all_but(self, repository, trees):
        """The draft of this repository goes, and the others are as they were."""
        self.until(lambda: not self.refs(self.dir / f"{repository}.git", "refs/heads/drafts"))
        self.assertEqual(self.trees(), {key: tree for key, tree in trees.items() if key[0] != f"{repository}.git"})

    def kill(self, server):
        server.kill()
        server.wait()

    def until_said(self, text, name="first", seconds=90):
        """Until a server's log has it, from now on."""
        begin = len(self.log(name))

        def says():
            return text in self.log(name)[begin:]
        says.__name__ = f'the log says "{text}"'
        self.until(says, seconds)

    def hold(self, seconds):
        """A disturbance that takes so long: what matters is that it passes, not how long that takes."""
        time.sleep(seconds)
