"""For tests: a cluster on which things fail under `portico serve --kubernetes` or `portico controllers`, and the
conditions that must hold afterwards."""
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
# Seconds in which nothing may be written, after three without a write.
SILENCE = 27 if os.environ.get("PORTICO_SLOW") else 7


class Refusals:
    """Refuses every second request between begin() and end(), in turns with 429 and Retry-After, 500, a closed
    connection, and a 500 for a request that was carried out. A fault for an HttpWay."""

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
    """The tested processes use `account_of_it()`, the kubeconfig of their account; their writes, except Leases and
    reviews, are in the audit log."""

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
        """(verb, resource, name) of each attempted write."""
        out = []
        if not self.audit.exists():
            return out  # created with the first line
        with open(self.audit, "rb") as log:
            log.seek(self.audit_begins)
            lines = log.read().rpartition(b"\n")[0].splitlines()  # without a line still being written
        for line in lines:
            event = json.loads(line)
            what = event["objectRef"]
            out.append((event["verb"], "/".join(filter(None, (what["resource"], what.get("subresource")))),
                        what.get("name")))
        return out

    def writes(self):
        return len(self.written())

    def settled(self):
        """The variants and, if its definition has the field, the set report it; a failed write of the set may be
        retried long after the variants are done."""
        said = self.in_cluster("packagevariantsets")["web"].get("status", {})
        return super().settled() and said and said.get("targets", {"ready": COUNT}).get("ready") == COUNT

    def is_idle(self):
        """No write was attempted for as long as one pass over all objects takes."""
        return time.time() - self.audit.stat().st_mtime >= 3

    def is_silent(self):
        """No write is attempted for longer than the delay before a retry."""
        before = self.writes()
        self.hold(SILENCE)
        return self.writes() == before

    # ---- connections

    def http_way(self, fault=None):
        """A relay with a kubeconfig of the account, whose requests go through `fault` (way.py)."""
        way = HttpWay(self.front, self.cluster / "pki", fault)
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account_of_it(), way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    def byte_way(self):
        way = Way(server_of(self.front))
        self.addCleanup(way.close)
        way.kubeconfig = through(self.account_of_it(), way.port, self.dir / f"way-{way.port}.kubeconfig")
        return way

    # ---- conditions

    def end(self, trees, names, refused_for_a_moment=None):
        """The content is the same as in an undisturbed run, nothing is duplicated or approved by mistake, and then
        nothing is written. Nothing was forbidden, except for `refused_for_a_moment`."""
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
        """Waits until the draft of this repository is gone, and checks that the others are unchanged."""
        self.until(lambda: not self.refs(self.dir / f"{repository}.git", "refs/heads/drafts"))
        self.assertEqual(self.trees(), {key: tree for key, tree in trees.items() if key[0] != f"{repository}.git"})

    def until_said(self, text, name, seconds=90):
        """Waits until a new line of that log has the text."""
        begin = len(self.log(name))

        def says():
            return text in self.log(name)[begin:]
        says.__name__ = f'the log says "{text}"'
        self.until(says, seconds)

    def hold(self, seconds):
        """A disturbance of that duration: what matters is that it passes, not how long it takes."""
        time.sleep(seconds)

    # ---- a full etcd

    def quota(self, size):
        """Restarts etcd with this storage quota."""
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
        """As in etcd's documentation: removes unneeded data, then the alarm."""
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

    lease_seconds = 8  # long enough that a busy machine does not look like a failure

    def account_of_it(self):
        return self.account

    def fan_out(self, server):
        """Applies the fleet and waits until it has begun."""
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

    like_porch = True

    def account_of_it(self):
        return self.kubeconfig_of_controllers

    def end(self, trees, names=("controllers",), refused_for_a_moment=None):
        super().end(trees, names, refused_for_a_moment)
