"""For tests with Porch: a Portico server behind a proxy that imitates the behavior of Porch's API: its 500s, unordered
resourceVersions, lists without a resourceVersion, and watches that start over. With definitions, it also prunes unknown
fields as kube-apiserver does. Tests can inject faults.

Source: ../shared/conformance/porch-api; porch_manners_test.py checks it against those."""
import base64
import http.client
import http.server
import json
import pathlib
import re
import ssl
import tempfile
import threading
import urllib.parse
import uuid

import yaml

PACKAGES = re.compile(r"^/apis/porch\.kpt\.dev/v1alpha1/(?:namespaces/(?P<ns>[^/]+)/)?"
                      r"(?P<resource>packagerevisions|packagerevisionresources)"
                      r"(?:/(?P<name>[^/]+))?(?:/(?P<sub>[^/]+))?$")
CONFIG = re.compile(r"^/apis/config\.porch\.kpt\.dev/[^/]+/(?:namespaces/[^/]+/)?(?P<plural>[^/]+)"
                    r"(?:/(?P<name>[^/]+))?(?:/(?P<sub>[^/]+))?$")
OURS = ("tree", "ref", "base", "pristine", "proposal", "rejection", "drift", "pin")
ADVICE = "the object has been modified; please apply your changes to the latest version and try again"


def pruned(value, schema):
    """`value` without fields that its structural schema does not have."""
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return value
    if isinstance(value, list):
        return [pruned(each, schema.get("items", {})) for each in value]
    if not isinstance(value, dict):
        return value
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    return {key: pruned(each, known.get(key, others if isinstance(others, dict) else {}))
            for key, each in value.items() if key in known or others}


class PorchManners:
    """Serves at `url` without TLS, and every client acts as the administrator of the backend. With `behind_cluster`, the
    folder of a cluster that tests/kubernetes/start has started, it serves that kube-apiserver as an aggregated API: over
    TLS, for kube-apiserver only, whose certificate and users it passes on.

    `fault(method, path)` may return (status, headers, text) to answer instead, "cut" to close the connection before the
    request reaches the backend, "lose" to close it afterwards, or a threading.Event: the response of the backend is held
    back until it is set. `writes` has all writes except Leases."""

    def __init__(self, kubeconfig, definitions=(), fault=None, behind_cluster=None):
        config = yaml.safe_load(pathlib.Path(kubeconfig).read_text())
        authority = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()

        def trusting():
            context = ssl.create_default_context(cadata=authority)
            context.check_hostname = False
            return context
        self.context = self.context_of_clients = trusting()
        user = config["users"][0]["user"]
        with tempfile.NamedTemporaryFile() as pem:
            pem.write(base64.b64decode(user["client-certificate-data"]) + b"\n"
                      + base64.b64decode(user["client-key-data"]))
            pem.flush()
            self.context.load_cert_chain(pem.name)
        own = None  # of the server
        if behind_cluster:
            pki = behind_cluster / "pki"
            self.context_of_clients = trusting()
            self.context_of_clients.load_cert_chain(pki / "front-proxy.crt", pki / "front-proxy.key")
            own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=pki / "proxy-ca.crt")
            own.verify_mode = ssl.CERT_REQUIRED
            own.load_cert_chain(pki / "server.crt", pki / "server.key")
        self.behind = urllib.parse.urlsplit(config["clusters"][0]["cluster"]["server"]).netloc
        self.schemas = {}
        for text in definitions:
            spec = yaml.safe_load(text)["spec"]
            for version in spec["versions"]:
                self.schemas[spec["names"]["plural"]] = version["schema"]["openAPIV3Schema"]
        self.fault = fault or (lambda method, path: None)
        self.loses_events = False  # watches of package revisions end, and what happens meanwhile is not reported
        self.events_lost = 0
        self.writes, self.lock, self.stopped = [], threading.Lock(), threading.Event()
        manners = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def any(self):
                manners.handle(self)
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = any

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # tests include clients that disconnect

            def finish_request(self, request, client_address):
                if not own:
                    return super().finish_request(request, client_address)
                # In the connection's own thread, so that a missing handshake does not block other clients.
                with own.wrap_socket(request, server_side=True) as secured:
                    return super().finish_request(secured, client_address)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.url = f"{'https' if own else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def kubeconfig(self, path):
        path.write_text(yaml.safe_dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "porch",
            "clusters": [{"name": "porch", "cluster": {"server": self.url}}],
            "users": [{"name": "anybody", "user": {}}],
            "contexts": [{"name": "porch", "context": {"cluster": "porch", "user": "anybody",
                                                       "namespace": "default"}}]}))
        return str(path)

    # ---- requests to the backend

    @staticmethod
    def headers_for(request, accept):
        """With the user that kube-apiserver passes on in a request, whose groups are headers of the same name."""
        headers = http.client.HTTPMessage()
        headers["Accept"] = accept
        for key, value in request.headers.items() if request else ():
            if key.lower().startswith("x-remote-"):
                headers[key] = value
        return headers

    def ask(self, method, target, body=None, content_type="application/json", accept="application/json", request=None):
        """As the user of the request, or as the administrator."""
        context = self.context_of_clients if request else self.context
        connection = http.client.HTTPSConnection(self.behind, context=context, timeout=60)
        try:
            headers = self.headers_for(request, accept)
            if body is not None:
                headers["Content-Type"] = content_type
            connection.request(method, target, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def revision(self, ns, name):
        """The package revision in the backend, or None."""
        status, _, body = self.ask("GET", f"/apis/porch.kpt.dev/v1alpha1/namespaces/{ns}/packagerevisions/{name}")
        return json.loads(body) if status == 200 else None

    # ---- objects, as Porch shows them

    @staticmethod
    def uid(ns, name):
        """The same for each object of a name, also when it is deleted and created again."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{ns}/{name}"))

    def shown(self, item):
        if item.get("kind", "").endswith("List"):
            items = [self.shown(each) for each in item["items"]]
            items.sort(key=lambda each: hash(each["metadata"]["name"]))  # a different order in each process
            return {**item, "metadata": {}, "items": items}
        metadata = {k: v for k, v in item.get("metadata", {}).items() if k not in ("managedFields", "generation")}
        metadata["uid"] = self.uid(metadata["namespace"], metadata["name"])
        status = {k: v for k, v in item.get("status", {}).items() if k not in OURS}
        if "spec" in item and "resources" in item["spec"]:
            revision = self.revision(metadata["namespace"], metadata["name"])
        else:
            revision = item
        if revision:
            metadata["resourceVersion"] = revision["status"]["selfLock"]["git"]["commit"]
        return {**item, "metadata": metadata, **({"status": status} if status else {})}

    def refusal(self, status, body):
        """Porch answers refusals of its engine with 500, but not those of its validation."""
        said = json.loads(body)
        text = said.get("message", "")
        causes = said.get("details", {}).get("causes", [])
        if said.get("reason") == "AlreadyExists":
            text = text.split(": ", 1)[-1]
            text = text[text.find("package revision workspaceNames"):]
        elif said.get("reason") == "Invalid" and len(causes) == 1:
            if causes[0].get("field", "").startswith(("metadata", "spec.lifecycle")):
                return status, body
            text = causes[0]["message"].removeprefix("Invalid value: ")
        elif status in (400, 401, 403, 404, 405, 415, 429) or status >= 500:
            return status, body
        return self.internal(text)

    @staticmethod
    def internal(text):
        return 500, json.dumps({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 500,
            "message": "Internal error occurred: " + text, "reason": "InternalError",
            "details": {"causes": [{"message": text}]}}).encode()

    # ---- requests

    def handle(self, request):
        path, _, query = request.path.partition("?")
        length = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(length) if length else None
        fault = self.fault(request.command, path)
        if fault == "cut":
            return self.cut(request)
        if isinstance(fault, tuple):
            return self.answer(request, fault[0], fault[2].encode(), fault[1])
        wanted = urllib.parse.parse_qs(query)
        packages, config = PACKAGES.match(path), CONFIG.match(path)
        if "watch" in wanted:
            return self.watch(request, path, wanted, packages, config)
        if packages and not packages["name"] and request.command == "GET":
            query = urllib.parse.urlencode({k: v[0] for k, v in wanted.items() if k in (
                "fieldSelector", "labelSelector")})  # all others are ignored
        if packages and request.command in ("PUT", "PATCH"):
            refused, body = self.with_version(packages, body, request.command)
            if refused:
                return self.answer(request, *refused)
        if config and request.command in ("POST", "PUT") and body:
            body = self.prune(config, body)
        status, headers, text = self.ask(request.command, path + ("?" + query if query else ""), body,
                                         request.headers.get("Content-Type", "application/json"),
                                         request.headers.get("Accept", "application/json"), request)
        if request.command != "GET" and "/leases" not in path:
            with self.lock:
                self.writes.append((request.command, path, status))
        if fault == "lose":
            return self.cut(request)
        if isinstance(fault, threading.Event):
            fault.wait(60)
        if packages and status >= 400:
            status, text = self.refusal(status, text)
        elif packages and b'"kind"' in text:
            said = json.loads(text)
            if said.get("kind") != "Status" and "Table" not in said.get("kind"):
                text = json.dumps(self.shown(said)).encode()
        self.answer(request, status, text,
                    {k: v for k, v in headers.items() if k.lower() in ("content-type", "retry-after")})

    def with_version(self, packages, body, method):
        """(Porch's refusal, None), or (None, the body with the backend's resourceVersion)."""
        sent = json.loads(body)
        version = sent.get("metadata", {}).get("resourceVersion") if isinstance(sent, dict) else None
        if not version:
            if method == "PATCH":
                return None, body
            return self.internal("resourceVersion must be specified for an update"), None
        now = self.revision(packages["ns"], packages["name"])
        if now is None:
            return None, body
        if now["status"]["selfLock"]["git"]["commit"] != version:
            return self.internal("Operation cannot be fulfilled on "
                                 f"{packages['resource']}.porch.kpt.dev \"{packages['name']}\": {ADVICE}"), None
        sent["metadata"].update({field: now["metadata"][field] for field in ("resourceVersion", "uid")})
        return None, json.dumps(sent).encode()

    def prune(self, config, body):
        schema = self.schemas.get(config["plural"])
        if not schema:
            return body
        sent = json.loads(body)
        known = schema["properties"]
        return json.dumps({key: pruned(value, known[key]) if key in ("spec", "status") else value
                           for key, value in sent.items()}).encode()

    def watch(self, request, path, wanted, packages, config):
        if packages and self.loses_events:
            return self.answer(request, 503, b"")
        if packages:
            wanted.pop("resourceVersion", None)  # Porch's watches always begin with all objects
        target = path + "?" + urllib.parse.urlencode({k: v[0] for k, v in wanted.items()})
        connection = http.client.HTTPSConnection(self.behind, context=self.context_of_clients, timeout=300)
        try:
            connection.request("GET", target, headers=self.headers_for(request, "application/json"))
            answer = connection.getresponse()
            if answer.status != 200:
                return self.answer(request, answer.status, answer.read())
            request.send_response(200)
            request.send_header("Content-Type", "application/json")
            request.send_header("Transfer-Encoding", "chunked")
            request.end_headers()
            known = set()
            while not self.stopped.is_set() and (line := answer.readline()):
                if packages and self.loses_events:
                    self.events_lost += 1
                    return self.cut(request)
                for event in self.events(json.loads(line), known) if packages else [json.loads(line)]:
                    text = json.dumps(event).encode() + b"\n"
                    request.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
                request.wfile.flush()
                end = self.fault("WATCH", path)
                if end == "cut":
                    return self.cut(request)
                if isinstance(end, tuple):
                    text = end[2].encode() + b"\n"
                    request.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
                    break
            request.wfile.write(b"0\r\n\r\n")
        finally:
            connection.close()

    def events(self, event, known):
        """Reports one change as an ADDED and then a MODIFIED event."""
        item = event["object"]
        if event["type"] in ("BOOKMARK", "ERROR"):
            return [] if event["type"] == "BOOKMARK" else [event]
        item = self.shown(item)
        name = item["metadata"]["namespace"], item["metadata"]["name"]
        first = name not in known
        known.add(name)
        if event["type"] == "MODIFIED" and not first:
            return [{"type": "ADDED", "object": item}, {"type": "MODIFIED", "object": item}]
        return [{"type": "DELETED" if event["type"] == "DELETED" else "ADDED", "object": item}]

    def answer(self, request, status, text, headers=None):
        request.send_response(status)
        for key, value in (headers or {"Content-Type": "application/json"}).items():
            request.send_header(key, value)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    def cut(self, request):
        request.close_connection = True
        request.connection.close()
