"""The controllers' writes over an API are not one transaction. They are killed after each of their writes in turn, and
others continue. The fleet ends as if undisturbed."""
import json
import pathlib
import shutil
import threading
import unittest

import yaml
from api_server import KUBECTL
from apart import SET, Apart, files


@unittest.skipUnless(KUBECTL, "kubectl is not installed")
class EachWrite(Apart):
    lease_of_controllers = 60  # no test waits for it to expire, and a busy machine does not lose it

    def setUp(self):
        """The newer blueprint exists from the start, so that its commit is the same in each round."""
        super().setUp()
        self.kept = pathlib.Path(shutil.copytree(self.kept, self.dir / "kept"))
        self.commit(self.dir / "blueprints.git", files(2), "Two replicas", tags=["web/v2"])
        shutil.rmtree(self.kept / "blueprints.git")
        shutil.copytree(self.dir / "blueprints.git", self.kept / "blueprints.git")

    def repositories(self):
        return super().repositories()[:2]

    def one_process(self, upgraded):
        self.portico("apply", "-f", "-", "--wait", stdin=self.fleet())
        if upgraded:
            self.upgrade(lambda text: self.portico("apply", "-f", "-", "--wait", stdin=text))
        return self.outcome()

    def upgrade(self, apply):
        """Moves the set to the newer blueprint."""
        newer = json.loads(json.dumps(SET))
        newer["spec"]["upstream"]["revision"] = 2
        apply(yaml.safe_dump(newer))

    def outcome(self):
        """The content of git, and the owners."""
        return self.trees(), {name: [each["name"] for each in revision["metadata"].get("ownerReferences", [])]
                              for name, revision in self.objects("rpkg").items()}

    def anew(self):
        shutil.rmtree(self.dir / ".portico", ignore_errors=True)
        self.put_back()
        self.portico("init", str(self.dir))

    def ready(self):
        """The set and its variant are Ready in their current generation."""
        web = self.objects("packagevariantsets").get("web", {})
        variants = list(self.objects("packagevariants").values())
        targets = web.get("status", {}).get("targets", {})
        return (targets.get("ready") == 1 and web["status"].get("observedGeneration") == web["metadata"]["generation"]
                and len(variants) == 1 and self.condition(variants[0])["status"] == "True"
                and variants[0]["status"].get("observedGeneration") == variants[0]["metadata"]["generation"])

    def cut_after(self, number, upgraded):
        """Kills the controllers after write `number`; returns False if there were fewer writes."""
        self.anew()
        self.serve_packages()
        lock, state = threading.Lock(), {"writes": 0, "process": None, "counts": not upgraded}

        def fault(method, path):
            """Carries out the last write but loses its answer, and cuts all later ones until the process is killed."""
            if method in ("GET", "WATCH") or "/leases" in path or "/events" in path:
                return None
            with lock:
                process = state["process"]
                if process is None or not state["counts"]:
                    return None
                if process.poll() is not None:
                    return "cut"
                state["writes"] += 1
                if state["writes"] < number:
                    return None
                return "lose" if state["writes"] == number else "cut"
        self.put_porch_between(fault=fault)
        state["process"] = self.start_controllers("--lease", "first", "--workers", "1")
        self.portico("apply", "-f", "-", stdin=self.fleet())
        if upgraded:
            self.until(self.ready)
            state["counts"] = True
            self.upgrade(lambda text: self.portico("apply", "-f", "-", stdin=text))

        def died_or_done():
            if state["writes"] >= number:
                state["process"].kill()
                state["process"].wait(timeout=20)
                return True
            return self.ready()
        self.until(died_or_done)
        died = state["process"].poll() is not None
        if died:
            state["process"] = None
            self.start_controllers("--lease", "second", name="second")
            self.until(self.ready)
        self.assertEqual(self.outcome(), self.wanted, f"cut after write {number}")
        for revision in self.objects("rpkg").values():
            self.assertNotIn("readinessGates", revision["spec"], "nothing is half made")
        for repository in self.dir.glob("*.git"):
            self.fsck(repository)
        self.end_round()
        return died

    def end_round(self):
        """Ends the programs of this round before the next."""
        while len(self._cleanups) > self.before:
            function, arguments, words = self._cleanups.pop()
            function(*arguments, **words)

    def each(self, upgraded):
        self.wanted = self.one_process(upgraded)
        self.before = len(self._cleanups)
        number = 1
        while self.cut_after(number, upgraded):
            number += 1
        return number - 1

    def test_of_a_first_draft(self):
        self.assertGreaterEqual(self.each(upgraded=False), 4, "a variant, a draft, its content, a status")

    def test_of_an_upgrade(self):
        self.assertGreaterEqual(self.each(upgraded=True), 3, "a variant, the draft's content, a status")


if __name__ == "__main__":
    unittest.main()
