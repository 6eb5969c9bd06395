"""`portico apply` on a cluster, where a controller writes a status between the command's read and its write: the command
repeats, as kubectl apply does. Runs if $PORTICO_KUBERNETES names the command that starts a cluster."""
import copy
import pathlib
import subprocess
import unittest

import yaml
from apart import SET
from clusters import VERSIONS
from support import ENVIRONMENT, binary
from way import HttpWay, through
from without_porch import WithoutPorch

STATUS = {"conditions": [{"type": "Ready", "status": "False", "reason": "Busy", "message": "",
                          "lastTransitionTime": "2026-01-01T00:00:00Z"}]}


class ApplyBesideControllers(WithoutPorch):
    def test_a_status_written_meanwhile(self):
        self.install_servers()
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SET))
        self.kubectl("create", "serviceaccount", "ada")
        self.kubectl("create", "clusterrolebinding", "ada", "--clusterrole=cluster-admin", "--serviceaccount=default:ada")
        config = yaml.safe_load(pathlib.Path(self.front).read_text(encoding="utf-8"))
        config["users"] = [{"name": config["users"][0]["name"],
                            "user": {"token": self.kubectl("create", "token", "ada").strip()}}]
        writes = []

        def fault(method, target, _):
            if method in ("PUT", "PATCH") and "/packagevariantsets/web" in target:
                writes.append(method)
                if len(writes) == 1:
                    place = f"{VERSIONS['packagevariantsets']}/namespaces/default/packagevariantsets/web/status"
                    self.kubernetes.done("PATCH", place, {"status": STATUS})
        way = HttpWay(self.front, self.cluster / "pki", fault)
        self.addCleanup(way.close)
        newer = copy.deepcopy(SET)
        newer["spec"]["upstream"]["revision"] = 2
        done = subprocess.run(
            [binary(), "--kubeconfig", through(self.write("ada.kubeconfig", yaml.safe_dump(config)), way.port,
                                               self.dir / "way.kubeconfig"), "apply", "-f", "-"],
            cwd=self.dir, text=True, capture_output=True, input=yaml.safe_dump(newer), timeout=60,
            env={**ENVIRONMENT, "HOME": str(self.dir)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(writes), 2)


if __name__ == "__main__":
    unittest.main()
