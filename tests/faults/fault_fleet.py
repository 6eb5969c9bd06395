"""A small fleet, the commands that change it, and the invariants that must hold whatever goes wrong."""
import os
import pathlib
import random
import shutil
import signal
import subprocess

import yaml
from support import ENVIRONMENT, Fleet, binary

WEB = {
    "web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
                   "pipeline:\n  mutators:\n  - image: set-labels:v0.2.0\n    configMap:\n"
                   "      app: web\n",
    "web/service.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n"
                        "  ports:\n  - port: 80\n",
    "web/deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n"
                           "spec:\n  replicas: 1\n",
}
CLUSTERS = ["cluster-0", "cluster-1"]
PACKAGES = ["web-0", "web-1", "web-2", "web-3"]
DRAFT = "cluster-0.web-0.packagevariant-1"

SLOW = bool(os.environ.get("PORTICO_SLOW"))


def runs(short, slow):
    """How many times a fault is injected: $PORTICO_FAULT_RUNS, or the number of the tier."""
    return int(os.environ.get("PORTICO_FAULT_RUNS", slow if SLOW else short))


def seeded(name):
    """Random numbers of a campaign: the same each time, new ones with --slow. The seed is printed;
    $PORTICO_FAULT_SEED overrides it."""
    new = random.SystemRandom().randrange(10**6) if SLOW else 1
    seed = int(os.environ.get("PORTICO_FAULT_SEED") or new)
    print(f"{name}: PORTICO_FAULT_SEED={seed}", flush=True)
    return random.Random(seed)


def fleet_set():
    return yaml.safe_dump({
        "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
        "metadata": {"name": "fleet", "namespace": "default"},
        "spec": {"upstream": {"repo": "blueprints", "package": "web"},
                 "targets": [{"repositories": [{"name": name, "packageNames": PACKAGES}
                                               for name in CLUSTERS]}]}})


def later(text):
    return text.replace("port: 80\n", "port: 8080\n")


class Step:
    """A command that changes the fleet, and how to bring the fleet to the state that the command needs."""

    def __init__(self, *command, after=None, stdin=None, prepare=None):
        self.command, self.after, self.stdin, self.prepare = command, after, stdin, prepare


def _publish_second(fleet):
    fleet.commit(fleet.dir / "blueprints.git",
                 {"web/service.yaml": later(WEB["web/service.yaml"])}, "Second", tags=["web/v2"])


def _edit_pulled(fleet):
    fleet.portico("rpkg", "pull", DRAFT, "pulled")
    file = fleet.dir / "pulled" / "service.yaml"
    file.write_text(later(file.read_text()))


STEPS = {
    "apply": Step("apply", "-f", "-", "--wait", stdin=fleet_set()),
    "push": Step("rpkg", "push", DRAFT, "pulled", after="apply", prepare=_edit_pulled),
    "propose": Step("rpkg", "propose", "--set", "fleet", after="apply"),
    "approve": Step("rpkg", "approve", "--set", "fleet", after="propose"),
    "upgrade": Step("repo", "sync", "--all", "--wait", after="approve", prepare=_publish_second),
    "delete": Step("delete", "pvs", "fleet", "--wait", "--ignore-not-found", after="apply"),
}


class FaultFleet(Fleet):
    """Keeps a copy of the fleet as it is before a step; each injected fault starts from that copy."""
    maxDiff = 4000

    def setUp(self):
        super().setUp()
        self.started = []

    def url(self, name):
        """The address by which a repository is registered."""
        return f"{name}.git"

    def build(self, step):
        self.bare("blueprints", WEB, tags=["web/v1"])
        for name in CLUSTERS:
            self.bare(name)
        self.portico("repo", "register", self.url("blueprints"), "--name", "blueprints", "--wait")
        for name in CLUSTERS:
            self.portico("repo", "register", self.url(name), "--name", name, "--deployment",
                         "--wait")
        self._go_before(step)
        self.keep()

    def keep(self):
        """Saves the fleet as it is now, for restore()."""
        self._kept = pathlib.Path(str(self.dir) + "-kept")
        self.addCleanup(shutil.rmtree, self._kept, ignore_errors=True)
        shutil.copytree(self.dir, self._kept, symlinks=True)

    def _go_before(self, name):
        step = STEPS[name]
        if step.after:
            self._go_before(step.after)
            self.portico(*STEPS[step.after].command, stdin=STEPS[step.after].stdin)
        if step.prepare:
            step.prepare(self)

    def restore(self):
        while self.started:
            self.end_session(self.started.pop())
        for entry in self.dir.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(self._kept, self.dir, symlinks=True, dirs_exist_ok=True)

    def start(self, *arguments, stdin=None, extra=None):
        """Starts the program in a new session, with `stdin` as its complete standard input."""
        process = subprocess.Popen(
            [binary(), *arguments], cwd=self.dir, env={**ENVIRONMENT, **(extra or {})}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        self.started.append(process)
        try:
            process.stdin.write(stdin or "")
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdin = None
        return process

    def end_of(self, process, timeout=120):
        """Exit status, output and error text; the process and its children must end in time."""
        try:
            output, error = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, error = process.communicate()
            self.fail(f"did not end within {timeout} s: {output}\n{error}")
        return process.returncode, output, error

    def end_session(self, process):
        """Ends everything the program started, and waits for it."""
        for _ in range(1000):
            left = False
            for entry in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                    if int(fields[3]) == process.pid and fields[0] != "Z":
                        left = True
                        os.kill(int(entry.name), signal.SIGKILL)
                except (OSError, IndexError):
                    continue
            if not left:
                return
        self.fail("what the program started does not end")

    # ---- invariants

    def repositories(self):
        return ["blueprints", *CLUSTERS]

    def content(self):
        """The state of the fleet without what differs between two runs: times, commit ids."""
        git = {}
        for name in self.repositories():
            path = self.dir / f"{name}.git"
            # The rest of a draft's or tag's tree comes from the branch at the time it was made.
            trees = [f"{ref}:" + ("" if ref == "refs/heads/main" else ref.split("/")[-2])
                     for ref in self.refs(path) if ref.startswith(("refs/heads/", "refs/tags/"))]
            found = self.git(path, "cat-file", "--batch-check=%(objectname) %(rest)",
                             stdin="".join(f"{tree} {tree}\n" for tree in trees))
            for line in found.splitlines():
                tree, _, spec = line.partition(" ")
                git[name, spec] = tree
        revisions = {
            name: (item["spec"]["lifecycle"], item["spec"].get("revision"),
                   item["spec"]["workspaceName"])
            for name, item in self.objects("packagerevisions").items()}
        variants = {
            name: (item["spec"], self.condition(item)["status"],
                   [t.get("name") for t in item.get("status", {}).get("downstreamTargets", [])])
            for name, item in self.objects("packagevariants").items()}
        return {"git": git, "revisions": revisions, "variants": variants}

    def check_repositories(self, may_lock=False):
        """Repositories are intact, no draft lacks a file, and git works on them."""
        for name in self.repositories():
            path = self.dir / f"{name}.git"
            self.fsck(path)
            files = {}
            listing = self.git(path, "for-each-ref", "--format=%(refname)", "refs/heads/drafts",
                               "refs/heads/proposed", "refs/tags").split()
            for ref in listing:
                package = ref.split("/")[-2]
                files[ref] = set(self.git(path, "ls-tree", "--name-only",
                                          f"{ref}:{package}").split())
            whole = {"Kptfile", "service.yaml", "deployment.yaml"}
            for ref, names in files.items():
                self.assertLessEqual(whole, names, f"{name} {ref} is half a draft")
            if not may_lock:
                left = [p for p in path.rglob("*.lock") if p.name != "portico.lock"]
                self.assertEqual(left, [], "locks that are left")
                self.git(path, "update-ref", "refs/heads/others", "main")
                self.git(path, "update-ref", "-d", "refs/heads/others")

    def check_acknowledged(self, output):
        """Everything the command reported as done exists, before anything else could repair it."""
        said = [line.split() for line in output.splitlines()]
        done = {words[0]: words[1] for words in said if len(words) == 2}
        revisions = None
        for name, what in done.items():
            if what not in ("proposed", "approved", "pushed"):
                continue
            revisions = revisions or self.objects("packagerevisions")
            lifecycle = revisions[name]["spec"]["lifecycle"]
            repository, package, _ = name.split(".")
            path = self.dir / f"{repository}.git"
            if what == "proposed":
                self.assertEqual(lifecycle, "Proposed", f"{name} was said to be proposed")
            if what == "approved":
                self.assertEqual(lifecycle, "Published", f"{name} was said to be approved")
                self.assertIn(f"refs/tags/{package}/v1", self.refs(path, "refs/tags"))
                self.assertTrue(self.git(path, "ls-tree", "main", package))
            if what == "pushed":
                self.assertIn("8080", self.show(
                    path, f"refs/heads/drafts/{package}/packagevariant-1:{package}/service.yaml"))
        if "packagevariantset/fleet created" in output:
            self.assertIn("fleet", self.objects("packagevariantsets"))
        if "packagevariantset/fleet deleted" in output:
            self.assertNotIn("fleet", self.objects("packagevariantsets"))

    def finish(self, step):
        """Repeats the command, as a user would after a failure, and syncs all repositories."""
        done = self.run_portico(*step.command, stdin=step.stdin)
        self.assertEqual(done.returncode, 0, f"run again: {done.stdout}\n{done.stderr}")
        self.portico("repo", "sync", "--all", "--wait")

    def undisturbed(self, step):
        """The state of the fleet after the command if nothing goes wrong."""
        self.restore()
        self.finish(step)
        return self.content()

