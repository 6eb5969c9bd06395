"""A remote that fails and then answers: --wait waits for transient failures, and for nothing else."""
import subprocess
import threading
import unittest

import yaml
from git_server import GitServer, Handler
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"}


class Moody(Handler):
    """Refuses a given number of fetch or push requests."""

    def serve(self):
        with self.server.lock:
            self.server.asked += self.server.moody in self.path
            fails = self.server.moody in self.path and self.server.failures > 0
            self.server.failures -= fails
        if fails:
            self.body()
            return self.reply(self.server.answer, [], b"")
        return super().serve()

    do_GET = do_POST = serve


class Passing(Fleet):
    ALWAYS = 1_000_000

    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.bare("edge")
        self.remote = GitServer(self.dir, Moody)
        self.addCleanup(self.remote.close)
        self.remote.allow_only(None)
        self.remote.http.lock = threading.Lock()
        self.fail_times(0)

    def fail_times(self, times, what="blueprints.git/info/refs?service=git-upload-pack",
                   answer="503 Service Unavailable"):
        """Lets the next `times` requests that begin a fetch, or a push (git-receive-pack), fail."""
        with self.remote.http.lock:
            self.remote.http.moody = what
            self.remote.http.failures, self.remote.http.asked = times, 0
            self.remote.http.answer = answer

    @property
    def tries(self):
        return self.remote.http.asked

    def repository(self, name):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name, "namespace": "default"},
                "spec": {"type": "git", "git": {"repo": self.remote.url(f"{name}.git")}}}

    @staticmethod
    def fleet(packages):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
                "metadata": {"name": "fleet", "namespace": "default"},
                "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                         "targets": [{"repositories": [
                             {"name": "edge", "packageNames": list(packages)}]}]}}

    def apply(self, *objects):
        return self.run_portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(objects))

    def test_a_repository_that_answers_at_the_third_time(self):
        self.fail_times(2)
        done = self.apply(self.repository("blueprints"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.condition(self.objects("repo")["blueprints"])["status"], "True")
        self.assertGreaterEqual(self.tries, 3)

    def test_a_draft_that_is_pushed_at_the_third_time(self):
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(
            [self.repository("blueprints"), self.repository("edge")]))
        self.fail_times(2, "edge.git/info/refs?service=git-receive-pack")
        done = self.apply(self.fleet("a"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(self.refs(self.dir / "edge.git", "refs/heads/drafts")), 1)
        self.fail_times(2, "edge.git/info/refs?service=git-receive-pack")
        done = self.apply(self.fleet("abcde"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(self.refs(self.dir / "edge.git", "refs/heads/drafts")), 5)

    def test_what_is_read_from_a_repository_that_answers_late(self):
        for name in ("edge", "blueprints"):
            self.portico("apply", "-f", "-", stdin=yaml.safe_dump(self.repository(name)))
        self.portico("repo", "sync", "edge")
        self.fail_times(2)
        done = self.apply(self.fleet("ab"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(self.refs(self.dir / "edge.git", "refs/heads/drafts")), 2)

    def test_a_sync_is_tried_again_where_somebody_waits(self):
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump(self.repository("blueprints")))
        self.fail_times(2)
        self.portico("repo", "sync", "blueprints", "--wait")
        self.fail_times(2)
        self.assertIn("503", self.fails("repo", "sync", "blueprints"))
        self.assertEqual(self.tries, 1)

    def test_what_does_not_pass_is_told_after_a_few_tries(self):
        self.fail_times(self.ALWAYS)
        done = self.apply(self.repository("blueprints"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("503", done.stdout + done.stderr)
        self.assertNotIn("not settled", done.stderr)
        self.assertIn(self.tries, (2, 3))  # 2 on a slow machine
        self.assertEqual(self.run_portico("repo", "sync", "blueprints", "--wait").returncode, 1)

    def test_what_somebody_has_to_mend_is_told_at_once(self):
        self.fail_times(self.ALWAYS, answer="403 Forbidden")
        done = self.apply(self.repository("blueprints"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.tries, 1)

    def test_beside_a_server(self):
        server = subprocess.Popen([binary(), "serve"], cwd=self.dir, env=ENVIRONMENT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        server.stdout.readline()
        self.fail_times(2)
        done = self.apply(self.repository("blueprints"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.condition(self.objects("repo")["blueprints"])["status"], "True")
        self.fail_times(self.ALWAYS, "edge.git/info/refs?service=git-upload-pack")
        done = self.apply(self.repository("edge"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("503", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
