"""Error answers of an API server to `portico controllers`, by src/base/world_error.cc: it recovers from each without a
restart."""
import collections
import pathlib
import re
import socket
import ssl
import subprocess
import threading
import time
import unittest
import urllib.parse

import world_table
import yaml
from api_server import Served
from fault_fleet import WEB
from porch_manners import PorchManners
from relay import Relay, tcp
from support import ENVIRONMENT, binary

LIMIT = 240  # seconds: failures that a user must fix are retried after a minute or more
# The request is wrong or its object is missing: nothing is retried before something changes.
WAITS_FOR_AN_EVENT = (400, 404, 405, 410, 413, 415, 422)
UNTOLD = (404, 409, 410, 412)
# The server's fault; the other rows of kCurl are about this program's own settings, or its libcurl.
CURL = (60,)
OWN = (1, 3, 4, 53, 58, 59, 67, 77, 83, 90, 98)


class World(Served):
    def setUp(self):
        super().setUp()
        self.answers, self.given = {}, collections.Counter()

    def statuses(self):
        return sorted({*map(int, world_table.tables()["kHttp"]), 401, 403, 500, 502, 503})

    def test_each_row_of_the_table_has_a_case(self):
        self.assertEqual({int(row) for row in world_table.tables()["kCurl"]}, {*CURL, *OWN})
        self.assertLessEqual({*WAITS_FOR_AN_EVENT}, {*self.statuses()})

    def fault(self, method, path):
        """Writing the status of a variant fails."""
        found = re.search(r"/packagevariants/([^/]+)", path)
        answer = self.answers.get(found[1]) if found and method in ("PUT", "PATCH") else None
        if answer is None:
            return None
        self.given[found[1]] += 1
        return answer, {"Content-Type": "text/plain"}, f"said {answer}"

    def variant(self, name):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                "metadata": {"name": name, "namespace": "default"},
                "spec": {"upstream": {"repo": "blueprints", "package": "web", "revision": 1},
                         "downstream": {"repo": "edge", "package": name}}}

    def begin(self, *names):
        self.bare("blueprints", WEB, tags=["web/v1"])
        self.bare("edge")
        self.serve("--without-controllers")
        for name in ("blueprints", "edge"):
            self.portico("repo", "register", f"{name}.git", "--wait", *(["--deployment"] if name == "edge" else []))
        self.portico("apply", "-f", "-", "--no-wait", stdin=yaml.safe_dump_all(map(self.variant, names)))

    def controllers(self, kubeconfig):
        log = open(self.dir / "controllers.log", "a+")
        self.addCleanup(log.close)
        self.process = subprocess.Popen(
            [binary(), "controllers", "--kubeconfig", kubeconfig, "--lease-seconds", "600"], cwd=self.dir,
            env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.stop, self.process)

    def log(self):
        return (self.dir / "controllers.log").read_text()

    def until(self, what):
        end = time.monotonic() + LIMIT
        while (missing := what()):
            self.assertIsNone(self.process.poll(), f"the controllers ended: {self.log()}")
            if time.monotonic() > end:
                self.fail(f"not within {LIMIT} s: {missing}\n{self.log()[-4000:]}")
            time.sleep(0.1)

    def unready(self):
        return {name for name, variant in self.objects("packagevariants").items()
                if self.condition(variant)["status"] != "True"}

    def test_statuses(self):
        self.answers = {f"http-{status}": status for status in self.statuses()}
        names = list(self.answers)
        self.begin(*names)
        porch = PorchManners(self.kubeconfig, fault=self.fault)
        self.addCleanup(porch.stop)
        self.controllers(porch.kubeconfig(self.dir / "porch.kubeconfig"))

        def refused():
            for name in list(self.answers):
                if not self.given[name]:
                    continue
                # Missing objects and conflicts are not logged.
                if int(name[5:]) not in UNTOLD and f"said {self.answers[name]}" not in self.log():
                    continue
                self.answers.pop(name)
                if int(name[5:]) in WAITS_FOR_AN_EVENT:
                    self.portico("annotate", "packagevariant", name, "mended=yes", "--no-wait")
            return set(self.answers)
        self.until(refused)
        self.until(self.unready)
        self.assertEqual(len(self.refs(self.dir / "edge.git", "refs/heads/drafts")), len(names))
        self.fsck(self.dir / "edge.git")

    def test_a_certificate_that_nobody_knows(self):
        """CURLE_PEER_FAILED_VERIFICATION: for a while another server listens at the address."""
        self.begin("before")
        right = urllib.parse.urlsplit(self.url).port
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=wrong",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "wrong.key", "-out", "wrong.pem"],
                       cwd=self.dir, check=True, capture_output=True)
        relay = Relay(tcp(right))
        self.addCleanup(relay.close)
        config = yaml.safe_load(pathlib.Path(self.kubeconfig).read_text())
        config["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{relay.port}"
        self.controllers(self.write("relay.kubeconfig", yaml.safe_dump(config)))
        self.until(self.unready)
        relay.connect = tcp(self.impostor())
        relay.end_all()
        self.portico("apply", "-f", "-", "--no-wait", stdin=yaml.safe_dump(self.variant("after")))
        self.until(lambda: "certificate" not in self.log())
        self.assertEqual(self.unready(), {"after"})
        relay.connect = tcp(right)
        self.until(self.unready)

    def impostor(self):
        """The port of a TLS server with a self-signed certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.dir / "wrong.pem", self.dir / "wrong.key")
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def accept():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                try:
                    context.wrap_socket(connection, server_side=True).close()
                except OSError:
                    connection.close()
        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()[1]


if __name__ == "__main__":
    unittest.main()
