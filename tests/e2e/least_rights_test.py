"""What `portico controllers` may do on a cluster with Porch is what it does: the API server's audit log of a fleet's life is
held against the rights that are shipped. $PORTICO_KUBERNETES names what starts a server (tests/kubernetes/start)."""
import json
import unittest

import yaml
from apart import files
from beside_porch import BesidePorch
from support import ROOT

ACCOUNT = "portico-controllers"
POLICY = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
          "rules": [{"level": "Metadata", "users": [f"system:serviceaccount:portico-system:{ACCOUNT}"]},
                    {"level": "None"}]}
# What no fleet can be made to need when a test wants it.
SELDOM = {
    ("config.porch.kpt.dev", "packagevariantsets", "get"): "a status is of what is there when somebody else was quicker",
}
REGION = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "region", "namespace": "default"},
          "data": {"region": "eu"}}
POINT = {"apiVersion": "v1", "kind": "ConfigMap",
         "metadata": {"name": "region", "annotations": {"kpt.dev/config-injection": "required"}}}
REVISIONS = 4  # with what each is said to be done with, more than a variant's last events


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


def of_the_account(objects):
    """(group, resource, verb) of all that is bound to the service account."""
    roles = {(each["kind"], each["metadata"]["name"]): each
             for each in objects if each["kind"] in ("Role", "ClusterRole")}
    out = set()
    for binding in objects:
        if any(each["name"] == ACCOUNT for each in binding.get("subjects", [])):
            role = roles[binding["roleRef"]["kind"], binding["roleRef"]["name"]]
            labels = [wanted["matchLabels"].items()
                      for wanted in role.get("aggregationRule", {}).get("clusterRoleSelectors", [])]
            parts = [role] + [other for other in roles.values()
                              if any(each <= other["metadata"]["labels"].items() for each in labels)]
            out |= {(group, resource, verb) for part in parts for rule in part["rules"]
                    for group in rule["apiGroups"] for resource in rule["resources"] for verb in rule["verbs"]}
    return out


class LeastRights(BesidePorch):
    @property
    def flags(self):
        policy = self.write("audit-policy.yaml", yaml.safe_dump(POLICY))
        return (f"--audit-policy-file={policy} --audit-log-path={self.dir}/audit.log "
                "--enable-admission-plugins=OwnerReferencesPermissionEnforcement")

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

    # ---- the life of a fleet

    def begin_life(self):
        point = {"web/region.yaml": yaml.safe_dump(POINT)}
        for revision in range(2, REVISIONS + 2):
            self.commit(self.dir / "blueprints.git", {**files(revision), **point}, f"Revision {revision}",
                        tags=[f"web/v{revision}"])
        self.install(ROOT / "deploy/crds")
        self.register()
        self.apply(REGION)

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

    def used(self):
        """What was asked for and allowed by a role of ours, and what was asked for and not allowed."""
        allowed, refused = set(), set()
        for line in (self.dir / "audit.log").read_text().splitlines():
            event = json.loads(line)
            what = event.get("objectRef", {})
            if "resource" not in what:
                continue  # what is served, which everybody may ask
            right = (what.get("apiGroup", ""), "/".join(filter(None, (what["resource"], what.get("subresource")))),
                     event["verb"])
            if event["annotations"].get("authorization.k8s.io/decision") != "allow":
                refused.add(right)
            elif "portico" in event["annotations"]["authorization.k8s.io/reason"]:
                allowed.add(right)
        return allowed, refused

    def test_each_right_is_used_and_none_is_missing(self):
        self.begin_life()
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
        granted = of_the_account(self.printed)
        self.assertGreater(len(granted), 20, granted)
        used, refused = self.used()
        self.assertEqual(refused, set(), "asked for without a right")
        self.assertEqual(used - granted, set())
        self.assertLessEqual(SELDOM.keys(), granted)
        self.assertEqual(granted - used - SELDOM.keys(), set(), "granted and never used")


if __name__ == "__main__":
    unittest.main()
