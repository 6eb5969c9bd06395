"""For tests: a fleet whose controllers run in their own process, next to a server that has the packages."""
import atexit
import functools
import pathlib
import shutil
import subprocess
import tempfile
import time

import yaml
from api_server import Served
from clusters import Admin
from porch_manners import PorchManners
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


@functools.cache
def kept():
    """A folder with the repositories in their state before a test, shared by all tests."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-kept-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Apart(Served):
    """A set over COUNT repositories, and the result of a single process to compare with."""

    # They end if they cannot renew it for half of its time; long enough that a busy machine does not cause this.
    lease_of_controllers = 15  # seconds

    def setUp(self):
        super().setUp()
        self.kept = kept()
        if not any(self.kept.iterdir()):
            self.bare("blueprints", files(1), tags=["web/v1"])
            for i in range(COUNT):
                self.bare(f"cluster-{i:02}")
            for repository in self.dir.glob("*.git"):
                shutil.move(repository, self.kept)
        self.put_back()

    def put_back(self):
        """Restores the repositories to their initial state."""
        for repository in self.kept.glob("*.git"):
            shutil.rmtree(self.dir / repository.name, ignore_errors=True)
            shutil.copytree(repository, self.dir / repository.name)

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
        """The trees that a single process creates for the fleet; restores the initial state afterwards."""
        self.portico("apply", "-f", "-", "--wait", stdin=self.fleet())
        trees = self.trees()
        self.assertEqual(len(trees), COUNT)
        shutil.rmtree(self.dir / ".portico")
        self.put_back()
        self.portico("init", str(self.dir))
        return trees

    def trees(self):
        """(repository, draft) -> the tree of its package."""
        lines = [(repository.name, line.split())
                 for repository in sorted(self.dir.glob("*.git"))
                 for line in self.git(repository, "for-each-ref", "--format=%(refname) %(tree)",
                                      "refs/heads/drafts").splitlines()]
        return {(repository, ref): tree for repository, (ref, tree) in lines}

    # ---- processes

    def serve_packages(self):
        self.serve("--without-controllers")

    def put_porch_between(self, **options):
        """Puts a stand-in for Porch's API between the controllers and the server."""
        self.porch = PorchManners(self.kubeconfig, **options)
        self.addCleanup(self.porch.stop)
        self.kubeconfig_of_controllers = self.porch.kubeconfig(self.dir / "porch.kubeconfig")

    def start_controllers(self, *options, name="controllers", lease_seconds=None, kubeconfig=None):
        log = open(self.dir / f"{name}.log", "a+")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [binary(), "controllers", "--kubeconfig",
             kubeconfig or getattr(self, "kubeconfig_of_controllers", self.kubeconfig), "--lease-seconds",
             str(lease_seconds or self.lease_of_controllers), *options],
            cwd=self.dir, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.stop, process)
        self.assertIn("controllers of http", process.stdout.readline())
        return process

    lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/portico-controllers"

    def kill_controllers(self, controllers, admin=None):
        """kill -9; also removes their Lease, so that no test waits for it to expire."""
        controllers.kill()
        controllers.wait()
        (admin or Admin(self.kubeconfig)).done("DELETE", self.lease)

    def log(self, name="controllers"):
        path = self.dir / f"{name}.log"
        return path.read_text() if path.exists() else ""

    def until(self, what, seconds=90):
        """Checks until the condition holds; the commands in it take their time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (found := what()):
                return found
            time.sleep(0.05)
        self.fail(f"not within {seconds} s: {what.__name__}\n{self.log()[-4000:]}")

    def everything(self):
        """(kind, name) -> resourceVersion, for everything the controllers write."""
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("repositories", "packagevariants", "packagevariantsets", "rpkg", "events")
                for name, o in self.objects(kind).items()}

    def settled(self):
        """The set reports that all its variants are ready."""
        targets = self.objects("packagevariantsets").get("web", {}).get("status", {}).get("targets")
        return targets and targets["ready"] == COUNT and targets["desired"] == COUNT

    def is_idle(self):
        """Nothing changes between two checks."""
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
