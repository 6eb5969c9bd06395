"""For tests: `portico controllers` with the shipped rights, on a real kube-apiserver that gets package revisions from a
Portico server as an aggregated API, as it would from Porch."""
import json
import pathlib
import re
import subprocess
import time
import unittest

import yaml
from apart import COUNT, SET, Apart
from api_server import KUBECTL
from clusters import START, VERSIONS, Cluster
from porch_manners import PorchManners
from support import ENVIRONMENT, ROOT


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class BesidePorch(Apart):
    flags = ""  # additional flags of kube-apiserver
    kind = None  # of the cluster that the tests of a file share; None: each test has its own
    like_porch = False  # whether kube-apiserver gets the behavior of Porch's API (porch_manners.py)
    alone = ()  # tests with their own cluster, because of what they do to it

    def flags_in(self, folder):
        """Additional flags of a kube-apiserver that writes its files into this folder."""
        return self.flags

    def run(self, result=None):
        before = result and len(result.failures) + len(result.errors)
        out = super().run(result)
        if result and len(result.failures) + len(result.errors) > before:
            Cluster.give_up(self.kind)  # its state is unknown
        return out

    def setUp(self):
        super().setUp()
        if self.kind is None or self._testMethodName in self.alone:
            self.kubernetes = Cluster(self.dir / "cluster", self.flags_in(self.dir))
            self.addCleanup(self.kubernetes.stop)
        else:
            self.kubernetes = Cluster.of_the_file(self.kind, self.flags_in)
        self.cluster, self.front = self.kubernetes.folder, self.kubernetes.kubeconfig
        status, text = self.kubernetes.ask(
            "GET", "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
        self.assertEqual(status, 200, text)
        data = json.loads(text)["data"]
        self.proxy = ["--requestheader-client-ca", self.write("front.crt", data["requestheader-client-ca-file"])]
        for name in json.loads(data["requestheader-allowed-names"]):
            self.proxy += ["--requestheader-allowed-names", name]

    def kubectl(self, *arguments, stdin=None, kubeconfig=None):
        done = subprocess.run([KUBECTL, *arguments], cwd=self.dir, input=stdin, text=True, capture_output=True,
                              timeout=60, env={**ENVIRONMENT, "KUBECONFIG": str(kubeconfig or self.front),
                                               "HOME": str(self.dir)})
        self.assertEqual(done.returncode, 0, f"kubectl {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def install(self, definitions):
        """Applies the output of `portico install`, and puts a Portico server with package revisions behind the
        cluster."""
        self.serve("--without-controllers", *self.proxy)
        port = int(self.url.rsplit(":", 1)[1])
        if self.like_porch:
            self.porch = PorchManners(self.kubeconfig, behind_cluster=self.cluster)
            self.addCleanup(self.porch.stop)
            port = self.porch.port
        if self.kubernetes.installed != definitions:
            files = sorted(map(str, definitions.glob("config.porch.kpt.dev_*.yaml")))
            self.kubectl("apply", "--server-side", *(word for file in files for word in ("-f", file)))
            self.kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=60s")
            self.kubernetes.installed = definitions
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([
            {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "packages", "namespace": "default"},
             "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}},
            {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
             "metadata": {"name": "v1alpha1.porch.kpt.dev"},
             "spec": {"group": "porch.kpt.dev", "version": "v1alpha1", "groupPriorityMinimum": 1000,
                      "versionPriority": 15, "insecureSkipTLSVerify": True,
                      "service": {"name": "packages", "namespace": "default", "port": port}}}]))
        self.kubectl("wait", "apiservice/v1alpha1.porch.kpt.dev", "--for=condition=Available", "--timeout=60s")
        printed = self.portico("install", "--kubernetes", "--with-porch", "--image", "portico:test")
        printed = [each for each in yaml.safe_load_all(printed) if each["kind"] != "CustomResourceDefinition"]
        self.printed = printed
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(printed))
        rights = [each for each in printed if each["kind"] in ("Namespace", "ClusterRole", "ClusterRoleBinding")]
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(rights), kubeconfig=self.kubeconfig)
        token = self.kubectl("create", "token", "portico-controllers", "-n", "portico-system").strip()
        config = yaml.safe_load(pathlib.Path(self.front).read_text())
        config["users"] = [{"name": config["users"][0]["name"], "user": {"token": token}}]
        self.kubeconfig_of_controllers = self.write("account.kubeconfig", yaml.safe_dump(config))

    def register(self):
        """Registers the repositories in the server and, with their status as Porch's controller sets it, in the
        cluster."""
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(self.repositories()))
        stored = self.objects("repositories")
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(self.repositories()))
        for name, repository in stored.items():
            status, text = self.kubernetes.ask(
                "PATCH", f"{VERSIONS['repositories']}/namespaces/default/repositories/{name}/status",
                {"status": {key: value for key, value in repository["status"].items()
                            if key in ("conditions", "lastFullSyncTime")}})
            self.assertEqual(status, 200, text)

    def in_cluster(self, kind):
        if kind not in VERSIONS:
            items = json.loads(self.kubectl("get", kind, "-n", "default", "-o", "json"))["items"]
        else:
            status, text = self.kubernetes.ask("GET", f"{VERSIONS[kind]}/namespaces/default/{kind}")
            self.assertEqual(status, 200, text)
            items = json.loads(text)["items"]
        return {o["metadata"]["name"]: o for o in items}

    def everything(self):
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("packagevariants", "packagevariantsets", "repositories", "packagerevisions", "events")
                for name, o in self.in_cluster(kind).items()}

    def settled(self):
        variants = self.in_cluster("packagevariants")
        return len(variants) == COUNT and all(
            self.condition(v)["status"] == "True" for v in variants.values())

    def begin(self, definitions=ROOT / "deploy/crds"):
        """Starts everything but the controllers; returns the trees that a single process creates for the fleet."""
        trees = self.undisturbed()
        self.install(definitions)
        self.register()
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SET))
        return trees

    lease = "/apis/coordination.k8s.io/v1/namespaces/portico-system/leases/portico-controllers"

    def start(self, name="controllers", lease_namespace="portico-system", **options):
        return self.start_controllers("--lease-namespace", lease_namespace, name=name, **options)

    def kill_controllers(self, controllers, admin=None):
        super().kill_controllers(controllers, admin or self.kubernetes)

    def until_drafts(self, count, name="controllers"):
        def some():
            self.log(name)
            return len(self.trees()) >= count
        self.until(some)

    def writes(self):
        """How many writes of the fleet's objects the API server has answered, without its own requests and writes
        (Leases, access reviews, status of APIServices)."""
        counted = 0
        for line in self.kubernetes.ask("GET", "/metrics")[1].splitlines():
            if not line.startswith("apiserver_request_total{"):
                continue
            if 'porch.kpt.dev"' not in line and 'resource="events"' not in line:
                continue
            if re.search(r'verb="(POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION)"', line):
                counted += float(line.rsplit(" ", 1)[1])
        return counted

    def end(self, trees, names=("controllers",)):
        """The content is the same as in an undisturbed run, nothing is duplicated or forbidden, and then nothing is
        written."""
        self.check(trees)
        before = self.writes()
        time.sleep(10)
        self.assertEqual(self.writes(), before, "nothing is written where nothing changes")
        for name in names:
            self.assertNotIn("forbidden", self.log(name))
