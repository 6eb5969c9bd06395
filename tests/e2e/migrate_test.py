"""`portico migrate`: a fleet moves from a state folder to a Kubernetes API and back to a folder. Git is unchanged, each
package revision keeps its variant, and the controllers have nothing to do afterwards."""
import json
import subprocess
import unittest

import yaml
from api_server import KUBECTL
from apart import Apart
from migrating import PASSWORD, VARIANT, Migrating
from support import ENVIRONMENT


class Migrate(Migrating, Apart):
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
        self.assertNotIn(PASSWORD, said)
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
