"""The tests of src/cluster over a real kube-apiserver: one that streams lists, and one that refuses to.
$PORTICO_KUBERNETES names the command that starts a server (tests/kubernetes/start), $PORTICO_CLUSTER_TEST the program
of the tests."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from clusters import START, Cluster
from support import ENVIRONMENT

PROGRAM = os.environ.get("PORTICO_CLUSTER_TEST", "")


def without_gtest(environment):
    """Without where to write results: those of the program itself are there."""
    return {name: value for name, value in environment.items() if not name.startswith("GTEST_")}


def streamed(cluster):
    """How many lists of config maps the API server has streamed."""
    _, text = cluster.ask("GET", "/metrics")
    return sum(int(count) for count in re.findall(
        r'^apiserver_watch_list_duration_seconds_count\{.*resource="configmaps".*\} (\d+)$', text, re.MULTILINE))


@unittest.skipUnless(START, "$PORTICO_KUBERNETES names no Kubernetes API server")
@unittest.skipUnless(PROGRAM, "$PORTICO_CLUSTER_TEST names no program")
class TheRegistry(unittest.TestCase):
    def run_on(self, flags):
        """Runs the tests on a server with these flags; returns how many lists it has streamed for them."""
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(pathlib.Path(folder) / "cluster", flags)
            try:
                before = streamed(cluster)
                done = subprocess.run([PROGRAM, "--gtest_filter=*/kubernetes:*/kubernetes_mirror"], text=True,
                                      capture_output=True, timeout=300, check=False,
                                      env={**without_gtest(ENVIRONMENT), "KUBECONFIG": cluster.kubeconfig})
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("names no server", done.stdout)
                for name in ("WatchesInOrder/kubernetes", "WatchesInOrder/kubernetes_mirror"):
                    self.assertRegex(done.stdout, rf"\[ +OK \] Servers/RemoteRegistryTest\.{name} ")
                return streamed(cluster) - before
            finally:
                cluster.stop()

    def test_keeps_its_contract_on_a_server_that_streams_lists(self):
        self.assertGreater(self.run_on("--feature-gates=WatchList=true"), 0)

    def test_keeps_its_contract_on_a_server_that_refuses_to_stream_lists(self):
        self.assertEqual(self.run_on("--feature-gates=WatchList=false"), 0)


if __name__ == "__main__":
    unittest.main()
