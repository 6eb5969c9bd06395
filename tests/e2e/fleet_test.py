"""A set over two hundred repositories, selected and configured by their labels."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import yaml
from support import ENVIRONMENT, Fleet

COUNT = 200
REGIONS = ["north", "south", "east", "west"]
BLUEPRINT = {
    "web/Kptfile": """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
  annotations:
    config.kubernetes.io/local-config: "true"
info:
  description: a web server
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
    configMap:
      app: web
""",
    "web/package-context.yaml": """apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: example
""",
    "web/region.yaml": """apiVersion: v1
kind: ConfigMap
metadata:
  name: region
  annotations:
    kpt.dev/config-injection: required
data: {}
""",
    "web/deployment.yaml": """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1 # a start
""",
}
SET = """apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: default
spec:
  upstream:
    repo: blueprints
    package: web
    revision: 1
  targets:
  - repositorySelector:
      matchLabels:
        env: prod
    template:
      downstream:
        packageExpr: "'web-' + repository.labels['region']"
      labelExprs:
      - key: region
        valueExpr: repository.labels['region']
      - keyExpr: "'rank-' + repository.name.substring(8)"
        value: "yes"
      packageContext:
        dataExprs:
        - key: cluster
          valueExpr: repository.name
        - key: zone
          valueExpr: "repository.annotations['zone'].upperAscii()"
      injectors:
      - kind: ConfigMap
        nameExpr: "'region-' + repository.labels['region']"
"""


class Selector(Fleet):
    def setUp(self):
        super().setUp()
        self.bare("blueprints", BLUEPRINT, tags=["web/v1"])
        self.bare("template", {"README.md": "# a cluster\n"})
        for i in range(COUNT + 1):
            subprocess.run(["git", "clone", "-q", "--bare", str(self.dir / "template.git"),
                            str(self.dir / f"{self.name(i)}.git")], env=ENVIRONMENT, check=True)
        regions = [{"apiVersion": "v1", "kind": "ConfigMap",
                    "metadata": {"name": f"region-{r}", "namespace": "default"},
                    "data": {"region": r, "domain": f"{r}.example.com"}} for r in REGIONS]
        repositories = [self.repository("blueprints", {}, False)]
        repositories += [self.cluster(i) for i in range(COUNT)]
        # One that the selector does not match.
        repositories.append(self.repository("template", {"env": "test", "region": "north"}, True))
        self.apply(*regions, *repositories)

    def name(self, i):
        return f"cluster-{i:03}"

    def region(self, i):
        return REGIONS[i % len(REGIONS)]

    def repository(self, name, labels, deployment):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name, "namespace": "default", "labels": labels,
                             "annotations": {"zone": f"zone of {name}"}},
                "spec": {"type": "git", "deployment": deployment,
                         "git": {"repo": str(self.dir / f"{name}.git"), "branch": "main"}}}

    def cluster(self, i):
        return self.repository(self.name(i), {"env": "prod", "region": self.region(i)}, True)

    def apply(self, *objects):
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(objects))

    def planned(self, *objects):
        text = yaml.safe_dump_all(objects)
        plan = json.loads(self.portico("plan", "-f", "-", "-o", "json", stdin=text))
        return plan

    def everything(self):
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("repositories", "packagevariants", "packagevariantsets", "rpkg")
                for name, o in self.objects(kind).items()}

    def draft(self, i):
        name, package = self.name(i), f"web-{self.region(i)}"
        ref = f"refs/heads/drafts/{package}/packagevariant-1"
        return {path: self.show(self.dir / f"{name}.git", f"{ref}:{package}/{path}")
                for path in ("Kptfile", "package-context.yaml", "region.yaml", "deployment.yaml")}

    def check(self, i):
        name, region = self.name(i), self.region(i)
        files = self.draft(i)
        context = yaml.safe_load(files["package-context.yaml"])["data"]
        self.assertEqual(context, {"name": f"web-{region}", "package-path": f"web-{region}",
                                   "cluster": name, "zone": f"ZONE OF {name.upper()}"})
        self.assertEqual(yaml.safe_load(files["region.yaml"])["data"],
                         {"region": region, "domain": f"{region}.example.com"})
        self.assertIn("replicas: 1 # a start", files["deployment.yaml"])
        deployment = yaml.safe_load(files["deployment.yaml"])
        self.assertEqual(deployment["metadata"]["labels"], {"app": "web"})
        kptfile = yaml.safe_load(files["Kptfile"])
        self.assertEqual(kptfile["upstreamLock"]["git"]["ref"], "web/v1")
        self.assertEqual(kptfile["status"]["conditions"][0]["status"], "True")
        revision = self.objects("rpkg")[f"{name}.web-{region}.packagevariant-1"]
        self.assertEqual(revision["metadata"]["labels"],
                         {"region": region, f"rank-{name[8:]}": "yes"})

    def test_variants_follow_the_labels_of_repositories_as_planned(self):
        fleet = yaml.safe_load(SET)
        before = self.everything()
        plan = self.planned(fleet)
        self.assertEqual(self.everything(), before, "a plan writes nothing")
        self.apply(fleet)
        variants = self.objects("packagevariants")
        self.assertEqual({v["spec"]["downstream"]["repo"] for v in variants.values()},
                         {self.name(i) for i in range(COUNT)})
        self.matches(plan, created=set(variants))
        drafts = {n for n, r in self.objects("rpkg").items() if r["spec"]["lifecycle"] == "Draft"}
        self.assertEqual(drafts, {f"{self.name(i)}.web-{self.region(i)}.packagevariant-1"
                                  for i in range(COUNT)})
        for i in range(0, COUNT, 23):
            self.check(i)
        status = self.objects("packagevariantsets")["web"]["status"]
        self.assertEqual(status["targets"],
                         {"desired": COUNT, "ready": COUNT, "waiting": 0, "failed": 0})

        # A new matching Repository: one more variant, nothing else changes.
        before = self.everything()
        plan = self.planned(self.cluster(COUNT))
        self.apply(self.cluster(COUNT))
        made = self.objects("packagevariants").keys() - variants.keys()
        self.assertEqual(made, {f"web-{self.name(COUNT)}-web-{self.region(COUNT)}"})
        self.matches(plan, created=made)
        self.check(COUNT)
        moved = {key for key, version in self.everything().items() if before.get(key) != version}
        self.assertEqual({key for key in moved if key[0] in ("packagevariants", "rpkg")},
                         {("packagevariants", *made),
                          ("rpkg", f"{self.name(COUNT)}.web-{self.region(COUNT)}.packagevariant-1")})

        # A removed label: that variant and its draft are deleted.
        gone = self.cluster(7)
        gone["metadata"]["labels"] = {"region": self.region(7)}
        plan = self.planned(gone)
        self.apply(gone)
        left = self.objects("packagevariants")
        lost = (variants.keys() | made) - left.keys()
        self.assertEqual(lost, {f"web-{self.name(7)}-web-{self.region(7)}"})
        self.matches(plan, deleted=lost)
        self.assertEqual(self.refs(self.dir / f"{self.name(7)}.git"), ["refs/heads/main"])
        self.assertNotIn(f"{self.name(7)}.web-{self.region(7)}.packagevariant-1",
                         self.objects("rpkg"))

        # Applying everything again changes nothing.
        versions = self.everything()
        self.apply(fleet, gone, self.cluster(COUNT))
        after = self.everything()
        self.assertEqual({k: v for k, v in after.items() if versions.get(k) != v}, {})
        self.assertEqual(after.keys(), versions.keys())

    def matches(self, plan, created=frozenset(), deleted=frozenset()):
        """The plan listed these variants, and the content of each package to the byte."""
        actions = [a for s in plan["sets"] for a in s["actions"]]
        self.assertEqual({a["name"] for a in actions if a["verb"] == "create"}, set(created))
        self.assertEqual({a["name"] for a in actions if a["verb"] == "delete"}, set(deleted))
        self.assertEqual(len(actions), len(created) + len(deleted))
        self.assertEqual([f for s in plan["sets"] for f in s["failures"]], [])
        drafted = {v["name"]: v for v in plan["variants"] if "diff" in v}
        self.assertEqual(drafted.keys(), set(created))
        for name in sorted(created)[::37]:
            variant = drafted[name]
            package = variant["package"]
            with tempfile.TemporaryDirectory(dir=self.dir) as work:
                subprocess.run(["git", "apply", "-"], cwd=work, env=ENVIRONMENT, text=True,
                               input=variant["diff"], check=True)
                planned = {str(p.relative_to(work)): p.read_text()
                           for p in pathlib.Path(work).rglob("*") if p.is_file()}
            ref = f"refs/heads/drafts/{package}/{variant['workspace']}"
            repository = self.dir / f"{variant['repo']}.git"
            names = self.git(repository, "ls-tree", "-r", "--name-only", ref,
                             package + "/").splitlines()
            self.assertEqual(planned, {n[len(package) + 1:]: self.show(repository, f"{ref}:{n}")
                                       for n in names})


if __name__ == "__main__":
    unittest.main()
