"""A killed command is run again: what it had already done is not an error."""
import shutil
import unittest

from support import Fleet

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}
DRAFT = "edge.web.w"


class Reruns(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git")
        self.portico("repo", "sync", "edge", "--wait")
        self.portico("rpkg", "clone", "blueprints.web.v1", "web", "--repository", "edge",
                     "--workspace", "w")

    def state(self):
        return self.dir / ".portico"

    def told(self, *arguments):
        """Standard error of a command that finds its work already done."""
        done = self.run_portico(*arguments)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return done.stderr

    def killed_after_git(self, *arguments):
        """Runs a command whose changes reach git but not the store, as if it was killed in between."""
        copy = self.dir / "before"
        shutil.copytree(self.state(), copy)
        self.portico(*arguments)
        shutil.rmtree(self.state())
        shutil.copytree(copy, self.state())
        shutil.rmtree(copy)

    def lifecycle(self):
        return self.objects("rpkg")[DRAFT]["spec"]["lifecycle"]

    def test_of_what_was_done_and_stored(self):
        for verb, done, already in (
                ("propose", "proposed", "already proposed"),
                ("approve", "approved", "already published"),
                ("propose-delete", "proposed for deletion", "already proposed for deletion")):
            self.assertEqual(self.portico("rpkg", verb, DRAFT), f"{DRAFT} {done}\n")
            self.assertEqual(self.told("rpkg", verb, DRAFT), f"{DRAFT} is {already}\n")
        self.portico("rpkg", "delete", DRAFT)
        self.assertIn("not found", self.fails("rpkg", "delete", DRAFT))
        self.assertEqual(self.portico("rpkg", "delete", DRAFT, "--ignore-not-found"), "")

    def test_of_what_git_has_and_the_store_has_not(self):
        self.killed_after_git("rpkg", "propose", DRAFT)
        self.assertEqual(self.lifecycle(), "Draft")
        self.assertEqual(self.told("rpkg", "propose", DRAFT), f"{DRAFT} is already proposed\n")
        self.killed_after_git("rpkg", "approve", DRAFT)
        self.assertEqual(self.lifecycle(), "Proposed")
        self.assertEqual(self.told("rpkg", "approve", DRAFT), f"{DRAFT} is already published\n")
        self.assertEqual(self.lifecycle(), "Published")

    def test_of_approvals_that_had_not_removed_the_proposals(self):
        # The state of a remote between the two pushes of an approval, which the store does not know.
        names = [DRAFT]
        for number in range(1, 6):
            self.portico("rpkg", "clone", "blueprints.web.v1", f"web-{number}", "--repository",
                         "edge", "--workspace", "w")
            names.append(f"edge.web-{number}.w")
        self.portico("rpkg", "propose", *names)
        edge = self.dir / "edge.git"
        proposals = self.git(edge, "for-each-ref", "--format=create %(refname) %(objectname)",
                             "refs/heads/proposed")
        self.killed_after_git("rpkg", "approve", *names)
        tags = self.refs(edge, "refs/tags")
        self.assertEqual(len(tags), len(names))
        self.git(edge, "update-ref", "--stdin", stdin=proposals)
        self.assertEqual(self.told("rpkg", "approve", *names),
                         "".join(f"{name} is already published\n" for name in names))
        self.assertEqual(self.refs(edge, "refs/tags"), tags)
        self.assertEqual(self.refs(edge, "refs/heads/proposed"), [])
        self.assertEqual(self.lifecycle(), "Published")

    def test_another_s_approval_of_other_content_is_an_error(self):
        self.portico("rpkg", "propose", DRAFT)
        copy = self.dir / "before"
        shutil.copytree(self.state(), copy)
        self.portico("rpkg", "reject", DRAFT)
        self.portico("rpkg", "pull", DRAFT, "work")
        self.write("work/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n")
        self.portico("rpkg", "push", DRAFT, "work")
        self.portico("rpkg", "propose", DRAFT)
        self.portico("rpkg", "approve", DRAFT)
        shutil.rmtree(self.state())
        shutil.copytree(copy, self.state())
        self.assertIn("failed", self.fails("rpkg", "approve", DRAFT))

    def test_of_a_push(self):
        self.portico("rpkg", "pull", DRAFT, "work")
        self.write("work/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n")
        shutil.copytree(self.dir / "work", self.dir / "again")
        self.portico("rpkg", "push", DRAFT, "work")
        self.assertEqual(self.portico("rpkg", "push", DRAFT, "again"), f"{DRAFT} already pushed\n")
        self.assertEqual(self.portico("rpkg", "push", DRAFT, "again"), f"{DRAFT} unchanged\n")
        # Different content is still refused.
        shutil.copytree(self.dir / "work", self.dir / "other")
        self.write("work/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n")
        self.write("other/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: theirs\n")
        self.portico("rpkg", "push", DRAFT, "work")
        self.assertIn("has been modified", self.fails("rpkg", "push", DRAFT, "other"))


if __name__ == "__main__":
    unittest.main()
