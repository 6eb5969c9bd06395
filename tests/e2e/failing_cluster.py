"""A cluster on which things go wrong under `portico serve --kubernetes` or `portico controllers`, and what must hold of it
afterwards: for tests."""
import json
import os
import threading
import time

import yaml
from apart import COUNT
from beside_porch import BesidePorch
from way import HttpWay, Way, server_of, through
from without_porch import WithoutPorch

ACCOUNTS = [f"system:serviceaccount:portico-system:portico-{each}" for each in ("server", "controllers")]
# After three in which nothing was written: seconds in which nothing may be.
SILENCE = 27 if os.environ.get("PORTICO_SLOW") else 7


class Refusals:
    """Each second request is refused from begin() to end(): 429 with Retry-After, 500, a connection that ends, and a 500 for
    what was done, in turns. A fault for an HttpWay."""

    def __init__(self):
        self.lock, self.count, self.now = threading.Lock(), 0, threading.Event()
        self.begin, self.end = self.now.set, self.now.clear
        failed = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 500,
                             "reason": "InternalError", "message": "Internal error occurred: etcdserver: timed out"})
        broken = (500, [("Content-Type", "application/json")], failed.encode())
        self.answers = [(429, [("Content-Type", "text/plain"), ("Retry-After", "1")], b"Too many requests\n"),
                        broken, "cut", lambda status: broken]

    def __call__(self, *_):
        if not self.now.is_set():
            return None
        with self.lock:
            self.count += 1
            return self.answers[self.count // 2 % len(self.answers)] if self.count % 2 else None


class Failing:
    """What is tested is asked for by `account_of_it()`, the kubeconfig of its account; what it writes, but for Leases and reviews,
    is in the audit log."""

    kind = "audited"

    def setUp(self):
        super().setUp()
        self.audit = self.cluster.parent / "audit.log"
        self.audit_begins = self.audit.stat().st_size if self.audit.exists() else 0

    def flags_in(self, folder):
        policy = folder / "audit-policy.yaml"
        policy.write_text(yaml.safe_dump({
            "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
            "rules": [{"level": "None", "resources": [{"group": group} for group in (
                          "coordination.k8s.io", "authentication.k8s.io", "authorization.k8s.io")]},
                      {"level": "Metadata", "users": ACCOUNTS,
                       "verbs": ["create", "update", "patch", "delete", "deletecollection"]},
                      {"level": "None"}]}), encoding="utf-8")
        return f"--audit-policy-file={policy} --audit-log-path={folder}/audit.log"

    def written(self):
        """(verb, resource, name) of each write that was tried."""
        out = []
        if not self.audit.exists():
            return out  # it is made with the first line
        with open(self.audit, "rb") as log:
            log.seek(self.audit_begins)
            lines = log.read().rpartition(b"\n")[0].splitlines()  # none that is being written
        for line in lines:
            event = json.loads(line)
            what = event["objectRef"]
            out.append((event["verb"], "/".join(filter(None, (what["resource"], what.get("subresource")))),
                        what.get("name")))
        return out

    def writes(self):
        return len(self.written())

    def settled(self):
        """The variants and, where its definition has a place for it, the set say so; what failed meanwhile may be tried
        again long after the variants are done."""
        said = self.in_cluster("packagevariantsets")["web"].get("status", {})
        return super().settled() and said and said.get("targets", {"ready": COUNT}).get("ready") == COUNT

    def is_idle(self):
        """No write was tried for as long as it takes to look at everything once."""
        return time.time() - self.audit.stat().st_mtime >= 3

    def is_silent(self):
        """No write is tried for longer than it takes until what has failed is tried again."""
        before = self.writes()
        self.hold(SILENCE)
        return self.writes() == before

    # ---- ways

    def http_way(self, fault=None):
        """A kubeconfig of the account whose requests pass by `fault` (way.py)."""
        way = HttpWay(self.front, self.cluster / "pki", fault)
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account_of_it(), way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    def byte_way(self):
        way = Way(server_of(self.front))
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account_of_it(), way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    # ---- what must hold

    def end(self, trees, names, refused_for_a_moment=None):
        """The same content as without a disturbance, nothing doubled, then silence; and nothing was approved that
        nobody has approved. Nothing was forbidden, but for one resource."""
        self.check(trees)
        before = self.writes()
        self.hold(SILENCE)
        if more := self.written()[before:]:
            self.fail(f"written where nothing changes: {more}\n" + "\n".join(self.log(name)[-6000:] for name in names))
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

    def until_said(self, text, name, seconds=90):
        """Until the log of that name has it, from now on."""
        begin = len(self.log(name))

        def says():
            return text in self.log(name)[begin:]
        says.__name__ = f'the log says "{text}"'
        self.until(says, seconds)

    def hold(self, seconds):
        """A disturbance that takes so long: what matters is that it passes, not how long that takes."""
        time.sleep(seconds)

    # ---- a full etcd

    def quota(self, size):
        """etcd takes no more than that, from now on."""
        self.kubernetes.kill_and_start("etcd", flags=(f"--quota-backend-bytes={size}",))

    def leave_little_room(self):
        self.quota(int(self.kubernetes.etcd("maintenance/status")["dbSize"]) + (16 << 20))

    def fill(self):
        piece = self.kubernetes.etcd_key("x" * (1 << 20))
        for count in range(100):
            answer = self.kubernetes.etcd("kv/put", key=self.kubernetes.etcd_key(f"/filler/{count}"), value=piece)
            if isinstance(answer, str):
                break
        self.assertIn("space exceeded", answer)

    def make_room(self):
        """As etcd's own pages say: what is not needed goes, then the alarm."""
        cluster = self.kubernetes
        cluster.etcd("kv/deleterange", key=cluster.etcd_key("/filler/"), range_end=cluster.etcd_key("/filler0"))
        cluster.compact()
        cluster.etcd("maintenance/defragment")
        alarms = cluster.etcd("maintenance/alarm", action="GET")["alarms"]
        self.assertEqual([each["alarm"] for each in alarms], ["NOSPACE"])
        cluster.etcd("maintenance/alarm", action="DEACTIVATE", memberID=alarms[0]["memberID"], alarm="NOSPACE")

    def take_all_again(self):
        self.quota(4 << 30)  # as tests/kubernetes/start has it, for other tests


class FailingCluster(Failing, WithoutPorch):
    """Under `portico serve --kubernetes`."""

    lease_seconds = 8  # a busy machine is not to look like one more failure

    def account_of_it(self):
        return self.account

    def fan_out(self, server):
        """The fleet is asked for, and has begun."""
        self.route(server)
        self.apply_fleet()
        self.until(lambda: len(self.trees()) >= 2)

    def end(self, trees, names=("first",), refused_for_a_moment=None):
        super().end(trees, names, refused_for_a_moment)

    def kill(self, server):
        server.kill()
        server.wait()


class FailingBesidePorch(Failing, BesidePorch):
    """Under `portico controllers`."""

    def account_of_it(self):
        return self.kubeconfig_of_controllers

    def end(self, trees, names=("controllers",), refused_for_a_moment=None):
        super().end(trees, names, refused_for_a_moment)
