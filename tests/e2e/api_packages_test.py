"""kubectl on package revisions: drafts are written, proposed, approved and deleted over the API."""
import json
import unittest

from api_server import ApiServer
from git_server import GitServer

PATH = "/apis/porch.kpt.dev/v1alpha1/namespaces/default/packagerevisions/"
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


class ApiPackages(ApiServer):
    def setUp(self):
        super().setUp()
        self.stop()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        self.edge = self.bare("edge")
        for name in ("up", "edge"):
            self.portico("repo", "register", str(self.dir / f"{name}.git"))
        self.serve()

    def draft(self, workspace="v1", task=None):
        manifest = {"apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
                    "metadata": {"namespace": "default", "name": f"edge.web.{workspace}"},
                    "spec": {"packageName": "web", "repository": "edge", "workspaceName": workspace,
                             "tasks": [task or {"type": "clone", "clone": {"upstreamRef": {
                                 "upstreamRef": {"name": "up.web.v1"}}}}]}}
        return self.run_kubectl("create", "-f", "-", stdin=json.dumps(manifest))

    def propose(self, name, **more):
        return self.run_kubectl("patch", "packagerevision", name, "--type=merge",
                                "-p", '{"spec":{"lifecycle":"Proposed"}}', **more)

    def approve(self, name, lifecycle="Published", **more):
        revision = json.loads(self.kubectl("get", "packagerevision", name, "-o", "json"))
        revision["spec"]["lifecycle"] = lifecycle
        return self.run_kubectl("replace", "--raw", f"{PATH}{name}/approval", "-f", "-",
                                stdin=json.dumps(revision), **more)

    def lifecycle(self, name):
        return self.kubectl("get", "packagerevision", name, "-o", "jsonpath={.spec.lifecycle}")

    def succeeds(self, done):
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")

    def test_a_draft_from_the_first_file_to_its_deletion(self):
        done = self.draft()
        self.assertIn("packagerevision.porch.kpt.dev/edge.web.v1 created", done.stdout, done.stderr)
        self.assertIn("already exists", self.draft().stderr)
        self.kubectl("patch", "packagerevisionresources", "edge.web.v1", "--type=merge", "-p",
                     json.dumps({"spec": {"resources": {"note.txt": "by kubectl\n"}}}))
        self.assertEqual(self.show(self.edge, "drafts/web/v1:web/note.txt"), "by kubectl\n")
        files = json.loads(self.kubectl("get", "packagerevisionresources", "edge.web.v1", "-o",
                                        "json"))["spec"]["resources"]
        self.assertEqual(files["note.txt"], "by kubectl\n")
        few = json.loads(self.kubectl(
            "get", "--raw", PATH.replace("packagerevisions/", "packagerevisionresources/edge.web.v1"
                                         "?path=*.txt")))["spec"]["resources"]
        self.assertEqual(list(few), ["note.txt"])

        self.succeeds(self.propose("edge.web.v1"))
        refused = self.run_kubectl("patch", "packagerevision", "edge.web.v1", "--type=merge", "-p",
                                   '{"spec":{"lifecycle":"Published"}}')
        self.assertIn("value can be only updated to Draft,Proposed", refused.stderr)
        self.succeeds(self.approve("edge.web.v1"))
        self.assertEqual(self.show(self.edge, "main:web/note.txt"), "by kubectl\n")
        self.assertIn("refs/tags/web/v1", self.refs(self.edge))
        table = self.kubectl("get", "packagerevisions", "--field-selector",
                             "spec.repository=edge,spec.revision=1").splitlines()
        self.assertEqual(table[0].split()[:7], ["NAME", "PACKAGE", "WORKSPACENAME", "REVISION",
                                                "LATEST", "LIFECYCLE", "REPOSITORY"])
        self.assertEqual(table[1].split()[:7], ["edge.web.v1", "web", "v1", "1", "true",
                                                "Published", "edge"])
        self.assertIn("web", self.kubectl("get", "packages"))

        refused = self.run_kubectl("delete", "packagerevision", "edge.web.v1")
        self.assertIn("must be proposed for deletion", refused.stderr)
        self.kubectl("patch", "packagerevision", "edge.web.v1", "--type=merge", "-p",
                     '{"spec":{"lifecycle":"DeletionProposed"}}')
        self.kubectl("delete", "packagerevision", "edge.web.v1")
        self.assertIn("NotFound", self.run_kubectl("get", "packagerevision", "edge.web.v1").stderr)
        self.assertNotIn("refs/tags/web/v1", self.refs(self.edge))
        self.fsck(self.edge)

    def test_a_git_server_that_refuses_is_not_a_client_that_must_log_in(self):
        git = GitServer(self.dir)
        self.addCleanup(git.close)
        git.allow_only(None)
        self.stop()
        self.bare("away")
        self.portico("repo", "register", git.url("away.git"), "--wait")
        self.serve()
        manifest = {"apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
                    "metadata": {"namespace": "default", "name": "away.web.v1"},
                    "spec": {"packageName": "web", "repository": "away", "workspaceName": "v1",
                             "tasks": [{"type": "init", "init": {"description": "web"}}]}}
        self.kubectl("create", "-f", "-", stdin=json.dumps(manifest))
        self.succeeds(self.propose("away.web.v1"))
        git.allow_only("Basic nobody")
        refused = self.approve("away.web.v1")
        self.assertIn("Error from server (Forbidden)", refused.stderr)
        self.assertIn('"http://127.0.0.1', refused.stderr)
        self.assertIn("is refused", refused.stderr)
        git.allow_only(None)
        self.succeeds(self.approve("away.web.v1"))

    def test_files_may_be_larger_than_objects(self):
        self.succeeds(self.draft())
        text = "x" * 79 + "\n"
        patch = self.write("large.json", json.dumps(
            {"spec": {"resources": {"large.txt": text * (5 << 20 >> 6)}}}))
        self.kubectl("patch", "packagerevisionresources", "edge.web.v1", "--type=merge",
                     f"--patch-file={patch}", "-o", "name")
        self.assertEqual(len(self.show(self.edge, "drafts/web/v1:web/large.txt")),
                         len(text) * (5 << 20 >> 6))
        large = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "large"},
                 "data": {"k": text * (5 << 20 >> 6)}}
        refused = self.run_kubectl("create", "--validate=false", "-f", "-",
                                   stdin=json.dumps(large))
        self.assertIn("too large", refused.stderr)

    def test_server_side_apply_makes_a_draft_and_changes_its_labels(self):
        manifest = {"apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
                    "metadata": {"name": "edge.own.v1", "labels": {"team": "ada"}},
                    "spec": {"packageName": "own", "repository": "edge", "workspaceName": "v1",
                             "tasks": [{"type": "init", "init": {"description": "own"}}]}}
        apply = ("apply", "--server-side", "-f", "-")
        self.kubectl(*apply, stdin=json.dumps(manifest))
        manifest["metadata"]["labels"] = {"team": "bob"}
        self.kubectl(*apply, stdin=json.dumps(manifest))
        self.assertEqual(self.kubectl("get", "packagerevision", "edge.own.v1", "-o",
                                      "jsonpath={.metadata.labels.team}"), "bob")

    def test_approval_is_a_right_of_its_own(self):
        self.succeeds(self.draft())
        for name, role in (("eve", "portico:editor"), ("ann", "portico:approver")):
            self.kubectl("create", "-f", "-", stdin=json.dumps({
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                "metadata": {"name": name},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                            "name": role},
                "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User",
                              "name": name}]}))
        eve, ann = self.user("eve"), self.user("ann")
        self.assertIn("forbidden", self.propose("edge.web.v1", kubeconfig=ann).stderr)
        self.succeeds(self.propose("edge.web.v1", kubeconfig=eve))
        self.assertIn('cannot update resource "packagerevisions/approval"',
                      self.approve("edge.web.v1", kubeconfig=eve).stderr)
        self.assertEqual(self.lifecycle("edge.web.v1"), "Proposed")
        self.succeeds(self.approve("edge.web.v1", kubeconfig=ann))
        self.assertEqual(self.lifecycle("edge.web.v1"), "Published")
        self.assertEqual(self.kubectl("get", "packagerevision", "edge.web.v1", "-o",
                                      "jsonpath={.status.publishedBy}"), "ann")


if __name__ == "__main__":
    unittest.main()
