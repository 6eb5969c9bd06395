"""One fleet (one_fleet.py), three ways to run it: in one process, on servers that share a cluster, and by `portico
controllers` beside a server that has the packages, as Porch would. Git ends with equal trees. On a real kube-apiserver, where
$PORTICO_KUBERNETES names what starts one (tests/kubernetes/start)."""
import subprocess
import unittest

import yaml
from apart import Apart
from beside_porch import BesidePorch
from one_fleet import OneFleet
from support import ENVIRONMENT, ROOT, binary
from without_porch import WithoutPorch


class InOneProcess(OneFleet, Apart):
    def test_a_fleet_is_the_same_twice(self):
        """What is compared with: it depends on nothing but what it is made of."""
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
    def test_a_fleet(self):
        wanted = self.in_one_process()
        self.install(ROOT / "deploy/crds")
        self.register_all(self.clusters())
        self.start()

        def say(*words, stdin=None):
            # Porch's own controller looks after the Repositories, and this test for it.
            if words[0] == "apply":
                self.register_all([each for each in yaml.safe_load_all(stdin) if each["kind"] == "Repository"])
            # Revisions are the server's, as they would be Porch's.
            (self.portico if words[0] == "rpkg" else self.say)(*[each for each in words if words[0] != "rpkg" or each != "--wait"],
                                                               stdin=stdin)
        self.assertLives(self.live(say, lambda name: self.portico("repo", "sync", name)), wanted)
        self.assertNotIn("forbidden", self.log())
        for repository in self.dir.glob("*.git"):
            self.fsck(repository)

    def register_all(self, repositories):
        if repositories:
            self.repositories = lambda: repositories
            self.register()
            del self.repositories


if __name__ == "__main__":
    unittest.main()
