"""For tests: compares the requests of a service account in the audit log of kube-apiserver with the shipped rights."""
import json

import yaml


def of_the_account(objects, account):
    """(group, resource, verb) of all rights bound to a service account."""
    roles = {(each["kind"], each["metadata"]["name"]): each
             for each in objects if each["kind"] in ("Role", "ClusterRole")}
    out = set()
    for binding in objects:
        if any(each["name"] == account for each in binding.get("subjects", [])):
            role = roles.get((binding["roleRef"]["kind"], binding["roleRef"]["name"]))
            if role is None:
                continue  # one of the cluster's built-in roles
            labels = [wanted["matchLabels"].items()
                      for wanted in role.get("aggregationRule", {}).get("clusterRoleSelectors", [])]
            parts = [role] + [other for other in roles.values()
                              if any(each <= other["metadata"]["labels"].items() for each in labels)]
            out |= {(group, resource, verb) for part in parts for rule in part["rules"]
                    for group in rule["apiGroups"] for resource in rule["resources"] for verb in rule["verbs"]}
    return out


class Audited:
    """A test on a cluster; `account_name` is the account whose requests are checked."""

    @property
    def flags(self):
        policy = self.write("audit-policy.yaml", yaml.safe_dump({
            "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
            "rules": [{"level": "Metadata", "users": [f"system:serviceaccount:portico-system:{self.account_name}"]},
                      {"level": "None"}]}))
        return (f"--audit-policy-file={policy} --audit-log-path={self.dir}/audit.log "
                "--enable-admission-plugins=OwnerReferencesPermissionEnforcement")

    def used(self):
        """The requests that a shipped role allowed, and the requests that were forbidden."""
        allowed, refused = set(), set()
        for line in (self.dir / "audit.log").read_text().splitlines():
            event = json.loads(line)
            what = event.get("objectRef", {})
            if "resource" not in what:
                continue  # discovery, which is open to all users
            right = (what.get("apiGroup", ""), "/".join(filter(None, (what["resource"], what.get("subresource")))),
                     event["verb"])
            if event["annotations"].get("authorization.k8s.io/decision") != "allow":
                refused.add(right)
            elif 'Role "portico' in event["annotations"]["authorization.k8s.io/reason"]:
                allowed.add(right)
        return allowed, refused

    def check_rights(self, printed, seldom):
        """Every right is used, except those in `seldom` (with the reason), and none is missing."""
        granted = of_the_account(printed, self.account_name)
        self.assertGreater(len(granted), 20, granted)
        used, refused = self.used()
        self.assertEqual(refused, set(), "asked for without a right")
        self.assertEqual(used - granted, set())
        self.assertLessEqual(seldom.keys(), granted)
        self.assertEqual(granted - used - seldom.keys(), set(), "granted and never used")
