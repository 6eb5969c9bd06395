"""Proposals and approvals by policy, their records, and rollback."""
import json
import unittest

from support import AUTHOR, Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"


def config(colour, size="small"):
    return ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n"
            f"data:\n  colour: {colour}\n  size: {size}\n")


class Approval(Fleet):
    def setUp(self):
        super().setUp()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE, "web/web.yaml": config("red")},
                            "web/v1".split())
        self.edge = self.bare("edge")
        self.portico("repo", "register", "up.git")
        self.portico("repo", "register", "edge.git", "--deployment")

    def variant(self, more=""):
        (self.dir / "variant.yaml").write_text(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n"
            "spec:\n  upstream: {repo: up, package: web}\n  downstream: {repo: edge, package: web}\n"
            + more)
        self.portico("apply", "-f", "variant.yaml", "--wait")

    def release(self, number, text):
        self.commit(self.up, {"web/web.yaml": text}, f"web v{number}", [f"web/v{number}"])
        self.portico("repo", "sync", "up", "--wait")

    def lifecycle(self, name):
        return self.objects("rpkg")[name]["spec"]["lifecycle"]

    def history(self, name):
        return json.loads(self.portico("history", name, "-o", "json"))

    def test_always_publishes_and_says_why(self):
        self.variant("  approval: {propose: {policy: always}, approve: {policy: always}}\n")
        self.release(2, config("blue"))
        self.assertIn("colour: blue", self.show(self.edge, "main:web/web.yaml"))
        message = self.git(self.edge, "log", "-1", "--format=%(trailers)", "web/v2")
        self.assertIn('Portico-Decision: Propose: "edge.web.packagevariant-2": policy always', message)
        self.assertIn('Portico-Decision: Approve: "edge.web.packagevariant-2": policy always', message)
        told = self.portico("describe", "pv", "web")
        for reason in ("Clone", "UpgradeNewDraft", "Propose", "Approve"):
            self.assertRegex(told, rf"Normal +{reason} ")
        self.assertEqual([(e["revision"], e["who"]) for e in self.history("web")
                          if "Approving" in e["what"]], [("v2", "Portico"), ("v1", "Portico")])
        events = self.objects("events")
        self.assertTrue(all(e["involvedObject"]["name"] == "web" for e in events.values()))
        self.assertIn("packagevariant/web", self.portico("get", "events"))
        self.fsck(self.edge)

    def test_a_wait_survives_the_process_and_then_ends(self):
        self.variant("  approval: {propose: {policy: always, after: 1h}}\n")
        self.assertEqual(self.lifecycle("edge.web.packagevariant-1"), "Draft")
        said = self.portico("explain", "web")
        self.assertRegex(said, r"it will be proposed at 20.*: policy always, 1h after the draft last changed")
        before = self.objects("pv")["web"]["status"]["downstreamTargets"][0]["since"]
        self.portico("repo", "sync", "edge", "--wait")
        target = self.objects("pv")["web"]["status"]["downstreamTargets"][0]
        self.assertEqual(target["since"], before)
        # A shorter delay, which has passed.
        self.variant("  approval: {propose: {policy: always, after: 1ms}}\n")
        self.assertEqual(self.lifecycle("edge.web.packagevariant-1"), "Proposed")

    def test_initial_by_nephios_annotation(self):
        self.variant("  annotations: {approval.nephio.org/policy: initial}\n")
        self.assertEqual(self.lifecycle("edge.web.packagevariant-1"), "Published")
        self.release(2, config("blue"))
        self.assertEqual(self.lifecycle("edge.web.packagevariant-2"), "Draft")
        # The same value on the revision, set by a user.
        self.portico("annotate", "rpkg", "edge.web.packagevariant-2",
                     "approval.nephio.org/policy=always", "--overwrite", "--wait")
        self.assertEqual(self.lifecycle("edge.web.packagevariant-2"), "Published")

    def test_a_rejection_holds(self):
        self.variant("  approval: {propose: {policy: always}}\n")
        self.portico("rpkg", "reject", "edge.web.packagevariant-1", "--wait")
        self.assertEqual(self.lifecycle("edge.web.packagevariant-1"), "Draft")
        self.assertIn("rejected by {} <{}>".format(*AUTHOR), self.portico("explain", "web"))
        self.release(2, config("blue"))
        self.assertEqual(self.lifecycle("edge.web.packagevariant-1"), "Proposed")

    def test_wrong_words_are_refused(self):
        said = self.fails("apply", "-f", "-", stdin=(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n"
            "spec:\n  upstream: {repo: up, package: web}\n  downstream: {repo: edge, package: web}\n"
            "  approval: {approve: {policy: allways, after: soon}}\n"))
        self.assertIn('found "allways" (did you mean always?)', said)
        self.assertIn('invalid duration "soon"', said)
        self.assertNotIn("web", self.objects("pv"))

    def test_roll_back_is_kept_until_upstream_moves_on(self):
        self.variant("  approval: {propose: {policy: always}, approve: {policy: always}}\n")
        self.release(2, config("blue"))
        said = self.portico("rpkg", "rollback", "web", "--to", "v1", "--wait")
        self.assertEqual(said.splitlines()[0], "edge.web.rollback-to-v1 created with the content "
                                               "of edge.web.packagevariant-1")
        self.assertIn("edge.web.rollback-to-v1: published", said)
        self.assertIn("colour: red", self.show(self.edge, "main:web/web.yaml"))
        self.assertIn("rolled back to v1", self.portico("explain", "web"))
        self.portico("repo", "sync", "up", "--wait")
        self.assertEqual(self.lifecycle("edge.web.rollback-to-v1"), "Published")
        self.assertIn("nothing to roll back", self.fails("rpkg", "rollback", "web", "--to", "1"))
        self.release(3, config("green"))
        self.assertIn("colour: green", self.show(self.edge, "main:web/web.yaml"))
        story = self.history("edge/web")
        self.assertIn("Rolling back to v1", [e["what"] for e in story if e["who"] == AUTHOR[0]])
        self.assertEqual([e["revision"] for e in story if "Approving" in e["what"]],
                         ["v4", "v3", "v2", "v1"])
        self.fsck(self.edge)


class RevisionMetadata(Fleet):
    """Labels and annotations that users set on package revisions are kept, and can be selected by."""

    def setUp(self):
        super().setUp()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE, "web/web.yaml": config("red")},
                            "web/v1".split())
        self.edge = self.bare("edge")
        self.portico("repo", "register", "up.git")
        self.portico("repo", "register", "edge.git", "--deployment")
        (self.dir / "variant.yaml").write_text(
            "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n"
            "spec:\n  upstream: {repo: up, package: web}\n  downstream: {repo: edge, package: web}\n"
            "  labels: {approved: 'no'}\n")
        self.portico("apply", "-f", "variant.yaml", "--wait")
        self.name = "edge.web.packagevariant-1"

    def labels(self):
        return self.objects("rpkg")[self.name]["metadata"]["labels"]

    def test_edits_survive_syncs_and_the_life_of_the_revision(self):
        self.assertIn("--overwrite", self.fails("label", "rpkg", self.name, "approved=yes"))
        self.portico("label", "rpkg", self.name, "approved=yes", "team=edge", "--overwrite")
        self.portico("annotate", "rpkg", self.name, "why=because it is right")
        self.portico("repo", "sync", "edge", "--wait")
        self.assertEqual(self.labels()["approved"], "yes")
        self.commit(self.up, {"web/web.yaml": config("blue")}, "v2", ["web/v2"])
        self.portico("repo", "sync", "up", "--wait")  # upgraded in place
        self.portico("rpkg", "propose", "-l", "approved=yes")
        self.portico("rpkg", "approve", "-l", "approved=yes", "--wait")
        self.assertEqual(self.labels()["team"], "edge")
        annotations = self.objects("rpkg")[self.name]["metadata"]["annotations"]
        self.assertEqual(annotations["why"], "because it is right")
        self.portico("label", "rpkg", "-l", "team=edge", "team-")
        self.assertNotIn("team", self.labels())

    def test_apply_takes_metadata_and_nothing_else(self):
        shown = self.portico("get", "rpkg", self.name, "-o", "yaml")
        self.portico("apply", "-f", "-", stdin=shown.replace('approved: "no"', 'approved: "yes"'))
        self.assertEqual(self.labels()["approved"], "yes")
        self.assertIn("only labels and annotations", self.fails(
            "apply", "-f", "-", stdin=shown.replace("lifecycle: Draft", "lifecycle: Published")))
        self.assertIn("cannot be created", self.fails(
            "apply", "-f", "-", stdin=shown.replace(f"name: {self.name}", "name: edge.web.other")))
        self.assertIn("invalid label value", self.fails("label", "rpkg", self.name, "a=not valid"))


if __name__ == "__main__":
    unittest.main()
