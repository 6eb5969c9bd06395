#!/usr/bin/env python3
"""Performance of the Kubernetes API of `portico serve`; with --peer, also of a real kube-apiserver with etcd.

    ./dev bench api [--peer START] [--revisions 10000] [--objects 100000] [--watches 10000] [--seconds 5] [--limit 20]

Each measurement ends after --limit seconds with the results so far; one that has none after four times as long is skipped.
START (default: $PORTICO_PEER) is a program that starts a Kubernetes API server in the given folder and prints the path of an
administrator's kubeconfig; there is a program `stop` in the same folder. Both servers run on this machine, one after the
other, together with the load generator (bench/internal/api_load, in Go).
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/e2e"))
sys.path.insert(0, str(HERE / "internal"))
import go_program  # noqa: E402
from commands import ENVIRONMENT, run  # noqa: E402

REVISIONS = "/apis/porch.kpt.dev/v1alpha1/namespaces/default/packagerevisions"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
TICKS = os.sysconf("SC_CLK_TCK")


def build_load(folder):
    try:
        go = go_program.compiler()
    except go_program.NoGo as why:
        raise SystemExit(f"the load generator needs Go: {why}") from why
    done = subprocess.run([go, "build", "-o", str(folder / "api_load"), "."], text=True,
                          cwd=HERE / "internal/api_load", capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"go build: {done.stderr}")
    return folder / "api_load"


class Server:
    """A running server: its administrator's kubeconfig and its processes."""

    def __init__(self, folder, load, kubeconfig, pids):
        text = pathlib.Path(kubeconfig).read_text()
        self.url = re.search(r"server: (\S+)", text).group(1)
        self.pids = pids
        self.load_program = load
        self.files = []
        for key in ("certificate-authority", "client-certificate", "client-key"):
            found = re.search(rf"{key}-data: (\S+)", text)
            path = folder / f"{key}.pem"
            path.write_bytes(base64.b64decode(found.group(1)))
            self.files.append(path)

    def words(self, command, **flags):
        ca, cert, key = self.files
        out = [self.load_program, "-server", self.url, "-ca", ca, "-cert", cert, "-key", key]
        for name, value in flags.items():
            out += [f"-{name}", value]
        return [str(w) for w in [*out, command]]

    def load(self, command, **flags):
        return json.loads(run(*self.words(command, **flags)))

    def load_within(self, limit, command, text="", **flags):
        """As load(), with a time limit; None without results. `text` is the standard input of the load generator."""
        try:
            return json.loads(run(*self.words(command, limit=limit, **flags), timeout=4 * limit, input=text))
        except (subprocess.TimeoutExpired, SystemExit) as why:
            print(f"{command} skipped: {why}", file=sys.stderr)
            return None

    def processor(self):
        """CPU seconds that its processes have used."""
        total = 0
        for pid in self.pids:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def settle(self, limit):
        """Waits until the server is idle, so that work after startup is not counted for a request."""
        end = time.monotonic() + limit
        used = self.processor()
        while time.monotonic() < end:
            time.sleep(0.5)
            before, used = used, self.processor()
            if used - before < 0.05:
                return

    def memory(self):
        """Memory (RSS) of its processes in MiB."""
        total = 0
        for pid in self.pids:
            text = pathlib.Path(f"/proc/{pid}/status").read_text()
            total += int(re.search(r"VmRSS:\s+(\d+)", text).group(1))
        return total / 1024


class Portico:
    def __init__(self, program, folder, load):
        self.program, self.folder, self.load = program, folder, load
        run(program, "init", folder)

    def start(self):
        self.began = time.monotonic()
        self.process = subprocess.Popen([self.program, "serve", "--listen", "127.0.0.1:0"],
                                        cwd=self.folder, env=ENVIRONMENT, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.process.stdout:
            if "Kubernetes API at" in line:
                break
        else:
            raise SystemExit("portico serve ended")
        server = Server(self.folder, self.load, self.folder / ".portico/admin.kubeconfig",
                        [self.process.pid])
        server.load("list", path=CONFIG_MAPS + "?limit=1", count=1)
        self.took = time.monotonic() - self.began
        return server

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()

    def add_revisions(self, count):
        """Registers a repository whose only commit contains `count` packages, each published."""
        bare = self.folder / "many.git"
        run("git", "init", "-q", "--bare", "-b", "main", bare)
        blob = run("git", "-C", bare, "hash-object", "-w", "--stdin",
                   input="apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n").strip()
        tree = run("git", "-C", bare, "mktree", input=f"100644 blob {blob}\tKptfile\n").strip()
        names = sorted(f"p{i}" for i in range(count))
        root = run("git", "-C", bare, "mktree",
                   input="".join(f"040000 tree {tree}\t{n}\n" for n in names)).strip()
        commit = run("git", "-C", bare, "commit-tree", "-m", "Begin", root).strip()
        run("git", "-C", bare, "update-ref", "--stdin",
            input=f"create refs/heads/main {commit}\n"
            + "".join(f"create refs/tags/{n}/v1 {commit}\n" for n in names))
        run(self.program, "repo", "register", bare, "--wait", cwd=self.folder)


class Peer:
    def __init__(self, start, folder, load):
        self.start_program, self.folder, self.load = start, folder, load

    def start(self):
        done = subprocess.run([self.start_program, str(self.folder / "cluster")], text=True,
                              capture_output=True,
                              env={**ENVIRONMENT, "KUBERNETES_FSYNC": "1", "KUBERNETES_CONTROLLERS": ""})
        if done.returncode != 0:
            raise SystemExit(f"{self.start_program}: {done.stderr}")
        pids = [int(pathlib.Path(p).read_text().split()[0])
                for p in (self.folder / "cluster").glob("*.pid")]
        return Server(self.folder, self.load, done.stdout.strip(), pids)

    def stop(self):
        stop = pathlib.Path(self.start_program).with_name("stop")
        subprocess.run([str(stop), "--delete", str(self.folder / "cluster")], env=ENVIRONMENT,
                       capture_output=True)

    def add_revisions(self, server, objects, limit):
        """Creates the same objects, of a kind from a CustomResourceDefinition; returns whether all were created in time."""
        definition = {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "packagerevisions.porch.kpt.dev"},
            "spec": {"group": "porch.kpt.dev", "scope": "Namespaced",
                     "names": {"plural": "packagerevisions", "kind": "PackageRevision"},
                     "versions": [{"name": "v1alpha1", "served": True, "storage": True,
                                   "additionalPrinterColumns": [
                                       {"name": path, "type": "string", "jsonPath": f".spec.{path}"}
                                       for path in ("packageName", "workspaceName", "revision",
                                                    "lifecycle", "repository")],
                                   "schema": {"openAPIV3Schema": {
                                       "type": "object",
                                       "x-kubernetes-preserve-unknown-fields": True}}}]}}
        lines = [{"path": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                  "object": definition}]
        lines += [{"path": REVISIONS, "object": each} for each in objects]
        done = server.load_within(limit, "post", "".join(json.dumps(l) + "\n" for l in lines))
        return done is not None and done["count"] == len(lines)


class Said(dict):
    def __setitem__(self, label, value):
        super().__setitem__(label, value)
        print(f"{label}: {value:.1f}", file=sys.stderr, flush=True)


def measure(server, options, revisions):
    """Label -> figure, in the unit of the label; prints each as soon as it is known. 0 revisions: skips the lists."""
    out = Said()

    def step(command, figures, **flags):
        done = server.load_within(options.limit, command, **flags)
        for label, key in figures.items() if done else ():
            out[label] = done[key]
        return done

    server.load("create", path=CONFIG_MAPS, name="one", count=1, workers=1)
    server.settle(3 * options.limit)
    step("get", {"get, per second": "per_second"}, path=CONFIG_MAPS + "/one-1",
         seconds=options.seconds, workers=32)
    step("create", {"create, durable, per second": "per_second"}, path=CONFIG_MAPS, name="c",
         count=options.creates, workers=64)
    lists = (("JSON", REVISIONS, "application/json"), ("Table", REVISIONS, TABLE),
             ("page of 500", REVISIONS + "?limit=500", "application/json"))
    for label, path, accept in lists if revisions else ():
        step("list", {f"list {revisions} revisions: {label}, ms": "millis"}, path=path, accept=accept,
             count=9)
    server.settle(options.limit)
    begun = server.processor()
    applied = step("apply", {"apply of 5 kB, ms": "millis"}, path=CONFIG_MAPS, count=1000)
    if applied:
        used = server.processor() - begun
        out["apply of 5 kB, CPU µs"] = used * 1e6 / applied["count"]
    step("latency", {"write to 1,000 watchers, median ms": "millis",
                     "write to 1,000 watchers, 99th ms": "millis_99"},
         path=CONFIG_MAPS, workers=1000, count=10)
    held = idle(server, options)
    if held:
        out[f"{options.watches} idle watches, MiB"] = held
    return out


def idle(server, options):
    """Memory of idle watches in MiB; None if they were not open in time."""
    before = server.memory()
    process = subprocess.Popen(server.words("idle", path=CONFIG_MAPS, workers=options.watches),
                               text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    late = threading.Timer(4 * options.limit, process.kill)
    late.start()
    opened = process.stdout.readline() == "open\n"
    late.cancel()
    if not opened:
        print("idle watches skipped: they were not open in time", file=sys.stderr)
        process.communicate()
        return None
    out = server.memory() - before
    process.communicate("done\n")
    return out


def bench_portico(options, load, folder):
    portico = Portico(options.portico, folder, load)
    portico.add_revisions(options.revisions)
    server = portico.start()
    try:
        figures = measure(server, options, options.revisions)
        text = run(*server.words("dump", path=REVISIONS))
        filled = server.load("create", path=CONFIG_MAPS, name="fill", count=options.objects, workers=64,
                             limit=3 * options.limit)["count"]
        portico.stop()
        portico.start()
        figures[f"start with {filled} objects, s"] = portico.took
    finally:
        portico.stop()
    for each in (objects := json.loads(text)["items"]):
        for field in ("uid", "resourceVersion", "creationTimestamp", "managedFields", "ownerReferences"):
            each["metadata"].pop(field, None)
    return figures, objects


def bench_peer(options, load, folder, objects):
    peer = Peer(options.peer, folder, load)
    server = peer.start()
    try:
        all_there = peer.add_revisions(server, objects, 3 * options.limit)
        return measure(server, options, options.revisions if all_there else 0)
    finally:
        peer.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--portico", default=str(HERE.parent / "build/bench/portico"))
    parser.add_argument("--peer", default=os.environ.get("PORTICO_PEER", ""))
    parser.add_argument("--revisions", type=int, default=10_000)
    parser.add_argument("--objects", type=int, default=100_000)
    parser.add_argument("--creates", type=int, default=10_000)
    parser.add_argument("--watches", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--limit", type=float, default=20)
    options = parser.parse_args()
    options.portico = str(pathlib.Path(options.portico).resolve())
    with tempfile.TemporaryDirectory(prefix="portico-bench-") as folder:
        folder = pathlib.Path(folder)
        load = build_load(folder)
        (folder / "portico").mkdir()
        ours, objects = bench_portico(options, load, folder / "portico")
        theirs = {}
        if options.peer:
            (folder / "peer").mkdir()
            theirs = bench_peer(options, load, folder / "peer", objects)
    print(f"load average at the end: {os.getloadavg()[0]:.1f}")
    print(f"{'':45} {'portico':>10} {'peer':>10} {'ratio':>7}")
    for label, value in ours.items():
        line = f"{label:45} {value:10.1f}"
        if label in theirs:
            line += f" {theirs[label]:10.1f} {value / theirs[label]:7.2f}"
        print(line)


if __name__ == "__main__":
    sys.exit(main())
