#!/usr/bin/env python3
"""Performance of a fleet on a real kube-apiserver with etcd: `portico controllers`, with a `portico serve` that
serves package revisions in place of Porch; or `portico serve --kubernetes` alone (--mode without-porch).

    ./dev bench kubernetes [--mode with-porch|without-porch] [--variants 10,50,100,300] [--replicas 1,3] [--program PATH]
        [--start tests/kubernetes/start] [--lease 15]

Each row is a separate cluster: N repositories and a set with one variant in each, of a package like the one that real Porch
was measured with (9 files, 6.3 kB, set-namespace, apply-replacements). Times are measured from the creation of the set, and
from a new revision of the upstream, until all variants are Ready. Writes are the write requests that kube-apiserver has
answered, without Leases and access reviews; CPU seconds are those of all servers and controllers. `one` is the median time
until a variant is Ready, of 8 variants that are created one after another; `changed` is that until one of them is Ready
again when its packageContext is changed. With more than one replica the leader (without Porch, the last replica) is killed at
the end: `failover` is the time until a new variant (without Porch, one in each of up to eight repositories) is Ready. `memory`
is that of the leader (without Porch, of the largest replica). The rows of Porch were measured once, see docs/performance.md.
"""
import argparse
import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "internal"))
from commands import ENVIRONMENT, run  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
LIMIT = 600  # seconds until a row is abandoned
CONFIG = "/apis/config.porch.kpt.dev"
VARIANTS = f"{CONFIG}/v1alpha1/namespaces/default/packagevariants"
SETS = f"{CONFIG}/v1alpha2/namespaces/default/packagevariantsets"
REPOSITORIES = f"{CONFIG}/v1alpha1/namespaces/default/repositories"
PORCH = {10: ("12.4 / 8.0", "7.0 / 6.4"), 50: ("73.6 / 64.8", "41.2 / 44.9"), 100: ("112.9 / 119.0", "73.2 / 88.4"),
         300: ("338.8 / 356.3", "-")}  # drafted, upgraded
KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
    configMap: {namespace: web}
  - image: ghcr.io/kptdev/krm-functions-catalog/apply-replacements:v0.1.1
    configPath: replacements.yaml
"""
REPLACEMENTS = """apiVersion: fn.kpt.dev/v1alpha1
kind: ApplyReplacements
metadata:
  name: replacements
  annotations: {config.kubernetes.io/local-config: "true"}
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.host}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=web].env.[name=HOST].value"]
"""


def package(revision):
    """Nine files, 6.3 kB."""
    files = {"Kptfile": KPTFILE, "replacements.yaml": REPLACEMENTS,
             "settings.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\ndata: {{host: web{revision}.example.com}}\n"}
    for i in range(6):
        files[f"part-{i}.yaml"] = yaml.safe_dump({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"part-{i}", "labels": {"app": f"part-{i}"}},
            "spec": {"replicas": revision, "selector": {"matchLabels": {"app": f"part-{i}"}}, "template": {
                "metadata": {"labels": {"app": f"part-{i}"}}, "spec": {"containers": [{
                    "name": "web", "image": f"registry.example.com/web:{revision}",
                    "env": [{"name": "HOST", "value": "unset"}, *({"name": f"SETTING_{j}", "value": "x" * 20} for j in range(8))],
                    "resources": {"limits": {"memory": "64Mi"}}}]}}}}, sort_keys=False)
    return files


def publish(folder, revision):
    with tempfile.TemporaryDirectory() as work:
        run("git", "clone", "-q", folder / "blueprints.git", work)
        (pathlib.Path(work) / "web").mkdir(exist_ok=True)
        for name, text in package(revision).items():
            (pathlib.Path(work) / "web" / name).write_text(text)
        run("git", "-C", work, "add", "-A")
        run("git", "-C", work, "commit", "-q", "-m", f"Revision {revision}")
        run("git", "-C", work, "tag", f"web/v{revision}")
        run("git", "-C", work, "push", "-q", "origin", "HEAD:main", f"web/v{revision}")


class Api:
    """A client of an API server, with an administrator's kubeconfig and a single connection."""

    def __init__(self, kubeconfig, folder):
        config = yaml.safe_load(pathlib.Path(kubeconfig).read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        context = ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
        pem = folder / "client.pem"
        pem.write_bytes(b"".join(base64.b64decode(user[f"client-{part}-data"]) for part in ("certificate", "key")))
        context.load_cert_chain(pem)
        self.connection = http.client.HTTPSConnection(cluster["server"].split("//")[1], context=context, timeout=60)

    def ask(self, method, path, body=None, kind="application/json"):
        """The text of the response; None if there is none yet (404, 429, 503)."""
        self.connection.request(method, path, body if body is None else json.dumps(body), {"Content-Type": kind})
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status in (404, 429, 503):
            return None
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:400]}")
        return text

    def get(self, path):
        return json.loads(self.ask("GET", path) or "null")

    def until(self, what, path, holds):
        """Waits until `holds` is true of the object at the path; returns the seconds."""
        begin = time.monotonic()
        while time.monotonic() - begin < LIMIT:
            found = self.get(path)
            if found is not None and holds(found):
                return time.monotonic() - begin
            time.sleep(0.02)
        raise SystemExit(f"{what}: timed out after {LIMIT} s")

    def writes(self):
        counted = 0
        for line in self.ask("GET", "/metrics").splitlines():
            if line.startswith("apiserver_request_total{") and not re.search(r'resource="(leases|.*reviews|apiservices)"', line) and re.search(
                    r'verb="(POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION)"', line):
                counted += float(line.rsplit(" ", 1)[1])
        return counted


def ready(item):
    return any(c["type"] == "Ready" and c["status"] == "True" for c in item.get("status", {}).get("conditions", []))


def reports(count):
    """Whether a set of the current generation reports all its variants as ready."""
    def holds(item):
        status = item.get("status", {})
        return (status.get("observedGeneration", 0) >= item["metadata"]["generation"]
                and status.get("targets", {}).get("ready") == count)
    return holds


class Fleet:
    def __init__(self, options, count, replicas):
        self.options, self.count, self.replicas = options, count, replicas
        self.program = str(pathlib.Path(options.program).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-bench-"))
        self.processes, self.controllers = [], []

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait()
        run(pathlib.Path(self.options.start).with_name("stop"), "--delete", self.folder / "cluster")
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, says, log):
        process = subprocess.Popen([self.program, *map(str, words)], cwd=self.folder, env=ENVIRONMENT, text=True,
                                   stdout=subprocess.PIPE, stderr=open(self.folder / log, "w"))
        self.processes.append(process)
        for line in process.stdout:
            if found := re.search(says, line):
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return process, found
        raise SystemExit(f"{words[0]} ended: {(self.folder / log).read_text()}")

    def begin_cluster(self):
        """Starts a cluster and creates the git repositories."""
        done = subprocess.run([self.options.start, self.folder / "cluster"], text=True, capture_output=True,
                              env={**ENVIRONMENT, "KUBERNETES_FSYNC": "1", "KUBERNETES_CONTROLLERS": ""})
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        self.kubeconfig = done.stdout.strip()
        self.api = Api(self.kubeconfig, self.folder)
        for name in ("blueprints", *(f"cluster-{i}" for i in range(self.count))):
            bare = self.folder / f"{name}.git"
            run("git", "init", "-q", "--bare", "-b", "main", bare)
            empty = run("git", "-C", bare, "mktree", input="").strip()
            commit = run("git", "-C", bare, "commit-tree", "-m", "Begin", empty).strip()
            run("git", "-C", bare, "update-ref", "refs/heads/main", commit)
        publish(self.folder, 1)

    def begin(self):
        """Starts the cluster, repositories, packages and controllers; there are no variants yet."""
        self.begin_cluster()
        run(self.program, "init", self.folder)
        data = self.api.get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")["data"]
        (self.folder / "front.crt").write_text(data["requestheader-client-ca-file"])
        names = [word for name in json.loads(data["requestheader-allowed-names"])
                 for word in ("--requestheader-allowed-names", name)]
        _, port = self.start("serve", "--listen", "127.0.0.1:0", "--without-controllers", "--resync", 3600,
                             "--requestheader-client-ca", "front.crt", *names, says=r"API at https://[^:]*:(\d+)", log="serve.log")
        self.packages(int(port[1]))
        self.repositories()
        for each in range(self.replicas):
            process, _ = self.start("controllers", "--kubeconfig", self.kubeconfig, "--lease-seconds", self.options.lease,
                                    "--lease-namespace", "default", says="controllers of", log=f"controllers-{each}.log")
            self.controllers.append(process)
        while self.leader() is None:
            time.sleep(0.05)

    def define(self):
        for file in sorted((HERE.parent / "deploy/crds").glob("config.porch.kpt.dev_*.yaml")):
            self.api.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml.safe_load(file.read_text()))

    def packages(self, port):
        self.define()
        self.serve_packages(port)

    def serve_packages(self, port):
        self.api.ask("POST", "/api/v1/namespaces/default/services", {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "packages"},
            "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}})
        self.api.ask("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {
            "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1alpha1.porch.kpt.dev"},
            "spec": {"group": "porch.kpt.dev", "version": "v1alpha1", "groupPriorityMinimum": 1000, "versionPriority": 15,
                     "insecureSkipTLSVerify": True,
                     "service": {"name": "packages", "namespace": "default", "port": port}}})
        for path in ("/apis/porch.kpt.dev/v1alpha1/packagerevisions", REPOSITORIES, VARIANTS, SETS):
            self.api.until(path, path, lambda found: True)

    def repository_objects(self):
        return [{"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                    "metadata": {"name": name, "namespace": "default", "labels": labels},
                    "spec": {"type": "git", "deployment": bool(labels),
                             "git": {"repo": str(self.folder / f"{name}.git"), "branch": "main"}}}
                   for name, labels in (("blueprints", {}), *((f"cluster-{i}", {"env": "prod"}) for i in range(self.count)))]

    def repositories(self):
        objects = self.repository_objects()
        run(self.program, "apply", "-f", "-", "--wait", cwd=self.folder, input=yaml.safe_dump_all(objects))
        # What Porch's own controller would write into the cluster.
        stored = json.loads(run(self.program, "get", "repositories", "-o", "json", cwd=self.folder))["items"]
        status = {each["metadata"]["name"]: each["status"] for each in stored}
        for each in objects:
            name = each["metadata"]["name"]
            self.api.ask("POST", REPOSITORIES, each)
            told = {key: status[name][key] for key in ("conditions", "lastFullSyncTime")}
            self.api.ask("PATCH", f"{REPOSITORIES}/{name}/status", {"status": told}, "application/merge-patch+json")

    def leader(self):
        for each, process in enumerate(self.controllers):
            if process.poll() is None and "leads" in (self.folder / f"controllers-{each}.log").read_text():
                return process
        return None

    def pids(self):
        servers = [int(file.read_text().split()[0]) for file in (self.folder / "cluster").glob("*.pid")]
        return servers + [each.pid for each in self.processes if each.poll() is None]

    def processor(self):
        total = 0
        for pid in self.pids():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15]))  # including terminated children
        return total / TICKS

    def memory(self):
        return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{self.leader().pid}/status").read_text())[1]) / 1024

    def all_ready(self, revision):
        """(seconds, CPU seconds, writes per variant) until the set at this revision reports that all variants are ready."""
        before, used = self.api.writes(), self.processor()
        spec = {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                "targets": [{"repositorySelector": {"matchLabels": {"env": "prod"}}}]}
        begin = time.monotonic()
        if revision == 1:
            self.api.ask("POST", SETS, {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
                                        "metadata": {"name": "web"}, "spec": spec})
        else:
            self.api.ask("PATCH", f"{SETS}/web", {"spec": {"upstream": spec["upstream"]}}, "application/merge-patch+json")
        # Polls the set, not the list of all variants, which grows with the fleet.
        while True:
            self.api.until("the set", f"{SETS}/web", reports(self.count))
            if self.drafted(revision):
                break
            if time.monotonic() - begin > LIMIT:
                raise SystemExit(f"revision {revision}: timed out after {LIMIT} s")
            time.sleep(0.1)
        took = time.monotonic() - begin
        return took, self.processor() - used, (self.api.writes() - before) / self.count

    def drafted(self, revision):
        """Whether each variant is Ready with this revision of the upstream."""
        items = self.api.get(VARIANTS)["items"]
        at = [each for each in items if each["spec"]["upstream"].get("revision") == revision and ready(each)
              and each.get("status", {}).get("observedGeneration", revision) >= each["metadata"]["generation"]]
        return len(at) >= self.count

    def one(self, name):
        """Seconds from the creation of a variant until it is Ready."""
        begin = time.monotonic()
        self.api.ask("POST", VARIANTS, {
            "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant", "metadata": {"name": name},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                     "downstream": {"repo": "cluster-0", "package": name}}})
        self.api.until(name, f"{VARIANTS}/{name}", ready)
        return time.monotonic() - begin

    def changed(self, name):
        """Seconds from a change of a variant until it is Ready again."""
        begin = time.monotonic()
        self.api.ask("PATCH", f"{VARIANTS}/{name}", {"spec": {"packageContext": {"data": {"changed": name}}}},
                     "application/merge-patch+json")
        self.api.until(name, f"{VARIANTS}/{name}", lambda found: ready(found) and (
            found["status"].get("observedGeneration") == found["metadata"]["generation"]))
        return time.monotonic() - begin

    def row(self):
        self.begin()
        drafted = self.all_ready(1)
        publish(self.folder, 2)
        self.look_at_blueprints()
        upgraded = self.all_ready(2)
        one = statistics.median(self.one(f"one-{i}") for i in range(8))
        changed = statistics.median(self.changed(f"one-{i}") for i in range(8))
        memory = self.memory()
        time.sleep(2)
        writes, used = self.api.writes(), sum(self.used(each) for each in self.controllers)
        time.sleep(10)
        idle = (self.api.writes() - writes, sum(self.used(each) for each in self.controllers) - used)
        over = "-"
        if self.replicas > 1:
            over = f"{self.taken_over():.1f} s"
        return [f"{self.count}", f"{self.replicas}", *(f"{took:.1f} / {cpu:.1f}" for took, cpu, _ in (drafted, upgraded)),
                *(f"{each[2]:.1f}" for each in (drafted, upgraded)), f"{one * 1000:.0f} ms", f"{changed * 1000:.0f} ms", f"{memory:.0f} MB",
                f"{idle[0]:.0f}, {idle[1]:.2f} s", over]

    def look_at_blueprints(self):
        run(self.program, "repo", "sync", "blueprints", "--wait", cwd=self.folder)

    def taken_over(self):
        leader = self.leader()
        leader.kill()
        leader.wait()
        return self.one("after")

    @staticmethod
    def used(process):
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


class Alone(Fleet):
    """Servers that store everything in the cluster."""

    def begin(self):
        self.begin_cluster()
        for each in range(self.replicas):
            process, port = self.start(
                "serve", "--kubernetes", "--kubeconfig", self.kubeconfig, "--state", self.folder / f"server-{each}", "--listen",
                "127.0.0.1:0", "--lease-seconds", self.options.lease, "--lease-namespace", "default", "--allow-local-repositories",
                "--resync", 3600, says=r"API at https://[^:]*:(\d+)", log=f"server-{each}.log")
            self.controllers.append(process)
            if each == 0:
                self.packages(int(port[1]))
        self.api.until("the members", "/apis/coordination.k8s.io/v1/namespaces/default/leases", lambda found: len([
            each for each in found["items"] if "portico.dev/members" in each["metadata"].get("labels", {})]) == self.replicas)
        for each in self.repository_objects():
            self.api.ask("POST", REPOSITORIES, each)
        self.api.until("the repositories", REPOSITORIES, lambda found: all(map(ready, found["items"])))

    def packages(self, port):
        # The CustomResourceDefinitions exist before the servers start.
        self.serve_packages(port)

    def begin_cluster(self):
        super().begin_cluster()
        self.define()

    def memory(self):
        return max(int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{each.pid}/status").read_text())[1])
                   for each in self.controllers) / 1024

    def look_at_blueprints(self):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.api.ask("PATCH", f"{REPOSITORIES}/blueprints", {"spec": {"sync": {"runOnceAt": now}}},
                     "application/merge-patch+json")
        self.api.until("revision 2", "/apis/config.porch.kpt.dev/v1alpha1/namespaces/default/packagerevs/blueprints.web.v2",
                       lambda found: True)

    def taken_over(self):
        last = self.controllers[-1]
        last.kill()
        last.wait()
        begin = time.monotonic()
        names = [f"after-{i}" for i in range(min(self.count, 8))]
        for i, name in enumerate(names):
            self.api.ask("POST", VARIANTS, {
                "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant", "metadata": {"name": name},
                "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                         "downstream": {"repo": f"cluster-{i}", "package": name}}})
        for name in names:
            self.api.until(name, f"{VARIANTS}/{name}", ready)
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(HERE.parent / "build/bench/portico"))
    parser.add_argument("--start", default=str(HERE.parent / "tests/kubernetes/start"))
    parser.add_argument("--mode", choices=("with-porch", "without-porch"), default="with-porch")
    parser.add_argument("--variants", default="10,50,100,300")
    parser.add_argument("--replicas", default="1,3")
    parser.add_argument("--lease", type=int, default=15, help="seconds")
    options = parser.parse_args()
    print("| N | replicas | all drafted, s wall / CPU | all upgraded | writes per variant | per upgrade | one | changed | memory | "
          "writes, CPU in 10 s idle | failover |\n|" + "---|" * 11, flush=True)
    for count in map(int, options.variants.split(",")):
        if count in PORCH:
            print(f"| {count} | Porch | {' | '.join(PORCH[count])} |{' - |' * 7}", flush=True)
    for replicas in map(int, options.replicas.split(",")):
        for count in map(int, options.variants.split(",")):
            fleet = (Fleet if options.mode == "with-porch" else Alone)(options, count, replicas)
            try:
                print(f"| {' | '.join(fleet.row())} |", flush=True)
            finally:
                fleet.close()
    print(f"load average: {os.getloadavg()[0]:.0f}", flush=True)


if __name__ == "__main__":
    main()
