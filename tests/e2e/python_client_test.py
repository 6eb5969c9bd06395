"""The Python client for Kubernetes against `portico serve --listen` (tests/clients/python)."""
import os
import subprocess
import unittest

from api_server import Served
from support import ENVIRONMENT, ROOT

# Debian's package works only with Debian's Python, whichever Python runs the tests.
PYTHON = "/usr/bin/python3"


class PythonClient(Served):
    def test_typed_and_dynamic(self):
        found = subprocess.run([PYTHON, "-c", "import kubernetes"], capture_output=True, text=True)
        if found.returncode != 0 and not os.environ.get("CI"):
            self.skipTest("python3-kubernetes is not installed: ./dev setup installs it")
        self.serve()
        done = subprocess.run(
            [PYTHON, ROOT / "tests/clients/python/python_client.py", self.kubeconfig],
            env=ENVIRONMENT, text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
