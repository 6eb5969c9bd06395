"""Truncated git files: a mirror is fetched again, a local repository is named in the error."""
import unittest

import yaml
from git_server import GitServer
from support import Fleet

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n",
       "web/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"}


def cut_off(folder):
    for file in folder.rglob("*"):
        if file.is_file() and "hooks" not in file.parts and file.stat().st_size > 20:
            file.chmod(0o644)
            file.write_bytes(file.read_bytes()[:file.stat().st_size // 2])


class Damage(Fleet):
    def test_a_mirror_heals_by_itself(self):
        self.bare("blueprints", WEB, tags=["web/v1"])
        server = GitServer(self.dir)
        server.allow_only(None)
        self.addCleanup(server.close)
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": "blueprints"},
            "spec": {"type": "git", "git": {"repo": server.url("blueprints.git")}}}))
        mirror, = (self.dir / ".portico" / "mirrors").glob("*.git")
        cut_off(mirror / "objects")
        self.commit(self.dir / "blueprints.git", {"web/b.yaml": "b: 1\n"}, "More", tags=["web/v2"])
        done = self.run_portico("repo", "sync", "blueprints", timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.portico("rpkg", "pull", "blueprints.web.v2", str(self.dir / "out"))
        self.assertEqual((self.dir / "out" / "b.yaml").read_text(), "b: 1\n")
        self.assertEqual([mirror], list((self.dir / ".portico" / "mirrors").iterdir()))
        self.assertIn("0 changed", self.portico("repo", "sync", "blueprints"))

    def test_a_repository_of_the_machine_is_named_and_others_go_on(self):
        self.bare("blueprints", WEB, tags=["web/v1"])
        edge, good = self.bare("edge"), self.bare("good")
        self.portico("repo", "register", str(self.dir / "blueprints.git"))
        for one in (edge, good):
            self.portico("repo", "register", str(one), "--deployment")
        tree = self.git(edge, "rev-parse", "main^{tree}").strip()
        file = edge / "objects" / tree[:2] / tree[2:]
        whole = file.read_bytes()
        file.chmod(0o644)
        file.write_bytes(whole[:12])
        variants = "---\n".join(yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "downstream": {"repo": name, "package": "web"}}}) for name in ("edge", "good"))
        self.settles("apply", "-f", "-", "--timeout", "60", stdin=variants, timeout=90)
        self.assertEqual(self.condition(self.objects("pv")["good"])["status"], "True")
        message = self.condition(self.objects("repo")["edge"])["message"]
        self.assertIn(tree, message)
        self.assertIn("replace it with a clone", message)
        file.write_bytes(whole)
        self.portico("repo", "sync", "edge", "--wait")
        self.assertEqual(self.condition(self.objects("pv")["edge"])["status"], "True")


if __name__ == "__main__":
    unittest.main()
