"""client-go and controller-runtime against `portico serve --listen` (tests/clients/go)."""
import os
import re
import subprocess
import unittest

import go_program
from api_server import Served
from support import ENVIRONMENT

OBJECTS = {"configmaps": 500, "packagevariants": 50, "packagerevisions": 10}  # minimum numbers that stay


class GoClients(Served):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            cls.program = go_program.build()
        except go_program.NoGo as why:
            if os.environ.get("CI"):
                raise
            raise unittest.SkipTest(str(why)) from why

    def setUp(self):
        super().setUp()
        self.bare("edge")
        self.portico("repo", "register", str(self.dir / "edge.git"))
        self.serve()

    def start(self, scenario, **features):
        errors = open(self.dir / f"{scenario}.err", "w")
        self.addCleanup(errors.close)
        process = subprocess.Popen(
            [self.program, scenario], cwd=self.dir, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=errors,
            env={**ENVIRONMENT, "KUBECONFIG": self.kubeconfig, **features})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def succeeds(self, scenario, process):
        output = process.stdout.read()
        self.assertEqual(process.wait(timeout=180), 0,
                         output + (self.dir / f"{scenario}.err").read_text())
        return output

    def informers(self, **features):
        clients = self.start("churn", **features)
        self.assertEqual(clients.stdout.readline(), "half\n", (self.dir / "churn.err").read_text())
        self.server.kill()
        self.server.wait(timeout=20)
        self.serve(listen=self.url.removeprefix("https://"))
        clients.stdin.write("back\n")
        clients.stdin.close()
        report = self.succeeds("churn", clients)
        lines = re.findall(r"\w+ (\w+): (\d+) objects", report)
        self.assertEqual(len(lines), 7, report)
        for resource, count in lines:
            self.assertGreaterEqual(int(count), OBJECTS[resource], report)

    def test_informers_hold_what_is_listed_after_a_crash(self):
        self.informers(KUBE_FEATURE_WatchListClient="false")

    def test_informers_that_list_by_a_watch(self):
        self.informers(KUBE_FEATURE_WatchListClient="true")

    def test_writes_that_name_no_version_never_conflict(self):
        self.succeeds("contend", self.start("contend"))

    @unittest.skipUnless(os.environ.get("PORTICO_SLOW"), "of ./dev test --slow")
    def test_informers_that_missed_too_much_list_again(self):
        self.succeeds("expire", self.start("expire"))

    def test_a_manager_with_finalizers_and_leases(self):
        self.succeeds("manager", self.start("manager"))

    def test_openapi_says_the_same_in_protobuf(self):
        self.succeeds("openapi", self.start("openapi"))


if __name__ == "__main__":
    unittest.main()
