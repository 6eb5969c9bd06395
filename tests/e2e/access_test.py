"""Authorization, as users of kubectl query and change it."""
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

    def test_what_an_object_makes_the_server_do_is_asked_for_too(self):
        self.kubectl("create", "rolebinding", "eve", "--clusterrole=portico:editor", "--user=eve")
        self.kubectl("create", "secret", "generic", "cred", "--from-literal=password=x")
        eve = self.user("eve")

        def repository(**git):
            return json.dumps({"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                               "metadata": {"name": "r"}, "spec": {"type": "git", "git": git}})

        def refused(*arguments, stdin=None):
            done = self.run_kubectl(*arguments, kubeconfig=eve, stdin=stdin)
            self.assertEqual(done.returncode, 1, done.stdout)
            return done.stderr
        self.assertIn("spec.git.secretRef is sent to spec.git.repo: ", refused(
            "apply", "-f", "-", stdin=repository(repo="https://127.0.0.1:1/x.git",
                                                 secretRef={"name": "cred"})))
        for address in (str(self.dir), f"file://{self.dir}", "../x"):
            self.assertIn('cannot use resource "localrepositories"', refused(
                "apply", "-f", "-", stdin=repository(repo=address)))
        plan = self.run_portico("--kubeconfig", eve, "plan", "-f", "-",
                                stdin=repository(repo=str(self.dir)))
        self.assertIn('cannot use resource "localrepositories"', plan.stderr)
        self.kubectl("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
            "metadata": {"name": "team-git"},
            "rules": [{"apiGroups": ["config.porch.kpt.dev"], "resources": ["localrepositories"],
                       "resourceNames": [str(self.dir)], "verbs": ["use"]}]}))
        self.kubectl("create", "rolebinding", "team-git", "--role=team-git", "--user=eve")
        self.run_kubectl("apply", "-f", "-", kubeconfig=eve, stdin=repository(repo=str(self.dir)))
        self.assertIn("r ", self.kubectl("get", "repositories", "--no-headers"))
        variant = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                   "metadata": {"name": "v"},
                   "spec": {"upstream": {"repo": "r", "package": "p", "revision": 1},
                            "downstream": {"repo": "r", "package": "q"},
                            "approval": {"approve": {"policy": "always"}}}}
        self.assertIn("its policy approves package revisions automatically", refused("apply", "-f", "-", stdin=json.dumps(variant)))
        del variant["spec"]["approval"]
        self.assertEqual(self.run_kubectl("apply", "-f", "-", kubeconfig=eve,
                                          stdin=json.dumps(variant)).returncode, 0)
        self.assertIn("its policy approves package revisions automatically", refused(
            "annotate", "packagevariant", "v", "approval.nephio.org/policy=always"))

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
