"""A real deployment: the repositories, clusters and variants of a Nephio test bed."""
import collections
import shutil
import subprocess
import unittest

import yaml
from nephio import DEPLOYMENTS, FIXTURE, Deployment, rows
from support import ENVIRONMENT, Fleet


@unittest.skipUnless(FIXTURE.is_dir(), "needs ../shared/fixtures/nephio")
class Nephio(Deployment):
    def test_discovers_what_the_repositories_hold(self):
        revisions = self.objects("rpkg")
        found = collections.Counter(
            (r["spec"]["repository"], r["spec"]["packageName"])
            for r in revisions.values() if r["spec"]["workspaceName"] == "main")
        want = {(row["repository"], row["package"]): 1 for row in rows("packages.tsv")}
        self.assertEqual({k: v for k, v in found.items() if k[0].startswith("catalog-")}, want)

        directories = {name: r["spec"]["git"].get("directory", "").strip("/")
                       for name, r in self.objects("repositories").items()
                       if r["spec"]["git"]["repo"].endswith("/catalog.git")}
        tagged = collections.defaultdict(set)
        for r in revisions.values():
            if r["spec"]["repository"] in directories and r["spec"]["workspaceName"] != "main":
                ref = r["status"]["selfLock"]["git"]["ref"]
                tagged[ref].add((r["spec"]["revision"], r["status"]["selfLock"]["git"]["commit"]))
        wanted = {}
        for tag in self.git(self.dir / "catalog.git", "for-each-ref", "refs/tags",
                            "--format=%(refname:short) %(objectname)").splitlines():
            name, commit = tag.split()
            package, _, version = name.rpartition("/")
            if not any(d and package.startswith(d + "/") for d in directories.values()):
                continue
            number = int(version[1:]) if version[1:].isdigit() and version[0] == "v" else -1
            commit = self.git(self.dir / "catalog.git", "rev-parse", commit + "^{commit}").strip()
            files = self.git(self.dir / "catalog.git", "ls-tree", "--name-only", commit,
                             package + "/").splitlines()
            if f"{package}/Kptfile" not in files:
                continue
            wanted[name] = {(number, commit)}
        self.assertEqual(dict(tagged), wanted)
        added = {row["tag"]: row["commit"] for row in rows("tags.tsv")}
        self.assertEqual({t: c for t, c in added.items() if t in wanted},
                         {t: c for t, c in ((t, next(iter(wanted[t]))[1]) for t in added
                                            if t in wanted)})

    def flow(self):
        self.portico("apply", "-f", "manifests/cluster")
        self.settles("apply", "-f", "manifests/package-variants/free5gc")

    def test_sets_unroll_as_expected(self):
        self.flow()
        variants = self.objects("packagevariants")
        with open(FIXTURE / "expected" / "fan-out.yaml") as file:
            expected = yaml.safe_load(file)
        of_sets = {}
        for each in expected["sets"]:
            for want in each["packageVariants"]:
                of_sets[want["name"]] = (each["packageVariantSet"], want)
        got = {name: v for name, v in variants.items() if v["metadata"].get("ownerReferences")}
        self.assertEqual(set(got), set(of_sets))
        for name, (owner, want) in of_sets.items():
            spec = got[name]["spec"]
            self.assertEqual(got[name]["metadata"]["ownerReferences"][0]["name"], owner)
            self.assertEqual(spec["upstream"], want["upstream"], name)
            self.assertEqual(spec["downstream"], want["downstream"], name)
            self.assertEqual(spec.get("injectors", []), want.get("injectors", []), name)

    def check_variants(self):
        """Every variant is Ready or fails because a runner is missing; returns the drafts of the Ready ones."""
        runnable = {(row["repository"], row["package"]): row["only_builtin_functions"] == "yes"
                    for row in rows("packages.tsv")}
        ready = 0
        for name, variant in self.objects("packagevariants").items():
            upstream = variant["spec"]["upstream"]
            condition = self.condition(variant)
            if runnable[(upstream["repo"], upstream["package"])]:
                self.assertEqual(condition["status"], "True", f"{name}: {condition['message']}")
                ready += 1
                for target in variant["status"]["downstreamTargets"]:
                    rendered = target.get("renderStatus", {"result": {"exitCode": 0}})
                    self.assertEqual(rendered["result"]["exitCode"], 0, name)
            else:
                self.assertEqual(condition["status"], "False", name)
                self.assertIn("no runner for function", condition["message"], name)
                self.assertEqual(variant["status"].get("downstreamTargets", []), [], name)
        return ready

    def check_published_by_annotation(self):
        """The manifests request it with approval.nephio.org/policy: nothing is left for a user to approve."""
        drafts = [name for name, r in self.objects("rpkg").items()
                  if r["spec"]["lifecycle"] in ("Draft", "Proposed")]
        self.assertEqual(drafts, [])
        for variant in self.objects("packagevariants").values():
            self.assertIn("approval.nephio.org/policy", variant["spec"]["annotations"])

    def test_the_whole_deployment_level_by_level(self):
        self.flow()
        first = self.check_variants()
        target, = self.objects("pv")["edge-clusters-mgmt-edge01"]["status"]["downstreamTargets"]
        self.assertEqual([item["image"].rpartition("/")[2]
                          for item in target["renderStatus"]["result"]["items"]],
                         ["set-labels:v0.2", "apply-replacements:v0.1.1"])
        self.check_published_by_annotation()
        self.settles("apply", "-f", "manifests/package-variants/level2")
        both = self.check_variants()
        self.assertEqual(len(self.objects("packagevariants")), 43)
        self.assertGreater(both, first)
        self.check_published_by_annotation()

        published = [r for r in self.objects("rpkg").values()
                     if r["spec"]["lifecycle"] == "Published" and r["spec"]["revision"] == 1 and
                     r["spec"]["repository"] in DEPLOYMENTS]
        self.assertEqual(len(published), both)
        for r in published:
            repository = self.dir / f"{r['spec']['repository']}.git"
            package = r["spec"]["packageName"]
            tag = self.show(repository, f"{package}/v1:{package}/Kptfile")
            self.assertEqual(tag, self.show(repository, f"main:{package}/Kptfile"))
        for name in DEPLOYMENTS:
            self.fsck(self.dir / f"{name}.git")

        # Injection at the points of a package, before its pipeline ran.
        injected = self.show(self.dir / "mgmt.git", "main:edge01-cluster/workload-cluster.yaml")
        self.assertIn("clusterName: edge01", injected)
        self.assertIn("kpt.dev/injected-resource: edge01", injected)
        self.assertIn("nephio.org/cluster-name: edge01", injected)

        # Other tools can read what was written.
        if shutil.which("kpt"):
            subprocess.run(["kpt", "pkg", "get", f"{self.dir}/mgmt.git/edge01-cluster@"
                            "edge01-cluster/v1", "fetched"], cwd=self.dir, check=True,
                           capture_output=True, timeout=60)
            self.assertEqual((self.dir / "fetched" / "workload-cluster.yaml").read_text(), injected)

        # Applying it again changes nothing.
        before = {name: self.refs_with_ids(name) for name in DEPLOYMENTS}
        versions = self.versions()
        self.settles("apply", "-f", "manifests/repositories", "-f", "manifests/cluster",
                     "-f", "manifests/package-variants/free5gc",
                     "-f", "manifests/package-variants/level2")
        self.assertEqual({name: self.refs_with_ids(name) for name in DEPLOYMENTS}, before)
        self.assertEqual(self.versions(), versions)

    def refs_with_ids(self, name):
        return self.git(self.dir / f"{name}.git", "for-each-ref")

    def versions(self):
        return {(kind, name): o["metadata"]["resourceVersion"]
                for kind in ("repositories", "packagevariants", "packagevariantsets", "rpkg",
                             "workloadclusters")
                for name, o in self.objects(kind).items()}


@unittest.skipUnless(FIXTURE.is_dir(), "needs ../shared/fixtures/nephio")
class Folders(Fleet):
    """The packages of the catalog one by one, as in a local clone."""

    def test_whatever_needs_built_in_functions_only_renders(self):
        subprocess.run(["git", "clone", "-q", str(FIXTURE / "repos/catalog.bundle"), "catalog"],
                       cwd=self.dir, env=ENVIRONMENT, check=True)
        packages = [row for row in rows("packages.tsv") if row["only_builtin_functions"] == "yes"]
        self.assertGreater(len(packages), 50)
        for row in packages:
            with self.subTest(row["path"]):
                self.portico("fn", "render", f"catalog/{row['path']}")
                kptfile = (self.dir / "catalog" / row["path"] / "Kptfile").read_text()
                self.assertIn("reason: RenderSuccess", kptfile)
