#!/usr/bin/env python3
"""How much a repository whose server hangs slows down the other repositories.

N variants of a healthy repository, alone and next to M variants of a repository whose server accepts connections but no
longer responds. In the first case the healthy variants exist when `portico serve` starts, in the second they are applied to
a running server. Prints the time until they are drafted, the ratio of both times, and the time from SIGTERM to the end of
the server: medians of alternating runs.

    bench/neighbour.py [--program build/bench/portico] [--healthy 40] [--hanging 40] [--runs 9]
"""
import argparse
import json
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "internal"))
from commands import ENVIRONMENT, run  # noqa: E402
from git_daemon import Daemon  # noqa: E402

LIMIT = 300  # seconds until a run is abandoned


def bare(path, file=None, text=None, tag=None):
    run("git", "init", "-q", "--bare", "-b", "main", str(path))
    with tempfile.TemporaryDirectory() as work:
        run("git", "init", "-q", "-b", "main", work)
        target = pathlib.Path(work) / (file or "README.md")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text or "a repository\n")
        run("git", "-C", work, "add", "-A")
        run("git", "-C", work, "commit", "-q", "-m", "Begin")
        run("git", "-C", work, "push", "-q", str(path), "main")
    if tag:
        run("git", "-C", str(path), "tag", tag, "main")


class HangingDaemon(Daemon):
    """A git daemon; after hang(), a socket on its port that never responds."""

    silent, kept = None, ()

    def hang(self):
        super().close()
        self.kept = []
        while self.silent is None:
            try:
                self.silent = socket.create_server(("127.0.0.1", self.port))
            except OSError:  # a child of the daemon still holds the port
                time.sleep(0.02)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                self.kept.append(self.silent.accept()[0])
            except OSError:
                return

    def close(self):
        super().close()
        if self.silent:
            self.silent.close()
        for one in self.kept:
            one.close()


def variant_set(name, repository, count):
    return json.dumps({
        "apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                 "targets": [{"repositories": [
                     {"name": repository, "packageNames": [f"{name}-{i}" for i in range(count)]}]}]}})


def serve(program, folder):
    """Starts the server and waits until it serves."""
    server = subprocess.Popen([program, "serve"], cwd=folder, env=ENVIRONMENT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdout.readline()
    threading.Thread(target=server.stdout.read, daemon=True).start()
    return server


def drafts(repository, wanted, begin):
    """Seconds since `begin` until the repository has `wanted` drafts; None if the limit was exceeded."""
    while time.monotonic() - begin < LIMIT:
        refs = run("git", "-C", str(repository), "for-each-ref", "refs/heads/drafts")
        if len(refs.splitlines()) == wanted:
            return time.monotonic() - begin
        time.sleep(0.01)
    return None


def stop(server):
    """Seconds from SIGTERM to the end of the server; None if the limit was exceeded."""
    begin = time.monotonic()
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(timeout=LIMIT)
        return time.monotonic() - begin
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
        return None


def measure(program, healthy, hanging, running):
    """Seconds until the healthy variants are drafted, and from SIGTERM to the end of the server."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-bench-"))
    daemon = None
    try:
        run(program, "init", str(folder))
        bare(folder / "blueprints.git", "web/Kptfile",
             "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n", "web/v1")
        for name in ("edge", "far"):
            bare(folder / f"{name}.git")
        daemon = HangingDaemon(folder)
        run(program, "repo", "register", "blueprints.git", cwd=folder)
        run(program, "repo", "register", "edge.git", "--deployment", cwd=folder)
        run(program, "repo", "register", f"git://127.0.0.1:{daemon.port}/far.git", "--name", "far",
            "--deployment", cwd=folder)
        if hanging:
            daemon.hang()
            run(program, "apply", "-f", "-", cwd=folder, input=variant_set("a", "far", hanging))
        apply = lambda: run(program, "apply", "-f", "-", cwd=folder, input=variant_set("b", "edge", healthy))
        if running:
            server = serve(program, folder)
            time.sleep(2)  # until the hanging repository has blocked its variants
            begin = time.monotonic()
            apply()
        else:
            apply()
            begin = time.monotonic()
            server = serve(program, folder)
        drafted = drafts(folder / "edge.git", healthy, begin)
        if not running:
            time.sleep(2)
        return drafted, stop(server)
    finally:
        if daemon:
            daemon.close()
        shutil.rmtree(folder, ignore_errors=True)


def shown(seconds):
    return "never" if None in seconds else f"{statistics.median(seconds) * 1000:.0f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/portico")
    parser.add_argument("--healthy", type=int, default=40)
    parser.add_argument("--hanging", type=int, default=40)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    print(f"{'':36}{'drafted':>10}{'ratio':>8}{'stopped':>10}")
    for moment, running in (("at startup", False), ("running server", True)):
        times = {0: [], options.hanging: []}
        for each in range(options.runs):
            for hanging in sorted(times, reverse=each % 2 == 1):
                times[hanging].append(measure(program, options.healthy, hanging, running))
        for hanging, pairs in times.items():
            drafted, stopped = zip(*pairs)
            ratio = ""
            if hanging and None not in drafted:
                ratio = f"{statistics.median(b[0] / a[0] for a, b in zip(times[0], pairs)):.2f}"
            name = f"{moment}, " + (f"with {hanging} hanging" if hanging else "alone")
            print(f"{name:36}{shown(drafted):>10}{ratio:>8}{shown(stopped):>10}", flush=True)


if __name__ == "__main__":
    main()
