"""The audit log records who wrote what and who was refused, and contains no secrets."""
import json
import unittest

from api_server import ApiServer
from support import Fleet


class Audit(ApiServer):
    def setUp(self):
        Fleet.setUp(self)  # each test serves with its own options
        self.file = self.dir / "audit.jsonl"
        self.serve("--audit-log", self.file)

    def events(self, **wanted):
        all_events = [json.loads(line) for line in self.file.read_text().splitlines()]
        return [event for event in all_events
                if all(event["objectRef"].get(k) == v for k, v in wanted.items())]

    def test_writes_and_refusals_are_kept(self):
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        self.kubectl("create", "configmap", "web", "--from-literal=k=v")
        self.kubectl("get", "configmaps")
        (event,) = self.events(resource="configmaps", name="web")
        self.assertEqual((event["kind"], event["apiVersion"], event["level"], event["stage"]),
                         ("Event", "audit.k8s.io/v1", "Metadata", "ResponseComplete"))
        self.assertEqual((event["verb"], event["user"]["username"]), ("create", "portico-admin"))
        self.assertEqual(event["responseStatus"]["code"], 201)
        self.assertEqual(event["sourceIPs"], ["127.0.0.1"])
        self.assertEqual(event["annotations"]["authorization.k8s.io/decision"], "allow")

        self.run_kubectl("get", "secrets", "--as=ada")
        (event,) = self.events(resource="secrets")
        self.assertEqual(event["user"]["username"], "portico-admin")
        self.assertEqual(event["impersonatedUser"]["username"], "ada")
        self.assertEqual(event["responseStatus"]["code"], 403)
        self.assertIn('User "ada" cannot list', event["responseStatus"]["message"])
        self.assertEqual(event["annotations"]["authorization.k8s.io/decision"], "forbid")

        self.run_kubectl("get", "--raw", "/api", kubeconfig=self.with_token("unknown"))
        self.assertIn(401, [json.loads(line)["responseStatus"]["code"]
                            for line in self.file.read_text().splitlines()])

    def test_secrets_are_never_in_it(self):
        self.kubectl("create", "secret", "generic", "s", "--from-literal=k=hunter2-in-here")
        self.run_kubectl("create", "--raw", "/api/v1/namespaces/default/secrets", "-f", "-",
                         stdin='{"metadata": {"name": "t"}, "stringData": {"k": "hunter3"}')
        self.run_kubectl("create", "--validate=false", "-f", "-", stdin=json.dumps(
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "u"},
             "data": {"hunter4/key": "aHVudGVyNQ=="}}))
        token = self.kubectl("create", "token", "default").strip()
        text = self.file.read_text()
        self.assertEqual([event["responseStatus"]["code"]
                          for event in self.events(resource="secrets")], [201, 400, 422])
        self.assertEqual(len(self.events(subresource="token")), 1)
        for secret in ("hunter", "aHVudGVy", token):
            self.assertNotIn(secret, text)


if __name__ == "__main__":
    unittest.main()
