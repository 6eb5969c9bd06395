"""Writes of clients while `portico serve --kubernetes` is upgraded, on a real kube-apiserver: three servers are replaced
one after another while a set fans out and clients write package revisions. Every acknowledged write must be present, and the end is that of an
undisturbed run: the same trees, nothing duplicated, no further writes. Runs if $PORTICO_KUBERNETES names the command that
starts a cluster (tests/kubernetes/start; its first run builds for minutes)."""
import collections
import copy
import http.client
import json
import random
import threading
import time
import unittest

import yaml
from apart import SET
from clusters import VERSIONS, Admin
from failing_cluster import FailingCluster
from way import Way

REVISIONS = f"{VERSIONS['packagerevisions']}/namespaces/default/packagerevisions"
# Answers that a client may retry: those of a server that is stopping, and kube-apiserver's for one that is gone.
RETRIED = (429, 502, 503, 504)


class Service(Way):
    """Relays each connection to one of the servers, as a Service of the cluster does."""

    def __init__(self):
        self.servers = []
        super().__init__(None)

    @property
    def address(self):
        return "127.0.0.1", random.choice(self.servers).port

    @address.setter
    def address(self, _):
        pass


class Writer(threading.Thread):
    """Creates one package after another, pushes its draft three times and publishes it. Repeats what fails as clients of
    Kubernetes do: after a conflict it reads the object again. Reads every acknowledged write back before the next one."""

    def __init__(self, kubeconfig, name):
        super().__init__(daemon=True)
        self.admin, self.prefix = Admin(kubeconfig), name
        self.ending = threading.Event()
        self.written = {}  # package -> content
        self.refusals = collections.Counter()
        self.failure = None

    def run(self):
        try:
            while not self.ending.is_set():
                self.write_package(f"{self.prefix}-{len(self.written)}")
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure

    def end(self):
        self.ending.set()
        self.join(timeout=180)
        if self.failure:
            raise self.failure

    def write_package(self, package):
        name = f"blueprints.{package}.v1"
        self.repeat(f"create {name}", lambda: self.create(package, name))
        content = None
        for count in range(3):
            before, content = content, f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: note-{package}-{count}\n"
            self.repeat(f"push {name}", lambda before=before, content=content: self.push(name, before, content))
        for lifecycle, part in (("Proposed", ""), ("Published", "/approval")):
            self.repeat(f"{lifecycle} {name}", lambda lifecycle=lifecycle, part=part: self.move(name, lifecycle, part))
        shown = self.repeat(f"get {name}", lambda: self.read(self.resources_of(name)))
        if shown["spec"]["resources"].get("note.yaml") != content:
            raise RuntimeError(f"{name} is published without its last push: {shown['spec']['resources']}")
        self.written[package] = content

    def repeat(self, what, attempt, seconds=120):
        """The first result of the attempt that is not None."""
        end = time.monotonic() + seconds
        while True:
            if (result := attempt()) is not None:
                return result
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not within {seconds} s; refusals: {self.refusals}")
            time.sleep(0.1)

    def ask(self, method, path, body=None):
        """(status, object); (0, None) if it may be repeated, whether or not it was carried out."""
        try:
            status, text = self.admin.ask(method, path, body)
        except (OSError, http.client.HTTPException) as lost:
            self.refusals[method, type(lost).__name__] += 1
            return 0, None
        if status in RETRIED:
            self.refusals[method, status, text[-300:]] += 1
            return 0, None
        if status in (404, 409):
            self.refusals[method, status, text[-300:]] += 1
        elif status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {text}")
        return status, json.loads(text)

    def read(self, path):
        status, found = self.ask("GET", path)
        if status == 404:
            raise RuntimeError(f"{path} is lost")
        return found

    @staticmethod
    def resources_of(name):
        return f"{REVISIONS.replace('packagerevisions', 'packagerevisionresources')}/{name}"

    def create(self, package, name):
        status, _ = self.ask("POST", REVISIONS, {
            "apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision", "metadata": {"namespace": "default"},
            "spec": {"repository": "blueprints", "packageName": package, "workspaceName": "v1", "lifecycle": "Draft",
                     "tasks": [{"type": "init", "init": {"description": package}}]}})
        if status == 409:
            # Created by an attempt that was not answered; if its server died, the revision is shown after the next sync.
            status, _ = self.ask("GET", f"{REVISIONS}/{name}")
        return True if status in (200, 201) else None

    def push(self, name, before, content):
        now = self.read(self.resources_of(name))
        if now is None:
            return None
        resources = now["spec"]["resources"]
        if resources.get("note.yaml") not in (before, content):
            raise RuntimeError(f"{name} has lost an acknowledged push: {resources.get('note.yaml')}, not {before}")
        resources["note.yaml"] = content
        status, _ = self.ask("PUT", self.resources_of(name), now)
        return status == 200 or None

    def move(self, name, lifecycle, part):
        now = self.read(f"{REVISIONS}/{name}")
        if now is None:
            return None
        if now["spec"]["lifecycle"] == lifecycle:
            return True  # by an attempt that was not answered
        now["spec"]["lifecycle"] = lifecycle
        status, _ = self.ask("PUT", f"{REVISIONS}/{name}{part}", now)
        return status == 200 or None


class AnUpgrade(FailingCluster):
    def test_servers_that_are_replaced_one_after_another(self):
        trees = self.begin()
        service = Service()
        self.addCleanup(service.close)
        names = ["first", "second", "third"]
        service.servers = [self.serve_cluster(name) for name in names]
        self.until_members(names)
        self.route(service)
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(self.repositories()))
        self.until(lambda: "blueprints.web.v1" in self.in_cluster("packagerevisions"))
        writers = [Writer(self.front, name) for name in ("ada", "bob", "eve")]
        for writer in writers:
            self.addCleanup(writer.ending.set)
            writer.start()
        for number in range(3):
            before = self.trees()
            self.apply_set(None if number == 2 else str(number))
            self.until(lambda before=before: len(set(self.trees().items()) - set(before.items())) >= 2)
            old = service.servers[0]
            old.terminate()
            service.servers = service.servers[1:]
            self.assertEqual(old.wait(timeout=30), 0)  # terminationGracePeriodSeconds of the manifests
            names.append(f"next-{number}")
            service.servers.append(self.serve_cluster(names[-1]))
            self.until_members(names[-3:])
        for writer in writers:
            writer.end()
        self.end(trees, names)
        self.check_writes(writers)

    def test_a_server_that_dies_before_it_records_a_draft(self):
        """Between its push to git and the write of the PackageRev. The client repeats the request at another server."""
        trees = self.begin()
        died, lock = threading.Event(), threading.Lock()

        def fault(method, target, body):
            with lock:
                if died.is_set() or method != "POST" or "/packagerevs" not in target or b"blueprints.ada-1.v1" not in body:
                    return None
                service.servers = [second]
                self.kill(first)
                died.set()
            return "cut"
        service = Service()
        self.addCleanup(service.close)
        first = self.serve_cluster("first", kubeconfig=self.http_way(fault).kubeconfig)
        second = self.serve_cluster("second")
        service.servers = [first]
        self.fan_out(service)
        writer = Writer(self.front, "ada")
        self.addCleanup(writer.ending.set)
        writer.start()
        self.assertTrue(died.wait(90))
        self.assertIn("refs/heads/drafts/ada-1/v1", self.refs(self.dir / "blueprints.git"))
        self.until(lambda: len(writer.written) >= 3 or writer.failure)
        writer.end()
        self.until(lambda: len(self.members("second")) == 1)
        self.end(trees, ("second",))
        self.check_writes([writer])

    def until_members(self, names):
        for name in names:
            self.until(lambda name=name: len(self.members(name)) == 3)

    def apply_set(self, round_):
        """The set whose trees are known, or one that builds every draft anew."""
        web = copy.deepcopy(SET)
        if round_:
            web["spec"]["targets"][0]["template"]["packageContext"]["data"] = {"round": round_}
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(web))

    def check_writes(self, writers):
        repository = self.dir / "blueprints.git"
        written = {package: content for writer in writers for package, content in writer.written.items()}
        refusals = sum((writer.refusals for writer in writers), collections.Counter())
        self.assertGreater(len(written), len(writers), refusals)
        self.assertEqual(self.refs(repository, "refs/heads"), ["refs/heads/main"], "no draft is left")
        self.assertEqual(self.refs(repository, "refs/tags"),
                         sorted(f"refs/tags/{package}/v1" for package in (*written, "web")))
        for package, content in written.items():
            for place in ("main", f"{package}/v1"):
                self.assertEqual(self.show(repository, f"{place}:{package}/note.yaml"), content)
        revisions = collections.Counter(
            (each["spec"]["packageName"], each["spec"]["revision"])
            for each in self.in_cluster("packagerevisions").values() if each["spec"]["repository"] == "blueprints")
        # The published revision, and the one of the branch.
        self.assertEqual(revisions, {(package, number): 1 for package in (*written, "web") for number in (1, -1)}, refusals)


if __name__ == "__main__":
    unittest.main()
