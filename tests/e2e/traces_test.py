"""Traces that `portico serve` sends to a collector; an unavailable collector delays nothing."""
import base64
import json
import socket
import unittest
import unittest.mock

from apart import Apart
from git_server import GitServer, basic
from otlp_collector import Collector
from support import ENVIRONMENT, Fleet

PASSWORD = "s3cretOfAda"
KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2
    configMap: {team: a}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
WRITES = ("POST configmaps", "PATCH configmaps")
VARIANT = json.dumps({
    "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
    "metadata": {"name": "web"},
    "spec": {"upstream": {"repo": "up", "package": "web", "revision": 1},
             "downstream": {"repo": "edge", "package": "web"}}})
LOGIN = json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"},
                    "type": "kubernetes.io/basic-auth",
                    "stringData": {"username": "ada", "password": PASSWORD}})


def repository(url):
    return json.dumps({
        "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository", "metadata": {"name": "edge"},
        "spec": {"type": "git", "deployment": True,
                 "git": {"repo": url, "branch": "main", "secretRef": {"name": "login"}}}})


def collector_of(test):
    """Starts a collector, and sets a short export delay so that spans arrive soon."""
    soon = unittest.mock.patch.dict(ENVIRONMENT, OTEL_BSP_SCHEDULE_DELAY="50")
    soon.start()
    test.addCleanup(soon.stop)
    out = Collector()
    test.addCleanup(out.close)
    return out


def whole_draft(spans):
    """The span of a successful draft once its trace is complete: the root span ends last."""
    for draft in spans:
        if draft.name == "draft" and not draft.error:
            if any(span.trace == draft.trace and span.parent is None for span in spans):
                return draft
    return None


class Traces(Fleet):
    serves = False

    def setUp(self):
        super().setUp()
        self.bare("up", {"web/Kptfile": KPTFILE, "web/a.yaml": CONFIG}, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "up.git", "--wait")

    def collector(self):
        return collector_of(self)

    def remote_edge(self):
        """Makes the downstream a repository over HTTP with authentication."""
        git = GitServer(self.dir)
        self.addCleanup(git.close)
        git.allow_only(basic("ada", PASSWORD))
        self.portico("apply", "-f", "-", "--wait", stdin=LOGIN + "\n---\n" + repository(git.url("edge.git")))
        return git

    def ask(self, path, **headers):
        """The status of a request to the folder's server, sent as the folder's owner."""
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(60)
            one.connect(str(self.dir / ".portico/api.sock"))
            fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{fields}\r\n".encode())
            return int(one.makefile("rb").readline().split()[1])

    def log(self):
        return (self.dir / "serve.log").read_text()

    def check_whole(self, spans):
        """All spans are of one trace, and all but one lie within another span."""
        by_id = {span.id: span for span in spans}
        self.assertEqual(len(by_id), len(spans), spans)
        roots = [span for span in spans if span.parent is None]
        self.assertEqual(len(roots), 1, roots)
        for span in spans:
            self.assertLessEqual(span.begin, span.end, span)
            if span.parent is None:
                continue
            self.assertIn(span.parent, by_id, span)
            whole = by_id[span.parent]
            self.assertLessEqual(whole.begin, span.begin, (whole, span))
            self.assertLessEqual(span.end, whole.end, (whole, span))
        return roots[0]

    def test_the_trace_of_a_draft_is_whole(self):
        git = self.remote_edge()
        collector = self.collector()
        self.start_server("--traces", collector.url)
        self.assertEqual(self.server_process.stdout.readline(), f"traces to {collector.url}/v1/traces\n")
        self.portico("apply", "-f", "-", "--wait", stdin=VARIANT)
        draft = collector.wait_for(self, whole_draft)
        self.stop_server()
        self.assertEqual({(path, kind) for path, kind, _ in collector.requests},
                         {("/v1/traces", "application/json")})
        spans = collector.spans()
        self.assertEqual({span.service for span in spans}, {"portico"})
        self.assertEqual(draft.attributes["portico.repository"], "edge")
        self.assertEqual(draft.attributes["portico.package"], "web")
        self.assertEqual(draft.attributes["portico.revision"], "edge.web.packagevariant-1")

        trace = [span for span in spans if span.trace == draft.trace]
        root = self.check_whole(trace)
        self.assertEqual(root.name, "reconcile PackageVariant")
        self.assertEqual({key: root.attributes[f"portico.{key}"] for key in ("kind", "namespace", "name", "outcome")},
                         {"kind": "PackageVariant", "namespace": "default", "name": "web", "outcome": "ok"})
        self.assertRegex(self.log(), rf"drafted.* run={root.attributes['portico.run']} ")
        by_id = {span.id: span for span in trace}

        def way(span):
            return ([*way(by_id[span.parent])] if span.parent else []) + [span.name]
        ways = [way(span) for span in trace]
        begin = ["reconcile PackageVariant", "step Clone", "draft"]
        for rest in (["build"], ["build", "render"], ["build", "render", "function set-labels"], ["save"],
                     ["save", "git push"]):
            self.assertIn(begin + rest, ways)
        function = next(span for span in trace if span.name == "function set-labels")
        self.assertEqual(function.attributes["portico.function.image"],
                         "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2")
        push = next(span for span in trace if span.name == "git push")
        self.assertEqual(push.kind, 3)
        self.assertEqual(push.attributes["portico.repository.url"], git.url("edge.git"))
        self.assertEqual([span.error for span in trace if span.error], [])

    def test_requests_are_spans_of_whoever_asks(self):
        collector = self.collector()
        self.start_server("--listen", "127.0.0.1:0", "--audit-log", str(self.dir / "audit.log"),
                          "--traces", collector.url)
        trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
        self.assertEqual(self.ask("/api/v1/namespaces/default/configmaps/none", traceparent=f"00-{trace}-{parent}-01"),
                         404)
        self.assertEqual(self.ask("/api/v1/secrets?limit=1", traceparent=f"00-{trace}-{parent}-00"), 200)
        for quiet in ("/healthz", "/livez/ping", "/readyz", "/metrics"):
            self.assertEqual(self.ask(quiet), 200, quiet)
        self.portico("apply", "-f", "-", stdin=CONFIG)

        def is_written(spans):
            return any(span.name in WRITES for span in spans) and any(span.trace == trace for span in spans)
        collector.wait_for(self, is_written)
        self.stop_server()
        spans = collector.spans()
        theirs = [span for span in spans if span.trace == trace]
        self.assertEqual(len(theirs), 1, "one request was to be recorded")
        get = theirs[0]
        self.assertEqual((get.name, get.kind, get.parent, get.error), ("GET configmaps", 2, parent, None))
        self.assertEqual(get.attributes["url.path"], "/api/v1/namespaces/default/configmaps/none")
        self.assertEqual({key: get.attributes[f"portico.{key}"] for key in ("verb", "resource", "namespace", "name")},
                         {"verb": "get", "resource": "configmaps", "namespace": "default", "name": "none"})
        self.assertEqual(get.attributes["http.response.status_code"], "404")
        self.assertTrue(get.attributes["enduser.id"])
        self.assertEqual([span for span in spans if "secrets" in span.name], [], "it was not to be recorded")
        self.assertFalse([span for span in spans if "z" in span.attributes.get("url.path", "")[-6:]
                          or span.attributes.get("url.path") == "/metrics"], "asked every few seconds")
        audited = {line["auditID"] for line in map(json.loads, (self.dir / "audit.log").read_text().splitlines())
                   if line["objectRef"].get("resource") == "configmaps"}
        written = {span.attributes["portico.audit_id"] for span in spans if span.name in WRITES}
        self.assertTrue(audited)
        self.assertLessEqual(audited, written)

    def test_no_secret_is_in_them(self):
        git = self.remote_edge()
        collector = self.collector()
        git.allow_only(basic("ada", "another"))
        self.start_server("--traces", collector.url)
        self.settles("apply", "-f", "-", stdin=VARIANT)

        def failed(spans):
            return [span for span in spans if span.name.startswith("git ") and span.error]
        collector.wait_for(self, failed)
        self.stop_server()
        for span in failed(collector.spans()):
            self.assertEqual(span.attributes["portico.repository.url"], git.url("edge.git"))
        for _, _, body in collector.requests:
            for form in (PASSWORD, base64.b64encode(PASSWORD.encode()).decode(),
                         base64.b64encode(f"ada:{PASSWORD}".encode()).decode()):
                self.assertNotIn(form, body)

    def test_a_collector_that_is_away_costs_a_line(self):
        self.portico("repo", "register", "edge.git", "--deployment", "--wait")
        with socket.socket() as nobody:  # occupies the port without listening
            nobody.bind(("127.0.0.1", 0))
            self.start_server("--traces", f"http://127.0.0.1:{nobody.getsockname()[1]}")
            self.portico("apply", "-f", "-", "--wait", stdin=VARIANT)
            self.stop_server()
        self.assertEqual(self.server_process.returncode, 0)
        self.assertEqual(self.log().count("trace export failed"), 1, self.log())
        self.assertIn("edge.web.packagevariant-1", self.objects("rpkg"))

    def test_what_cannot_be_is_refused(self):
        self.assertIn("--traces: ", self.fails("serve", "--traces", "collector:4318"))
        self.assertIn("--traces: ", self.fails("controllers", "--traces", "collector:4318"))
        self.environment.update(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:1", OTEL_TRACES_SAMPLER="some")
        self.assertIn("OTEL_TRACES_SAMPLER: ", self.fails("serve"))
        self.environment.update(OTEL_TRACES_SAMPLER="", OTEL_EXPORTER_OTLP_HEADERS="hunter2")
        refused = self.fails("serve")
        self.assertIn("OTEL_EXPORTER_OTLP_HEADERS: ", refused)
        self.assertNotIn("hunter2", refused)


class TracesOfControllers(Apart):
    def test_the_servers_part_is_in_the_trace_of_the_controllers(self):
        collector = collector_of(self)
        self.serve("--without-controllers", "--traces", collector.url)
        for name, more in (("blueprints", []), ("cluster-00", ["--deployment"])):
            self.portico("repo", "register", f"{name}.git", *more, "--wait")
        controllers = self.start_controllers("--traces", collector.url)
        self.portico("apply", "-f", "-", stdin=VARIANT.replace('"up"', '"blueprints"').replace('"edge"', '"cluster-00"'))

        def served(spans):
            """(client span, server span) of each request of the draft."""
            draft = whole_draft([span for span in spans if span.kind == 1])
            calls = {span.id: span for span in spans if span.kind == 3}
            parts = [span for span in spans if draft and span.trace == draft.trace and span.kind == 2]
            made = any(span.name == "POST packagerevisions" for span in parts)
            return made and [(calls[span.parent], span) for span in parts]
        for call, request in collector.wait_for(self, served):
            self.assertEqual(call.name, request.name.split()[0])
            self.assertEqual(call.attributes["url.path"], request.attributes["url.path"])
        self.stop(controllers)


if __name__ == "__main__":
    unittest.main()
