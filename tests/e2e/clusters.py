"""For tests: Kubernetes API servers started by tests/kubernetes/start, which can be queried without kubectl, killed,
filled, and emptied for the next test."""
import base64
import http.client
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import yaml
from support import ENVIRONMENT

START = os.environ.get("PORTICO_KUBERNETES", "")
# Resource name as in `kubectl get` -> the group and version that every definition of it has.
VERSIONS = {"packagevariants": "/apis/config.porch.kpt.dev/v1alpha1",
            "packagevariantsets": "/apis/config.porch.kpt.dev/v1alpha2",
            "repositories": "/apis/config.porch.kpt.dev/v1alpha1",
            "packagerevs": "/apis/config.porch.kpt.dev/v1alpha1",
            "packagerevisions": "/apis/porch.kpt.dev/v1alpha1",
            "events": "/api/v1"}
# Other objects that a test creates in the namespace `default`, except those that the cluster creates itself.
MORE = ("/api/v1/namespaces/default/events", "/api/v1/namespaces/default/services",
        "/api/v1/namespaces/default/secrets", "/api/v1/namespaces/default/configmaps",
        "/api/v1/namespaces/default/serviceaccounts",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
        "/apis/coordination.k8s.io/v1/namespaces/portico-system/leases")
OWN = ("default", "kubernetes", "kube-root-ca.crt")


class Admin:
    """A client for a kubeconfig with a certificate."""

    def __init__(self, kubeconfig):
        config = yaml.safe_load(pathlib.Path(kubeconfig).read_text(encoding="utf-8"))
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.address = urllib.parse.urlsplit(cluster["server"]).netloc
        self.context = ssl.create_default_context(
            cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
        with tempfile.NamedTemporaryFile() as pem:
            pem.write(base64.b64decode(user["client-certificate-data"]) + b"\n"
                      + base64.b64decode(user["client-key-data"]))
            pem.flush()
            self.context.load_cert_chain(pem.name)

    def ask(self, method, path, body=None):
        """(status, text); retries on 429, from an overloaded or starting server, after its Retry-After."""
        end = time.monotonic() + 60
        while True:
            connection = http.client.HTTPSConnection(self.address, context=self.context, timeout=60)
            try:
                kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
                connection.request(method, path, body=None if body is None else json.dumps(body),
                                   headers={"Content-Type": kind, "Accept": "application/json"})
                answer = connection.getresponse()
                status, text = answer.status, answer.read().decode()
            finally:
                connection.close()
            if status != 429 or time.monotonic() > end:
                return status, text
            time.sleep(float(answer.headers.get("Retry-After", 1)))

    def done(self, method, path, body=None):
        """Sends a request that must succeed; 404 counts as success."""
        status, text = self.ask(method, path, body)
        if status >= 300 and status != 404:
            raise RuntimeError(f"{method} {path}: {status} {text}")

    def items(self, path):
        status, text = self.ask("GET", path)
        if status == 404:
            return []  # not served (yet)
        if status != 200:
            raise RuntimeError(f"GET {path}: {status} {text}")
        return json.loads(text)["items"]

    def answers(self, path):
        """Whether it answers 200 to this path now."""
        try:
            return self.ask("GET", path)[0] == 200
        except (OSError, http.client.HTTPException):
            return False


class Cluster(Admin):
    """A cluster in `folder`, running until stop()."""

    shared = {}  # kind -> the cluster that the tests of a file share

    def __init__(self, folder, flags=""):
        self.folder = folder
        self.started = []  # by this program
        self.installed = None  # what a test has installed for all later ones
        done = subprocess.run([START, str(folder)], text=True, capture_output=True, timeout=900,
                              env={**ENVIRONMENT, "KUBERNETES_APISERVER_FLAGS": flags})
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        self.kubeconfig = done.stdout.strip()
        super().__init__(self.kubeconfig)

    def stop(self):
        subprocess.run([str(pathlib.Path(START).with_name("stop")), "--delete", str(self.folder)], capture_output=True,
                       check=False)
        for process in self.started:
            process.wait(timeout=30)

    # ---- one for the tests of a file

    @classmethod
    def of_the_file(cls, kind, flags_in):
        """The shared cluster of this kind, emptied; `flags_in(folder)` gives the flags to start it with."""
        if kind not in cls.shared:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="portico-cluster-"))
            unittest.addModuleCleanup(shutil.rmtree, folder, ignore_errors=True)
            cls.shared[kind] = cls(folder / "cluster", flags_in(folder))
            unittest.addModuleCleanup(cls.give_up, kind)
        else:
            cls.shared[kind].empty()
        return cls.shared[kind]

    @classmethod
    def give_up(cls, kind):
        """Stops it; the next test gets a new one."""
        if cluster := cls.shared.pop(kind, None):
            cluster.stop()

    def empty(self):
        """Removes everything a test left: its objects, regardless of finalizers, and the APIServices for its servers.
        Keeps what is installed."""
        for service in self.items("/apis/apiregistration.k8s.io/v1/apiservices"):
            if "service" in service["spec"]:
                self.done("DELETE", f"/apis/apiregistration.k8s.io/v1/apiservices/{service['metadata']['name']}")
        places = list(MORE)
        for definition in self.items("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"):
            spec = definition["spec"]
            version = next(each["name"] for each in spec["versions"] if each["storage"])
            places.append(f"/apis/{spec['group']}/{version}/namespaces/default/{spec['names']['plural']}")
        end = time.monotonic() + 60
        while left := [place for place in places if self.is_left(place)]:
            if time.monotonic() > end:
                raise RuntimeError(f"not all goes of {left}")

    def is_left(self, place):
        """Deletes the objects of a test; returns whether there were any."""
        items = [each["metadata"] for each in self.items(place)]
        tests = [each for each in items if each["name"] not in OWN]
        for each in tests:
            if each.get("finalizers"):
                self.done("PATCH", f"{place}/{each['name']}", {"metadata": {"finalizers": None}})
        if tests and len(tests) == len(items):
            self.done("DELETE", place)
        else:
            for each in tests:
                self.done("DELETE", f"{place}/{each['name']}")
        return bool(tests)

    # ---- its programs

    def pid_of(self, program):
        return int((self.folder / f"{program}.pid").read_text(encoding="utf-8").split()[0])

    def kill(self, *programs):
        """kill -9 for all of them; returns their command lines once they are completely gone. Their ports stay in use
        until the last thread is gone, while /proc already shows the process as a zombie."""
        pids = {program: self.pid_of(program) for program in programs}
        lines = {program: pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
                 for program, pid in pids.items()}
        for pid in pids.values():
            os.kill(pid, signal.SIGKILL)
        end = time.monotonic() + 60
        while any(not self.is_over(pid) for pid in pids.values()):
            if time.monotonic() > end:
                raise RuntimeError(f"killed, and still there: {pids}")
            time.sleep(0.02)
        return lines

    @staticmethod
    def is_over(pid):
        """The process is gone, or a zombie without other threads that was not reaped yet."""
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
            return state == "Z" and len(os.listdir(f"/proc/{pid}/task")) == 1
        except OSError:
            return True

    def start_again(self, lines, flags=()):
        """Starts these command lines with more flags, and waits until the API server is ready."""
        begun = {}
        for program, line in lines.items():
            with open(self.folder / f"{program}.log", "ab") as log:
                process = subprocess.Popen([*line, *flags], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           start_new_session=True)
            self.started.append(process)
            begun[program] = process
            since = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
            (self.folder / f"{program}.pid").write_text(f"{process.pid} {since}\n", encoding="utf-8")
        end = time.monotonic() + 120
        while not self.answers("/readyz"):
            for program, process in begun.items():
                if process.poll() is not None:
                    said = (self.folder / f"{program}.log").read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"{program} does not start again: {said[-2000:]}")
            if time.monotonic() > end:
                raise RuntimeError("the API server does not get ready again")
            time.sleep(0.05)

    def kill_and_start(self, *programs, flags=()):
        self.start_again(self.kill(*programs), flags)

    # ---- etcd

    def etcd(self, path, **request):
        """etcd's answer through its gateway; the error text if it refuses."""
        port = (self.folder / "etcd.port").read_text(encoding="utf-8").strip()
        ask = urllib.request.Request(f"http://127.0.0.1:{port}/v3/{path}", method="POST",
                                     data=json.dumps(request).encode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(ask, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            return refused.read().decode()

    @staticmethod
    def etcd_key(text):
        return base64.b64encode(text.encode()).decode()

    def compact(self):
        """Compacts etcd: only the newest revision is kept."""
        now = self.etcd("kv/range", key=self.etcd_key("nothing"))["header"]["revision"]
        self.etcd("kv/compaction", revision=now, physical=True)
