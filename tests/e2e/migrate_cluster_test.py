"""`portico migrate` between a state folder and `portico serve --kubernetes` on a real kube-apiserver, in both directions:
git is unchanged, each package revision keeps its variant, and the controllers have nothing to do until the next upgrade.
Runs if $PORTICO_KUBERNETES names the command that starts a cluster (tests/kubernetes/start)."""
import copy
import json
import unittest

import yaml
from apart import COUNT, SET, files
from migrating import FAR, PASSWORD, Migrating
from without_porch import WithoutPorch


class MigrateOnACluster(Migrating, WithoutPorch):
    def settled(self):
        """As the set reports it."""
        status = self.in_cluster("packagevariantsets")["web"].get("status", {})
        return status.get("targets", {}).get("ready") == COUNT and status["targets"]["desired"] == COUNT

    def serve_all(self):
        self.install_servers()
        server = self.serve_cluster("first")
        self.route(server)
        return server

    def newer(self):
        """Publishes a second upstream revision; returns the set that follows it."""
        self.commit(self.home / "blueprints.git", files(2), "Two replicas", tags=["web/v2"])
        newer = copy.deepcopy(SET)
        newer["spec"]["upstream"]["revision"] = 2
        return yaml.safe_dump(newer)

    def is_upgraded(self):
        """Each repository has one draft, of the second upstream revision."""
        for repository in sorted(self.home.glob("cluster-*.git")):
            drafts = self.refs(repository, "refs/heads/drafts")
            if len(drafts) != 1 or "replicas: 2" not in self.show(repository, f"{drafts[0]}:web/deployment.yaml"):
                return False
        return True

    def test_to_kubernetes(self):
        self.fleet_at_home()
        refs, revisions = self.refs_of_all(), sorted(self.in_folder("rpkg"))
        self.serve_all()
        for _ in range(2):
            said = self.portico("migrate", "--to-kubernetes", "--kubeconfig", self.front)
            self.assertIn(f"1 sets, {COUNT + 1} variants and {COUNT + 2} repositories moved", said)
            self.assertNotIn(PASSWORD, said)
            self.until(self.settled)
            self.until(self.is_idle)
            self.check_fleet(refs, revisions)
        self.assertNotIn("forbidden", self.log())
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", stdin=self.newer())
        self.until(self.is_upgraded)
        for repository in self.home.glob("*.git"):
            self.fsck(repository)

    def test_to_a_folder(self):
        server = self.serve_all()
        self.kubectl("create", "secret", "generic", "far", "--type=kubernetes.io/basic-auth",
                     "--from-literal=username=ada", f"--from-literal=password={PASSWORD}")
        far = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
               "metadata": {"name": "far", "namespace": "default"},
               "spec": {"type": "git", "deployment": True,
                        "git": {"repo": self.far.url("far.git"), "branch": "main", "secretRef": {"name": "far"}}}}
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([*self.repositories(), far, SET, FAR]))
        self.until(self.settled)
        self.until(lambda: self.condition(self.in_cluster("packagevariants")["far"])["status"] == "True")
        self.kubectl("annotate", "packagevariant", "far", "portico.dev/suspend=true")
        draft = next(name for name in self.in_cluster("packagerevisions") if name.startswith("cluster-00.web."))
        for lifecycle, part in (("Proposed", []), ("Published", ["--subresource=approval"])):
            self.kubectl("patch", "packagerevision", draft, "--type=merge", *part, "-p",
                         json.dumps({"spec": {"lifecycle": lifecycle}}))
        self.until(self.settled)
        self.until(self.is_idle)
        refs, revisions = self.refs_of_all(), sorted(self.in_cluster("packagerevisions"))
        self.go_to("back")
        for _ in range(2):
            said = self.portico("migrate", "--to-folder", "--kubeconfig", self.front)
            self.assertIn(f"1 sets, {COUNT + 1} variants and {COUNT + 2} repositories moved", said)
            self.assertNotIn(PASSWORD, said)
        self.stop(server)
        names = [name for name in self.in_folder("packagevariants") if name != "far"]
        self.portico("wait", "packagevariants", *names, "--for=condition=Ready")
        self.check_fleet(refs, revisions, self.in_folder)
        newer = self.newer()
        self.portico("repo", "sync", "--all", "--wait")
        self.portico("apply", "-f", "-", "--wait", stdin=newer)
        self.assertTrue(self.is_upgraded())
        for repository in self.home.glob("*.git"):
            self.fsck(repository)


if __name__ == "__main__":
    unittest.main()
