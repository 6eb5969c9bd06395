"""A state folder of an earlier version is read, upgraded and written to; one of a later version is left unchanged.

tests/faults/layout_N holds a state folder of layout N and its repositories as text. It was written once, with
`PORTICO_BINARY=... PYTHONPATH=../e2e python3 layout_test.py --write layout_N`, and must not change: it is the format
that users have on their disks."""
import pathlib
import sqlite3
import subprocess
import sys
import unittest

import yaml
from fault_fleet import WEB, later
from support import ENVIRONMENT, Fleet

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORIES = ("blueprints", "edge")
SET = {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet", "metadata": {"name": "fleet"},
       "spec": {"upstream": {"repo": "blueprints", "package": "web"},
                "targets": [{"repositories": [{"name": "edge", "packageNames": ["web-0", "web-1"]}]}]}}
SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "token"}, "stringData": {"password": "open sesame"}}
NOTE = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "note", "labels": {"team": "a"}},
        "data": {"text": "line\nüber"}}
PUBLISHED, DRAFT = "edge.web-0.packagevariant-1", "edge.web-1.packagevariant-1"


def git(folder, *arguments, **more):
    return subprocess.run(["git", "-C", str(folder), *arguments], env=ENVIRONMENT, check=True, capture_output=True,
                          **more).stdout


class OfEarlier(Fleet):
    layout = "layout_1"

    def setUp(self):
        super().setUp()
        self.state = self.dir / ".portico"
        source = HERE / self.layout
        store = sqlite3.connect(self.state / "store.db")
        store.executescript((source / "store.sql").read_text().replace("@DIR@", str(self.dir)))
        store.close()
        (self.state / "secrets.key").write_text((source / "secrets.key").read_text())
        (self.state / "secrets.key").chmod(0o600)
        for name in REPOSITORIES:
            git(self.dir, "init", "-q", "--bare", "-b", "main", f"{name}.git")
            git(self.dir / f"{name}.git", "fast-import", "--quiet",
                input=(source / f"{name}.git.export").read_bytes())

    def test_is_shown(self):
        revisions = self.objects("packagerevisions")
        self.assertEqual(revisions[PUBLISHED]["spec"]["lifecycle"], "Published")
        self.assertEqual(revisions[DRAFT]["spec"]["lifecycle"], "Draft")
        for name, variant in self.objects("packagevariants").items():
            self.assertEqual(self.condition(variant)["status"], "True", name)
        self.assertEqual(self.objects("secrets")["token"]["data"], {"password": "b3BlbiBzZXNhbWU="})
        self.assertEqual(self.objects("configmaps")["note"]["data"], NOTE["data"])
        self.assertTrue(self.objects("events"))
        self.portico("rpkg", "pull", DRAFT, "pulled")
        self.assertEqual((self.dir / "pulled/service.yaml").read_text().count("port: 80\n"), 1)

    def test_is_upgraded_and_written_to(self):
        self.portico("rpkg", "propose", DRAFT)
        self.portico("rpkg", "approve", DRAFT)
        self.commit(self.dir / "blueprints.git", {"web/service.yaml": later(WEB["web/service.yaml"])}, "Second",
                    tags=["web/v2"])
        self.portico("repo", "sync", "--all", "--wait")
        for package in ("web-0", "web-1"):
            self.assertIn("8080", self.show(self.dir / "edge.git",
                                            f"refs/heads/drafts/{package}/packagevariant-2:{package}/service.yaml"))
        self.portico("label", "configmap", "note", "team=b", "--overwrite")
        self.portico("apply", "-f", "-", stdin=yaml.safe_dump({**SECRET, "stringData": {"password": "other"}}))
        self.assertEqual(self.objects("configmaps")["note"]["metadata"]["labels"], {"team": "b"})
        self.assertEqual(self.objects("secrets")["token"]["data"], {"password": "b3RoZXI="})
        for name in REPOSITORIES:
            self.fsck(self.dir / f"{name}.git")


class OfLater(Fleet):
    serves = False

    def setUp(self):
        super().setUp()
        self.bare("edge")
        self.portico("repo", "register", "edge.git", "--wait")
        self.state = self.dir / ".portico"
        self.sql("PRAGMA user_version = 2; CREATE TABLE news(text)")
        for name in ("secrets.key", "store.lock"):  # a later version may not use them
            (self.state / name).unlink()

    def sql(self, text):
        store = sqlite3.connect(self.state / "store.db")
        store.executescript(text)
        store.close()

    def files(self):
        return {str(path.relative_to(self.state)): path.read_bytes() if path.is_file() else None
                for path in self.state.rglob("*")}

    def test_is_left_as_it_is(self):
        before = self.files()
        note = yaml.safe_dump(NOTE)
        for command in (["get", "repositories"], ["status"], ["apply", "-f", "-"], ["plan", "-f", "-"],
                        ["repo", "sync", "--all"], ["serve"], ["serve", "--listen", "127.0.0.1:0"], ["init"]):
            with self.subTest(" ".join(command)):
                if command != ["init"]:
                    said = self.fails(*command, stdin=note)
                    self.assertIn("layout 2, this version of Portico supports layout 1; install the version that wrote it",
                                  said)
                else:
                    self.run_portico(*command)
                self.assertEqual(self.files(), before)


class Write(Fleet):
    """Not a test: writes the texts."""

    def write_fixture(self, target):
        for repository in REPOSITORIES:
            self.bare(repository, WEB if repository == "blueprints" else None,
                      tags=["web/v1"] if repository == "blueprints" else ())
        self.portico("repo", "register", "blueprints.git", "--wait")
        self.portico("repo", "register", "edge.git", "--deployment", "--wait")
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all([SET, SECRET, NOTE]))
        self.portico("rpkg", "propose", PUBLISHED)
        self.portico("rpkg", "approve", PUBLISHED, "--wait")
        target.mkdir(exist_ok=True)
        store = sqlite3.connect(self.dir / ".portico/store.db")
        pragmas = [(name, store.execute(f"PRAGMA {name}").fetchone()[0])
                   for name in ("page_size", "journal_mode", "application_id", "user_version")]
        text = "".join(f"PRAGMA {name} = {value};\n" for name, value in pragmas) + "\n".join(store.iterdump()) + "\n"
        store.close()
        (target / "store.sql").write_text(text.replace(str(self.dir), "@DIR@"))
        (target / "secrets.key").write_text((self.dir / ".portico/secrets.key").read_text())
        for repository in REPOSITORIES:
            (target / f"{repository}.git.export").write_bytes(
                git(self.dir / f"{repository}.git", "fast-export", "--all", "--reencode=no"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        fixture = Write("write_fixture")
        fixture.setUp()
        fixture.write_fixture(HERE / sys.argv[2])
        fixture.doCleanups()
    else:
        unittest.main()
