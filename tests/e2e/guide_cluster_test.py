"""Runs the commands of docs/guide/first-steps-on-a-cluster.md literally, one after the other in a shell, on a real
kube-apiserver. The test simulates what this cluster lacks: nodes that run pods, and a network to them. Runs if
$PORTICO_KUBERNETES names the command that starts a cluster."""
import json
import re
import subprocess
import threading
import unittest

import yaml
from api_server import KUBECTL
from deploy_test import NAMESPACE, START, Cluster
from git_server import GitServer, basic
from support import ENVIRONMENT, ROOT, binary

PAGE = ROOT / "docs/guide/first-steps-on-a-cluster.md"
GIT = "https://git.example.com/team-a"


def commands():
    return re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class FirstSteps(Cluster):
    def setUp(self):
        super().setUp()
        self.image()
        for name in ("blueprints", "edge-1", "edge-2"):
            self.bare(name)
        self.git_server = GitServer(self.dir)
        self.addCleanup(self.git_server.close)
        self.git_server.allow_only(basic("ada", "t0ken"))
        self.failed, self.over = [], threading.Event()

    # ---- the work of nodes

    def there(self, *what):
        done = self.run_kubectl("get", *what, "-o", "json")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def nodes(self):
        try:
            self.run_the_pod()
        except BaseException as error:  # reported by the test's own thread
            self.failed.append(error)

    def run_the_pod(self):
        """Runs the applied Deployment as a container, points the Service and APIServices to it, and writes its
        status."""
        waited_for = [("deployment/portico-server", "-n", NAMESPACE), ("serviceaccount/portico-server", "-n", NAMESPACE),
                      ("apiservice/v1.portico.dev",), ("apiservice/v1alpha1.porch.kpt.dev",),
                      ("service/portico-server", "-n", NAMESPACE), ("clusterrolebinding/portico-server",)]
        while not all(self.there(*what) for what in waited_for):
            if self.over.wait(0.5):
                return
        deployment = self.there("deployment/portico-server", "-n", NAMESPACE)
        arguments = [re.sub(r"^0\.0\.0\.0:\d+$", "127.0.0.1:0", each).replace("$(SERVICE)", "portico-server")
                     for each in deployment["spec"]["template"]["spec"]["containers"][0]["args"]]
        port = int(self.start(["/usr/bin/portico", *arguments],
                              [self.account("portico-server"),
                               (self.runner.own(self.dir / "mirrors"), "/var/lib/portico", ["rw"])],
                              r"API at https://[^:]*:(\d+),")[1])
        self.kubectl("patch", "service", "portico-server", "-n", NAMESPACE, "--type=merge", "-p", json.dumps({"spec": {
            "type": "ExternalName", "externalName": "localhost", "clusterIP": None, "clusterIPs": None,
            "ports": [{"name": "api", "port": port}]}}))
        for name in ("v1alpha1.porch.kpt.dev", "v1.portico.dev"):
            self.kubectl("patch", "apiservice", name, "--type=merge", "-p",
                         json.dumps({"spec": {"service": {"port": port}}}))
        replicas = deployment["spec"]["replicas"]
        self.kubectl("patch", "deployment", "portico-server", "-n", NAMESPACE, "--subresource=status", "--type=merge", "-p",
                     json.dumps({"status": {"observedGeneration": deployment["metadata"]["generation"],
                                            **{key: replicas for key in ("replicas", "updatedReplicas", "readyReplicas",
                                                                         "availableReplicas")}}}))

    # ---- the work of the user

    def follow(self):
        """The output of each command, run in a shell that stops at the first failure."""
        places = self.dir / "bin"
        places.mkdir()
        (places / "portico").symlink_to(binary())
        (places / "kubectl").symlink_to(KUBECTL)
        text = "\n".join(commands())
        self.assertIn(GIT, text)
        text = text.replace(GIT, self.git_server.url("").rstrip("/"))
        home = self.dir / "home"
        home.mkdir()
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-x"], input=text, text=True, capture_output=True, cwd=home,
                              timeout=900, env={**ENVIRONMENT, "HOME": str(home), "KUBECONFIG": self.front,
                                                "PATH": f"{places}:{ENVIRONMENT['PATH']}", "GIT_TOKEN": "t0ken"})

    def test_page(self):
        nodes = threading.Thread(target=self.nodes)
        nodes.start()
        try:
            done = self.follow()
        finally:
            self.over.set()
            nodes.join()
        self.assertEqual(self.failed, [])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("edge-1", "edge-2"):
            self.assertIn("refs/tags/web/v1", self.refs(self.dir / f"{name}.git"))
            self.assertIn("replicas: 2", self.show(self.dir / f"{name}.git", "main:web/deployment.yaml"))
        self.assertIn("replicas: 2", (self.dir / "home/edge-1-web/deployment.yaml").read_text(encoding="utf-8"))
        self.assertRegex(done.stdout, r"edge-2\.web\.packagevariant-1 .*Published")
        for each in ("forbidden", "Warning"):
            self.assertNotIn(each, done.stderr)
        self.log.seek(0)
        self.assertNotIn("forbidden", self.log.read())


class Page(unittest.TestCase):
    def test_its_commands_are_found(self):
        self.assertGreaterEqual(len(commands()), 5)
        for name in ("install", "set-context", "PackageVariantSet", "approve"):
            self.assertTrue(any(name in each for each in commands()), name)
        for each in commands():
            for document in re.findall(r"apply -f - <<END\n(.*?)^END$", each, flags=re.M | re.S):
                self.assertTrue(all(yaml.safe_load_all(document)))


if __name__ == "__main__":
    unittest.main()
