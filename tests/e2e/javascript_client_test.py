"""The JavaScript client for Kubernetes against `portico serve --listen` (tests/clients/javascript)."""
import fcntl
import hashlib
import shutil
import subprocess
import unittest

from api_server import Served
from support import ENVIRONMENT, ROOT

SOURCE = ROOT / "tests/clients/javascript"
FOLDER = ROOT / "build/clients/javascript"
OLDEST = 20  # version of Node.js that the client needs


class NoClient(Exception):
    """The client is not available; the message is one line with the reason."""


def client():
    """The program, next to the packages of its lock file, which are fetched if missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise NoClient("node and npm are not installed")
    version = subprocess.run([node, "--version"], text=True, capture_output=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST:
        raise NoClient(f"node is {version}: the client needs {OLDEST}")
    wanted = hashlib.sha256((SOURCE / "package-lock.json").read_bytes()).hexdigest()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for file in SOURCE.iterdir():
            shutil.copy(file, FOLDER)
        done = FOLDER / "fetched"
        if not done.exists() or done.read_text() != wanted:
            fetched = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=FOLDER,
                                     text=True, capture_output=True, timeout=600)
            if fetched.returncode != 0:
                raise NoClient(f"npm cannot fetch the client: {fetched.stderr.strip()[-300:]}")
            done.write_text(wanted)
    return [node, FOLDER / "client.mjs"]


class JavaScriptClient(Served):
    def test_typed_untyped_informer_watch_and_pages(self):
        try:
            program = client()
        except NoClient as why:
            self.skipTest(str(why))
        self.serve()
        done = subprocess.run([*program, self.kubeconfig], env=ENVIRONMENT, text=True, capture_output=True, timeout=240)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
