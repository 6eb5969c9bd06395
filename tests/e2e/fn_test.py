"""The fn commands on folders, compared with kpt if it is installed."""
import os
import shutil
import subprocess
import unittest

from support import ENVIRONMENT, Fleet, binary

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - image: set-namespace
    configMap:
      namespace: shop
  - image: set-labels:v0.2
    configMap:
      tier: web
"""
RESOURCES = """# of the shop
apiVersion: apps/v1
kind: Deployment # the program
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: web

          image: web:1
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  text: |
    one

    two
"""
# Annotates every resource by text substitution, so that only a shell is needed.
MARK = """#!/bin/sh
sed -e 's/^\\(  *\\)annotations:$/&\\n\\1  marked: "yes"/'
echo marked >&2
"""


class Fn(Fleet):
    def setUp(self):
        super().setUp()
        self.package = self.dir / "web"
        self.write("web/Kptfile", KPTFILE)
        self.write("web/app.yaml", RESOURCES)
        self.write("web/README.md", "# Web\n")

    def write(self, path, text, mode=0o644):
        file = self.dir / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        return file

    def read(self, path):
        return (self.dir / path).read_text()

    def program(self, name, text):
        return str(self.write(f"bin/{name}", text, 0o755))

    def tree(self, folder):
        return {str(p.relative_to(folder)): p.read_bytes()
                for p in sorted(folder.rglob("*")) if p.is_file()}


class Render(Fn):
    def test_changes_what_the_pipeline_changes_and_no_more(self):
        done = self.run_portico("fn", "render", "web")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn('[RUNNING] "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2" on package '
                      '"web"', done.stderr)
        self.assertIn("Successfully executed 2 function(s) in 1 package(s).", done.stderr)
        app = self.read("web/app.yaml")
        self.assertIn("# of the shop\napiVersion: apps/v1\nkind: Deployment # the program\n"
                      "metadata:\n  name: web\n  namespace: shop\n", app)
        self.assertIn("        - name: web\n\n          image: web:1\n", app, "blank line stays")
        self.assertIn("    one\n\n    two\n", app)
        self.assertIn("reason: RenderSuccess", self.read("web/Kptfile"))

    def test_without_status_a_second_time_changes_nothing(self):
        self.portico("fn", "render", "web", "--no-status")
        once = self.tree(self.package)
        times = {p: p.stat().st_mtime_ns for p in self.package.iterdir()}
        self.portico("fn", "render", "web", "--no-status")
        self.assertEqual(self.tree(self.package), once)
        self.assertEqual({p: p.stat().st_mtime_ns for p in self.package.iterdir()}, times)

    def test_results_and_failure(self):
        self.write("web/Kptfile", KPTFILE.replace("namespace: shop", "wrong: shop"))
        before = self.read("web/app.yaml")
        done = self.run_portico("fn", "render", "web", "--results-dir", "out/results")
        self.assertEqual(done.returncode, 1)
        self.assertIn("[error]", done.stderr)
        self.assertIn("For complete results, see out/results/results.yaml", done.stderr)
        self.assertIn("exitCode: 1", self.read("out/results/results.yaml"))
        self.assertEqual(self.read("web/app.yaml"), before)
        self.assertIn("reason: RenderFailed", self.read("web/Kptfile"))

    def test_output_elsewhere(self):
        before = self.tree(self.package)
        self.portico("fn", "render", "web", "-o", "out")
        self.assertEqual(self.tree(self.package), before)
        self.assertEqual(sorted(self.tree(self.dir / "out")), ["Kptfile", "app.yaml"])
        self.assertIn("already exists", self.fails("fn", "render", "web", "-o", "out"))
        unwrapped = self.portico("fn", "render", "web", "-o", "unwrap")
        self.assertNotIn("config.kubernetes.io", unwrapped)
        self.assertEqual(unwrapped.count("\n---\n"), 2)
        self.assertTrue(self.portico("fn", "render", "web", "-o", "stdout").startswith(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"))

    def test_files_of_resources_that_are_gone_go(self):
        self.write("web/ns.yaml", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n")
        self.write("web/Kptfile", KPTFILE + "  - image: delete-resource\n    configMap:\n"
                                            "      kind: Namespace\n")
        self.portico("fn", "render", "web")
        self.assertFalse((self.package / "ns.yaml").exists())
        self.assertTrue((self.package / "README.md").exists())

    def test_large_files_that_are_no_resources_do_not_count(self):
        with open(self.package / "image.bin", "wb") as file:
            file.truncate(100 << 20)
        self.portico("fn", "render", "web")
        self.assertEqual((self.package / "image.bin").stat().st_size, 100 << 20)
        self.assertEqual(self.read("web/README.md"), "# Web\n")

    def test_no_package(self):
        self.assertIn('No Kptfile found at "empty"', self.fails("fn", "render", self.folder("empty")))
        self.assertIn("nowhere", self.fails("fn", "render", "nowhere"))

    def folder(self, name):
        (self.dir / name).mkdir()
        return name

    def test_says_that_links_are_ignored(self):
        commands = (("render", "web"), ("eval", "web", "-i", "set-annotations", "--", "a=b"), ("source", "web"))
        self.write("other.yaml", RESOURCES)
        for link, warning in (("b.yaml", '[WARN] the symbolic link "b.yaml" is ignored\n'),
                              ("a.yaml", '[WARN] 2 symbolic links are ignored, the first is "a.yaml"\n')):
            for command in commands:
                done = self.run_portico("fn", *command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn(warning, done.stderr)
            (self.package / link).symlink_to("../other.yaml")
            for command in commands:
                done = self.run_portico("fn", *command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count(warning), 1, done.stderr)
        self.assertEqual(self.read("other.yaml"), RESOURCES)

    def test_a_resolved_folder_has_one_warning(self):
        (self.package / "link").symlink_to("./")
        for command in (("render",), ("eval", "-i", "set-annotations"), ("source",)):
            done = self.run_portico("fn", command[0], "web/link", *command[1:],
                                    *(["--", "a=b"] if command[0] == "eval" else []))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("[WARN]"), 1, done.stderr)
            self.assertIn('[WARN] resolved symlink "web/link" to "web", please note that the symlinks within the '
                          "package are ignored\n", done.stderr)

    def test_does_not_write_through_links(self):
        self.folder("outside")
        (self.package / "link").symlink_to(self.dir / "outside")
        mover = self.program("mover", "#!/bin/sh\nsed -e \"s#path: 'app.yaml'#path: 'link/x.yaml'#\"\n")
        done = self.run_portico("fn", "eval", "web", "--exec", mover, "--no-sandbox")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("symbolic link", done.stderr)
        self.assertEqual(list((self.dir / "outside").iterdir()), [])
        self.assertEqual(self.read("web/app.yaml"), RESOURCES)


class Eval(Fn):
    def test_with_arguments_and_selectors(self):
        done = self.run_portico("fn", "eval", "web", "-i", "set-annotations", "--match-kind",
                                "ConfigMap", "--", "a=b", "c=d=e")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("on 1 resource(s)", done.stderr)
        self.assertIn('annotations: {a: b, c: d=e}', self.read("web/app.yaml"))
        self.assertEqual(self.read("web/Kptfile"), KPTFILE)

    def test_with_a_config_inside_of_the_package(self):
        config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  tier: x\n"
        self.write("web/fn.yaml", config)
        self.portico("fn", "eval", "web", "-i", "set-labels", "--fn-config", "web/fn.yaml")
        self.assertEqual(self.read("web/fn.yaml"), config, "the config is no input")
        self.assertIn("tier: x", self.read("web/app.yaml"))

    def test_saves_the_function(self):
        self.portico("fn", "eval", "web", "-s", "-t", "mutator", "-i", "set-labels:v0.3", "--",
                     "tier=db")
        kptfile = self.read("web/Kptfile")
        self.assertIn("set-labels:v0.3", kptfile)
        self.assertNotIn("set-labels:v0.2", kptfile, "in place of the one that was there")
        self.portico("fn", "eval", "web", "-s", "-t", "validator", "-i", "kubeval", "--",
                     "ignore_missing_schemas=true")
        self.assertIn("validators:\n  - image: ghcr.io/kptdev/krm-functions-catalog/kubeval:latest",
                      self.read("web/Kptfile"))

    def test_what_is_wrong_with_the_arguments(self):
        for arguments, message in [
                ([], "must specify --image or --exec"),
                (["-i", "x", "--exec", "y"], "mutually exclusive"),
                (["-i", "set-labels", "--", "novalue"], "novalue"),
                (["-i", "set-labels", "-s"], "--type must be specified"),
                (["-i", "set-labels", "--include-meta-resources"], "included by default"),
                (["-i", "set-labels", "--image-pull-policy", "Now"], "Now"),
                (["-i", "set-labels", "--fn-config", "nowhere.yaml"], "nowhere.yaml")]:
            self.assertIn(message, self.fails("fn", "eval", "web", *arguments), arguments)
        self.assertEqual(self.tree(self.package)["app.yaml"].decode(), RESOURCES)

    def test_a_program(self):
        mark = self.program("mark", MARK)
        done = self.run_portico("fn", "eval", "web", "--exec", mark, "--no-sandbox")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("  Stderr:\n    marked\n", done.stderr)
        app = self.read("web/app.yaml")
        self.assertIn('  annotations:\n    marked: "yes"\n', app)
        self.assertIn("kind: Deployment # the program\n", app)
        self.assertIn("        - name: web\n\n          image: web:1\n", app)
        self.assertNotIn("config.kubernetes.io", app)

    def test_programs_that_misbehave(self):
        for name, text, message in [
                ("fails", "#!/bin/sh\necho why >&2\nexit 3\n", "Exit code: 3"),
                ("lies", "#!/bin/sh\necho hello\n", "not a ResourceList"),
                ("escapes", "#!/bin/sh\nsed -e \"s#path: 'app.yaml'#path: '../x.yaml'#\"\n",
                 "outside of package"),
                ("git", "#!/bin/sh\nsed -e \"s#path: 'app.yaml'#path: '.git/x.yaml'#\"\n", ".git"),
                ("hides", "#!/bin/sh\nsed -e \"s#path: 'app.yaml'#path: 'README.md'#\"\n",
                 "does not contain resources"),
                ("twice", "#!/bin/sh\nsed -e \"s#index: '1'#index: '0'#\"\n", "already exists"),
                ("sleeps", "#!/bin/sh\nsleep 60\n", "took longer")]:
            done = self.run_portico("fn", "eval", "web", "--no-sandbox", "--timeout", "1", "--exec",
                                    self.program(name, text))
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(message, done.stderr, name)
            self.assertEqual(self.read("web/app.yaml"), RESOURCES, name)
        self.assertFalse((self.dir / "x.yaml").exists())

    def test_in_the_sandbox(self):
        if not shutil.which("bwrap"):
            self.skipTest("no bubblewrap")
        probe = self.run_portico("fn", "eval", "web", "--exec", "cat")
        if "no sandbox" in probe.stderr:
            self.skipTest(probe.stderr)
        writes = self.program("writes", f"#!/bin/sh\necho x > {self.dir}/mark\ncat\n")
        self.portico("fn", "eval", "web", "--exec", writes)
        self.assertFalse((self.dir / "mark").exists())
        self.portico("fn", "eval", "web", "--exec", writes, "--no-sandbox")
        self.assertTrue((self.dir / "mark").exists())

    def test_a_container(self):
        self.program("docker", f'#!/bin/sh\necho "$*" >> {self.dir}/docker.log\ncat\n')
        environment = {**ENVIRONMENT, "PATH": f"{self.dir}/bin:{os.environ['PATH']}"}
        for arguments in (["-i", "example.com/own:v1"], ["-i", "set-labels:v0.2", "--no-builtin"]):
            done = subprocess.run([binary(), "fn", "eval", "web", *arguments, "--", "a=b"],
                                  cwd=self.dir, env=environment, text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        log = [line for line in self.read("docker.log").splitlines() if line.startswith("run ")]
        self.assertIn("--network none --user nobody", log[0])
        self.assertTrue(log[0].endswith(" example.com/own:v1"))
        self.assertTrue(log[1].endswith(" ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2"))
        self.assertEqual(self.read("web/app.yaml"), RESOURCES)


class Pipes(Fn):
    def test_source_eval_sink(self):
        source = self.portico("fn", "source", "web")
        changed = self.portico("fn", "eval", "-", "-i", "set-labels", "--", "a=b", stdin=source)
        self.portico("fn", "sink", "copy", stdin=changed)
        self.assertEqual(sorted(self.tree(self.dir / "copy")), ["Kptfile", "app.yaml"])
        self.assertIn("        - name: web\n          image: web:1\n", self.read("copy/app.yaml"))
        self.assertIn("already exists", self.fails("fn", "sink", "copy", stdin=source))
        self.assertIn("ResourceList", self.fails("fn", "sink", "other", stdin="a: b\n"))
        self.assertFalse((self.dir / "other").exists())


@unittest.skipUnless(shutil.which("kpt"), "no kpt")
class BesideKpt(Fn):
    """The parts of kpt that work without containers."""

    def kpt(self, *arguments, stdin=None):
        return subprocess.run(["kpt", *arguments], cwd=self.dir, env=ENVIRONMENT, input=stdin,
                              text=True, capture_output=True, timeout=120)

    def both(self, *arguments, stdin=None):
        ours, kpts = self.run_portico(*arguments, stdin=stdin), self.kpt(*arguments, stdin=stdin)
        if "no sandbox" in ours.stderr:
            self.skipTest(ours.stderr)
        self.assertEqual(ours.returncode, kpts.returncode, f"{ours.stderr}\n{kpts.stderr}")
        return ours, kpts

    def test_source(self):
        for output in ("stdout", "unwrap"):
            ours, kpts = self.both("fn", "source", "web", "-o", output)
            self.assertEqual(ours.stdout, kpts.stdout)

    def test_a_program_changes_the_same_files_in_the_same_way(self):
        mark = self.program("mark", MARK)
        shutil.copytree(self.package, self.dir / "kpt" / "web")
        done = self.kpt("fn", "eval", "kpt/web", "--exec", mark, "--", "a=b")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.portico("fn", "eval", "web", "--exec", mark, "--no-sandbox", "--", "a=b")
        ours = self.read("web/app.yaml").replace("        - name: web\n\n", "        - name: web\n")
        self.assertEqual(ours, self.read("kpt/web/app.yaml"), "but for the blank line, which stays")
        self.assertEqual(self.read("web/Kptfile"), self.read("kpt/web/Kptfile"))

    def test_programs_see_the_same_input(self):
        keep = f"tee {self.dir}/input"
        self.kpt("fn", "eval", "web", "--exec", keep, "--", "a=b")
        kpts = self.read("input").partition("functionConfig:")[0]
        self.portico("fn", "eval", "web", "--exec", keep, "--no-sandbox", "--", "a=b")
        self.assertEqual(self.read("input").partition("functionConfig:")[0], kpts)

    def test_errors_have_the_same_exit_code(self):
        mark = self.program("mark", MARK)
        self.write("web/Kptfile", KPTFILE.replace("image: set-namespace", f"exec: {mark}").replace(
            "    configMap:\n      namespace: shop\n", "").partition("  - image")[0])
        ours, kpts = self.both("fn", "render", "web", "--allow-exec", "-o", "unwrap")
        self.assertEqual(ours.stdout, kpts.stdout)
        self.both("fn", "render", "web")
        self.both("fn", "render", "nowhere")
        self.both("fn", "eval", "web", "--exec", "false")
        self.both("fn", "eval", "web", "--exec", "no-such-program-of-anybody")
        self.both("fn", "sink", "web", stdin="apiVersion: config.kubernetes.io/v1\n"
                                             "kind: ResourceList\nitems: []\n")


if __name__ == "__main__":
    unittest.main()
