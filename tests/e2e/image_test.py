"""The image of tools/image: it follows OCI, contains everything the program needs, and is reproducible.

It has the tested program, without symbols. If a release program exists, its size is checked as well."""
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import tempfile
import unittest
import urllib.request

import container
from git_server import GitServer
from support import ENVIRONMENT, ROOT, Fleet, binary

MOST_BYTES = 80_000_000
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


def make(folder, program=None):
    done = subprocess.run([ROOT / "tools/image", program or binary(), folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def setUpModule():
    global FOLDER, SAID, IMAGE, RUNNER
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="portico-image-"))
    unittest.addModuleCleanup(shutil.rmtree, FOLDER, ignore_errors=True)
    FOLDER.chmod(0o755)
    SAID = make(FOLDER / "image")
    IMAGE = container.Image(FOLDER / "image/oci", FOLDER / "root")
    RUNNER = container.Runner(IMAGE, FOLDER)


class ImageTest(unittest.TestCase):
    def run_in(self, *arguments, mounts=()):
        if not RUNNER.way:
            self.skipTest("neither runc nor bubblewrap can make a container here")
        done = subprocess.run(RUNNER.command(list(arguments), mounts), text=True, capture_output=True,
                              timeout=60, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, f"{arguments} in {RUNNER.way}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def test_the_programs_in_it_run(self):
        version = subprocess.run([binary(), "--version"], text=True, capture_output=True).stdout
        self.assertEqual(self.run_in("/usr/bin/portico", "--version"), version)
        self.assertIn("git version", self.run_in("/usr/bin/git", "--version"))
        self.assertIn("OpenSSH", self.run_in("/usr/bin/ssh", "-V"))
        self.assertIn("bubblewrap", self.run_in("/usr/bin/bwrap", "--version"))
        self.assertEqual(self.run_in("/bin/sh", "-c", "echo $HOME $PORTICO_STATE"),
                         "/tmp /var/lib/portico/.portico\n")

    def test_each_program_finds_its_libraries(self):
        for path in sorted(IMAGE.root.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
                said = self.run_in("/lib64/ld-linux-x86-64.so.2", "--list",
                                   f"/{path.relative_to(IMAGE.root)}") if self.linked(path) else ""
                self.assertNotIn("not found", said, path)

    @staticmethod
    def linked(path):
        """Whether it is a program or a plugin; libraries are covered by the programs that need them."""
        return path.parent.name in ("bin", "git-core", "portico") and pathlib.Path("/lib64/ld-linux-x86-64.so.2").exists()

    def test_nothing_is_ours_to_write_but_the_state(self):
        wrong = [str(path) for path in IMAGE.root.rglob("*")
                 if not path.is_symlink() and path.stat().st_mode & 0o6022 and path.name != "tmp"]
        self.assertEqual(wrong, [])
        config = IMAGE.config["config"]
        self.assertEqual(config["User"], "65532:65532")
        self.assertEqual(config["Entrypoint"], ["/usr/bin/portico"])

    def test_packages_are_told_with_their_licences(self):
        told = {path.name for path in (IMAGE.root / "var/lib/dpkg/status.d").iterdir()}
        self.assertLessEqual({"git", "openssh-client", "bubblewrap", "ca-certificates", "libssl3", "libc6"}, told)
        for package in told:
            self.assertTrue((IMAGE.root / "usr/share/doc" / package / "copyright").is_file(), package)

    def test_it_is_small(self):
        programs = [binary()]
        if (release := ROOT / "build/release/portico").exists():
            programs.append(str(release))
        for program in programs:
            said = SAID if program == binary() else make(FOLDER / "release", program)
            unpacked = float(re.search(r"([0-9.]+) MB unpacked", said)[1])
            self.assertLess(unpacked * 1e6, MOST_BYTES, program)

    def test_the_same_files_give_the_same_bytes(self):
        make(FOLDER / "again")
        for name in ("oci/index.json", "portico.tar"):
            self.assertEqual((FOLDER / "image" / name).read_bytes(), (FOLDER / "again" / name).read_bytes())

    @unittest.skipUnless(shutil.which("skopeo"), "skopeo is not installed")
    def test_skopeo_takes_it(self):
        def skopeo(*arguments):
            done = subprocess.run(["skopeo", *arguments], text=True, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        version = IMAGE.config["config"]["Labels"]["org.opencontainers.image.version"]
        digest = IMAGE.read("index.json")["manifests"][0]["digest"]
        self.assertIn(digest, skopeo("inspect", f"oci:{FOLDER}/image/oci:{version}"))
        # Copying reads every blob and checks its digest.
        skopeo("--insecure-policy", "copy", f"oci-archive:{FOLDER}/image/portico.tar", f"dir:{FOLDER}/copy")


class ServedFromTheImage(Fleet):
    serves = False

    def test_a_fleet_over_http_on_a_read_only_root(self):
        if not RUNNER.way:
            self.skipTest("neither runc nor bubblewrap can make a container here")
        os.chmod(self.dir, 0o755)  # so that the image's user can reach the volume
        self.bare("up", {"web/Kptfile": KPTFILE}, tags=["web/v1"])
        server = GitServer(self.dir)
        self.addCleanup(server.http.server_close)
        self.addCleanup(server.http.shutdown)
        server.http.allowed.add(None)
        mounts = [(RUNNER.own(self.dir / "volume"), "/var/lib/portico", ["rw"])]

        def portico(*arguments):
            done = subprocess.run(RUNNER.command(["/usr/bin/portico", *arguments], mounts), text=True,
                                  capture_output=True, timeout=120, env=ENVIRONMENT)
            self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
            return done.stdout
        portico("init")
        portico("repo", "register", server.url("up.git"), "--wait")
        self.assertIn("up.web.v1", portico("rpkg", "get"))
        # Queried like a cluster's probe, which verifies no certificate.
        process = subprocess.Popen(
            RUNNER.command(["/usr/bin/portico", "serve", "--listen", "127.0.0.1:0"], mounts), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 20)
        self.addCleanup(process.terminate)
        url = next(found[1] for line in process.stdout if (found := re.search(r"Kubernetes API at (\S+);", line)))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}),
                                             urllib.request.HTTPSHandler(context=context))
        with opener.open(f"{url}/readyz", timeout=30) as answer:
            self.assertEqual(answer.read(), b"ok")


if __name__ == "__main__":
    unittest.main()
