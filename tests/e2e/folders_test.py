"""Packages written into folders: nothing is written outside, and no other work is overwritten."""
import binascii
import json
import os
import pathlib
import subprocess
import unittest

from support import ENVIRONMENT, Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: '1'\n"


class Folders(Fleet):
    def setUp(self):
        super().setUp()
        self.outside = self.dir / "outside"
        (self.outside / "d").mkdir(parents=True)
        (self.outside / "file.yaml").write_text(CONFIG.replace("name: c", "name: precious"))
        (self.outside / "d/f").write_text("precious")
        self.before = self.seen(self.outside)

    def tearDown(self):
        self.assertEqual(self.seen(self.outside), self.before)

    def seen(self, folder):
        return {str(p.relative_to(folder)): p.read_text() if p.is_file() else "folder"
                for p in sorted(folder.rglob("*"))}

    def catalog(self, **files):
        return self.bare("catalog", {"web/Kptfile": KPTFILE, "web/c.yaml": CONFIG, **files},
                         tags=["web/v1"])


class Pulling(Folders):
    def setUp(self):
        super().setUp()
        self.catalog()
        self.portico("repo", "register", "catalog.git")
        self.portico("rpkg", "copy", "catalog.web.v1", "--workspace", "w")
        self.portico("rpkg", "pull", "catalog.web.w", "w")

    def test_edits_are_not_overwritten(self):
        (self.dir / "w/c.yaml").write_text("mine")
        (self.dir / "w/new.txt").write_text("mine")
        error = self.fails("rpkg", "pull", "catalog.web.w", "w")
        self.assertIn('"w" has edits that are not in catalog.web.w: c.yaml, new.txt; push them, or '
                      "use --force to discard them", error)
        self.assertEqual((self.dir / "w/c.yaml").read_text(), "mine")
        self.portico("rpkg", "pull", "catalog.web.w", "w", "--force")
        self.assertEqual((self.dir / "w/c.yaml").read_text(), CONFIG)
        self.assertFalse((self.dir / "w/new.txt").exists())
        self.portico("rpkg", "pull", "catalog.web.w", "w")

    def test_a_comment_is_an_edit(self):
        commented = CONFIG.replace("  a: '1'", "  a: '1'  # of the lab")
        (self.dir / "w/c.yaml").write_text(commented)
        self.assertEqual(self.portico("rpkg", "push", "catalog.web.w", "w"),
                         "catalog.web.w pushed\n")
        self.portico("rpkg", "pull", "catalog.web.w", "again")
        self.assertEqual((self.dir / "again/c.yaml").read_text(), commented)
        self.assertEqual(self.portico("rpkg", "push", "catalog.web.w", "again"),
                         "catalog.web.w unchanged\n")

    def test_a_folder_of_others_is_left_alone(self):
        mine = self.dir / "mine"
        mine.mkdir()
        (mine / "c.yaml").write_text("mine")
        (mine / "notes.txt").write_text("mine")
        error = self.fails("rpkg", "pull", "catalog.web.w", "mine")
        self.assertIn('"mine" was not pulled and contains other files: c.yaml, notes.txt', error)
        self.assertEqual(self.seen(mine), {"c.yaml": "mine", "notes.txt": "mine"})
        self.portico("rpkg", "pull", "catalog.web.w", "mine", "--force")
        self.assertEqual((mine / "c.yaml").read_text(), CONFIG)
        self.assertEqual((mine / "notes.txt").read_text(), "mine")

    def test_links_stay_links(self):
        os.symlink("c.yaml", self.dir / "w/link.yaml")
        self.portico("rpkg", "push", "catalog.web.w", "w")
        self.assertIn("120000 blob", self.git(self.dir / "catalog.git", "ls-tree", "drafts/web/w:web"))
        self.assertEqual(os.readlink(self.dir / "w/link.yaml"), "c.yaml")
        self.portico("fn", "eval", "w", "-i", "set-labels", "--", "k=v")
        self.assertEqual(os.readlink(self.dir / "w/link.yaml"), "c.yaml")
        self.assertIn("k: v", (self.dir / "w/c.yaml").read_text())

    def test_links_out_are_kept_in_git_and_written_nowhere(self):
        os.symlink("../outside/file.yaml", self.dir / "w/out.yaml")
        os.symlink("../outside/d", self.dir / "w/d")
        self.portico("rpkg", "push", "catalog.web.w", "w")
        done = self.run_portico("rpkg", "pull", "catalog.web.w", "other")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('[WARN] "out.yaml" is a symbolic link that points outside the package: it was '
                      "not written", done.stderr)
        self.assertFalse(os.path.lexists(self.dir / "other/out.yaml"))
        (self.dir / "other/c.yaml").write_text(CONFIG.replace("'1'", "'2'"))
        self.portico("rpkg", "push", "catalog.web.w", "other")
        tree = self.git(self.dir / "catalog.git", "ls-tree", "drafts/web/w:web")
        self.assertEqual(tree.count("120000 blob"), 2, tree)
        self.assertNotIn("precious", self.git(self.dir / "catalog.git", "grep", "-h", "", "drafts/web/w"))

    def test_what_is_no_file_is_named(self):
        os.mkfifo(self.dir / "w/pipe")
        self.assertIn('"pipe" is neither a file nor a directory',
                      self.fails("rpkg", "push", "catalog.web.w", "w"))


class Hostile(Folders):
    """Trees that no git client would write, as new packages and as the next version of a package."""

    def raw(self, kind, data):
        done = subprocess.run(["git", "-C", str(self.repository), "hash-object", "-t", kind, "-w",
                               "--stdin", "--literally"], env=ENVIRONMENT, input=data,
                              capture_output=True, check=True)
        return done.stdout.decode().strip()

    def tree(self, entries):
        return self.raw("tree", b"".join(
            mode.encode() + b" " + name + b"\0" + binascii.unhexlify(sha)
            for mode, name, sha in sorted(entries, key=lambda e: e[1])))

    def publish(self, entries, tag):
        web = self.tree(entries)
        root = self.tree([("40000", b"web", web)])
        commit = self.raw("commit", f"tree {root}\nauthor A <a@b> 1 +0000\n"
                                    f"committer A <a@b> 1 +0000\n\nx\n".encode())
        self.git(self.repository, "update-ref", "refs/heads/main", commit)
        self.git(self.repository, "update-ref", f"refs/tags/web/{tag}", commit)

    def cases(self):
        config = self.raw("blob", CONFIG.encode())
        below = self.tree([("100644", b"pwn.yaml", config)])
        def link(target):
            return self.raw("blob", target.encode())
        names = [b"..", b".", b"", b"../x", b"/tmp/x", b"a/b", b".git", b".GIT", b".Git ", b".git.",
                 b"git~1", b"GIT~1", b".g\xe2\x80\x8cit", b"c.yaml", b"C.YAML", b"c.yaml.", b"d",
                 b"x\ny", b"\x1b[31m", b"..\\..\\x", b"n" * 300, b"\xff\xfe", b"Kptfile", b"KPTFILE",
                 b"con", b"a:b", b".portico-update", b"-rf"]
        outs = [str(self.outside), "../outside", "../../outside/d", "..", ".", "c.yaml", "/etc/passwd",
                ".git", "d/../..", "x" * 3000]
        for name in names:
            yield [("100644", name, config)]
            yield [("100755", name, config)]
            yield [("40000", name, below)]
            yield [("120000", name, link("../outside/file.yaml"))]
            yield [("160000", name, "1" * 40)]
            yield [("120000", name, link(str(self.outside / "d"))), ("40000", name, below)]
            yield [("100644", name, config), ("40000", name, below)]
            yield [("40000", b"sub", self.tree([("100644", name, config)]))]
        for out in outs:
            yield [("120000", b"d", link(out))]
            yield [("120000", b"package-context.yaml", link(out))]
            yield [("120000", b"d", link(out)), ("40000", b"d", below)]
            yield [("40000", b"s", self.tree([("120000", b"l", link(out))]))]
        yield [("100644", b"gone.yaml", "2" * 40)]
        yield [("40000", b"gone", "3" * 40)]
        yield [("100644", b"tree.yaml", below)]
        yield [("40000", b"blob", config)]
        yield [("104755", b"suid", config)]
        yield [("0", b"none", config)]
        deep = below
        for _ in range(100):
            deep = self.tree([("40000", b"d", deep)])
        yield [("40000", b"deep", deep)]

    def try_one(self, entries, *arguments):
        done = self.run_portico(*arguments, timeout=60)
        self.assertIn(done.returncode, (0, 1, 2), f"{entries} {arguments}: {done.stderr}")
        self.assertNotIn("\x1b", done.stdout + done.stderr, entries)
        self.assertNotIn("precious", done.stdout, entries)
        self.assertEqual(self.seen(self.outside), self.before, f"{entries} {arguments}")
        return done

    def test_nothing_leaves_the_folder(self):
        self.repository = self.catalog()
        config = self.raw("blob", CONFIG.encode())
        kptfile = ("100644", b"Kptfile", self.raw("blob", KPTFILE.encode()))
        plain = [kptfile, ("100644", b"c.yaml", config)]
        source = f"{self.dir}/catalog.git/web"
        there = {p.name for p in self.dir.iterdir()}
        count = 0
        for number, entries in enumerate(self.cases()):
            count += 1
            self.publish(plain + entries, "v1")
            done = self.try_one(entries, "pkg", "get", source + "@v1", "got")
            got = self.dir / "got"
            if done.returncode:
                self.assertFalse(os.path.lexists(got), f"{entries}: {done.stderr}")
            else:
                for path in got.rglob("*"):
                    self.assertTrue(path.resolve().is_relative_to(got.resolve()), path)
                    self.assertNotEqual(path.name.lower().strip(". "), ".git", entries)
                if number % 3 == 0:
                    self.try_one(entries, "fn", "render", "got")
                    self.try_one(entries, "fn", "source", "got")
                    self.try_one(entries, "fn", "eval", "got", "-i", "set-labels", "--", "k=v")
                subprocess.run(["rm", "-rf", str(got)], check=True)
            if number % 3 == 0:
                self.publish(plain, "v1")
                self.portico("pkg", "get", source + "@v1", "old")
                before = self.seen(self.dir / "old")
                self.publish(plain + entries, "v2")
                if self.try_one(entries, "pkg", "update", "old@v2").returncode:
                    self.assertEqual(self.seen(self.dir / "old"), before, entries)
                subprocess.run(["rm", "-rf", str(self.dir / "old")], check=True)
            self.assertEqual({p.name for p in self.dir.iterdir()}, there, entries)
        self.assertGreater(count, 250)

    def check_inside(self, folder, entries):
        for path in folder.rglob("*"):
            self.assertTrue(path.resolve().is_relative_to(folder.resolve()), path)
            self.assertNotEqual(path.name.lower().strip(". "), ".git", entries)

    def publish_all(self, plain):
        """Publishes each case as a package p0, p1, ... in one commit, except those that need a damaged repository."""
        all_cases = [entries for entries in self.cases()
                     if not any(sha in ("2" * 40, "3" * 40) for _, _, sha in entries)]
        root = self.tree([("40000", f"p{i}".encode(), self.tree(plain + entries))
                          for i, entries in enumerate(all_cases)])
        commit = self.raw("commit", f"tree {root}\nauthor A <a@b> 1 +0000\n"
                                    f"committer A <a@b> 1 +0000\n\nx\n".encode())
        refs = ["refs/heads/main", *(f"refs/tags/p{i}/v1" for i in range(len(all_cases)))]
        subprocess.run(["git", "-C", str(self.repository), "update-ref", "--stdin"], check=True,
                       env=ENVIRONMENT, text=True,
                       input="".join(f"update {ref} {commit}\n" for ref in refs))
        return all_cases

    def test_nothing_leaves_the_folder_of_a_revision(self):
        self.repository = self.catalog()
        config = self.raw("blob", CONFIG.encode())
        all_cases = self.publish_all([("100644", b"Kptfile", self.raw("blob", KPTFILE.encode())),
                                      ("100644", b"c.yaml", config)])
        self.assertGreater(len(all_cases), 250)
        self.portico("repo", "register", "catalog.git", "--wait")
        there = {p.name for p in self.dir.iterdir()}
        sunk = 0
        for number, entries in enumerate(all_cases):
            done = self.try_one(entries, "rpkg", "pull", f"catalog.p{number}.v1", "pulled")
            pulled = self.dir / "pulled"
            if done.returncode:
                self.assertFalse(os.path.lexists(pulled), f"{entries}: {done.stderr}")
            else:
                self.check_inside(pulled, entries)
                source = self.run_portico("fn", "source", "pulled")
                self.assertIn(source.returncode, (0, 1), source.stderr)
                if source.returncode == 0:
                    sink = self.run_portico("fn", "sink", "sunk", stdin=source.stdout)
                    self.assertIn(sink.returncode, (0, 1), sink.stderr)
                    self.check_inside(self.dir / "sunk", entries)
                    sunk += sink.returncode == 0
                subprocess.run(["rm", "-rf", str(pulled), str(self.dir / "sunk")], check=True)
            self.assertEqual({p.name for p in self.dir.iterdir()}, there, entries)
            self.assertEqual(self.seen(self.outside), self.before, entries)
        self.assertGreater(sunk, 20)

    def put(self, folder, entries):
        """Writes the entries that the file system accepts; returns them."""
        made = []
        for mode, name, sha in entries:
            path = os.path.join(os.fsencode(folder), name)
            if name in (b"", b".", b"..") or b"/" in name or len(name) > 255 or os.path.lexists(path):
                continue
            if mode.startswith("100"):
                with open(path, "wb") as file:
                    file.write(CONFIG.encode())
            elif mode == "120000":
                target = subprocess.run(["git", "-C", str(self.repository), "cat-file", "blob", sha],
                                        env=ENVIRONMENT, capture_output=True, check=True).stdout
                os.symlink(target, path)
            elif mode == "40000":
                os.mkdir(path)
                with open(os.path.join(path, b"pwn.yaml"), "wb") as file:
                    file.write(CONFIG.encode())
            else:
                continue
            made.append(path)
        return made

    def test_nothing_comes_into_git_from_outside_of_a_pushed_folder(self):
        self.repository = self.catalog()
        self.portico("repo", "register", "catalog.git", "--deployment", "--wait")
        self.portico("rpkg", "init", "web2", "--repository", "catalog", "--workspace", "w")
        self.portico("rpkg", "pull", "catalog.web2.w", "w")
        folder, pushed = self.dir / "w", 0
        for entries in self.cases():
            made = self.put(folder, entries)
            if not made:
                continue
            if self.try_one(entries, "rpkg", "push", "catalog.web2.w", "w").returncode == 0:
                pushed += 1
                names = subprocess.run(["git", "-C", str(self.repository), "ls-tree", "-r", "-z",
                                        "--name-only", "drafts/web2/w"], env=ENVIRONMENT,
                                       capture_output=True, check=True).stdout.split(b"\0")
                for name in names:
                    for part in name.lower().split(b"/"):
                        self.assertNotIn(part.rstrip(b". "), (b".git", b"git~1"), entries)
                done = subprocess.run(["git", "-C", str(self.repository), "grep", "-q", "precious",
                                       "drafts/web2/w"], env=ENVIRONMENT)
                self.assertEqual(done.returncode, 1, entries)
            for path in made:
                subprocess.run([b"rm", b"-rf", b"--", path], check=True)
        self.assertGreater(pushed, 20)

    def test_a_package_that_cannot_be_read_does_not_hide_the_others(self):
        self.repository = self.catalog(**{"other/Kptfile": KPTFILE.replace("web", "other")})
        config = self.raw("blob", CONFIG.encode())
        web = self.tree([("100644", b"Kptfile", self.raw("blob", KPTFILE.encode())),
                         ("100644", b"c.yaml", config), ("120000", b"c.yaml", config)])
        other = self.git(self.repository, "rev-parse", "main:other").strip()
        root = self.tree([("40000", b"web", web), ("40000", b"other", other)])
        commit = self.raw("commit", f"tree {root}\nauthor A <a@b> 1 +0000\n"
                                    f"committer A <a@b> 1 +0000\n\nx\n".encode())
        self.git(self.repository, "update-ref", "refs/heads/main", commit)
        self.portico("repo", "register", "catalog.git", "--wait")
        seen = self.objects("packagerevisions")
        self.assertIn("catalog.other.main", seen)
        unreadable = self.condition(seen["catalog.web.main"], "Unreadable")
        self.assertEqual(unreadable["status"], "True")
        self.assertIn('duplicate entry "c.yaml" in git tree', unreadable["message"])
        self.assertIn('duplicate entry "c.yaml" in git tree', self.fails("rpkg", "pull", "catalog.web.main", "x"))

    def test_sink(self):
        there = {p.name for p in self.dir.iterdir()}
        for path in ("../pwn.yaml", ".git/config", "a/../../pwn.yaml", "./../pwn.yaml", "..", "a/",
                     "x\\..\\p.yaml", "\0x", "a\nb.yaml", ".GIT/x.yaml", "git~1/x.yaml",
                     "Kptfile/../../p.yaml", "~/x.yaml", "/tmp/x/y.yaml"):
            stream = json.dumps({
                "apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList",
                "items": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
                    "name": "x", "annotations": {"internal.config.kubernetes.io/path": path,
                                                 "config.kubernetes.io/path": path}}}]})
            done = self.run_portico("fn", "sink", "out", stdin=stream)
            self.assertIn(done.returncode, (0, 1), path)
            subprocess.run(["rm", "-rf", str(self.dir / "out")], check=True)
            self.assertEqual({p.name for p in self.dir.iterdir()}, there, path)
            self.assertFalse(pathlib.Path("/tmp/x/y.yaml").exists())


if __name__ == "__main__":
    unittest.main()
