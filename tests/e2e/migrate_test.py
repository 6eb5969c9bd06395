"""`portico migrate`: a fleet moves from a state folder to a Kubernetes API and back to a folder. Git is unchanged, each
package revision keeps its variant, and the controllers have nothing to do afterwards."""
import json
import subprocess
import unittest

import yaml
from api_server import KUBECTL
from apart import Apart
from git_server import GitServer, basic
from support import ENVIRONMENT

VARIANT = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
           "metadata": {"name": "by-hand", "namespace": "default"},
           "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                    "downstream": {"repo": "cluster-01", "package": "by-hand"}}}


class Migrate(Apart):
    def setUp(self):
        super().setUp()
        self.bare("far")
        self.far = GitServer(self.dir)
        self.addCleanup(self.far.close)
        self.far.allow_only(basic("ada", "tr0ub4dor"))
        self.home = self.dir

    def fleet_at_home(self):
        self.portico("apply", "-f", "-", "--wait", stdin=self.fleet())
        self.portico("repo", "register", self.far.url("far.git"), "--name", "far", "--repo-basic-username", "ada",
                     "--repo-basic-password", "tr0ub4dor", "--deployment")
        far = {**VARIANT, "metadata": {**VARIANT["metadata"], "name": "far"},
               "spec": {**VARIANT["spec"], "downstream": {"repo": "far", "package": "web"}}}
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump(far))
        self.portico("suspend", "packagevariant", "far")
        draft = next(name for name in self.objects("rpkg") if name.startswith("cluster-00.web."))
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, draft)

    def refs_of_all(self):
        return {repository.name: self.git(repository, "for-each-ref") for repository in sorted(self.home.glob("*.git"))}

    def go_to(self, name):
        """Lets later commands work on another state folder."""
        self.dir = self.home / name
        self.dir.mkdir()
        self.portico("init", str(self.dir))

    def check_fleet(self, refs, revisions):
        variants = self.objects("packagevariants")
        of_set = [v for v in variants.values() if v["metadata"].get("ownerReferences")]
        web = self.objects("packagevariantsets")["web"]
        self.assertEqual({o["uid"] for v in of_set for o in v["metadata"]["ownerReferences"]}, {web["metadata"]["uid"]})
        self.assertEqual(web["status"]["targets"]["ready"], 12)
        self.assertEqual([name for name, v in variants.items() if
                          v["metadata"].get("annotations", {}).get("portico.dev/suspend")], ["far"])
        self.assertEqual(sorted(self.objects("rpkg")), revisions)
        self.assertEqual(self.refs_of_all(), refs, "nothing is made a second time")
        owned = {o["name"] for r in self.objects("rpkg").values() for o in r["metadata"].get("ownerReferences", [])}
        self.assertEqual(owned, set(variants) - {"far"})

    @unittest.skipUnless(KUBECTL, "kubectl is not installed")
    def test_there_and_back(self):
        self.fleet_at_home()
        refs, revisions = self.refs_of_all(), sorted(self.objects("rpkg"))
        self.portico("init", str(self.home / "cluster"))
        self.dir = self.home / "cluster"
        self.serve()
        self.dir = self.home
        said = self.portico("migrate", "--to-kubernetes", "--kubeconfig", self.kubeconfig)
        self.assertIn("1 sets, 13 variants and 14 repositories moved", said)
        self.assertNotIn("tr0ub4dor", said)
        self.dir = self.home / "cluster"
        self.until(self.settled)
        self.check_fleet(refs, revisions)
        # A revision made by a user or by Porch names its variant only by its owner reference.
        self.stop()
        self.serve("--without-controllers")
        self.portico("rpkg", "clone", "blueprints.web.v1", "by-hand", "--repository", "cluster-01", "--workspace", "porch-1")
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump(VARIANT))
        uid = self.objects("packagevariants")["by-hand"]["metadata"]["uid"]
        owner = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant", "name": "by-hand", "uid": uid,
                 "controller": True}
        subprocess.run([KUBECTL, "patch", "packagerevision", "cluster-01.by-hand.porch-1", "--type=merge", "-p",
                        json.dumps({"metadata": {"ownerReferences": [owner]}})], check=True, capture_output=True,
                       env={**ENVIRONMENT, "KUBECONFIG": self.kubeconfig, "HOME": str(self.home)})
        revisions = sorted(self.objects("rpkg"))
        self.go_to("back")
        for _ in range(2):
            said = self.portico("migrate", "--to-folder", "--kubeconfig", self.kubeconfig)
            self.assertIn("1 sets, 14 variants and 14 repositories moved", said)
        self.portico("wait", "packagevariants", "by-hand", "--for=condition=Ready")
        after = self.refs_of_all()
        self.assertEqual({name for name in after if after[name] != refs[name]}, {"cluster-01.git"})
        self.check_fleet(after, revisions)

    def test_what_is_refused(self):
        self.assertIn("must specify one of --to-kubernetes", self.fails("migrate", "--kubeconfig", "none"))
        self.assertIn("must specify a cluster", self.fails("migrate", "--to-folder"))
        self.serve()
        self.assertIn("stop it first", self.fails("migrate", "--to-kubernetes", "--kubeconfig", self.kubeconfig))


if __name__ == "__main__":
    unittest.main()
