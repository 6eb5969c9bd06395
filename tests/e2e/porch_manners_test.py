"""The stand-in for Porch's API answers like the recorded real one: replays cases of ../shared/conformance/porch-api (some for
each commit, all that are about what controllers do in the long tier), and compares status codes, error texts, the fields with
resourceVersions, and the order of watch events."""
import json
import os
import re
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request

import yaml
from api_server import Served
from porch_manners import PorchManners
from support import ENVIRONMENT, SHARED

SUITE = SHARED / "conformance/porch-api"
CASES = [
    "create/clone", "create/clone-bad-pipeline", "create/clone-into-existing",
    "create/edit-draft", "create/edit-older", "create/init-existing-package", "create/nested-in-published",
    "create/two-tasks", "create/unknown-repository", "lifecycle/approve", "lifecycle/propose", "lifecycle/reject-approval",
    "list-watch/watch-delete-draft", "list-watch/watch-metadata",
    "resources/change", "resources/published", "resources/put", "resources/put-stale", "resources/render-failure",
]
# What the stand-in leaves to the server behind it. Controllers do not send most of it: faulty and unusual requests (which
# Portico refuses, often with another code or text), patches, dry runs, tables, selectors of watches, other users. They do see
# watches of lifecycles, whose intermediate events differ.
OTHERS = """
    create/apply-creates create/as-user create/bad-package-name create/bad-workspace create/clone-git-errors
    create/clone-missing create/clone-no-kptfile create/clone-placeholder create/dry-run create/edit-refusals
    create/given-name create/init-subpackage create/nested-in-package create/no-workspace create/parent
    create/revision-given create/twice-nested create/upgrade-nonsense create/upgrade-refusals
    create/upgrade-to-draft create/upgrade-unedited create/workspace-main
    lifecycle/delete-missing lifecycle/delete-options lifecycle/delete-placeholder
    lifecycle/deletion-proposed-refused-approval lifecycle/draft-identity lifecycle/draft-refused-approval
    lifecycle/dry-run lifecycle/no-approver lifecycle/patch-types lifecycle/proposed-refused
    lifecycle/published-refused lifecycle/published-refused-approval lifecycle/put-stale lifecycle/recreate
    lifecycle/two-drafts lifecycle/workspace-and-number
    list-watch/fields list-watch/resource-version list-watch/watch-approve list-watch/watch-bookmarks
    list-watch/watch-field-lifecycle list-watch/watch-field-package list-watch/watch-label
    list-watch/watch-lifecycle list-watch/watch-refused-fields list-watch/watch-second-approve
    list-watch/watch-table
    resources/get resources/kptfile-bad resources/paths resources/render-failure-pushed resources/yaml-bad
""".split()
LONG = unittest.skipUnless(os.environ.get("PORTICO_SLOW"), "./dev test --slow runs it")
AREAS = ("create", "lifecycle", "list-watch", "resources")
NS = "default"


@unittest.skipUnless(SUITE.is_dir(), "../shared is not there")
class Manners(Served):
    def setUp(self):
        super().setUp()
        self.serve()
        self.known = {"{ns}": NS}  # placeholder -> value

    def make(self, case):
        for name, commits in (case.get("git") or {}).items():
            bare = self.dir / f"{name}.git"
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], env=ENVIRONMENT, check=True)
            self.known[f"<repo:{name}>"] = str(bare)
            for commit in commits:
                self.commit(bare, commit.get("files", {}), commit.get("message", "More"), commit.get("tags", ()))
        for name, more in (case.get("repositories") or {}).items():
            self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump({
                "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name, "namespace": NS},
                "spec": {"type": "git", "git": {"repo": self.known[f"<repo:{name}>"], "branch": "main"},
                         **more.get("spec", {})}}))

    def filled(self, value):
        text = json.dumps(value)
        for key, known in self.known.items():
            text = text.replace(key, known)
        return json.loads(text)

    def ask(self, request, timeout=60):
        request = self.filled(request)
        body = request.get("bodyText", "").encode() or (
            json.dumps(request["body"]).encode() if "body" in request else None)
        sent = urllib.request.Request(self.manners.url + request["path"], method=request["method"], data=body,
                                      headers={"Content-Type": "application/json", **request.get("headers", {})})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sent, timeout=timeout) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def same_text(self, want, got):
        """Each placeholder in `want` has the same value in all answers."""
        pattern, names = "", []
        for part in re.split(r"(<[a-z-]+:?[^>]*>|\{ns\})", want):
            if part in self.known:
                pattern += re.escape(self.known[part])
            elif re.fullmatch(r"<(sha|uid):\d+>", part) and part not in names:
                pattern += r"(\S+)"
                names.append(part)
            elif part.startswith("<"):
                pattern += r".*"
            else:
                pattern += re.escape(part)
        found = re.fullmatch(pattern, got, re.DOTALL)
        self.assertTrue(found, f"want {want!r}\ngot  {got!r}")
        self.known.update(zip(names, found.groups()))

    def same(self, want, got):
        if want.get("kind") == "Status" and want.get("status") == "Failure":
            self.assertEqual([got.get("reason"), got.get("code")], [want["reason"], want["code"]], got)
            # Function messages are worded differently.
            wanted, said = (" ".join(each["message"].partition(" Details: ")[0].split()) for each in (want, got))
            if "fn.render" not in wanted:
                self.same_text(wanted, said)
            return
        if want.get("kind", "").endswith("List"):
            self.assertEqual(want["metadata"], got["metadata"])
            return
        for path in (("metadata", "name"), ("spec", "lifecycle"), ("status", "selfLock", "git", "ref")):
            expected, found = want, got
            for key in path:
                expected = expected.get(key) if isinstance(expected, dict) else None
                found = found.get(key) if isinstance(found, dict) else None
            if expected is not None:
                self.same_text(str(expected), str(found))
        # Porch creates more commits, so the recorded ids do not match. Requests use the ids of the last answer.
        for key in ("uid", "resourceVersion"):
            if key in want.get("metadata", {}):
                self.known[want["metadata"][key]] = got["metadata"][key]
        if "selfLock" in got.get("status", {}):
            self.assertEqual(got["metadata"]["resourceVersion"], got["status"]["selfLock"]["git"]["commit"])

    def step(self, step):
        if "request" not in step:
            return
        want = step["response"]
        if "events" in want:
            answers = []
            watch = threading.Thread(target=lambda: answers.append(self.ask(step["request"])))
            watch.start()
            time.sleep(1)  # as the recorder did: a watch answers before it is established
            for each in step.get("during", ()):
                self.step(each)
            watch.join()
            got = [json.loads(line) for line in answers[0][1].splitlines()]
            # There may be more events: of other objects, and later than the recording.
            names = {event["object"]["metadata"]["name"] for event in want["events"]}
            got = [event for event in got if event["object"]["metadata"]["name"] in names][:len(want["events"])]
            self.assertEqual([event["type"] for event in got], [event["type"] for event in want["events"]])
            for expected, event in zip(want["events"], got):
                self.same(expected["object"], event["object"])
            return
        status, text = self.ask(step["request"])
        self.assertEqual(status, want["status"], text)
        if "body" in want:
            self.same(want["body"], json.loads(text))

    def play(self, name):
        case = yaml.safe_load((SUITE / f"{name}.yaml").read_text())
        self.make(case)
        self.manners = PorchManners(self.kubeconfig)
        self.addCleanup(self.manners.stop)
        for number, step in enumerate(case["steps"], 1):
            with self.subTest(case=name, step=number):
                self.step(step)


def add(name):
    test = lambda self: self.play(name)
    setattr(Manners, "test_" + re.sub(r"\W", "_", name), test if name in CASES else LONG(test))


for file in sorted(SUITE.glob("*/*.yaml")):
    if (each := f"{file.parent.name}/{file.stem}") not in OTHERS and file.parent.name in AREAS:
        add(each)

if __name__ == "__main__":
    unittest.main()
