#!/usr/bin/env python3
"""Resource use of `portico serve` with many repositories: threads, memory, open files and time.

N local bare repositories (file://), each with one published package; half of them are packed. Prints what the process uses
once all of them are Ready, and again after each of --rounds more syncs of all of them.

    bench/repositories.py [--program build/bench/portico] [--repositories 5000] [--rounds 1]
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "internal"))
from commands import ENVIRONMENT, run  # noqa: E402

LIMIT = 1800  # seconds until a run is abandoned


def make_repositories(folder, count):
    """Copies two repositories created by git: one with loose objects, one with a pack."""
    templates = []
    for packed in (False, True):
        work, bare = folder / f"work-{packed}", folder / f"template-{packed}.git"
        run("git", "init", "-q", "-b", "main", str(work))
        (work / "web").mkdir()
        (work / "web" / "Kptfile").write_text("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n")
        run("git", "-C", str(work), "add", "-A")
        run("git", "-C", str(work), "commit", "-q", "-m", "Begin")
        run("git", "-C", str(work), "tag", "web/v1")
        run("git", "clone", "-q", "--bare", "--no-hardlinks", str(work), str(bare))
        shutil.rmtree(bare / "hooks", ignore_errors=True)
        if packed:
            run("git", "-C", str(bare), "gc", "-q")
        templates.append(bare)
    for i in range(count):
        shutil.copytree(templates[i % 2], folder / f"r{i}.git")


def objects(folder, count):
    return "\n---\n".join(json.dumps({
        "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
        "metadata": {"name": f"r{i}", "namespace": "default"},
        "spec": {"type": "git", "git": {"repo": f"file://{folder}/r{i}.git"}}}) for i in range(count))


class Serve:
    def __init__(self, program, folder, resync):
        self.log = folder / "log"
        self.began = time.monotonic()
        with self.log.open("w") as stderr:
            self.process = subprocess.Popen(
                [program, "serve", "--resync", str(resync), "--metrics", "127.0.0.1:0"], cwd=folder, env=ENVIRONMENT,
                stdout=subprocess.PIPE, stderr=stderr, text=True)
        while True:
            line = self.process.stdout.readline()
            if "metrics at" in line:
                self.url = line.split()[-1]
                return
            if not line:
                raise SystemExit(self.log.read_text())

    def syncs(self):
        """The numbers of successful and failed syncs."""
        text = run("curl", "-sf", self.url)
        count = {True: 0, False: 0}
        for line in text.splitlines():
            if line.startswith("portico_repository_syncs_total{"):
                count['outcome="ok"' in line] += int(float(line.split()[-1]))
        return count[True], count[False]

    def wait(self, wanted):
        until = time.monotonic() + LIMIT
        while True:
            good, bad = self.syncs()
            if good >= wanted:
                return time.monotonic() - self.began
            if time.monotonic() > until or self.process.poll() is not None:
                raise SystemExit(f"{good} good and {bad} failed syncs after {LIMIT} s; log:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.5)

    def uses(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        value = lambda key: int(status.split(key + ":")[1].split()[0])
        return {"threads": value("Threads"), "RSS, MB": value("VmRSS") // 1024, "peak, MB": value("VmHWM") // 1024,
                "files": len(os.listdir(f"/proc/{self.process.pid}/fd"))}

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default="build/bench/portico")
    options.add_argument("--repositories", type=int, default=5000)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--resync", type=int, default=60)
    options = options.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-bench-"))
    try:
        make_repositories(folder, options.repositories)
        run(program, "init", ".", cwd=folder)
        begin = time.monotonic()
        run(program, "apply", "-f", "-", cwd=folder, input=objects(folder, options.repositories))
        print(f"{options.repositories} repositories registered in {time.monotonic() - begin:.1f} s")
        serve = Serve(program, folder, options.resync)
        print(f"all Ready after {serve.wait(options.repositories):.1f} s: {serve.uses()}", flush=True)
        for i in range(options.rounds):
            serve.wait((i + 2) * options.repositories)
            print(f"after another sync: {serve.uses()}", flush=True)
        begin = time.monotonic()
        serve.stop()
        print(f"stopped in {time.monotonic() - begin:.2f} s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
