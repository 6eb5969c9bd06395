"""Packages in folders: get, diff and update, compared with kpt if it is installed."""
import filecmp
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from git_server import GitServer, basic
from support import ENVIRONMENT, Fleet, binary

KPT = shutil.which("kpt")

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: {name}
"""
DEPLOYMENT = """# what serves
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {replicas} # how many
  template:
    spec:
      containers:
        - name: server
          image: server:{version}
"""
CONFIG_MAP = """apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
data:
  key: {value}
"""


class Pkg(Fleet):
    # Bytes, because text mode would convert line breaks.
    more = {"web/windows.yaml":
            CONFIG_MAP.format(name="windows", value="a").replace("\n", "\r\n").encode()}

    def setUp(self):  # no state folder: these commands need none
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="portico-e2e-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.home = self.dir / "home"
        self.home.mkdir()
        self.catalog = self.bare("catalog", {
            **self.more,
            "web/Kptfile": KPTFILE.format(name="web") + "info:\n  description: serves # well\n",
            "web/deployment.yaml": DEPLOYMENT.format(replicas=1, version=1),
            "web/logo.bin": b"\0\xff\r\n\x80",
            "web/README.md": "# web\n",
            "web/db/Kptfile": KPTFILE.format(name="db"),
            "web/db/config.yaml": CONFIG_MAP.format(name="db", value="a"),
            "plain/config.yaml": CONFIG_MAP.format(name="plain", value="a"),
        }, tags=["web/v1"])
        self.commit(self.catalog, {
            "web/deployment.yaml": DEPLOYMENT.format(replicas=3, version=2),
            "web/db/config.yaml": CONFIG_MAP.format(name="db", value="b"),
            "web/new/config.yaml": CONFIG_MAP.format(name="new", value="a"),
            "web/README.md": None,
        }, "Second", tags=["web/v2", "v2"])
        self.url = f"file://{self.catalog}"

    def run_portico(self, *arguments, stdin=None, timeout=120):
        return subprocess.run([binary(), *map(str, arguments)], cwd=self.dir, input=stdin,
                              env={**ENVIRONMENT, "HOME": str(self.home), "XDG_CACHE_HOME": ""},
                              text=True, capture_output=True, timeout=timeout)

    def kpt(self, *arguments, folder):
        done = subprocess.run([KPT, *map(str, arguments)], cwd=folder, text=True,
                              env={**ENVIRONMENT, "HOME": str(self.home)}, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def read(self, path):
        return (self.dir / path).read_text()

    def snapshot(self, folder):
        root = self.dir / folder
        return {str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mode, p.stat().st_mtime_ns)
                for p in sorted(root.rglob("*")) if p.is_file()}

    def edit(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        (self.dir / path).write_text(text.replace(old, new))


class Get(Pkg):
    def test_the_package_knows_where_it_came_from(self):
        self.assertEqual(self.portico("pkg", "get", f"{self.url}/web@v1", "site"),
                         'Package "site": fetched web/v1 '
                         f'({self.git(self.catalog, "rev-parse", "web/v1")[:8]})\n\n'
                         "Fetched 1 package(s).\n")
        kptfile = self.read("site/Kptfile")
        for want in ("  name: site\n", "description: serves # well\n", "    directory: /web\n",
                     "    ref: v1\n", "    ref: web/v1\n", "updateStrategy: resource-merge\n"):
            self.assertIn(want, kptfile)
        self.assertIn("metadata: # kpt-merge: /web\n", self.read("site/deployment.yaml"))
        self.assertEqual((self.dir / "site/logo.bin").read_bytes(), b"\0\xff\r\n\x80")
        self.assertNotIn(b"\n", (self.dir / "site/windows.yaml").read_bytes().replace(b"\r\n", b""))
        self.assertEqual(self.portico("pkg", "diff", "site"), "", "nobody changed anything")
        self.assertFalse((self.dir / ".portico").exists())

    def test_where_it_goes(self):
        self.portico("pkg", "get", "catalog.git/web")
        self.assertTrue((self.dir / "web/Kptfile").exists(), "named after the package")
        self.assertIn("already exists", self.fails("pkg", "get", f"{self.url}/web"))
        self.portico("pkg", "get", f"{self.url}/web@main", "web")
        self.assertTrue((self.dir / "web/web/Kptfile").exists())
        self.assertIn("no folder", self.fails("pkg", "get", f"{self.url}/web", "no/where"))
        self.portico("pkg", "get", f"{self.url}@main", "all")
        self.assertTrue((self.dir / "all/plain/config.yaml").exists(), "the whole repository")

    def test_what_is_not_there(self):
        for url, want in ((f"{self.url}/nope", 'path "/nope" does not exist'),
                          (f"{self.url}/web@nope", 'branch, tag or commit "nope" not found'),
                          (f"{self.url}/web/Kptfile@main", "is not a directory"),
                          (f"file://{self.dir}/gone.git/web", "not a git repository"),
                          ("https://git.example.com/a/b@v1", "specify '.git'"),
                          ("--upload-pack=x.git/web", ""), ("ext::sh.git/web", "transport helper"),
                          (f"{self.url}/../web", "..")):
            self.assertIn(want, self.fails("pkg", "get", url, "site"))
            self.assertFalse((self.dir / "site").exists())

    def test_a_folder_without_kptfile(self):
        self.portico("pkg", "get", f"{self.url}/plain", "own", "--for-deployment", "--strategy",
                     "fast-forward")
        self.assertIn("  name: own\n", self.read("own/Kptfile"))
        self.assertIn("updateStrategy: fast-forward", self.read("own/Kptfile"))
        self.assertIn("  name: own\n", self.read("own/package-context.yaml"))

    def test_a_subpackage_with_an_upstream_of_its_own(self):
        self.commit(self.catalog, {"big/Kptfile": KPTFILE.format(name="big"),
                                   "big/part/Kptfile": KPTFILE.format(name="part") +
                                   f"upstream:\n  type: git\n  git:\n    repo: {self.url[:-4]}\n"
                                   "    directory: /web\n    ref: v1\n"}, "Third")
        self.assertIn("Fetched 2 package(s)", self.portico("pkg", "get", f"{self.url}/big"))
        self.assertIn("ref: web/v1", self.read("big/part/Kptfile"))
        self.assertIn("replicas: 1", self.read("big/part/deployment.yaml"))
        self.edit("big/part/deployment.yaml", "server:1", "server:7")
        diff = self.portico("pkg", "diff", "big")
        self.assertIn("+++ b/part/deployment.yaml", diff)
        self.assertEqual(diff.count("diff --git"), 1, diff)
        self.edit("big/part/Kptfile", "    ref: v1\n", "    ref: v2\n")
        self.portico("pkg", "update", "big")
        self.assertIn("replicas: 3", self.read("big/part/deployment.yaml"))


class Init(Pkg):
    def test_what_is_there_stays(self):
        (self.dir / "new").mkdir()
        (self.dir / "new/README.md").write_text("# ours\n")
        self.assertEqual(self.portico("pkg", "init", "new", "--description", "of the shop",
                                      "--keywords", "a,b"),
                         "writing Kptfile\nwriting package-context.yaml\n")
        kptfile = (self.dir / "new/Kptfile").read_text()
        for part in ("name: new\n", "description: of the shop\n", "- a\n", "- b\n"):
            self.assertIn(part, kptfile)
        self.assertEqual((self.dir / "new/README.md").read_text(), "# ours\n")
        self.assertEqual(self.portico("pkg", "init", "new"), "")
        self.assertIn('no folder "absent"', self.fails("pkg", "init", "absent"))

    @unittest.skipUnless(KPT, "no kpt here")
    def test_beside_kpt(self):
        for program, place in ((binary(), "ours"), (KPT, "theirs")):
            (self.dir / place / "web").mkdir(parents=True)
            subprocess.run([program, "pkg", "init", "web"], cwd=self.dir / place, env=ENVIRONMENT,
                           check=True, capture_output=True)
        for name in ("Kptfile", "package-context.yaml"):
            self.assertEqual((self.dir / "ours/web" / name).read_text(),
                             (self.dir / "theirs/web" / name).read_text())


class Update(Pkg):
    def setUp(self):
        super().setUp()
        self.portico("pkg", "get", f"{self.url}/web@v1")

    def test_local_changes_stay(self):
        self.edit("web/deployment.yaml", "# what serves", "# what serves here")
        self.edit("web/deployment.yaml", "  template:", "  paused: true\n\n  template:")
        before = self.snapshot("web")
        out = self.portico("pkg", "update", "web@v2")
        self.assertIn('Package "web": web/v1', out)
        self.assertTrue(out.endswith("Updated 1 package(s).\n"), out)
        text = self.read("web/deployment.yaml")
        for want in ("# what serves here\n", "  replicas: 3 # how many\n",
                     "  paused: true\n\n  template:", "          image: server:2\n"):
            self.assertIn(want, text)
        self.assertFalse((self.dir / "web/README.md").exists(), "removed upstream")
        self.assertTrue((self.dir / "web/new/config.yaml").exists())
        self.assertIn("key: b", self.read("web/db/config.yaml"))
        after = self.snapshot("web")
        for path in ("windows.yaml", "logo.bin", "db/Kptfile"):
            self.assertEqual(after[path], before[path], "not even written anew")
        self.assertNotIn("README", self.portico("pkg", "diff", "web"))
        self.portico("pkg", "update", "web")
        self.assertEqual(self.snapshot("web"), after, "nothing is left to do")

    def test_conflicts_by_policy(self):
        self.edit("web/deployment.yaml", "replicas: 1", "replicas: 7")
        before = self.snapshot("web")
        done = self.run_portico("pkg", "update", "web", "--to", "v2", "--on-conflict", "fail")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 conflict between the local package and upstream; nothing was changed",
                      done.stderr)
        for want in ("deployment.yaml", "Deployment.apps web", "spec.replicas", "changed on both sides"):
            self.assertIn(want, done.stdout)
        self.assertEqual(self.snapshot("web"), before)

        out = self.portico("pkg", "update", "web", "--to", "v2", "--dry-run")
        self.assertIn("-  replicas: 7 # how many\n+  replicas: 3 # how many\n", out)
        self.assertIn("Would update 1 package(s), 1 conflict(s).", out)
        self.assertEqual(self.snapshot("web"), before)

        shutil.copytree(self.dir / "web", self.dir / "other")
        self.portico("pkg", "update", "other", "--to", "v2", "--on-conflict", "keepLocal")
        self.assertIn("replicas: 7 # how many", self.read("other/deployment.yaml"))
        self.assertIn("server:2", self.read("other/deployment.yaml"))
        shutil.copytree(self.dir / "web", self.dir / "former")
        self.portico("pkg", "update", "former", "--to", "v2", "--on-conflict", "local")
        self.assertEqual(self.read("former/deployment.yaml"), self.read("other/deployment.yaml"))
        wrong = self.run_portico("pkg", "update", "web", "--to", "v2", "--on-conflict", "keeplocl")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn('unknown conflict policy "keeplocl" (did you mean keepLocal?): must be '
                      'takeUpstream, keepLocal or fail', wrong.stderr)
        self.portico("pkg", "update", "web", "--to", "v2")
        self.assertIn("replicas: 3 # how many", self.read("web/deployment.yaml"))

    def test_strategies(self):
        self.edit("web/deployment.yaml", "replicas: 1", "replicas: 7")
        before = self.snapshot("web")
        self.assertIn("local package files have been modified: [deployment.yaml]",
                      self.fails("pkg", "update", "web@v2", "--strategy", "fast-forward"))
        self.assertEqual(self.snapshot("web"), before)
        self.portico("pkg", "update", "web@v2", "--strategy", "force-delete-replace")
        self.assertIn("replicas: 3", self.read("web/deployment.yaml"))
        self.assertIn("updateStrategy: force-delete-replace", self.read("web/Kptfile"))

    def test_what_cannot_be_updated(self):
        self.assertIn("no folder", self.fails("pkg", "update", "nope"))
        self.assertIn("must have an upstream", self.fails("pkg", "update", "web/db"))
        self.assertIn("no Kptfile", self.fails("pkg", "update", "web/new")
                      if (self.dir / "web/new").exists() else self.fails("pkg", "update", "."))
        self.assertIn("branch, tag or commit", self.fails("pkg", "update", "web@nope"))
        self.assertIn("both specify a version", self.fails("pkg", "update", "web@v1", "--to", "v2"))

    def test_nothing_is_written_outside(self):
        outside = self.dir / "outside"
        outside.mkdir()
        (self.dir / "web/new").symlink_to(outside)  # upstream has a folder of that name
        self.assertIn("symbolic link", self.fails("pkg", "update", "web@v2"))
        self.assertEqual(list(outside.iterdir()), [])

    def test_modes_and_links_stay(self):
        (self.dir / "web/deployment.yaml").chmod(0o640)
        (self.dir / "web/run.sh").write_text("#!/bin/sh\n")
        (self.dir / "web/run.sh").chmod(0o755)
        (self.dir / "web/link").symlink_to("run.sh")
        self.portico("pkg", "update", "web@v2")
        self.assertEqual((self.dir / "web/deployment.yaml").stat().st_mode & 0o777, 0o640)
        self.assertEqual((self.dir / "web/run.sh").stat().st_mode & 0o777, 0o755)
        self.assertEqual(os.readlink(self.dir / "web/link"), "run.sh")
        self.assertEqual([p.name for p in (self.dir / "web").glob(".portico*")], [])

    def test_diffs(self):
        self.edit("web/Kptfile", "description: serves # well", "description: serves us # well")
        self.assertIn("+  description: serves us # well\n", self.portico("pkg", "diff", "web"))
        remote = self.portico("pkg", "diff", "web@v2", "--diff-type", "remote")
        self.assertIn("+  replicas: 3", remote)
        self.assertNotIn("serves us", remote)
        both = self.portico("pkg", "diff", "web", "--to", "v2", "--diff-type", "3way")
        self.assertLess(both.index("# changed upstream"), both.index("# changed here"))
        self.assertIn("-  replicas: 3", self.portico("pkg", "diff", "web@v2"))
        self.assertEqual(self.run_portico("pkg", "diff", "web", "--exit-code").returncode, 1)
        self.assertIn("was not fetched", self.fails("pkg", "diff", "web/db"))


class Remote(Pkg):
    def test_over_http(self):
        server = GitServer(self.dir)
        self.addCleanup(server.close)
        server.allow_only(basic("ada", "s3cret"))
        url = server.url("catalog.git")
        with_login = url.replace("http://", "http://ada:s3cret@")
        self.assertIn("refused", self.fails("pkg", "get", f"{url}/web@v1"))
        done = self.run_portico("pkg", "get", f"{with_login}/web@v1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("s3cret", done.stdout + done.stderr + self.read("web/Kptfile"))
        self.assertIn(f"repo: {url[:-4]}\n", self.read("web/Kptfile"))

        # Content in the mirror needs no server and no login.
        seen = len(server.seen)
        self.assertEqual(self.portico("pkg", "diff", "web"), "")
        self.assertEqual(len(server.seen), seen)
        server.allow_only(None)
        self.portico("pkg", "update", "web@v2")
        self.assertIn("replicas: 3", self.read("web/deployment.yaml"))
        self.commit(self.catalog, {"web/README.md": "# again\n"}, "Third")
        self.portico("pkg", "update", "web@main")
        self.assertTrue((self.dir / "web/README.md").exists(), "the mirror is brought up to date")
        commit = self.git(self.catalog, "rev-parse", "main").strip()
        self.portico("pkg", "get", f"{url}/web@{commit[:9]}", "pinned")
        self.assertIn(f"commit: {commit}", self.read("pinned/Kptfile"))


@unittest.skipUnless(KPT, "kpt is not installed")
class BesideKpt(Pkg):
    """The same commands on the same packages; Kptfiles are compared by lines, because kpt sorts them."""

    more = {}  # kpt writes other line breaks

    def compare(self, ours, theirs, path=""):
        a, b = self.dir / ours / path, self.dir / theirs / path
        self.assertEqual(sorted(p.name for p in a.iterdir()), sorted(p.name for p in b.iterdir()))
        for entry in a.iterdir():
            if entry.is_dir():
                self.compare(ours, theirs, pathlib.Path(path) / entry.name)
            elif entry.name == "Kptfile":
                lines = [sorted(l.replace("&", "").strip() for l in text.splitlines() if l.strip())
                         for text in (entry.read_text(), (b / "Kptfile").read_text())]
                if "info" in entry.read_text():  # kpt loses this comment
                    lines[0] = [l.replace(" # well", "") for l in lines[0]]
                    lines[1] = [l.replace(" # well", "") for l in lines[1]]
                self.assertEqual(*lines)
            else:
                self.assertTrue(filecmp.cmp(entry, b / entry.name, shallow=False), entry)

    def test_get_and_update(self):
        (self.dir / "kpt").mkdir()
        (self.dir / "here").mkdir()
        for name, arguments in (("web", [f"{self.url}/web@v1", "web"]),
                                ("own", [f"{self.url}/plain@main", "own", "--for-deployment"])):
            with self.subTest(name):
                self.kpt("pkg", "get", *arguments, folder=self.dir / "kpt")
                self.portico("pkg", "get", arguments[0], f"here/{name}", *arguments[2:])
                self.compare(f"here/{name}", f"kpt/{name}")
        for folder in ("kpt", "here"):
            self.edit(f"{folder}/web/deployment.yaml", "replicas: 1", "replicas: 7")
            self.edit(f"{folder}/web/deployment.yaml", "server:1\n", "server:1\n          tty: true\n")
        self.kpt("pkg", "update", "web@v2", folder=self.dir / "kpt")
        self.portico("pkg", "update", "here/web@v2")
        self.compare("here/web", "kpt/web")

    def test_each_reads_what_the_other_wrote(self):
        self.kpt("pkg", "get", f"{self.url}/web@v1", "web", folder=self.dir)
        self.assertEqual(self.portico("pkg", "diff", "web"), "")
        self.portico("pkg", "update", "web@v2")
        self.kpt("pkg", "update", "web@main", folder=self.dir)
        self.assertEqual(self.portico("pkg", "diff", "web"), "")


if __name__ == "__main__":
    unittest.main()
