"""For tests: the fixture of a Nephio deployment."""
import csv
import shutil
import subprocess

from support import ENVIRONMENT, SHARED, Fleet

FIXTURE = SHARED / "fixtures" / "nephio"
DEPLOYMENTS = ["mgmt", "mgmt-staging", "regional", "edge01", "edge02"]


def rows(name):
    with open(FIXTURE / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


class Deployment(Fleet):
    """Registered catalogs and empty cluster repositories."""

    def setUp(self):
        super().setUp()
        for name, bundle in [("catalog", "catalog"),
                             ("nephio-example-packages", "nephio-example-packages"),
                             *((name, "empty-deployment") for name in DEPLOYMENTS)]:
            subprocess.run(["git", "clone", "-q", "--bare",
                            str(FIXTURE / "repos" / f"{bundle}.bundle"),
                            str(self.dir / f"{name}.git")], env=ENVIRONMENT, check=True)
        shutil.copytree(FIXTURE / "manifests", self.dir / "manifests")
        for manifest in (self.dir / "manifests").rglob("*.yaml"):
            manifest.chmod(0o644)
            manifest.write_text(manifest.read_text().replace("${NEPHIO_REPOS}", str(self.dir)))
        self.portico("apply", "-f", "manifests/repositories", "--wait")

    def approve_all(self):
        drafts = [name for name, r in self.objects("rpkg").items()
                  if r["spec"]["lifecycle"] == "Draft"]
        self.portico("rpkg", "propose", *drafts)
        self.portico("rpkg", "approve", *drafts, "--wait")
        return drafts
