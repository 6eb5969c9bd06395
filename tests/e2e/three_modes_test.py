"""One fleet (one_fleet.py) in three modes: in one process, on servers that share a cluster, and with `portico
controllers` next to a server that has the packages and behaves like Porch's API (porch_manners.py). git must end with
equal trees. Runs on a real kube-apiserver if $PORTICO_KUBERNETES names the command that starts one
(tests/kubernetes/start)."""
import json
import shutil
import subprocess
import unittest

import yaml
from apart import Apart
from beside_porch import BesidePorch
from one_fleet import PROD, OneFleet, automatic
from support import ENVIRONMENT, ROOT, binary
from without_porch import WithoutPorch


class InOneProcess(OneFleet, Apart):
    def test_a_fleet_is_the_same_twice(self):
        """The reference result depends on its inputs only."""
        first = self.in_one_process()
        self.assertLives(self.in_one_process(), first)
        replicas = self.show(self.dir / "blueprints.git", "web/v1:web/deployment.yaml")
        self.assertIn("replicas: 1", replicas)


class ThroughTheCluster(OneFleet):
    def say(self, *words, stdin=None):
        done = subprocess.run([binary(), "--kubeconfig", str(self.front), *words], cwd=self.dir, text=True, input=stdin,
                              timeout=180, capture_output=True, env={**ENVIRONMENT, "HOME": str(self.dir)})
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout


class OnServersThatShareACluster(ThroughTheCluster, WithoutPorch):
    def test_a_fleet(self):
        wanted = self.in_one_process()
        self.install_servers()
        first, _ = self.two_servers()
        self.route(first)
        self.assertLives(self.live(self.say, lambda name: self.say("repo", "sync", name)), wanted)
        for name in ("first", "second"):
            self.assertNotIn("forbidden", self.log(name))
        for repository in self.dir.glob("*.git"):
            self.fsck(repository)


class BesideAServerOfPackages(ThroughTheCluster, BesidePorch):
    like_porch = True

    def test_a_fleet(self):
        wanted = self.in_one_process()
        self.install(ROOT / "deploy/crds")
        self.register_all(self.clusters())
        self.start()

        def say(*words, stdin=None):
            # Repositories are handled by Porch's own controller, which this test simulates.
            if words[0] == "apply":
                self.register_all([each for each in yaml.safe_load_all(stdin) if each["kind"] == "Repository"])
            # Revisions belong to the server, as they would to Porch.
            (self.portico if words[0] == "rpkg" else self.say)(*[each for each in words if words[0] != "rpkg" or each != "--wait"],
                                                               stdin=stdin)
        self.assertLives(self.live(say, lambda name: self.portico("repo", "sync", name)), wanted)
        self.assertNotIn("forbidden", self.log())
        drafts = {path for method, path, status in self.porch.writes
                  if (method, status) == ("PUT", 200) and "/packagerevisionresources/" in path}
        self.assertGreater(len(drafts), PROD, "the controllers have used Porch's API")
        for repository in self.dir.glob("*.git"):
            self.fsck(repository)

    def test_a_rollback_from_before(self):
        """Porch does not show the pin of a rollback: the variant goes on to its upstream. New rollbacks are refused."""
        def published():
            return self.show(self.dir / "cluster-11.git", "main:web/deployment.yaml")
        for release in (2, 3):
            self.release(release)
            self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(
                [*self.regions(), *self.clusters(0), automatic(release)]))
            self.portico("repo", "sync", "blueprints")
        upgraded = published()
        self.assertIn("replicas: 3", upgraded)
        self.portico("rpkg", "rollback", "automatic", "--to", "v1", "--wait")
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump(automatic(3)))
        self.assertIn("replicas: 1", published())
        shutil.rmtree(self.dir / ".portico")
        self.portico("init", str(self.dir))
        self.install(ROOT / "deploy/crds")
        self.register_all(self.clusters(0))
        self.start()
        # Its variant, which Porch names in an owner reference.
        variant = automatic(3)
        variant["metadata"]["annotations"] = {"portico.dev/suspend": "true"}
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([*self.regions(), variant]))
        owner = {"apiVersion": variant["apiVersion"], "kind": variant["kind"], "name": "automatic", "controller": True,
                 "uid": self.in_cluster("packagevariants")["automatic"]["metadata"]["uid"]}
        for name, each in self.in_cluster("packagerevisions").items():
            if each["spec"]["repository"] == "cluster-11" and each["spec"]["revision"] > 0:
                self.kubectl("patch", "packagerevision", name, "--type=merge", "-p",
                             json.dumps({"metadata": {"ownerReferences": [owner]}}))
        self.kubectl("annotate", "packagevariant", "automatic", "portico.dev/suspend-")
        self.until(lambda: published() == upgraded)
        self.fails("--kubeconfig", self.front, "rpkg", "rollback", "automatic", "--to", "v1")

    def register_all(self, repositories):
        if repositories:
            self.repositories = lambda: repositories
            self.register()
            del self.repositories


if __name__ == "__main__":
    unittest.main()
