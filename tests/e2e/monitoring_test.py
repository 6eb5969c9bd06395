"""deploy/monitoring: rules and dashboard use only metrics and labels that `portico serve --metrics` exports."""
import json
import re
import shutil
import subprocess
import unittest
import urllib.request

import yaml

from git_server import GitServer
from support import ROOT, Fleet

MONITORING = ROOT / "deploy/monitoring"
# The metric that Prometheus itself adds for each server, and the labels that it adds to each sample.
OF_PROMETHEUS = {"up"}
ADDED_LABELS = {"job", "instance"}
# The metrics that only a process with a cluster has; controllers_test.py compares them with one.
OF_A_CLUSTER = {"portico_cluster_requests_total": {"verb", "resource", "code"},
                "portico_cluster_request_duration_seconds_bucket": {"verb", "resource", "le"}}
PACKAGE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2
    configMap: {team: a}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  key: %s\n"
VARIANT = """
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: up, package: web}
  downstream: {repo: edge, package: web}
"""


def labels_in(text):
    """Metric name -> labels, for all samples."""
    found = {}
    for name, labels in re.findall(r"^([a-z_]+)(\{[^}]*\})? ", text, re.M):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def asked_by(expression):
    """(name, labels) of each selector, and the labels used for grouping."""
    expression = re.sub(r"\$__rate_interval", "5m", expression)
    plain = re.sub(r'"[^"]*"', '""', expression)
    names = set()
    for name, labels in re.findall(r"\b((?:portico_\w+)|up)\b(?:\{([^}]*)\})?", plain):
        names.add((name, frozenset(re.findall(r"(\w+)\s*(?:=|!=|=~|!~)\"", labels))))
    grouped = {label.strip() for part in re.findall(r"\bby \(([^)]*)\)", plain) for label in part.split(",")}
    return names, grouped


class Monitoring(Fleet):
    serves = False

    @classmethod
    def expressions(cls):
        """Alert or panel -> expression."""
        rules = yaml.safe_load((MONITORING / "rules.yaml").read_text())
        out = {rule["alert"]: rule["expr"] for group in rules["groups"] for rule in group["rules"]}
        for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"]:
            for target in panel["targets"]:
                out[f"{panel['title']} {target['refId']}"] = target["expr"]
        return out

    def numbers(self):
        """Metric name -> labels, for all samples of an active fleet."""
        self.bare("up", {"web/Kptfile": PACKAGE, "web/a.yaml": CONFIG % "a"}, tags=["web/v1"])
        self.bare("edge")
        git = GitServer(self.dir)
        self.addCleanup(git.http.server_close)
        self.addCleanup(git.http.shutdown)
        git.http.allowed.add(None)
        for name, more in (("up", []), ("edge", ["--deployment"])):
            self.portico("repo", "register", git.url(f"{name}.git"), "--name", name, *more, "--wait")
        self.portico("apply", "-f", self.write("variant.yaml", VARIANT), "--wait")
        self.start_server("--metrics", "127.0.0.1:0")
        address = next(line for line in self.server_process.stdout if line.startswith("metrics at ")).split()[-1]
        # Published by Portico, so that the time of publication, and thus the upgrade delay, is known.
        self.portico("rpkg", "copy", "up.web.v1", "--workspace", "second")
        self.portico("rpkg", "propose", "up.web.second")
        self.portico("rpkg", "approve", "up.web.second", "--wait")
        text = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=60).read().decode()
        self.stop_server()
        return labels_in(text) | OF_A_CLUSTER

    def test_what_is_asked_for_is_there(self):
        numbers = self.numbers()
        used = set()
        for where, expression in self.expressions().items():
            names, grouped = asked_by(expression)
            self.assertTrue(names, f"{where}: {expression}")
            for name, labels in names:
                if name in OF_PROMETHEUS:
                    continue
                self.assertIn(name, numbers, where)
                self.assertLessEqual(labels, numbers[name] | ADDED_LABELS, where)
                self.assertLessEqual(grouped, numbers[name] | ADDED_LABELS, where)
                used.add(re.sub("_(bucket|count|sum)$", "", name))
        self.assertGreater(len(used), 12)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_rules_alert_when_they_should(self):
        for words in (["check", "rules", "rules.yaml"], ["test", "rules", "rules_test.yaml"]):
            done = subprocess.run(["promtool", *words], cwd=MONITORING, text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        tested = (MONITORING / "rules_test.yaml").read_text()
        for rule in yaml.safe_load((MONITORING / "rules.yaml").read_text())["groups"][0]["rules"]:
            self.assertIn(f"alertname: {rule['alert']}\n", tested.replace(",", "\n"), "each rule has a case")

    def test_the_guide_lists_the_alerts(self):
        rules = yaml.safe_load((MONITORING / "rules.yaml").read_text())["groups"][0]["rules"]
        listed = re.findall(r"^\| `(Portico\w+)` \|", (ROOT / "docs/guide/operations.md").read_text(), re.M)
        self.assertEqual(sorted(listed), sorted(rule["alert"] for rule in rules))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_expressions_of_the_dashboard_are_promql(self):
        rules = [{"record": f"dashboard:{number}", "expr": expression.replace("$__rate_interval", "5m")}
                 for number, expression in enumerate(self.expressions().values())]
        file = self.write("rules.yaml", yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}))
        done = subprocess.run(["promtool", "check", "rules", file], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
