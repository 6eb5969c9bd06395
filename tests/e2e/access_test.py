"""Who may do what, as users of kubectl ask and change it."""
import json
import shutil
import unittest

from api_server import ApiServer


class Access(ApiServer):
    def as_user(self, config, *arguments):
        return self.run_kubectl(*arguments, kubeconfig=config)

    def test_asks_what_somebody_may(self):
        self.kubectl("create", "role", "reader", "--verb=get,list", "--resource=configmaps")
        self.kubectl("create", "rolebinding", "reader", "--role=reader", "--user=ada")
        ada = self.user("ada")
        self.assertEqual(self.as_user(ada, "auth", "can-i", "list", "configmaps").stdout, "yes\n")
        no = self.as_user(ada, "auth", "can-i", "delete", "configmaps")
        self.assertEqual((no.returncode, no.stdout), (1, "no\n"))
        rules = self.as_user(ada, "auth", "can-i", "--list").stdout
        self.assertRegex(rules, r"configmaps +\[\] +\[\] +\[get list\]")
        self.assertRegex(self.as_user(ada, "auth", "whoami").stdout, r"Username +ada\n")
        self.assertEqual(
            self.kubectl("auth", "can-i", "list", "configmaps", "--as=ada"), "yes\n")
        self.assertIn("cannot impersonate resource",
                      self.as_user(ada, "get", "configmaps", "--as=ben").stderr)

    def test_a_service_account_has_tokens(self):
        self.kubectl("create", "serviceaccount", "robot")
        token = self.kubectl("create", "token", "robot", "--duration=20m").strip()
        self.kubectl("create", "clusterrolebinding", "robot", "--clusterrole=portico:viewer",
                     "--serviceaccount=default:robot")
        config = self.dir / "robot.kubeconfig"
        shutil.copy(self.kubeconfig, config)
        self.as_user(config, "config", "set-credentials", "robot", f"--token={token}")
        self.as_user(config, "config", "set-context", "--current", "--user=robot")
        who = json.loads(self.as_user(config, "auth", "whoami", "-o", "json").stdout)
        self.assertEqual(who["status"]["userInfo"]["username"],
                         "system:serviceaccount:default:robot")
        self.assertEqual(self.as_user(config, "get", "configmaps").returncode, 0)
        self.assertIn("forbidden", self.as_user(config, "get", "secrets").stderr)
        self.kubectl("delete", "serviceaccount", "robot")
        self.assertIn("Unauthorized", self.as_user(config, "get", "configmaps").stderr)

    def test_an_aggregated_role_follows_those_it_selects(self):
        self.kubectl("apply", "-f", "-", stdin="""
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: team}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {team: a}}]}
rules: []
""")
        self.kubectl("create", "clusterrolebinding", "team", "--clusterrole=team", "--user=ada")
        self.assertIn("no", self.run_kubectl("auth", "can-i", "get", "cm", "--as=ada").stdout)
        self.kubectl("create", "clusterrole", "part", "--verb=get", "--resource=configmaps")
        self.kubectl("label", "clusterrole", "part", "team=a")
        self.assertEqual(self.kubectl("auth", "can-i", "get", "cm", "--as=ada"), "yes\n")
        self.kubectl("delete", "clusterrole", "part")
        self.assertIn("no", self.run_kubectl("auth", "can-i", "get", "cm", "--as=ada").stdout)


if __name__ == "__main__":
    unittest.main()
