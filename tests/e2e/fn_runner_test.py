"""Functions that are not built in: on a function runner, in a program, or selected by FunctionConfigs."""
import contextlib
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from support import ENVIRONMENT, Fleet, binary

KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - image: {image}
    configMap:
      tier: front
"""
CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings # of the web server
data:
  level: info
"""
LABELLED = CONFIG.replace("\ndata:", "\n  labels:\n    tier: front\ndata:")
VARIANT = """\
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: web
spec:
  upstream: {repo: up, package: web, revision: 1}
  downstream: {repo: edge, package: web}
"""
FUNCTION_CONFIG = """\
apiVersion: config.porch.kpt.dev/v1alpha1
kind: FunctionConfig
metadata:
  name: labels
spec:
  image: set-labels
  prefixes: [registry.example.com/team]
  %s
"""
IMAGE = "registry.example.com/team/set-labels:v1"


def has_plugin():
    return (pathlib.Path(binary()).parent / "libportico_grpc.so").exists()


def has_sandbox():
    if shutil.which("bwrap") is None:
        return False
    return subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"],
                          capture_output=True).returncode == 0


class Runner(Fleet):
    @contextlib.contextmanager
    def process(self, *arguments):
        """Starts a command in the background; returns its first output line."""
        process = subprocess.Popen([binary(), *arguments], cwd=self.dir, env=ENVIRONMENT, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            yield process.stdout.readline()
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0, errors)

    @contextlib.contextmanager
    def function_runner(self, listen="127.0.0.1:0"):
        with self.process("fn-runner", "--listen", listen) as line:
            self.assertIn("serving functions at 127.0.0.1:", line)
            yield line.split()[3].rstrip(";")

    def fleet(self, image=IMAGE):
        self.bare("up", {"web/Kptfile": KPTFILE.format(image=image), "web/config.yaml": CONFIG},
                  tags=["web/v1"])
        self.bare("edge")
        for name in ("up", "edge"):
            self.portico("repo", "register", f"{name}.git", "--name", name)
        self.write("variant.yaml", VARIANT)

    def variant(self):
        return self.objects("pv")["web"]

    def draft(self):
        return self.show(self.dir / "edge.git", "drafts/web/packagevariant-1:web/config.yaml")

    @unittest.skipUnless(has_plugin(), "built without gRPC")
    def test_a_folder_on_a_runner(self):
        self.write("web/config.yaml", CONFIG)
        with self.function_runner() as address:
            on = ("--no-builtin", "--function-runner", address)
            self.portico("fn", "eval", "web", "-i", "set-labels", *on, "--", "tier=front")
            self.assertIn("has no function",
                          self.fails("fn", "eval", "web", "-i", "no-such", *on))
            failed = self.fails("fn", "eval", "web", "-i", "set-namespace", *on)
            self.assertIn("`data.namespace` should not be empty", failed)
        self.assertEqual((self.dir / "web/config.yaml").read_text(),
                         LABELLED)
        gone = self.fails("fn", "eval", "web", "-i", "set-labels", *on, "--", "tier=back")
        self.assertIn(address, gone)

    @unittest.skipUnless(has_plugin(), "built without gRPC")
    def test_a_variant_waits_for_its_runner(self):
        self.fleet()
        with self.function_runner() as address:
            pass
        self.write("labels.yaml", FUNCTION_CONFIG % f'grpcExecutor: {{address: "{address}"}}')
        self.portico("apply", "-f", "labels.yaml")
        self.assertIn("grpcExecutor", self.portico("get", "functionconfigs"))
        self.portico("apply", "-f", "variant.yaml")
        with self.process("serve"), self.function_runner(address):
            until = time.monotonic() + 60
            while not self.refs(self.dir / "edge.git", "refs/heads/drafts"):
                self.assertLess(time.monotonic(), until, "no draft after the runner came")
                time.sleep(0.1)
        self.assertIn("    tier: front\n", self.draft())

    @unittest.skipUnless(has_sandbox(), "no sandbox here")
    def test_a_program_named_by_a_function_config(self):
        self.fleet()
        self.settles("apply", "-f", "variant.yaml")
        # The built-in function replaces an image of that name and version in any registry.
        self.assertIn("    tier: front\n", self.draft())

        program = self.dir / "annotate"
        program.write_text("#!/bin/sh\nsed 's/level: info/level: debug/'\n")
        program.chmod(0o755)
        self.portico("delete", "pv", "web", "--wait")
        self.write("labels.yaml", FUNCTION_CONFIG % f"binaryExecutor: {{path: {program}, tags: [v1]}}")
        self.settles("apply", "-f", "labels.yaml", "-f", "variant.yaml")
        self.assertEqual(self.condition(self.variant())["status"], "True", self.variant())
        draft = self.draft()
        self.assertIn("  level: debug\n", draft)
        self.assertIn("  name: settings # of the web server\n", draft)
        self.assertNotIn("tier", draft)

    @unittest.skipUnless(has_sandbox(), "no sandbox here")
    def test_serve_does_not_wait_for_a_program(self):
        self.fleet()
        program = self.dir / "slow"
        program.write_text("#!/bin/sh\nsleep 600\n")
        program.chmod(0o755)
        self.write("labels.yaml",
                   FUNCTION_CONFIG % f"binaryExecutor: {{path: {program}, tags: [v1]}}")
        self.portico("apply", "-f", "labels.yaml", "-f", "variant.yaml")
        with self.process("serve"):
            until = time.monotonic() + 60
            while not self.runs(str(program)):
                self.assertLess(time.monotonic(), until, "the function does not run")
                time.sleep(0.1)
        # process() has waited until serve ended, which must take less than half a minute.
        self.assertFalse(self.runs(str(program)))

    @staticmethod
    def runs(program):
        """Whether a process has `program` among its arguments."""
        for arguments in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if program.encode() in arguments.read_bytes().split(b"\0"):
                    return True
            except OSError:
                pass  # it has ended
        return False

    def test_a_new_function_config_wakes_what_failed(self):
        self.fleet("registry.example.com/team/labels:v1")
        self.settles("apply", "-f", "variant.yaml")
        message = self.condition(self.variant())["message"]
        self.assertIn('no runner for function "registry.example.com/team/labels:v1"', message)
        self.assertIn("FunctionConfig", message)
        self.write("labels.yaml", FUNCTION_CONFIG.replace("image: set-labels", "image: labels") %
                   "goExecutor: {id: set-labels, tags: [v1]}")
        self.settles("apply", "-f", "labels.yaml")
        self.assertEqual(self.condition(self.variant())["status"], "True")
        self.assertIn("    tier: front\n", self.draft())

    def test_configs_that_are_wrong_are_refused(self):
        self.write("labels.yaml", FUNCTION_CONFIG % "binaryExecutor: {tags: [v1]}")
        self.assertIn("spec.binaryExecutor.path must not be empty",
                      self.fails("apply", "-f", "labels.yaml"))

    def test_one_function_as_a_filter(self):
        self.write("web/config.yaml", CONFIG)
        listed = self.portico("fn", "source", "web")
        out = self.portico("fn", "run", "ghcr.io/kptdev/krm-functions-catalog/format:v0.1.1",
                           stdin=listed)
        self.assertIn("name: settings # of the web server", out)
        self.assertIn('no built-in function "no-such"', self.fails("fn", "run", "no-such", stdin=""))
        self.assertIn("ResourceList", self.fails("fn", "run", "format", stdin="kind: ConfigMap\n"))

    @unittest.skipUnless(shutil.which("kpt"), "no kpt here")
    def test_kpt_runs_our_functions(self):
        self.write("web/config.yaml", CONFIG)
        subprocess.run(["kpt", "fn", "eval", "web", "--exec", f"{binary()} fn run set-labels", "--",
                        "tier=front"], cwd=self.dir, env=ENVIRONMENT, check=True,
                       capture_output=True)
        self.assertEqual((self.dir / "web/config.yaml").read_text(),
                         LABELLED)


if __name__ == "__main__":
    unittest.main()
