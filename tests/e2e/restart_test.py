"""The process is stopped or killed, or loses its store; the fleet continues."""
import shutil
import signal
import subprocess
import time
import unittest

import yaml
from support import ENVIRONMENT, Fleet, binary

WEB = {"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
                      "pipeline:\n  mutators:\n  - image: set-labels:v0.2.0\n    configMap:\n"
                      "      app: web\n",
       "web/service.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"}
COUNT = 60


def fleet_set(revision):
    return yaml.safe_dump({
        "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
        "metadata": {"name": "fleet", "namespace": "default"},
        "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                 "targets": [{"repositories": [
                     {"name": f"cluster-{i}", "packageNames": [f"web-{k}" for k in range(COUNT // 3)]}
                     for i in range(3)]}]}})


class Restarts(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.portico("repo", "register", "blueprints.git")
        for i in range(3):
            self.bare(f"cluster-{i}")
            self.portico("repo", "register", f"cluster-{i}.git", "--deployment")

    def start(self, *arguments):
        return subprocess.Popen([binary(), *arguments], cwd=self.dir, env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, what, seconds=30):
        until = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), until, "waited in vain")
            time.sleep(0.05)

    def tags(self, pattern="refs/tags"):
        return [ref for i in range(3) for ref in self.refs(self.dir / f"cluster-{i}.git", pattern)]

    def complete(self, workspace):
        """Each variant is Ready and has exactly one draft, in the store and in git."""
        for name, variant in self.objects("pv").items():
            self.assertEqual(self.condition(variant)["status"], "True",
                             f"{name}: {self.condition(variant)['message']}")
        drafts = [r for r in self.objects("rpkg").values() if r["spec"]["lifecycle"] == "Draft"]
        self.assertEqual(len(drafts), COUNT)
        self.assertEqual({r["spec"]["workspaceName"] for r in drafts}, {workspace})
        for i in range(3):
            self.assertEqual(len(self.refs(self.dir / f"cluster-{i}.git", "refs/heads/drafts")),
                             COUNT // 3)
            self.fsck(self.dir / f"cluster-{i}.git")

    def test_serve_works_until_it_is_interrupted(self):
        self.serve_until(signal.SIGINT)

    def test_serve_works_until_it_is_terminated(self):
        self.serve_until(signal.SIGTERM)

    def serve_until(self, stop):
        self.portico("apply", "-f", "-", stdin=fleet_set(1))
        server = self.start("serve", "--resync", "1")
        self.addCleanup(server.kill)
        self.wait_for(lambda: len(self.tags("refs/heads/drafts")) == COUNT)
        self.assertEqual(len(self.objects("pv")), COUNT, "others are not locked out")
        self.assertIn(str(server.pid), self.fails("serve"), "but for a second server")
        # Changes made by others in the repositories are noticed.
        draft = self.refs(self.dir / "cluster-0.git", "refs/heads/drafts")[0]
        self.git(self.dir / "cluster-0.git", "update-ref", "-d", draft)
        self.wait_for(lambda: draft in self.refs(self.dir / "cluster-0.git"))
        server.send_signal(stop)
        output, error = server.communicate(timeout=20)
        self.assertEqual(server.returncode, 0, output + error)
        told = [line.split()[1:3] for line in error.splitlines()]
        self.assertTrue(all(line[0] == "info" for line in told), error)
        self.assertGreaterEqual(told.count(["info", "drafted"]), COUNT, error)
        self.assertTrue(output.endswith("stopped\n"), output)
        self.complete("packagevariant-1")

    def heads(self):
        """Each ref and its commit."""
        return {line for i in range(3)
                for line in self.git(self.dir / f"cluster-{i}.git", "for-each-ref").splitlines()}

    def test_kill_at_any_moment_loses_nothing(self):
        for revision in (1, 2):
            if revision == 2:
                self.commit(self.dir / "blueprints.git",
                            {"web/more.yaml": WEB["web/service.yaml"].replace("web", "more")},
                            "More", tags=["web/v2"])
            manifest = self.write("set.yaml", fleet_set(revision))
            before = self.heads()
            for moved in (0, 1, 7, 15, 25, 35, 45, 55):  # changed refs, including those by killed processes
                process = self.start("apply", "-f", manifest, "--wait")
                self.wait_for(lambda: process.poll() is not None or len(self.heads() - before) >= moved, 120)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                self.assertIn(process.returncode, (0, -signal.SIGKILL))
            self.portico("repo", "sync", "--all")
            self.portico("apply", "-f", manifest, "--wait")
            self.complete("packagevariant-1")  # upgraded in place
        for i in range(3):
            for ref in self.refs(self.dir / f"cluster-{i}.git", "refs/heads/drafts"):
                package = ref.split("/")[-2]
                names = self.git(self.dir / f"cluster-{i}.git", "ls-tree", "--name-only", ref,
                                 f"{package}/").split()
                self.assertIn(f"{package}/more.yaml", names)

    def test_a_lost_store_is_made_again_from_the_repositories(self):
        self.portico("apply", "-f", "-", "--wait", stdin=fleet_set(1))
        drafts = sorted(n for n, r in self.objects("rpkg").items()
                        if r["spec"]["lifecycle"] == "Draft")
        self.portico("rpkg", "propose", *drafts[:20])
        self.portico("rpkg", "approve", *drafts[:10], "--wait")
        before = {i: self.git(self.dir / f"cluster-{i}.git", "for-each-ref") for i in range(3)}
        lifecycles = {n: r["spec"]["lifecycle"] for n, r in self.objects("rpkg").items()}

        shutil.rmtree(self.dir / ".portico")
        self.portico("init", str(self.dir))
        self.portico("repo", "register", "blueprints.git")
        for i in range(3):
            self.portico("repo", "register", f"cluster-{i}.git", "--deployment")
        self.portico("apply", "-f", "-", "--wait", stdin=fleet_set(1))
        self.assertEqual({i: self.git(self.dir / f"cluster-{i}.git", "for-each-ref")
                          for i in range(3)}, before)
        after = self.objects("rpkg")
        self.assertEqual({n: r["spec"]["lifecycle"] for n, r in after.items()}, lifecycles)
        for name in drafts:
            owner = after[name]["metadata"]["ownerReferences"][0]
            self.assertEqual(owner["kind"], "PackageVariant")
        for name, variant in self.objects("pv").items():
            self.assertEqual(self.condition(variant)["status"], "True", name)


class LeftLocks(Fleet):
    def test_whoever_looks_next_clears_them(self):
        self.bare("edge")
        self.portico("repo", "register", "edge.git", "--deployment")
        self.portico("rpkg", "init", "web", "--repository", "edge", "--workspace", "w")
        edge = self.dir / "edge.git"
        lock = edge / "refs" / "heads" / "main.lock"
        # The locks of a process that was killed while it changed the branch.
        lock.hardlink_to(edge / "portico.lock")
        self.portico("status")
        self.assertTrue(lock.exists(), "the last process ended well: the lock is somebody's")
        (self.dir / ".portico" / "store.lock").write_text("4194303\n")
        self.portico("status")
        self.assertFalse(lock.exists())


if __name__ == "__main__":
    unittest.main()
