"""The connection to the remote is cut after a number of bytes of a push or fetch: the command succeeds or
reports it, and the same command, undisturbed, then leads to the same state."""
import subprocess
import unittest

from fault_fleet import SLOW, FaultFleet, WEB, runs, seeded
from git_server import GitServer
from relay import Relay, git_daemon, tcp

DRAFT = "edge.web.w"


class Cuts(FaultFleet):
    SCHEME = "git"

    def repositories(self):
        return ["blueprints", "edge"]

    def relay(self):
        if self.SCHEME == "git":
            relay = Relay(git_daemon(self.dir))
        else:
            server = GitServer(self.dir)
            server.allow_only(None)
            self.addCleanup(server.close)
            relay = Relay(tcp(server.http.server_port))
        self.addCleanup(relay.close)
        return relay

    def setUp(self):
        super().setUp()
        self.remote = self.relay()
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.portico("repo", "register", f"{self.SCHEME}://127.0.0.1:{self.remote.port}/edge.git",
                     "--name", "edge", "--wait")
        self.portico("rpkg", "clone", "blueprints.web.v1", "web", "--repository", "edge",
                     "--workspace", "w")

    def campaign(self, name, command, count):
        self.keep()
        self.remote.clear()
        self.portico(*command)
        lengths = dict(self.remote.count)
        self.portico("repo", "sync", "edge", "--wait")
        wanted = self.content()
        places = [(way, after) for way in ("up", "down") for after in range(lengths[way] + 1)]
        choice = seeded(f"cut {name} over {self.SCHEME} ({lengths})")
        if len(places) > count:
            places = choice.sample(places, count)
        for way, after in places:
            how = choice.choice(["reset", "close", "dead"])
            self.restore()
            with self.subTest(command=name, way=way, after=after, how=how):
                self.remote.cut(way, after, how)
                done = self.run_portico(*command)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertNotIn("bug in Portico", done.stderr)
                if done.returncode:
                    self.assertRegex(done.stderr + done.stdout, r"127\.0\.0\.1|edge")
                self.remote.clear()
                self.fsck(self.dir / "edge.git")
                again = self.run_portico(*command)
                self.assertEqual(again.returncode, 0,
                                 f"{done.stdout}{done.stderr}\nagain: {again.stdout}{again.stderr}")
                self.portico("repo", "sync", "edge", "--wait")
                self.assertEqual(self.content(), wanted)
                self.check_repositories()
                for mirror in (self.dir / ".portico" / "mirrors").iterdir():
                    self.fsck(mirror)

    def test_a_push(self):
        self.campaign("propose", ["rpkg", "propose", DRAFT], runs(8, 10**6))

    def test_a_fetch(self):
        self.commit(self.dir / "edge.git", WEB, "Others", tags=["web/v1"])
        self.campaign("sync", ["repo", "sync", "edge", "--wait"], runs(8, 10**6))


class HttpCuts(Cuts):
    SCHEME = "http"


class Drips(Cuts):
    def test_a_push(self):
        self.remote.drip(0.002)
        self.portico("rpkg", "propose", DRAFT)
        self.portico("rpkg", "approve", DRAFT)
        self.check_repositories()

    def test_a_fetch(self):
        self.commit(self.dir / "edge.git", WEB, "Others", tags=["web/v1"])
        self.remote.drip(0.002)
        self.portico("repo", "sync", "edge", "--wait")
        self.assertIn("edge.web.v1", self.objects("packagerevisions"))


if __name__ == "__main__":
    unittest.main()
