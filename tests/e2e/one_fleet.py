"""For tests: the life of a fleet, defined once for every mode of running it; the resulting git content must be the
same."""
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
    """A variant without a set, whose drafts are published by policy."""
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": "automatic", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "downstream": {"repo": "cluster-11", "package": "web"},
                     "approval": {"propose": {"policy": "always"}, "approve": {"policy": "always"}},
                     "injectors": [{"kind": "ConfigMap", "name": "region-north"}]}}


def following(name, repository, upstream):
    """A variant that goes on by itself when its upstream's tags change."""
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", **upstream},
                     "downstream": {"repo": repository, "package": "web"},
                     "injectors": [{"kind": "ConfigMap", "name": "region-south"}]}}


# Beside `automatic`, in repositories that the set never selects.
TAGGED = following("tagged", "cluster-10", {"tag": "stable"})
CONSTRAINED = following("constrained", "cluster-09", {"constraint": "~2.1"})
# Release -> (replicas, port, other tags than its number; "stable" moves, and the constraint excludes 2.2.0)
RELEASES = {2: (1, 80, ("stable", "v2.1.0")), 3: (3, 80, ("v2.1.1",)), 4: (3, 8080, ("stable", "v2.2.0"))}
# The same -> the releases that TAGGED and CONSTRAINED are made from
FOLLOWED = {2: (2, 2), 3: (2, 3), 4: (4, 3)}


class OneFleet:
    """A mixin for Apart. `say(*words, stdin)` runs a portico command that must succeed."""

    def clusters(self, prod=PROD):
        """The Repositories; the set selects the first `prod` of them."""
        out = self.repositories()
        for i, each in enumerate(out[1:]):
            labels = {"region": "north" if i % 2 == 0 else "south"}
            each["metadata"]["labels"] = {**labels, "env": "prod"} if i < prod else labels
        return out

    def regions(self):
        return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"region-{name}", "namespace": "default"},
                 "data": {"domain": f"{name}.example.com"}} for name in ("north", "south")]

    def setUp(self):
        """Creates the releases once, elsewhere, so that their commits are the same in each life."""
        super().setUp()
        self.releases = self.dir / "releases"
        shutil.copytree(self.dir / "blueprints.git", self.releases)
        for revision, (replicas, port, _) in RELEASES.items():
            self.commit(self.releases, web(replicas, port), f"Release {revision}", tags=[f"web/v{revision}"])

    def release(self, revision):
        commit = f"web/v{revision}^{{commit}}"
        self.git(self.releases, "push", "-q", str(self.dir / "blueprints.git"), f"{commit}:refs/heads/main",
                 f"refs/tags/web/v{revision}", *(f"+{commit}:refs/tags/web/{tag}" for tag in RELEASES[revision][2]))

    def until_followed(self, revision):
        """Waits until the drafts of TAGGED and CONSTRAINED are made from their releases."""
        for variant, release in zip((TAGGED, CONSTRAINED), FOLLOWED[revision], strict=True):
            repository = self.dir / f"{variant['spec']['downstream']['repo']}.git"
            files = web(*RELEASES[release][:2])

            def follows(repository=repository, files=files):
                drafts = self.refs(repository, "refs/heads/drafts")
                return drafts and all(
                    files[f"web/{name}"].splitlines()[-1] in self.show(repository, f"{drafts[0]}:web/{name}").splitlines()
                    for name in ("deployment.yaml", "service.yaml"))
            self.until(follows)

    def live(self, say, sync):
        """From the first draft to the last published revision, comparing git after each step. `sync` makes Portico
        notice new content of a repository."""
        def apply(*objects):
            say("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(objects))
        told = []
        self.release(2)
        apply(*self.regions(), *self.clusters())
        apply(fleet_set(2), automatic(2), TAGGED, CONSTRAINED)
        self.until_followed(2)
        told.append(self.everything_in_git())

        # A user edits a draft; the upgrade keeps the edit.
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
        self.until_followed(3)
        told.append(self.everything_in_git())

        # A user publishes one; it is upgraded by a new draft that keeps the edit.
        say("rpkg", "propose", draft, "--wait")
        say("rpkg", "approve", draft, "--wait")
        self.release(4)
        sync("blueprints")
        apply(fleet_set(4), automatic(4))
        self.until_followed(4)
        told.append(self.everything_in_git())

        # The selection changes: for deselected ones, drafts are deleted and published revisions proposed for deletion.
        apply(*self.clusters(PROD - 1))
        told.append(self.everything_in_git())
        apply(*self.clusters(PROD + 2))
        told.append(self.everything_in_git())

        # The content of an object that half of the variants inject changes.
        north = self.regions()[0]
        apply({**north, "data": {"domain": "polar.example.com"}})
        told.append(self.everything_in_git())
        self.assertNotEqual(told[-1], told[-2])
        return told

    def everything_in_git(self):
        """(repository, ref) -> tree, for every branch, draft and tag."""
        return {(repository.name, ref): self.git(repository, "rev-parse", f"{ref}^{{tree}}").strip()
                for repository in sorted(self.dir.glob("*.git"))
                for ref in self.refs(repository, "refs/heads") + self.refs(repository, "refs/tags")}

    def in_one_process(self):
        """The git content that a single process creates; restores the initial state afterwards."""
        told = self.live(self.portico, lambda name: self.portico("repo", "sync", name))
        shutil.rmtree(self.dir / ".portico")
        self.put_back()
        self.portico("init", str(self.dir))
        return told

    def assertLives(self, told, wanted):
        for number, (one, other) in enumerate(zip(told, wanted, strict=True)):
            self.assertEqual(one, other, f"after part {number}")
        self.assertGreater(len({each for part in told for each in part}), 2 * PROD)
