"""`portico controllers` with the rights that are shipped, on a real kube-apiserver that has package revisions from a
server of ours as an aggregated API, as it would have them from Porch: for tests."""
import json
import os
import pathlib
import re
import subprocess
import time
import unittest

import yaml
from apart import COUNT, SET, Apart
from api_server import KUBECTL
from support import ENVIRONMENT, ROOT

START = os.environ.get("PORTICO_KUBERNETES", "")


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class BesidePorch(Apart):
    flags = ""  # more flags of kube-apiserver
    etcd_flags = ""

    def setUp(self):
        super().setUp()
        self.cluster = self.dir / "cluster"
        self.addCleanup(subprocess.run, [str(pathlib.Path(START).with_name("stop")), "--delete", str(self.cluster)],
                        capture_output=True)
        self.start_cluster()
        data = json.loads(self.kubectl("get", "configmap", "-n", "kube-system",
                                       "extension-apiserver-authentication", "-o", "json"))["data"]
        self.proxy = ["--requestheader-client-ca", self.write("front.crt", data["requestheader-client-ca-file"])]
        for name in json.loads(data["requestheader-allowed-names"]):
            self.proxy += ["--requestheader-allowed-names", name]

    def start_cluster(self):
        done = subprocess.run([START, str(self.cluster)], text=True, capture_output=True, timeout=900,
                              env={**ENVIRONMENT, "KUBERNETES_APISERVER_FLAGS": self.flags,
                                   "KUBERNETES_ETCD_FLAGS": self.etcd_flags})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.front = done.stdout.strip()

    def kubectl(self, *arguments, stdin=None, kubeconfig=None):
        done = subprocess.run([KUBECTL, *arguments], cwd=self.dir, input=stdin, text=True, capture_output=True,
                              timeout=60, env={**ENVIRONMENT, "KUBECONFIG": str(kubeconfig or self.front),
                                               "HOME": str(self.dir)})
        self.assertEqual(done.returncode, 0, f"kubectl {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def install(self, definitions):
        """What `portico install` prints, and the package revisions of our server behind the cluster."""
        self.serve("--without-controllers", *self.proxy)
        port = int(self.url.rsplit(":", 1)[1])
        for file in sorted(definitions.glob("config.porch.kpt.dev_*.yaml")):
            self.kubectl("apply", "--server-side", "-f", str(file))
        self.kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=60s")
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
        """In our server, and, as Porch's own controller does it, in the cluster with what they are."""
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(self.repositories()))
        stored = self.objects("repositories")
        for repository in self.repositories():
            self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(repository))
            name = repository["metadata"]["name"]
            self.kubectl("patch", "repository", name, "--subresource=status", "--type=merge", "-p",
                         json.dumps({"status": {key: value for key, value in stored[name]["status"].items()
                                                if key in ("conditions", "lastFullSyncTime")}}))

    def in_cluster(self, kind):
        return {o["metadata"]["name"]: o
                for o in json.loads(self.kubectl("get", kind, "-n", "default", "-o", "json"))["items"]}

    def everything(self):
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("packagevariants", "packagevariantsets", "repositories", "packagerevisions", "events")
                for name, o in self.in_cluster(kind).items()}

    def settled(self):
        variants = self.in_cluster("packagevariants")
        return len(variants) == COUNT and all(
            self.condition(v)["status"] == "True" for v in variants.values())

    def begin(self, definitions=ROOT / "deploy/crds"):
        """Everything but the controllers; what one process makes of the fleet."""
        trees = self.undisturbed()
        self.install(definitions)
        self.register()
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SET))
        return trees

    def start(self, name="controllers"):
        return self.start_controllers("--lease-namespace", "portico-system", name=name)

    def until_drafts(self, count, name="controllers"):
        def some():
            self.log(name)
            return len(self.trees()) >= count
        self.until(some)

    def writes(self):
        """How many writes of what the fleet is made of the API server has answered; not what it asks and writes itself
        (Leases, reviews of access, the state of APIServices)."""
        counted = 0
        for line in self.kubectl("get", "--raw", "/metrics").splitlines():
            if not line.startswith("apiserver_request_total{"):
                continue
            if 'porch.kpt.dev"' not in line and 'resource="events"' not in line:
                continue
            if re.search(r'verb="(POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION)"', line):
                counted += float(line.rsplit(" ", 1)[1])
        return counted

    def end(self, trees, names=("controllers",)):
        """The same content as without a disturbance, nothing doubled, nothing forbidden, and then silence."""
        self.check(trees)
        before = self.writes()
        time.sleep(10)
        self.assertEqual(self.writes(), before, "nothing is written where nothing changes")
        for name in names:
            self.assertNotIn("forbidden", self.log(name))
