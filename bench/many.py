#!/usr/bin/env python3
"""How long changes of many revisions in remote repositories take, and in how many pushes they go.

N variants of one package in repositories behind a git daemon. All of them are drafted, proposed (`rpkg propose --set`) and
approved (`rpkg approve --set`); then the upstream publishes its next revision, and all are upgraded (`repo sync --all
--wait`). Prints seconds and pushes of each step: medians of the runs.

    bench/many.py [--program build/bench/portico] [--variants 50] [--repositories 1] [--runs 3]
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "internal"))
from commands import run  # noqa: E402
from git_daemon import Daemon  # noqa: E402

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  revision: \"{}\"\n"
STEPS = ("apply", "propose --set", "approve --set", "upgrade")


def commit(repository, files, tag=None):
    """Adds or replaces files on main of a bare repository."""
    with tempfile.TemporaryDirectory() as work:
        run("git", "clone", "-q", str(repository), work)
        run("git", "-C", work, "checkout", "-q", "-B", "main")
        for name, text in files.items():
            path = pathlib.Path(work) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run("git", "-C", work, "add", "-A")
        run("git", "-C", work, "commit", "-q", "-m", "Change")
        run("git", "-C", work, "push", "-q", "origin", "main")
    if tag:
        run("git", "-C", repository, "tag", tag, "main")


class Fleet:
    """A state folder, an upstream on this machine, and empty repositories behind the daemon that count their pushes."""

    def __init__(self, program, folder, count):
        self.program, self.folder = program, folder
        self.portico("init", str(folder))
        for name in ["blueprints", *(f"edge-{i}" for i in range(count))]:
            run("git", "init", "-q", "--bare", "-b", "main", folder / f"{name}.git")
        commit(folder / "blueprints.git", {"web/Kptfile": KPTFILE, "web/config.yaml": CONFIG.format(1)}, "web/v1")
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.names = [f"edge-{i}" for i in range(count)]
        self.daemon = Daemon(folder)
        for name in self.names:
            commit(folder / f"{name}.git", {"README.md": "a repository\n"})
            hook = folder / f"{name}.git/hooks/post-receive"
            hook.parent.mkdir(exist_ok=True)
            hook.write_text("#!/bin/sh\ncat >/dev/null\necho x >> pushes\n")
            hook.chmod(0o755)
            self.portico("repo", "register", f"git://127.0.0.1:{self.daemon.port}/{name}.git", "--name", name, "--wait")

    def portico(self, *words, **more):
        return run(self.program, *words, cwd=self.folder, **more)

    def pushes(self):
        """The number of pushes since the last call."""
        out = 0
        for name in self.names:
            count = self.folder / f"{name}.git/pushes"
            if count.exists():
                out += len(count.read_text().split())
                count.unlink()
        return out

    def refs(self, pattern):
        return sum(len(run("git", "-C", self.folder / f"{name}.git", "for-each-ref", pattern).splitlines())
                   for name in self.names)

    def timed(self, *words, **more):
        """Seconds and pushes of a command."""
        self.pushes()
        begin = time.monotonic()
        self.portico(*words, **more)
        return time.monotonic() - begin, self.pushes()


def variant_set(names, variants):
    packages = {name: [f"p{i}" for i in range(variants) if i % len(names) == at] for at, name in enumerate(names)}
    return json.dumps({
        "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
        "metadata": {"name": "fleet", "namespace": "default"},
        "spec": {"upstream": {"repo": "blueprints", "package": "web"},
                 "targets": [{"repositories": [{"name": name, "packageNames": packages[name]} for name in names]}]}})


def expect(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{found} {what}; {wanted} are expected")


def measure(program, variants, repositories):
    """(seconds, pushes) of each step."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-bench-"))
    fleet = None
    try:
        fleet = Fleet(program, folder, repositories)
        out = [fleet.timed("apply", "-f", "-", "--wait", input=variant_set(fleet.names, variants))]
        expect(fleet.refs("refs/heads/drafts"), variants, "drafts")
        out.append(fleet.timed("rpkg", "propose", "--set", "fleet"))
        expect(fleet.refs("refs/heads/proposed"), variants, "proposed")
        out.append(fleet.timed("rpkg", "approve", "--set", "fleet"))
        expect(fleet.refs("refs/tags"), variants, "published")
        commit(folder / "blueprints.git", {"web/config.yaml": CONFIG.format(2)}, "web/v2")
        out.append(fleet.timed("repo", "sync", "--all", "--wait"))
        expect(fleet.refs("refs/heads/drafts"), variants, "drafts of the upgrade")
        return out
    finally:
        if fleet:
            fleet.daemon.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/portico")
    parser.add_argument("--variants", type=int, default=50)
    parser.add_argument("--repositories", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    runs = []
    for _ in range(options.runs):
        runs.append(measure(program, options.variants, options.repositories))
    print(f"{options.variants} variants, {options.repositories} repositories, load {os.getloadavg()[0]:.1f}")
    print(f"{'':16}{'seconds':>9}{'pushes':>8}")
    for at, step in enumerate(STEPS):
        seconds, pushes = zip(*(one[at] for one in runs))
        print(f"{step:16}{statistics.median(seconds):>9.2f}{statistics.median(pushes):>8.0f}")


if __name__ == "__main__":
    main()
