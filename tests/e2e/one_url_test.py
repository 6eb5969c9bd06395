"""Two Repository objects with the same address: each agrees with git, and deleting one does not affect the other."""
import unittest

import yaml
from git_server import GitServer
from support import Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"


class OneUrl(Fleet):
    def url(self):
        return str(self.dir / "edge.git")

    def setUp(self):
        super().setUp()
        self.edge = self.bare("edge", {"web/Kptfile": KPTFILE, "web/config.yaml": CONFIG}, tags=["web/v1"])
        for name in ("one", "two"):
            self.portico("repo", "register", self.url(), "--name", name, "--deployment", "--wait")

    def revisions(self, repository):
        """Revision name without the repository -> (lifecycle, revision)."""
        return {name.removeprefix(f"{repository}."): (item["spec"]["lifecycle"], item["spec"].get("revision"))
                for name, item in self.objects("rpkg").items() if item["spec"]["repository"] == repository}

    def both_say(self, **wanted):
        self.portico("repo", "sync", "--all", "--wait")
        one, two = self.revisions("one"), self.revisions("two")
        self.assertEqual(one, two)
        for name, lifecycle in wanted.items():
            self.assertEqual(one.get(name.replace("_", "."), ("", 0))[0], lifecycle, one)

    def commits(self):
        return self.git(self.edge, "for-each-ref").splitlines()

    def test_each_says_what_git_says(self):
        self.both_say(web_v1="Published")
        self.portico("rpkg", "copy", "one.web.v1", "--workspace", "x")
        self.both_say(web_x="Draft")
        # Work begun through one may be finished through the other.
        self.portico("rpkg", "propose", "two.web.x")
        self.both_say(web_x="Proposed")
        self.portico("rpkg", "approve", "one.web.x")
        self.both_say(web_x="Published")
        self.assertIn("refs/tags/web/v2", self.refs(self.edge))
        self.fsck(self.edge)

    def test_who_does_not_know_the_latest_overwrites_nothing(self):
        self.portico("rpkg", "copy", "one.web.v1", "--workspace", "x")
        self.portico("rpkg", "pull", "one.web.x", "x")
        self.write("x/more.yaml", CONFIG.replace("name: c", "name: more"))
        self.portico("rpkg", "push", "one.web.x", "x")
        self.portico("rpkg", "propose", "one.web.x")
        self.portico("rpkg", "approve", "one.web.x")
        published = self.git(self.edge, "rev-parse", "web/v2")
        # The other one has not synced yet, and creates the revision that now exists.
        self.portico("rpkg", "copy", "two.web.v1", "--workspace", "y")
        self.portico("rpkg", "propose", "two.web.y")
        self.assertIn("rebase it", self.fails("rpkg", "approve", "two.web.y"))
        self.assertEqual(self.git(self.edge, "rev-parse", "web/v2"), published)
        self.both_say(web_x="Published", web_y="Proposed")
        self.assertEqual(self.refs(self.edge, "refs/tags"), ["refs/tags/web/v1", "refs/tags/web/v2"])
        self.fsck(self.edge)

    def test_one_goes_and_the_other_stays(self):
        self.bare("blueprints", {"app/Kptfile": KPTFILE}, tags=["app/v1"])
        self.portico("repo", "register", str(self.dir / "blueprints.git"))
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump({
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant", "metadata": {"name": "app"},
            "spec": {"upstream": {"repo": "blueprints", "package": "app", "revision": 1},
                     "downstream": {"repo": "one", "package": "app"}}}))
        self.portico("rpkg", "copy", "two.web.v1", "--workspace", "x")
        self.portico("rpkg", "propose", "two.web.x")
        self.both_say(web_x="Proposed")
        before, said = self.commits(), self.revisions("one")
        self.portico("repo", "unregister", "two", "--wait")
        self.assertEqual(self.commits(), before)
        self.assertEqual(self.revisions("one"), said)
        self.assertEqual(self.revisions("two"), {})
        self.portico("repo", "sync", "--all", "--wait")
        self.assertEqual(self.revisions("one"), said)
        self.assertEqual(self.condition(self.objects("pv")["app"])["status"], "True")
        self.portico("rpkg", "approve", "one.web.x", "--wait")
        self.portico("repo", "register", self.url(), "--name", "two", "--deployment", "--wait")
        self.both_say(web_x="Published")
        self.fsck(self.edge)

    def test_local_drafts_are_seen_by_their_own_alone(self):
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(
            {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository", "metadata": {"name": name},
             "spec": {"type": "git", "deployment": True, "git": {"repo": self.url(), "drafts": "local"}}}
            for name in ("alone", "apart")))
        for name, workspace in (("alone", "x"), ("apart", "y")):
            self.portico("rpkg", "copy", f"{name}.web.v1", "--workspace", workspace)
            self.portico("rpkg", "propose", f"{name}.web.{workspace}")
        self.both_say()
        drafts = {name: {n for n, (lifecycle, _) in self.revisions(name).items() if lifecycle == "Proposed"}
                  for name in ("one", "alone", "apart")}
        self.assertEqual(drafts, {"one": set(), "alone": {"web.x"}, "apart": {"web.y"}})
        self.portico("repo", "unregister", "apart", "--force", "--wait")
        self.portico("rpkg", "approve", "alone.web.x")
        self.both_say(web_x="Published")
        self.fsck(self.edge)


class OneUrlOfAServer(OneUrl):
    """The same, with a mirror for each object."""

    def url(self):
        if not hasattr(self, "server"):
            self.server = GitServer(self.dir)
            self.addCleanup(self.server.close)
            self.server.allow_only(None)
        return self.server.url("edge.git")


if __name__ == "__main__":
    unittest.main()
