"""The life of a fleet, told once for every way in which it can be run: what comes of it in git must be the same. For
tests."""
import pathlib
import shutil

import yaml
from apart import CONTEXT, DEPLOYMENT, KPTFILE

PROD = 6  # repositories that the set selects at first
REGION = {"apiVersion": "v1", "kind": "ConfigMap",
          "metadata": {"name": "region", "annotations": {"kpt.dev/config-injection": "required"}}, "data": {}}


def web(replicas, port):
    return {"web/Kptfile": KPTFILE, "web/package-context.yaml": CONTEXT, "web/region.yaml": yaml.safe_dump(REGION),
            "web/deployment.yaml": DEPLOYMENT.format(replicas=replicas),
            "web/service.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n"
                                f"  - port: {port}\n"}


def fleet_set(revision):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "targets": [{"repositorySelector": {"matchLabels": {"env": "prod"}},
                                  "template": {
                                      "downstream": {"packageExpr": "'web-' + repository.labels['region']"},
                                      "deletionPolicy": "delete",
                                      "labelExprs": [{"key": "region", "valueExpr": "repository.labels['region']"}],
                                      "packageContext": {"dataExprs": [{"key": "cluster", "valueExpr": "repository.name"}]},
                                      "injectors": [{"kind": "ConfigMap",
                                                     "nameExpr": "'region-' + repository.labels['region']"}]}}]}}


def automatic(revision):
    """A variant of no set, whose drafts a policy publishes."""
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "automatic", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "downstream": {"repo": "cluster-11", "package": "web"},
                     "approval": {"propose": {"policy": "always"}, "approve": {"policy": "always"}},
                     "injectors": [{"kind": "ConfigMap", "name": "region-north"}]}}


class OneFleet:
    """Beside Apart. `say(*words, stdin)` runs a command of portico, and fails where that fails."""

    def clusters(self, prod=PROD):
        """The Repositories, of which the first are selected."""
        out = self.repositories()
        for i, each in enumerate(out[1:]):
            labels = {"region": "north" if i % 2 == 0 else "south"}
            each["metadata"]["labels"] = {**labels, "env": "prod"} if i < prod else labels
        return out

    def regions(self):
        return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"region-{name}", "namespace": "default"},
                 "data": {"domain": f"{name}.example.com"}} for name in ("north", "south")]

    def setUp(self):
        """Releases are made once, elsewhere: their commits are the same in each life."""
        super().setUp()
        self.releases = self.dir / "releases"
        shutil.copytree(self.dir / "blueprints.git", self.releases)
        for revision, replicas, port in ((2, 1, 80), (3, 3, 80), (4, 3, 8080)):
            self.commit(self.releases, web(replicas, port), f"Release {revision}", tags=[f"web/v{revision}"])

    def release(self, revision):
        self.git(self.releases, "push", "-q", str(self.dir / "blueprints.git"), f"web/v{revision}^{{commit}}:refs/heads/main",
                 f"refs/tags/web/v{revision}")

    def live(self, say, sync):
        """From the first draft to the last published revision; git is compared after each of them. `sync` makes what came
        into a repository known."""
        def apply(*objects):
            say("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(objects))
        told = []
        self.release(2)
        apply(*self.regions(), *self.clusters())
        apply(fleet_set(2), automatic(2))
        told.append(self.everything_in_git())

        # A person edits a draft; the upgrade keeps that.
        draft = "cluster-01.web-south.packagevariant-1"
        pulled = str(self.dir / "pulled")
        shutil.rmtree(pulled, ignore_errors=True)
        say("rpkg", "pull", draft, pulled)
        file = pathlib.Path(pulled, "deployment.yaml")
        file.write_text(file.read_text(encoding="utf-8") + "  paused: true\n", encoding="utf-8")
        say("rpkg", "push", draft, pulled)
        self.release(3)
        sync("blueprints")
        apply(fleet_set(3), automatic(3))
        told.append(self.everything_in_git())

        # One is published by a person, and upgraded by a new draft, with what was edited.
        say("rpkg", "propose", draft, "--wait")
        say("rpkg", "approve", draft, "--wait")
        self.release(4)
        sync("blueprints")
        apply(fleet_set(4), automatic(4))
        told.append(self.everything_in_git())

        # Others are selected: drafts of those that are not go, and what is published is proposed for deletion.
        apply(*self.clusters(PROD - 1))
        told.append(self.everything_in_git())
        apply(*self.clusters(PROD + 2))
        told.append(self.everything_in_git())
        return told

    def everything_in_git(self):
        """(repository, ref) -> the tree, of every branch, draft and tag."""
        return {(repository.name, ref): self.git(repository, "rev-parse", f"{ref}^{{tree}}").strip()
                for repository in sorted(self.dir.glob("*.git"))
                for ref in self.refs(repository, "refs/heads") + self.refs(repository, "refs/tags")}

    def in_one_process(self):
        """What one process makes of it; then all is as it was before."""
        told = self.live(self.portico, lambda name: self.portico("repo", "sync", name))
        shutil.rmtree(self.dir / ".portico")
        self.put_back()
        self.portico("init", str(self.dir))
        return told

    def assertLives(self, told, wanted):
        for number, (one, other) in enumerate(zip(told, wanted, strict=True)):
            self.assertEqual(one, other, f"after part {number}")
        self.assertGreater(len({each for part in told for each in part}), 2 * PROD)
