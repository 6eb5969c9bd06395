"""`portico controllers` and `portico serve --kubernetes` have exactly the rights on a cluster that they use: compares
the API server's audit log of a fleet's life with the shipped rights. $PORTICO_KUBERNETES names the command that starts
a server (tests/kubernetes/start)."""
import unittest

import yaml
from apart import files
from audited import Audited
from beside_porch import BesidePorch
from support import ROOT
from without_porch import WithoutPorch

# Rights that a test cannot make a fleet need on demand.
SELDOM = {
    ("config.porch.kpt.dev", "packagevariantsets", "get"): "a status is of what is there when somebody else was quicker",
    ("porch.kpt.dev", "packagerevisions/approval", "automate"): "the policies of deploy/kubernetes/demands ask for it, of "
                                                                "which the log does not tell",
    **{(group, resource, "list"): "kinds are listed where a watch cannot begin with all objects"
       for group, resource in (("config.porch.kpt.dev", "repositories"), ("config.porch.kpt.dev", "packagevariants"),
                               ("config.porch.kpt.dev", "packagevariantsets"),
                               ("config.porch.kpt.dev", "functionconfigs"))},
}
SELDOM_OF_SERVERS = {**SELDOM, ("config.porch.kpt.dev", "packagerevs", "list"): "as above"}
REGION = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "region", "namespace": "default"},
          "data": {"region": "eu"}}
POINT = {"apiVersion": "v1", "kind": "ConfigMap",
         "metadata": {"name": "region", "annotations": {"kpt.dev/config-injection": "required"}}}
REVISIONS = 4  # whose events are more than a variant keeps


def variant(name, repository, revision=1):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "downstream": {"repo": repository, "package": name},
                     "injectors": [{"kind": "ConfigMap", "name": "region"}]}}


def variant_set(revision, repositories):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": revision},
                     "targets": [{"repositories": [{"name": each} for each in repositories],
                                  "template": {"approval": {"propose": {"policy": "always"},
                                                            "approve": {"policy": "always"}},
                                               "injectors": [{"kind": "ConfigMap", "name": "region"}]}}]}}


class Life:
    """The life of a fleet."""

    def repositories(self):
        return super().repositories()[:4]

    def apply(self, *objects):
        self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(objects))

    def ready(self, name, status):
        def says():
            found = self.in_cluster("packagevariants").get(name)
            return found and self.condition(found)["status"] == status
        self.until(says)

    def published(self, repository, revision):
        def is_there():
            return any(each["spec"]["repository"] == repository and each["spec"].get("revision") == revision
                       for each in self.in_cluster("packagerevisions").values())
        self.until(is_there)

    def says(self, text, name):
        def said():
            return text in self.log(name)
        self.until(said)

    def publish_upstreams(self):
        point = {"web/region.yaml": yaml.safe_dump(POINT)}
        for revision in range(2, REVISIONS + 2):
            self.commit(self.dir / "blueprints.git", {**files(revision), **point}, f"Revision {revision}",
                        tags=[f"web/v{revision}"])

    def upgrade_and_publish(self):
        for revision in range(2, REVISIONS + 2):
            self.apply(variant_set(revision, ["cluster-00", "cluster-01"]))
            for repository in ("cluster-00", "cluster-01"):
                self.published(repository, revision - 1)

    def lose_a_target(self):
        self.apply(variant_set(REVISIONS + 1, ["cluster-00"]))

        def gone():
            return len(self.in_cluster("packagevariants")) == 1
        self.until(gone)

    def fail_twice_and_go(self):
        self.apply(variant("loose", "cluster-02", 2))
        self.ready("loose", "True")
        for _ in range(2):
            self.apply(variant("loose", "cluster-02", 99))
            self.ready("loose", "False")
            self.apply(variant("loose", "cluster-02", 2))
            self.ready("loose", "True")
        self.kubectl("delete", "packagevariant", "loose", "--timeout=60s")
        self.assertNotIn(("cluster-02.git", "refs/heads/drafts/loose/packagevariant-1"), self.trees())


class LeastRights(Life, Audited, BesidePorch):
    account_name = "portico-controllers"

    def test_each_right_is_used_and_none_is_missing(self):
        self.publish_upstreams()
        self.install(ROOT / "deploy/crds")
        self.register()
        self.apply(REGION)
        first = self.start()
        self.says("leads", "controllers")
        second = self.start("second")
        self.says("waiting for another instance", "second")
        self.upgrade_and_publish()
        self.lose_a_target()
        self.fail_twice_and_go()
        self.stop(first)
        self.says("leads", "second")
        self.stop(second)
        for name in ("controllers", "second"):
            self.assertNotIn("forbidden", self.log(name))
        self.check_rights(self.printed, SELDOM)


class LeastRightsOfServers(Life, Audited, WithoutPorch):
    account_name = "portico-server"

    def repositories(self):
        """The Repositories; one of them has a login."""
        out = super().repositories()
        out[1]["spec"]["git"]["secretRef"] = {"name": "login"}
        return out

    def test_each_right_is_used_and_none_is_missing(self):
        self.install_servers()
        self.publish_upstreams()
        servers = self.two_servers()
        self.route(servers[0])
        self.apply(REGION, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login", "namespace": "default"},
                            "type": "kubernetes.io/basic-auth", "stringData": {"username": "ada", "password": "secret"}},
                   *self.repositories())
        self.upgrade_and_publish()
        self.lose_a_target()
        self.fail_twice_and_go()
        # A revision created by a user, which needs an existing namespace.
        self.kubectl("create", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision", "metadata": {"namespace": "default"},
            "spec": {"repository": "blueprints", "packageName": "hers", "workspaceName": "v1",
                     "tasks": [{"type": "init", "init": {"description": "hers"}}]}}))
        self.kubectl("label", "packagerevision", "blueprints.hers.v1", "by=ada")
        self.kubectl("delete", "packagerevision", "blueprints.hers.v1")
        for server in servers:
            self.stop(server)
        for name in ("first", "second"):
            self.assertNotIn("forbidden", self.log(name))
        self.check_rights(self.printed, SELDOM_OF_SERVERS)


if __name__ == "__main__":
    unittest.main()
