"""`portico migrate --from-porch`: a fleet managed by Porch continues under `portico serve --kubernetes` in the same
cluster. Its package revisions keep their variants, and nothing is created twice. A Portico server with the controllers
plays Porch until it is removed. Runs if $PORTICO_KUBERNETES names the command that starts a cluster
(tests/kubernetes/start)."""
import json
import subprocess
import unittest

import yaml
from apart import COUNT, SET, files
from support import ENVIRONMENT, ROOT, binary
from without_porch import WithoutPorch

CONTROLLERS = {"apiVersion": "apps/v1", "kind": "Deployment",
               "metadata": {"name": "porch-controllers", "namespace": "porch-system"},
               "spec": {"selector": {"matchLabels": {"app": "porch"}},
                        "template": {"metadata": {"labels": {"app": "porch"}},
                                     "spec": {"containers": [{"name": "controllers", "image": "porch", "env": [
                                         {"name": "ENABLE_PACKAGEVARIANTS", "value": "true"},
                                         {"name": "ENABLE_PACKAGEVARIANTSETS", "value": "true"}]}]}}}}
PUBLISHED = 3


class FromPorch(WithoutPorch):
    def objects(self, kind, *more):
        """Objects of the server that plays Porch."""
        return super(WithoutPorch, self).objects(kind, *more)

    def porchs_fleet(self):
        """A fleet as Porch's controllers leave it: some drafts, some published, one variant suspended by a user."""
        self.install(ROOT / "deploy/crds")
        self.register()
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SET))
        controllers = self.start()
        self.until(self.settled)
        drafts = sorted(name for name, each in self.in_cluster("packagerevisions").items()
                        if each["spec"]["lifecycle"] == "Draft")
        for draft in drafts[:PUBLISHED]:
            for verb in ("propose", "approve"):
                self.portico("rpkg", verb, draft)
        self.until(lambda: self.settled() and self.published_targets() == PUBLISHED)
        self.stop(controllers)
        self.assertIn("`portico controllers`", self.migrate(status=1))
        self.kubectl("delete", "deployment", "portico-controllers", "-n", "portico-system")
        self.kubectl("annotate", "packagevariant", self.first_variant(), "portico.dev/suspend=true")
        self.kubectl("create", "namespace", "porch-system")
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(CONTROLLERS))

    def first_variant(self):
        return min(self.in_cluster("packagevariants"))

    def published_targets(self):
        return sum(target["lifecycle"] == "Published" for each in self.in_cluster("packagevariants").values()
                   for target in each.get("status", {}).get("downstreamTargets", []) if "lifecycle" in target)

    def kept_by_porch(self):
        """PackageRevs as Porch keeps them in a cluster, and one for a revision that is no longer in git."""
        owner = {name: each["metadata"]["uid"] for name, each in self.in_cluster("repositories").items()}
        revisions = list(self.in_cluster("packagerevisions").values())
        gone = json.loads(json.dumps(revisions[0]))
        gone["metadata"]["name"] = "blueprints.gone.v1"
        for revision in [*revisions, gone]:
            metadata = {key: value for key, value in revision["metadata"].items()
                        if key in ("name", "namespace", "labels", "annotations", "ownerReferences")}
            repository = revision["spec"]["repository"]
            metadata.setdefault("labels", {})["internal.porch.kpt.dev/repository"] = repository
            metadata["labels"]["by"] = "ada"
            metadata["finalizers"] = ["internal.porch.kpt.dev/packagerevision"]
            metadata.setdefault("ownerReferences", []).append(
                {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository", "name": repository,
                 "uid": owner[repository]})
            self.kubectl("create", "-f", "-", stdin=yaml.safe_dump(
                {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageRev", "metadata": metadata}))

    def porch_goes(self):
        self.stop()
        self.kubectl("scale", "deployment", "-n", "porch-system", "--all", "--replicas=0")

    def migrate(self, *options, status=0):
        done = subprocess.run([binary(), "--kubeconfig", str(self.front), "migrate", "--from-porch", *options],
                              cwd=self.dir, text=True, capture_output=True, timeout=180,
                              env={**ENVIRONMENT, "HOME": str(self.dir)})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def all_refs(self):
        return {repository.name: self.git(repository, "for-each-ref") for repository in sorted(self.dir.glob("*.git"))}

    def versions(self, *kinds):
        return {(kind, name): each["metadata"]["resourceVersion"] for kind in kinds
                for name, each in self.in_cluster(kind).items()}

    def owners(self):
        """Package revision -> the uids of its owners."""
        return {name: [each["uid"] for each in revision["metadata"].get("ownerReferences", [])]
                for name, revision in self.in_cluster("packagerevisions").items()}

    def suspended(self):
        return {name for kind in ("packagevariants", "packagevariantsets") for name, each in self.in_cluster(kind).items()
                if "portico.dev/suspend" in each["metadata"].get("annotations", {})}

    def take_over(self, refs, owners):
        """From running servers to their first upgrade."""
        self.install_servers()
        first, _ = self.two_servers()
        self.route(first)
        self.assertEqual(len(self.suspended()), COUNT + 1, "nobody works before all is there")
        before = self.versions("packagevariants", "packagevariantsets")
        self.assertIn("resumed (dry run)", self.migrate("--dry-run"))
        self.assertEqual(self.versions("packagevariants", "packagevariantsets"), before)
        said = self.migrate()
        self.assertIn(f"1 sets, {COUNT} variants and {COUNT} of their package revisions taken over", said)
        self.assertEqual(self.suspended(), {self.first_variant()}, "as a person left it")
        self.kubectl("annotate", "packagevariant", self.first_variant(), "portico.dev/suspend-")
        self.until(self.settled)
        self.until(self.is_idle)
        self.assertEqual(self.all_refs(), refs, "nothing is made a second time")
        self.assertEqual(self.owners(), owners)
        for each in self.in_cluster("packagerevs").values():
            self.assertNotIn("internal.porch", json.dumps(each))
        before = self.versions("packagevariants", "packagevariantsets", "packagerevs")
        self.migrate()
        self.assertEqual(self.versions("packagevariants", "packagevariantsets", "packagerevs"), before, "twice is once")
        # They continue with what they have taken over.
        self.commit(self.dir / "blueprints.git", files(2), "Two replicas", tags=["web/v2"])
        newer = json.loads(json.dumps(SET))
        newer["spec"]["upstream"]["revision"] = 2
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(newer))
        for repository in sorted(self.dir.glob("cluster-*.git")):
            def drafted(repository=repository):
                drafts = self.refs(repository, "refs/heads/drafts")
                return len(drafts) == 1 and "replicas: 2" in self.show(repository, f"{drafts[0]}:web/deployment.yaml")
            self.until(drafted)
        self.until(self.settled)
        for repository in sorted(self.dir.glob("*.git")):
            self.fsck(repository)

    def test_that_kept_metadata_in_the_cluster(self):
        self.porchs_fleet()
        owners = self.owners()
        self.assertEqual(sum(map(len, owners.values())), COUNT)
        self.kept_by_porch()
        refs = self.all_refs()
        self.assertIn("managed twice", self.migrate(status=1))
        self.assertEqual(self.suspended(), {self.first_variant()})
        # As in the guide.
        self.kubectl("-n", "porch-system", "set", "env", "deployment/porch-controllers", "ENABLE_PACKAGEVARIANTS-",
                     "ENABLE_PACKAGEVARIANTSETS-")
        kinds = ("packagevariants", "packagevariantsets", "packagerevs")
        before = self.versions(*kinds)
        said = self.migrate("--dry-run")
        self.assertIn(f"{COUNT} sets and variants suspended", said)
        self.assertEqual(self.versions(*kinds), before)
        self.porch_goes()
        said = self.migrate()
        self.assertIn(f"{COUNT} sets and variants suspended", said)
        self.assertIn("0 sets and variants suspended", self.migrate(), "twice is once")
        self.take_over(refs, owners)
        self.assertNotIn("blueprints.gone.v1", self.in_cluster("packagerevs"))
        self.assertEqual({each["metadata"]["labels"].get("by") for name, each in self.in_cluster("packagerevs").items()
                          if name in owners}, {"ada"})

    def test_that_kept_metadata_in_a_database(self):
        self.porchs_fleet()
        owners, refs = self.owners(), self.all_refs()
        self.kubectl("-n", "porch-system", "scale", "deployment/porch-controllers", "--replicas=0")
        said = self.migrate()
        self.assertIn(f"{len(owners)} package revisions recorded in the cluster", said)
        self.assertEqual(set(self.in_cluster("packagerevs")), set(owners))
        self.porch_goes()
        self.take_over(refs, owners)

    def test_that_is_gone_too_soon(self):
        self.porchs_fleet()
        self.porch_goes()
        self.assertIn("start porch-server again", self.migrate(status=1))
        self.assertEqual(self.suspended(), {self.first_variant()})


if __name__ == "__main__":
    unittest.main()
