"""Slow responses that are cut off: the command repeats the request and ends as if undisturbed."""
import json
import unittest

import yaml
from api_server import KUBECTL
from apart import COUNT, Apart


@unittest.skipUnless(KUBECTL, "kubectl is not installed")
class CutOff(Apart):
    def setUp(self):
        super().setUp()
        self.fates = []
        self.asked = 0
        self.portico("apply", "-f", "-", "--wait", stdin=yaml.safe_dump_all(self.repositories()))
        self.serve()
        self.put_porch_between(fault=self.fault)

    def fault(self, method, path):
        if method == "POST" and "/rehearsals" in path:
            self.asked += 1
            return self.fates.pop(0) if self.fates else None
        return None

    def plan(self):
        """`portico plan` of the whole fleet, through the relay."""
        return self.run_portico("--kubeconfig", self.kubeconfig_of_controllers, "plan", "-f", "-", "-o", "json",
                                stdin=self.fleet())

    def test_a_plan_is_asked_for_again(self):
        self.fates = ["cut", "lose", "cut"]
        done = self.plan()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.asked, 4)
        self.assertEqual(len(json.loads(done.stdout)["variants"]), COUNT)
        self.assertEqual(self.trees(), {}, "nothing was written")

    def test_not_for_ever(self):
        self.fates = ["cut"] * 100
        done = self.plan()
        self.assertEqual(done.returncode, 1)
        self.assertLess(self.asked, 10)

    def test_what_is_refused_is_not_asked_again(self):
        self.fates = [(403, {"Content-Type": "application/json"}, json.dumps(
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden",
             "message": "not for you"}))]
        done = self.plan()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not for you", done.stderr)
        self.assertEqual(self.asked, 1)


if __name__ == "__main__":
    unittest.main()
