"""`portico controllers` as a process of its own, over a server that has the packages: what comes of a fleet is what
comes of it in one process, whatever is killed on the way."""
import json
import re
import shutil
import signal
import subprocess
import time
import unittest
import urllib.request

import yaml
from api_server import Served
from support import ENVIRONMENT, binary

COUNT = 12
KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
    configMap:
      app: web
"""
CONTEXT = """apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: example
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {replicas} # a start
"""
SET = {
    "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
             "targets": [{"repositorySelector": {"matchLabels": {"env": "prod"}},
                          "template": {"packageContext": {"dataExprs": [
                              {"key": "cluster", "valueExpr": "repository.name"}]}}}]}}


def files(replicas):
    return {"web/Kptfile": KPTFILE, "web/package-context.yaml": CONTEXT,
            "web/deployment.yaml": DEPLOYMENT.format(replicas=replicas)}


class Controllers(Served):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", files(1), tags=["web/v1"])
        for i in range(COUNT):
            self.bare(f"cluster-{i:02}")
        self.kept = self.dir / "kept"
        self.kept.mkdir()
        for repository in self.dir.glob("*.git"):
            shutil.copytree(repository, self.kept / repository.name)

    # ---- the fleet

    def repositories(self):
        def one(name, deployment, labels):
            return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                    "metadata": {"name": name, "namespace": "default", "labels": labels},
                    "spec": {"type": "git", "deployment": deployment,
                             "git": {"repo": str(self.dir / f"{name}.git"), "branch": "main"}}}
        return [one("blueprints", False, {})] + [
            one(f"cluster-{i:02}", True, {"env": "prod"}) for i in range(COUNT)]

    def fleet(self):
        return yaml.safe_dump_all([*self.repositories(), SET])

    def undisturbed(self):
        """What one process makes of the fleet; then all is as it was before."""
        self.portico("apply", "-f", "-", "--wait", stdin=self.fleet())
        trees = self.trees()
        self.assertEqual(len(trees), COUNT)
        shutil.rmtree(self.dir / ".portico")
        for repository in self.kept.glob("*.git"):
            shutil.rmtree(self.dir / repository.name)
            shutil.copytree(repository, self.dir / repository.name)
        self.portico("init", str(self.dir))
        return trees

    def trees(self):
        """(repository, draft) -> the tree of its package."""
        return {(repository.name, ref): self.git(repository, "rev-parse", f"{ref}^{{tree}}").strip()
                for repository in sorted(self.dir.glob("*.git"))
                for ref in self.refs(repository, "refs/heads/drafts")}

    # ---- processes

    def serve_packages(self):
        self.serve("--without-controllers")

    def start_controllers(self, *options, name="controllers"):
        log = open(self.dir / f"{name}.log", "a+")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [binary(), "controllers", "--kubeconfig", self.kubeconfig, "--lease-seconds", "3",
             *options], cwd=self.dir, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.stop, process)
        self.assertIn("controllers of https://", process.stdout.readline())
        return process

    def log(self, name="controllers"):
        return (self.dir / f"{name}.log").read_text()

    def until(self, what, seconds=90):
        """Looks until it holds; the commands that look take their time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (found := what()):
                return found
            time.sleep(0.05)
        self.fail(f"not within {seconds} s: {what.__name__}\n{self.log()[-4000:]}")

    def everything(self):
        """(kind, name) -> resourceVersion, of what the controllers write."""
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("repositories", "packagevariants", "packagevariantsets", "rpkg", "events")
                for name, o in self.objects(kind).items()}

    def settled(self):
        """The set says that all its variants are ready."""
        targets = self.objects("packagevariantsets").get("web", {}).get("status", {}).get("targets")
        return targets and targets["ready"] == COUNT and targets["desired"] == COUNT

    def is_idle(self):
        """Nothing is written any more: two looks, apart by more than any retry of what failed."""
        before = self.everything()
        time.sleep(3)
        return before == self.everything()

    def check(self, trees):
        self.until(self.settled)
        self.until(self.is_idle)
        self.assertEqual(self.trees(), trees)
        revisions = self.objects("rpkg")
        drafts = [r for r in revisions.values() if r["spec"]["lifecycle"] == "Draft"]
        self.assertEqual(len(drafts), COUNT, "nothing is doubled")
        for draft in drafts:
            self.assertNotIn("readinessGates", draft["spec"], "nothing is half made")
        for repository in self.dir.glob("*.git"):
            self.fsck(repository)

    # ---- the tests

    def test_a_fleet_is_as_one_process_makes_it(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        controllers = self.start_controllers("--metrics", "127.0.0.1:0")
        address = re.search(r"probes at (http://\S+)", controllers.stdout.readline())[1]
        self.check(trees)
        for path, text in (("/healthz", "ok"), ("/readyz", "ok"), ("/metrics", "portico_build_info")):
            with urllib.request.urlopen(address + path, timeout=10) as answer:
                self.assertIn(text, answer.read().decode())

        # An upgrade, in place and with what a person has changed.
        draft = "cluster-03.web.packagevariant-1"
        pulled = self.dir / "pulled"
        self.portico("rpkg", "pull", draft, str(pulled))
        text = (pulled / "deployment.yaml").read_text()
        (pulled / "deployment.yaml").write_text(text + "  paused: true\n")
        self.portico("rpkg", "push", draft, str(pulled))
        self.commit(self.dir / "blueprints.git", files(5), "More", tags=["web/v2"])
        self.portico("repo", "sync", "blueprints")
        newer = json.loads(json.dumps(SET))
        newer["spec"]["upstream"]["revision"] = 2
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump(newer))

        def upgraded():
            return all("replicas: 5" in self.show(self.dir / f"cluster-{i:02}.git",
                                                  "refs/heads/drafts/web/packagevariant-1:web/"
                                                  "deployment.yaml") for i in range(COUNT))
        self.until(upgraded)
        self.until(self.settled)
        self.assertIn("paused: true", self.show(self.dir / "cluster-03.git",
                                                "refs/heads/drafts/web/packagevariant-1:web/"
                                                "deployment.yaml"))
        began = time.monotonic()
        controllers.send_signal(signal.SIGTERM)
        self.assertEqual(controllers.wait(timeout=10), 0)
        self.assertLess(time.monotonic() - began, 5)

    def test_controllers_that_are_killed(self):
        trees = self.undisturbed()
        self.serve_packages()
        self.portico("apply", "-f", "-", stdin=self.fleet())
        for drafts in (1, 4, 8):
            controllers = self.start_controllers()

            def some():
                return len(self.trees()) >= drafts
            self.until(some)
            controllers.kill()
            controllers.wait()
        self.start_controllers()
        self.check(trees)

    def test_a_server_that_is_killed(self):
        trees = self.undisturbed()
        self.serve_packages()
        port = self.url.rsplit(":", 1)[1]
        self.portico("apply", "-f", "-", stdin=self.fleet())
        self.start_controllers()

        def some():
            return len(self.trees()) >= 3
        self.until(some)
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.serve("--without-controllers", listen=f"127.0.0.1:{port}")
        self.check(trees)

    def test_two_instances(self):
        trees = self.undisturbed()
        self.serve_packages()
        first = self.start_controllers(name="first")

        def leads():
            return "leads" in self.log("first")
        self.dir.joinpath("controllers.log").touch()
        self.until(leads)
        self.start_controllers("--metrics", "127.0.0.1:0", name="second")

        def waits():
            return "waiting for another instance" in self.log("second")
        self.until(waits)
        self.portico("apply", "-f", "-", stdin=self.fleet())

        def some():
            return len(self.trees()) >= 3
        self.until(some)
        self.assertNotIn("leads", self.log("second"))
        first.kill()
        first.wait()
        self.check(trees)
        self.assertIn("leads", self.log("second"))


if __name__ == "__main__":
    unittest.main()
