"""Commands with --wait, and plans, with several servers that share the work: two `portico serve --kubernetes` on a real
kube-apiserver, with the shipped rights. Neither server knows the other's work. Runs if $PORTICO_KUBERNETES names the
command that starts a cluster (tests/kubernetes/start; its first run builds for minutes)."""
import json
import subprocess
import unittest

import yaml
from apart import COUNT, SET, files
from support import ENVIRONMENT, binary
from without_porch import WithoutPorch


class Waits(WithoutPorch):
    def begin(self):
        """Starts two servers that see each other; requests go to the first."""
        trees = super().begin()
        first, _ = self.two_servers()
        self.route(first)
        return trees

    def through_the_cluster(self, *words, stdin=None, kubeconfig=None):
        return subprocess.run([binary(), "--kubeconfig", str(kubeconfig or self.front), *words], cwd=self.dir, text=True,
                              input=stdin, timeout=180, capture_output=True, env={**ENVIRONMENT, "HOME": str(self.dir)})

    def says(self, *words, stdin=None, status=0):
        done = self.through_the_cluster(*words, stdin=stdin)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def drafts(self):
        return {name for name, each in self.in_cluster("packagerevisions").items()
                if each["spec"]["lifecycle"] == "Draft"}

    def assertAllReady(self):
        """Everything is Ready right now, because the command has waited for it."""
        variants = self.in_cluster("packagevariants")
        self.assertEqual(len(variants), COUNT)
        for name, each in variants.items():
            self.assertEqual(self.condition(each)["status"], "True", name)
        targets = self.in_cluster("packagevariantsets")["web"]["status"]["targets"]
        self.assertEqual((targets["ready"], targets["desired"]), (COUNT, COUNT))

    def wanted(self):
        """Everything a plan could have written, without upstream revisions, which the servers find in git anyway."""
        return {(kind, name): each["spec"] for kind in ("packagevariants", "packagevariantsets", "packagerevisions")
                for name, each in self.in_cluster(kind).items() if not name.startswith("blueprints.")}

    def newer(self, revision):
        newer = json.loads(json.dumps(SET))
        newer["spec"]["upstream"]["revision"] = revision
        return yaml.safe_dump(newer)


class WaitsOfAFleet(Waits):
    def test_a_fleet_from_its_repositories_to_its_end(self):
        trees = self.begin()
        said = self.says("apply", "-f", "-", "--wait", stdin=self.fleet())
        self.assertEqual(self.trees(), trees)
        self.assertAllReady()
        self.assertIn(f"{COUNT} drafts", said)
        # Nothing is left to do: the command does not wait and reports nothing.
        said = self.says("apply", "-f", "-", "--wait", stdin=self.fleet())
        self.assertIn("unchanged", said)
        self.assertNotIn("draft", said)

        # A plan shows the result of an upgrade and writes nothing; the upgrade then does that.
        self.commit(self.dir / "blueprints.git", files(2), "Two replicas", tags=["web/v2"])
        before = self.wanted()
        said = self.says("plan", "-f", "-", stdin=self.newer(2))
        self.assertIn(f"{COUNT} drafts, {COUNT} of them upgraded", said)
        self.assertIn("+  replicas: 2", said)
        self.assertEqual(self.trees(), trees)
        self.assertEqual(self.wanted(), before)
        self.says("repo", "sync", "blueprints", "--wait")
        said = self.says("apply", "-f", "-", "--wait", stdin=self.newer(2))
        self.assertIn(f"{COUNT} of them upgraded", said)
        self.assertAllReady()
        for repository in sorted(self.dir.glob("cluster-*.git")):
            self.assertIn("replicas: 2", self.show(repository, "refs/heads/drafts/web/packagevariant-1:web/deployment.yaml"))

        # An approval, and the drafts that follow from the publication.
        one = sorted(self.drafts())[0]
        self.says("rpkg", "propose", one, "--wait")
        self.says("rpkg", "approve", one, "--wait")
        variant = next(each for each in self.in_cluster("packagevariants").values()
                       if each["status"]["downstreamTargets"][0]["name"] == one)
        self.assertEqual(variant["status"]["downstreamTargets"][0]["lifecycle"], "Published")

        # The set and all unpublished revisions are deleted before the command ends.
        self.says("delete", "packagevariantset", "web", "-y", "--wait")
        self.assertEqual(self.in_cluster("packagevariants"), {})
        self.assertEqual(self.trees(), {})

    def test_a_repository_from_its_registration_to_its_end(self):
        self.begin()
        said = self.says("repo", "register", str(self.dir / "blueprints.git"), "--name", "blueprints", "--no-check")
        self.assertIn("1 package found", said)
        self.assertIn("blueprints.web.v1", self.in_cluster("packagerevisions"))
        self.says("repo", "unregister", "blueprints")
        self.assertEqual(self.in_cluster("packagerevisions"), {}, "what was seen of it is forgotten")
        # An unreadable repository reports why, and the command fails.
        said = self.says("repo", "register", str(self.dir / "nowhere.git"), "--name", "nowhere", "--no-check", status=1)
        self.assertIn("nowhere", said)


if __name__ == "__main__":
    unittest.main()
