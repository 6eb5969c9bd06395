"""Commands for single objects that work as in kubectl: patch, edit, wait, events."""
import json
import os
import subprocess
import unittest

from api_server import Served
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}
VARIANT = json.dumps({
    "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
    "metadata": {"name": "web"},
    "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
             "downstream": {"repo": "edge", "package": "web"}}})


class Changes(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1", "web/v2"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git", "--no-wait")
        self.portico("repo", "register", "edge.git", "--deployment")
        self.portico("apply", "-f", "-", "--wait", stdin=VARIANT)

    def edit(self, *words, editor):
        """The result of `edit` with a shell command as the editor, which gets the file name."""
        return subprocess.run([binary(), "edit", *words], cwd=self.dir, text=True,
                              capture_output=True, timeout=60,
                              env={**ENVIRONMENT, "KUBE_EDITOR": editor, "TMPDIR": str(self.dir)})

    def revision(self):
        return self.objects("pv")["web"]["spec"]["upstream"]["revision"]

    def test_patch(self):
        self.assertIn("UpgradeInPlace", self.portico(
            "patch", "pv/web", "-p", '{"spec": {"upstream": {"revision": 2}}}', "--wait"))
        self.assertEqual(self.revision(), 2)
        self.assertIn("(no change)", self.portico(
            "patch", "pv", "web", "-p", "spec: {upstream: {revision: 2}}"))
        patch = self.write("patch.json", '[{"op": "test", "path": "/spec/upstream/revision", '
                           '"value": 2}, {"op": "add", "path": "/metadata/labels", '
                           '"value": {"a": "b"}}]')
        self.assertEqual(self.portico("patch", "pv/web", "--type", "json", "--patch-file", patch,
                                      "-o", "jsonpath={.metadata.labels.a}"), "b")
        self.portico("patch", "pv/web", "-p", '{"metadata": {"labels": null}}', "--dry-run")
        self.assertEqual(self.objects("pv")["web"]["metadata"]["labels"], {"a": "b"})

    def test_patches_that_are_refused(self):
        for words, said in (
                (["pv/web", "-p", "{}", "--type", "strategic"], "use --type merge or json"),
                (["pv/web", "-p", '{"spec": {"upstream": 3}}'], "spec.upstream"),
                (["pv/web", "-p", '{"metadata": {"name": "other"}}'], "name are immutable"),
                (["pv/web", "-p", "{"], "patch: "), (["pv/web"], "--patch-file"),
                (["pv", "-p", "{}"], "no names specified"),
                (["rpkg/edge.web.packagevariant-1", "-p", '{"spec": {"lifecycle": "Published"}}'],
                 "portico rpkg propose"),
                (["pv/nothing", "-p", "{}"], "not found")):
            self.assertIn(said, self.fails("patch", *words))

    def test_edit(self):
        done = self.edit("pv", "web", editor="sed -i 's/revision: 1/revision: 2/'")
        self.assertEqual((done.returncode, self.revision()), (0, 2), done.stderr)
        self.assertIn("/web edited", done.stdout)
        annotations = self.objects("pv")["web"]["metadata"]["annotations"]
        self.assertIn("kubectl.kubernetes.io/last-applied-configuration", annotations)
        self.assertIn("no changes made", self.edit("pv/web", editor="true").stdout)
        self.assertIn("no changes made", self.edit("pv/web", editor="truncate -s 0").stdout)
        self.assertEqual(sorted(self.dir.glob("portico-edit*")), [])

    def test_edit_that_is_refused_is_asked_again_and_kept(self):
        # The second call of the editor repairs what the first one broke.
        mends = self.write("editor", "#!/bin/sh\ngrep -q 'Not saved' $1 && "
                           "exec sed -i 's/revision: x/revision: 2/' $1\n"
                           "exec sed -i 's/revision: 1/revision: x/' $1\n")
        os.chmod(mends, 0o755)
        done = self.edit("pv/web", editor=mends)
        self.assertEqual((done.returncode, self.revision()), (0, 2), done.stderr)
        done = self.edit("pv/web", editor="sed -i 's/revision: 2/revision: x/'")
        self.assertEqual((done.returncode, self.revision()), (1, 2))
        kept = done.stderr.strip().rsplit(" ", 1)[1]
        with open(kept, encoding="utf-8") as file:
            self.assertIn("revision: x", file.read())
        self.assertIn("not one of the edited objects", self.edit(
            "pv/web", editor="sed -i 's/name: web/name: other/'").stderr)
        self.assertIn("exited with status 3", self.edit("pv/web", editor="exit 3;").stderr)

    def script(self, text):
        path = self.write("editor.sh", "#!/bin/sh -e\n" + text)
        os.chmod(path, 0o755)
        return path

    def test_edit_lets_others_write_and_takes_their_change(self):
        editor = self.script(f"{binary()} label pv web by=other >/dev/null\n"
                             "sed -i 's/revision: 1/revision: 2/' $1\n")
        done = self.edit("pv", "web", editor=editor)
        self.assertEqual((done.returncode, self.revision()), (0, 2), done.stderr)
        self.assertIn("was modified by another client", done.stderr)
        self.assertEqual(self.objects("pv")["web"]["metadata"]["labels"], {"by": "other"})

    def test_edit_stores_what_can_be_stored_and_keeps_the_rest(self):
        for name in ("one", "two"):
            self.portico("apply", "-f", "-", stdin=json.dumps(
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                 "data": {"a": "b"}}))
        editor = self.script("grep -q 'Not saved' $1 && exit 0\n"
                             f"{binary()} delete configmap one >/dev/null\n"
                             "sed -i 's/a: b/a: c/' $1\n")
        done = self.edit("configmap", "one", "two", editor=editor)
        self.assertEqual(done.returncode, 1)
        self.assertIn("configmap/two edited", done.stdout)
        self.assertEqual(self.objects("configmap")["two"]["data"], {"a": "c"})
        with open(done.stderr.strip().rsplit(" ", 1)[1], encoding="utf-8") as file:
            kept = file.read()
        self.assertIn("name: one", kept)
        self.assertNotIn("name: two", kept)

    def test_a_watch_that_cannot_be_is_refused_at_once(self):
        for words, said in ((["pv,repo"], "single resource type"), (["pv", "-o", "nonsense"], "unknown output format"),
                            (["pv", "--sort-by", ".metadata.name"], "--sort-by"),
                            (["events", "-o", "jsonpath={"], "jsonpath")):
            self.assertIn(said, self.fails("get", *words, "-w", "--timeout", "60"))

    def test_edits_as_json(self):
        self.portico("rpkg", "pull", "edge.web.packagevariant-1", "work")
        self.write("work/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n")
        self.assertEqual(json.loads(self.portico("status", "--edited", "-o", "json")), [])
        self.portico("rpkg", "push", "edge.web.packagevariant-1", "work")
        edited, = json.loads(self.portico("status", "--edited", "-o", "json"))
        self.assertEqual((edited["variant"], edited["edits"][0]["file"]), ("web", "more.yaml"))

    def test_wait(self):
        self.assertEqual(self.portico("wait", "pv", "--all", "--for", "condition=Ready"),
                         "packagevariant.config.porch.kpt.dev/web condition met\n")
        self.portico("patch", "pv/web", "-p", "spec: {upstream: {revision: 2}}")
        self.portico("wait", "pv/web", "--for=jsonpath={.status.upstream.revision}=2")
        self.assertIn("nothing is left to do",
                      self.fails("wait", "pv/web", "--for", "condition=Stalled"))
        self.portico("delete", "pv/web", "--no-wait")
        self.assertIn("deleted", self.portico("wait", "pv/web", "--for", "delete"))
        self.assertIn("not found", self.fails("wait", "pv/web", "--for", "condition=Ready"))
        self.assertIn("did you mean condition?",
                      self.fails("wait", "pv/web", "--for", "conditions=Ready"))
        self.assertIn("must specify names", self.fails("wait", "pv", "--for", "delete"))
        self.assertIn("no matching resources found", self.fails("wait", "pv", "-l", "a=b", "--for=delete"))

    def test_events(self):
        lines = self.portico("events").splitlines()
        self.assertEqual(lines[0].split("  ")[0], "LAST SEEN")
        self.assertIn("Clone", lines[1])
        self.assertEqual(len(self.portico("events", "--for", "pv/web", "--no-headers",
                                          "-A").splitlines()), 1)
        self.assertEqual(self.portico("events", "--types", "warning"), "")
        self.assertIn("did you mean Warning?", self.fails("events", "--types", "warnings"))
        self.assertIn("TYPE/NAME", self.fails("events", "--for", "pv"))

    def test_wrong_words(self):
        for words, said in ((["gett"], 'unknown command "gett" (did you mean get?)'),
                            (["rpkg", "aprove"], 'for portico rpkg (did you mean approve?)'),
                            (["get", "pv", "--selctor", "a"], "(did you mean --selector?)"),
                            (["get", "packagevarians"], "(did you mean packagevariants?)"),
                            (["status", "--timeout", "1x"], "use seconds, or 90s, 5m, 1h30m")):
            self.assertIn(said, self.fails(*words))
        self.portico("status", "--timeout", "1m30s")


class Live(Served):
    def test_wait_and_watch_see_what_a_server_does(self):
        self.bare("blueprints", WEB, tags=["web/v1", "web/v2"])
        self.bare("edge")
        self.serve()
        self.portico("repo", "register", "blueprints.git")
        self.portico("repo", "register", "edge.git", "--deployment")
        watch = subprocess.Popen([binary(), "get", "pv", "-w", "-o", "name", "--timeout", "60s"],
                                 cwd=self.dir, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        self.portico("apply", "-f", "-", stdin=VARIANT)
        self.assertIn("condition met", self.portico("wait", "pv/web", "--for", "condition=Ready",
                                                    "--timeout", "60s"))
        self.assertEqual(watch.stdout.readline(), "packagevariant.config.porch.kpt.dev/web\n")
        self.assertIn("timed out waiting",
                      self.fails("wait", "pv/web", "--for", "condition=Stalled", "--timeout", "4s"))


if __name__ == "__main__":
    unittest.main()
