"""For tests: `portico serve --kubernetes` with the shipped rights, on a real kube-apiserver."""
import pathlib
import re
import subprocess

import yaml
from apart import SET
from beside_porch import BesidePorch
from support import ENVIRONMENT, binary


class WithoutPorch(BesidePorch):
    lease_seconds = 3

    def begin(self):
        trees = self.undisturbed()
        self.install_servers()
        return trees

    def install_servers(self):
        """Applies the output of `portico install` without pods, Services and APIServices; sets the servers' account."""
        self.printed = objects = list(yaml.safe_load_all(self.portico("install", "--kubernetes", "--without-porch")))
        if self.kubernetes.installed != objects:
            self.put(objects)
            self.kubernetes.installed = objects
        token = self.kubectl("create", "token", "portico-server", "-n", "portico-system").strip()
        config = yaml.safe_load(pathlib.Path(self.front).read_text(encoding="utf-8"))
        config["users"] = [{"name": config["users"][0]["name"], "user": {"token": token}}]
        self.account = self.write("account.kubeconfig", yaml.safe_dump(config))

    def put(self, objects):
        for first in ("Namespace", "CustomResourceDefinition"):
            self.kubectl("apply", "--server-side", "-f", "-",
                         stdin=yaml.safe_dump_all([each for each in objects if each["kind"] == first]))
        self.kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=60s")
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(
            [each for each in objects if each["kind"] in (
                "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ValidatingAdmissionPolicy",
                "ValidatingAdmissionPolicyBinding")]))

    def serve_cluster(self, name, *options, kubeconfig=None, lease_seconds=None):
        log = open(self.dir / f"{name}.log", "a+", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [binary(), "serve", "--kubernetes", "--kubeconfig", kubeconfig or self.account, "--state",
             str(self.dir / name), "--listen", "127.0.0.1:0", "--lease-namespace", "portico-system", "--lease-seconds",
             str(lease_seconds or self.lease_seconds), "--allow-local-repositories", "--resync", "3", *options],
            cwd=self.dir, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.stop, process)
        for line in process.stdout:
            if found := re.search(r"Kubernetes API at https://[^:]*:(\d+),", line):
                process.port = int(found[1])
                return process
        log.seek(0)
        return self.fail(f"serve ended: {log.read()}")

    def route(self, server):
        """Routes the cluster's requests to this server."""
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([
            {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "packages", "namespace": "default"},
             "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": server.port}]}},
            *({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
               "metadata": {"name": f"{version}.{group}"},
               "spec": {"group": group, "version": version, "groupPriorityMinimum": 1000,
                        "versionPriority": 15, "insecureSkipTLSVerify": True,
                        "service": {"name": "packages", "namespace": "default", "port": server.port}}}
              for group, version in (("porch.kpt.dev", "v1alpha1"), ("portico.dev", "v1")))]))
        self.kubectl("wait", "apiservice/v1alpha1.porch.kpt.dev", "apiservice/v1.portico.dev",
                     "--for=condition=Available", "--timeout=60s")

        def answers():
            return self.kubernetes.answers("/apis/porch.kpt.dev/v1alpha1/packagerevisions")
        self.until(answers)

    def apply_fleet(self):
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([*self.repositories(), SET]))

    def objects(self, kind, *_):
        return self.in_cluster({"rpkg": "packagerevisions"}.get(kind, kind))

    def log(self, name="first"):
        return super().log(name)

    def members(self, name):
        """The members that share the work, by the last log line of this server."""
        said = re.findall(r"\bmembers\b.*\blive=(?:\"([^\"]*)\"|(\S*))", self.log(name))
        return (said[-1][0] or said[-1][1]).split() if said else []

    def two_servers(self):
        servers = [self.serve_cluster("first"), self.serve_cluster("second")]
        for name in ("first", "second"):
            self.until(lambda name=name: len(self.members(name)) == 2)
        return servers
