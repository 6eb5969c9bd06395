"""Many revisions at once on a remote, where one push per revision would take the time."""
import json
import unittest

from git_server import GitServer
from support import Fleet

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  revision: \"{}\"\n"
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
COUNT = 40
FEW = 24  # pushes, of twice as many changes; 6 to 12 were counted at a load of 12


class Many(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", {"web/Kptfile": KPTFILE, "web/config.yaml": CONFIG.format(1)}, tags=["web/v1"])
        self.remotes = [self.bare(name) for name in ("edge", "core")]
        for remote in self.remotes:
            hook = remote / "hooks/post-receive"
            hook.write_text("#!/bin/sh\ncat >/dev/null\necho x >> pushes\n")
            hook.chmod(0o755)
        server = GitServer(self.dir)
        server.allow_only(None)
        self.addCleanup(server.close)
        self.portico("repo", "register", "blueprints.git")
        for remote in self.remotes:
            self.portico("repo", "register", server.url(remote.name), "--name", remote.stem, "--wait")
        self.settles("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": "fleet"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web"},
                     "targets": [{"repositories": [
                         {"name": name, "packageNames": [f"p{i}" for i in range(COUNT)]}
                         for name in ("edge", "core")]}]}}))

    def pushes(self):
        out = 0
        for remote in self.remotes:
            if (remote / "pushes").exists():
                out += len((remote / "pushes").read_text().split())
                (remote / "pushes").unlink()
        return out

    def test_changes_of_one_repository_go_in_few_pushes(self):
        self.pushes()
        for verb, state in (("propose", "proposed"), ("approve", "approved")):
            said = self.portico("rpkg", verb, "--set", "fleet").splitlines()
            self.assertEqual(len(said), 2 * COUNT)
            self.assertEqual(said, sorted(said), "in order, whatever was done first")
            self.assertTrue(all(line.endswith(" " + state) for line in said))
            self.assertLess(self.pushes(), FEW, f"of {2 * COUNT} changes")
        for remote in self.remotes:
            self.assertEqual(len(self.refs(remote, "refs/tags")), COUNT)
            self.fsck(remote)

    def test_an_upgrade_goes_in_few_pushes(self):
        self.portico("rpkg", "propose", "--set", "fleet")
        self.portico("rpkg", "approve", "--set", "fleet")
        self.commit(self.dir / "blueprints.git", {"web/config.yaml": CONFIG.format(2)}, "Second", tags=["web/v2"])
        self.pushes()
        self.portico("repo", "sync", "--all", "--wait")
        self.assertLess(self.pushes(), FEW, f"of {2 * COUNT} upgrades")
        for remote in self.remotes:
            drafts = self.refs(remote, "refs/heads/drafts")
            self.assertEqual(len(drafts), COUNT)
            for ref in drafts:
                package = ref.split("/")[-2]
                self.assertIn('revision: "2"', self.show(remote, f"{ref}:{package}/config.yaml"))
            self.fsck(remote)
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "True", f"{name}: {ready['message']}")

    def test_revisions_of_one_package_keep_their_order(self):
        self.portico("rpkg", "propose", "--set", "fleet")
        self.portico("rpkg", "approve", "--set", "fleet")
        self.portico("rpkg", "copy", "edge.p1.packagevariant-1", "--workspace", "b")
        self.portico("rpkg", "copy", "edge.p1.packagevariant-1", "--workspace", "a")
        self.portico("rpkg", "propose", "edge.p1.b", "edge.p1.a")
        self.portico("rpkg", "approve", "edge.p1.b", "edge.p1.a")
        seen = self.objects("packagerevisions")
        self.assertEqual([seen[f"edge.p1.{w}"]["spec"]["revision"]
                          for w in ("packagevariant-1", "b", "a")], [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
