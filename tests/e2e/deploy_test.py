"""The manifests of deploy/kubernetes: each kustomization builds and is accepted by a real kube-apiserver, and the
programs of its pods run in the image, with the rights and files that the manifests give them. There are no nodes, so
this test does a kubelet's work. Runs if $PORTICO_KUBERNETES names the command that starts a cluster
(tests/kubernetes/start)."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import yaml

import container
from api_server import KUBECTL
from git_server import GitServer
from support import ENVIRONMENT, ROOT, Fleet, binary

START = os.environ.get("PORTICO_KUBERNETES", "")
DEPLOY = ROOT / "deploy/kubernetes"
MODES = ("aggregated", "with-porch", "without-porch")
NAMESPACE = "portico-system"
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
VARIANT = """
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web, namespace: default}
spec:
  upstream: {repo: up, package: web, revision: 1}
  downstream: {repo: edge, package: web}
"""


def kustomize(folder):
    done = subprocess.run([KUBECTL, "kustomize", str(folder)], text=True, capture_output=True, check=False)
    assert done.returncode == 0, f"{folder}: {done.stderr}"
    return list(yaml.safe_load_all(done.stdout))


def installed(mode, *more):
    """The text that a user pipes into kubectl."""
    done = subprocess.run([*install_command(mode), *more], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def install_command(mode):
    return [binary(), "install", "--kubernetes", *([] if mode == "aggregated" else [f"--{mode}"])]


def replaced(value, words):
    """`value` with each string that is a key of `words` replaced."""
    if isinstance(value, dict):
        return {key: replaced(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each, words) for each in value]
    return words.get(value, value) if isinstance(value, str) else value


def repository(name, url):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"type": "git", "content": "Package", "deployment": name == "edge",
                     "git": {"repo": url, "branch": "main", "directory": "/"}}}


@unittest.skipUnless(KUBECTL, "kubectl is not installed")
class Manifests(unittest.TestCase):
    def pods(self, mode):
        return [(each, each["spec"]["template"]["spec"]) for each in kustomize(DEPLOY / mode)
                if each["kind"] in ("Deployment", "StatefulSet")]

    def test_every_kustomization_can_be_built(self):
        for file in sorted((ROOT / "deploy").rglob("kustomization.yaml")):
            self.assertTrue(kustomize(file.parent), file)

    def test_install_prints_them(self):
        version = subprocess.run([binary(), "--version"], text=True, capture_output=True).stdout.split()[-1]
        for mode in MODES:
            command = install_command(mode)
            for more, words in (([], {}), (["-n", "packages", "--image", "registry.example.com/portico:1"],
                                           {NAMESPACE: "packages", f"portico:{version}": "registry.example.com/portico:1"})):
                done = subprocess.run([*command, *more], text=True, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                printed = list(yaml.safe_load_all(done.stdout))
                self.assertEqual(printed[0]["kind"], "Namespace", "what is in it comes later")
                self.assertEqual(sorted(map(yaml.safe_dump, printed)),
                                 sorted(yaml.safe_dump(replaced(each, words)) for each in kustomize(DEPLOY / mode)))

    def test_many_replicas_are_spread_and_replaced_one_by_one(self):
        for mode in ("with-porch", "without-porch"):
            plain, many = kustomize(DEPLOY / mode), kustomize(DEPLOY / "ha" / mode)
            named = lambda all_: sorted((each["kind"], each["metadata"]["name"]) for each in all_)
            self.assertEqual(named(many), named(plain))
            deployment = next(each for each in many if each["kind"] == "Deployment")
            labels = deployment["spec"]["template"]["metadata"]["labels"]
            self.assertEqual(deployment["spec"]["replicas"], 3)
            self.assertEqual(deployment["spec"]["strategy"],
                             {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}})
            terms = deployment["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"][
                "preferredDuringSchedulingIgnoredDuringExecution"]
            self.assertEqual([each["podAffinityTerm"]["topologyKey"] for each in terms],
                             ["kubernetes.io/hostname", "topology.kubernetes.io/zone"])
            for each in terms:
                self.assertLessEqual(each["podAffinityTerm"]["labelSelector"]["matchLabels"].items(), labels.items())
            budget = next(each for each in many if each["kind"] == "PodDisruptionBudget")
            self.assertEqual(budget["spec"]["minAvailable"], 2)
            # Everything else in the pods is the same as without --replicas.
            was = next(each for each in plain if each["kind"] == "Deployment")["spec"]["template"]["spec"]
            pod = dict(deployment["spec"]["template"]["spec"])
            pod.pop("affinity")
            pod["containers"] = [{key: value for key, value in each.items() if key != "lifecycle"} for each in pod["containers"]]
            self.assertEqual(pod, was)

    def test_with_cert_manager_the_servers_are_verified(self):
        for base in ("without-porch", "ha/without-porch"):
            with tempfile.TemporaryDirectory() as folder:
                below = lambda name: os.path.relpath(DEPLOY / name, os.path.realpath(folder))
                (pathlib.Path(folder) / "kustomization.yaml").write_text(yaml.safe_dump(
                    {"resources": [below(base)], "components": [below("cert-manager")]}))
                objects = kustomize(folder)
            certificates = {f"{each['metadata']['namespace']}/{each['metadata']['name']}": each["spec"]
                            for each in objects if each["kind"] == "Certificate"}
            services = {f"{each['metadata']['name']}.{each['metadata']['namespace']}.svc"
                        for each in objects if each["kind"] == "Service"}
            apis = [each for each in objects if each["kind"] == "APIService"]
            self.assertEqual(len(apis), 2)
            for each in apis:
                self.assertNotIn("insecureSkipTLSVerify", each["spec"])
                certificate = certificates[each["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]]
                service = each["spec"]["service"]
                self.assertIn(f"{service['name']}.{service['namespace']}.svc", certificate["dnsNames"])
                self.assertLessEqual(set(certificate["dnsNames"]), services)
            pod = next(each for each in objects if each["kind"] == "Deployment")["spec"]["template"]["spec"]
            container = pod["containers"][0]
            volume = next(each for each in pod["volumes"] if each["name"] == "tls")
            self.assertEqual(volume["secret"]["secretName"], certificate["secretName"])
            mount = next(each for each in container["volumeMounts"] if each["name"] == "tls")["mountPath"]
            args = container["args"]
            self.assertEqual([args[args.index(name) + 1] for name in ("--tls-cert", "--tls-key")],
                             [f"{mount}/tls.crt", f"{mount}/tls.key"])
            # The program takes these options together.
            done = subprocess.run([binary(), *args, "--kubeconfig", "/nowhere"], text=True, capture_output=True)
            self.assertIn("kubeconfig", done.stderr, "the options are accepted, but the file is missing")

    def test_install_prints_as_many_replicas_as_are_asked_for(self):
        for mode in ("with-porch", "without-porch"):
            for replicas, folder in ((1, mode), (2, mode), (3, f"ha/{mode}"), (5, f"ha/{mode}")):
                done = subprocess.run([*install_command(mode), "--replicas", str(replicas)], text=True, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                wanted = kustomize(DEPLOY / folder)
                for each in wanted:
                    if each["kind"] == "Deployment":
                        each["spec"]["replicas"] = replicas
                    if each["kind"] == "PodDisruptionBudget":
                        each["spec"]["minAvailable"] = replicas - 1
                self.assertEqual(sorted(map(yaml.safe_dump, yaml.safe_load_all(done.stdout))),
                                 sorted(map(yaml.safe_dump, wanted)))
        done = subprocess.run([*install_command("aggregated"), "--replicas", "2"], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("2 servers cannot share a volume", done.stderr)

    def test_install_refuses_what_is_no_image(self):
        done = subprocess.run([binary(), "install", "--kubernetes", "--image", "a b"], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn('--image: invalid image name "a b"', done.stderr)

    def test_pods_are_as_restricted_as_the_namespace_asks(self):
        version = subprocess.run([binary(), "--version"], text=True, capture_output=True).stdout.split()[-1]
        for mode in MODES:
            self.assertEqual(len(self.pods(mode)), 1)
            for _, pod in self.pods(mode):
                self.assertTrue(pod["securityContext"]["runAsNonRoot"])
                for each in [*pod.get("initContainers", []), *pod["containers"]]:
                    self.assertEqual(each["image"], f"portico:{version}")
                    self.assertEqual(each["securityContext"], {
                        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                        "capabilities": {"drop": ["ALL"]}})
                    self.assertIn("memory", each["resources"]["limits"])

    def test_selectors_find_the_pods(self):
        for mode in MODES:
            labels = [each["spec"]["template"]["metadata"]["labels"] for each, _ in self.pods(mode)]
            for each in kustomize(DEPLOY / mode):
                spec = each.get("spec", {})
                selector = spec.get("podSelector") or spec.get("selector")
                if each["kind"] in ("Service", "NetworkPolicy", "PodDisruptionBudget"):
                    wanted = selector.get("matchLabels", selector)
                    self.assertTrue(any(wanted.items() <= each.items() for each in labels), each)


class Cluster(Fleet):
    """A cluster, two repositories over HTTP and the image; `kubectl` runs as the administrator."""

    serves = False

    def setUp(self):
        super().setUp()
        self.dir.chmod(0o755)
        cluster = self.dir / "cluster"
        self.addCleanup(subprocess.run, [str(pathlib.Path(START).with_name("stop")), "--delete", str(cluster)],
                        capture_output=True)
        done = subprocess.run([START, str(cluster)], text=True, capture_output=True, timeout=900, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.front = done.stdout.strip()
        self.url = self.kubectl("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}")

    def run_kubectl(self, *arguments, stdin=None, kubeconfig=None):
        return subprocess.run([KUBECTL, *arguments], cwd=self.dir, input=stdin, text=True, capture_output=True, timeout=120,
                              env={**ENVIRONMENT, "KUBECONFIG": str(kubeconfig or self.front), "HOME": str(self.dir)})

    def kubectl(self, *arguments, stdin=None):
        done = self.run_kubectl(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, f"kubectl {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def apply(self, objects, *arguments):
        text = objects if isinstance(objects, str) else yaml.safe_dump_all(objects)
        return self.kubectl("apply", *arguments, "-f", "-", stdin=text)

    def of_kind(self, mode, kind):
        return next(each for each in kustomize(DEPLOY / mode) if each["kind"] == kind)

    def image(self):
        done = subprocess.run([ROOT / "tools/image", binary(), self.dir / "image"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.runner = container.Runner(container.Image(self.dir / "image/oci", self.dir / "root"), self.dir)
        if not self.runner.way:
            self.skipTest("neither runc nor bubblewrap can make a container here")

    def account(self, name):
        """The mount that a kubelet makes for a service account."""
        folder = self.runner.own(self.dir / f"account-{name}")
        self.write(f"account-{name}/token", self.kubectl("create", "token", name, "-n", NAMESPACE))
        self.write(f"account-{name}/ca.crt", (self.dir / "cluster/pki/ca.crt").read_text())
        self.write(f"account-{name}/namespace", NAMESPACE)
        return (folder, "/var/run/secrets/kubernetes.io/serviceaccount", ["ro"])

    def start(self, command, mounts, pattern):
        """Starts a container that runs until the test ends; returns the match of `pattern` in its output."""
        host, port = re.search(r"//(.*):(\d+)", self.url).groups()
        environment = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port, "NAMESPACE": NAMESPACE}
        self.log = open(self.dir / f"{command[1].rsplit('/', 1)[-1]}.log", "a+")
        self.addCleanup(self.log.close)
        process = subprocess.Popen(self.runner.command(command, mounts, environment), text=True, stderr=self.log,
                                   stdout=subprocess.PIPE, env=ENVIRONMENT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)
        for line in process.stdout:
            if found := re.search(pattern, line):
                return found
        self.log.seek(0)
        return self.fail(f"{command} ended: {self.log.read()}") if pattern else None

    def serve(self, *more):
        """Runs the pod of `aggregated`, and routes the cluster to it."""
        objects = list(yaml.safe_load_all(installed("aggregated")))
        settings = next(each["data"] for each in objects if each["kind"] == "ConfigMap")
        for name, text in settings.items():
            # On a cluster a pod has all ports to itself; here they must be free ones.
            text = text.replace("0.0.0.0:6443", "127.0.0.1:0").replace("0.0.0.0:9090", "127.0.0.1:0")
            self.write(f"settings/{name}", text.replace("set -- serve", " ".join(["set -- serve", *more])))
        self.apply([each for each in objects if each["kind"] == "Namespace"])
        self.apply([each for each in objects if each["kind"] not in ("Namespace", "APIService", "Service")])
        settings = (self.dir / "settings", "/etc/portico", ["ro"])
        run = self.runner.own(self.dir / "run")
        self.start(["/bin/sh", "-e", "/etc/portico/front-proxy.sh"],
                   [settings, (run, "/run/portico", ["rw"]), self.account("portico-server")], "")
        self.state = self.runner.own(self.dir / "volume")
        port = int(self.start(["/bin/sh", "-e", "/etc/portico/serve.sh"],
                              [settings, (run, "/run/portico", ["ro"]), (self.state, "/var/lib/portico", ["rw"])],
                              r"API at https://[^:]*:(\d+)")[1])
        self.apply([{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "portico-server", "namespace": NAMESPACE},
                     "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}}])
        admin = yaml.safe_load((self.state / ".portico/admin.kubeconfig").read_text())
        authority = admin["clusters"][0]["cluster"]["certificate-authority-data"]
        for each in objects:
            if each["kind"] == "APIService":
                # As in the guide: from here on the server's certificate is verified.
                del each["spec"]["insecureSkipTLSVerify"]
                each["spec"].update(caBundle=authority)
                each["spec"]["service"]["port"] = port
                self.apply([each])
        self.kubectl("wait", "apiservice", "-l", "app.kubernetes.io/part-of=portico", "--for=condition=Available",
                     "--timeout=60s")
        # An available API may still be missing from kube-apiserver's discovery.
        until = time.monotonic() + 60
        for kind in ("packagerevisions.porch.kpt.dev", "packagevariants.config.porch.kpt.dev",
                     "repositories.config.porch.kpt.dev"):
            while kind not in self.run_kubectl("api-resources", "-o", "name").stdout.split():
                self.assertLess(time.monotonic(), until, kind)

    def serve_in_the_cluster(self):
        """Runs a pod of `without-porch`, and routes the cluster to it."""
        objects = list(yaml.safe_load_all(installed("without-porch")))
        self.apply([each for each in objects if each["kind"] in ("Namespace", "CustomResourceDefinition")], "--server-side")
        self.kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=60s")
        self.apply([each for each in objects if each["kind"] not in (
            "Namespace", "CustomResourceDefinition", "APIService", "Service")])
        pod = self.of_kind("without-porch", "Deployment")["spec"]["template"]["spec"]
        arguments = [re.sub(r"^0\.0\.0\.0:\d+$", "127.0.0.1:0", each).replace("$(SERVICE)", "portico-server")
                     for each in pod["containers"][0]["args"]]
        port = int(self.start(["/usr/bin/portico", *arguments],
                              [self.account("portico-server"),
                               (self.runner.own(self.dir / "mirrors"), "/var/lib/portico", ["rw"])],
                              r"API at https://[^:]*:(\d+),")[1])
        self.apply([{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "portico-server", "namespace": NAMESPACE},
                     "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}}])
        apis = [each for each in objects if each["kind"] == "APIService"]
        for api in apis:
            api["spec"]["service"]["port"] = port
        self.apply(apis)
        self.kubectl("wait", "apiservice", "-l", "app.kubernetes.io/part-of=portico", "--for=condition=Available",
                     "--timeout=60s")
        until = time.monotonic() + 60
        while "packagerevisions.porch.kpt.dev" not in self.run_kubectl("api-resources", "-o", "name").stdout.split():
            self.assertLess(time.monotonic(), until)

    def start_the_controllers(self):
        """Runs a pod of `with-porch`, next to the pod of serve()."""
        objects = [each for each in yaml.safe_load_all(installed("with-porch"))
                   if each["kind"] != "CustomResourceDefinition"]
        self.apply(objects)
        pod = self.of_kind("with-porch", "Deployment")["spec"]["template"]["spec"]
        arguments = [each.replace("0.0.0.0:9090", "127.0.0.1:0") for each in pod["containers"][0]["args"]]
        self.start(["/usr/bin/portico", *arguments],
                   [self.account("portico-controllers"), (self.runner.own(self.dir / "none"), "/var/lib/portico", ["ro"])],
                   "probes at")

    def repositories(self):
        self.bare("up", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        self.bare("edge")
        server = GitServer(self.dir)
        self.addCleanup(server.http.server_close)
        self.addCleanup(server.http.shutdown)
        server.http.allowed.add(None)
        self.apply([repository(name, server.url(f"{name}.git")) for name in ("up", "edge")])
        self.kubectl("wait", "repositories.config.porch.kpt.dev/up", "repositories.config.porch.kpt.dev/edge",
                     "--for=condition=Ready", "--timeout=60s")

    def variant_gets_a_draft(self):
        self.apply(VARIANT)
        self.kubectl("wait", "packagevariant/web", "--for=condition=Ready", "--timeout=60s")
        drafts = json.loads(self.kubectl("get", "packagerevisions", "-o", "json"))["items"]
        self.assertEqual([each["spec"]["lifecycle"] for each in drafts if each["spec"]["repository"] == "edge"], ["Draft"])


@unittest.skipUnless(KUBECTL and START, "$PORTICO_KUBERNETES names no Kubernetes API server")
class OnACluster(Cluster):
    def test_the_api_server_takes_the_manifests(self):
        for mode in MODES:
            self.apply([self.of_kind(mode, "Namespace")])
            for more in ([], ["--replicas", "4"]) if mode != "aggregated" else ([],):
                done = self.apply(installed(mode, *more), "--server-side", "--dry-run=server")
                self.assertEqual(len(done.splitlines()), len(kustomize(DEPLOY / mode)))

    def test_without_porch(self):
        self.image()
        self.serve()
        self.repositories()
        self.variant_gets_a_draft()
        # Only the cluster's roles decide.
        user = str(pathlib.Path(START).with_name("user"))
        for name in ("ada", "eve"):
            made = subprocess.run([user, str(self.dir / "cluster"), name], text=True, capture_output=True, check=True)
            done = self.run_kubectl("get", "packagevariants", kubeconfig=made.stdout.strip())
            self.assertIn("forbidden", done.stderr)
            if name == "ada":
                self.kubectl("create", "rolebinding", "ada", "--clusterrole=portico-view", "--user=ada")
                done = self.run_kubectl("get", "packagevariants", kubeconfig=made.stdout.strip())
                self.assertIn("web", done.stdout, done.stderr)
                done = self.run_kubectl("delete", "packagevariant", "web", kubeconfig=made.stdout.strip())
                self.assertIn("forbidden", done.stderr)

    def test_servers_with_no_right_but_theirs(self):
        self.image()
        self.serve_in_the_cluster()
        self.repositories()
        self.variant_gets_a_draft()
        self.apply([repository("inside", "/var/lib/portico")])
        self.kubectl("wait", "repositories.config.porch.kpt.dev/inside", "--timeout=60s",
                     "--for=jsonpath={.status.conditions[0].status}=False")
        self.assertIn("a local path on the server", self.kubectl(
            "get", "repository", "inside", "-o", "jsonpath={.status.conditions[0].message}"))
        self.log.seek(0)
        self.assertNotIn("forbidden", self.log.read())

    def test_controllers_with_no_right_but_theirs(self):
        self.image()
        self.serve("--without-controllers")
        self.repositories()
        self.start_the_controllers()
        self.variant_gets_a_draft()
        self.log.seek(0)
        self.assertNotIn("forbidden", self.log.read())


if __name__ == "__main__":
    unittest.main()
