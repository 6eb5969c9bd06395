"""For tests of `portico migrate`: a fleet with a set, a variant that a user suspended, and a repository with a login."""
import yaml
from git_server import GitServer, basic
from support import Fleet

VARIANT = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
           "metadata": {"name": "by-hand", "namespace": "default"},
           "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                    "downstream": {"repo": "cluster-01", "package": "by-hand"}}}
FAR = {**VARIANT, "metadata": {**VARIANT["metadata"], "name": "far"},
       "spec": {**VARIANT["spec"], "downstream": {"repo": "far", "package": "web"}}}
PASSWORD = "tr0ub4dor"


class Migrating:
    """A mixin for Apart. `objects(kind)` returns the objects of the place that is checked."""

    def setUp(self):
        super().setUp()
        self.bare("far")
        self.far = GitServer(self.dir)
        self.addCleanup(self.far.close)
        self.far.allow_only(basic("ada", PASSWORD))
        self.home = self.dir

    def in_folder(self, kind):
        return Fleet.objects(self, kind)

    def fleet_at_home(self):
        self.portico("apply", "-f", "-", "--wait", stdin=self.fleet())
        self.portico("repo", "register", self.far.url("far.git"), "--name", "far", "--repo-basic-username", "ada",
                     "--repo-basic-password", PASSWORD, "--deployment")
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump(FAR))
        self.portico("suspend", "packagevariant", "far")
        draft = next(name for name in self.in_folder("rpkg") if name.startswith("cluster-00.web."))
        for verb in ("propose", "approve"):
            self.portico("rpkg", verb, draft)

    def refs_of_all(self):
        return {repository.name: self.git(repository, "for-each-ref") for repository in sorted(self.home.glob("*.git"))}

    def go_to(self, name):
        """Lets later commands work on another state folder."""
        self.dir = self.home / name
        self.dir.mkdir()
        self.portico("init", str(self.dir))

    def check_fleet(self, refs, revisions, objects=None):
        objects = objects or self.objects
        variants = objects("packagevariants")
        of_set = [v for v in variants.values() if v["metadata"].get("ownerReferences")]
        web = objects("packagevariantsets")["web"]
        self.assertEqual({o["uid"] for v in of_set for o in v["metadata"]["ownerReferences"]}, {web["metadata"]["uid"]})
        self.assertEqual(web["status"]["targets"]["ready"], 12)
        self.assertEqual([name for name, v in variants.items() if
                          v["metadata"].get("annotations", {}).get("portico.dev/suspend")], ["far"])
        self.assertEqual(sorted(objects("rpkg")), revisions)
        self.assertEqual(self.refs_of_all(), refs, "nothing is made a second time")
        owned = {o["name"] for r in objects("rpkg").values() for o in r["metadata"].get("ownerReferences", [])}
        self.assertEqual(owned, set(variants) - {"far"})
