"""An OpenTelemetry collector that keeps the spans it receives."""
import http.server
import json
import threading
import time


class Span:
    """One span, with its service and its attributes by name."""

    def __init__(self, service, span):
        self.service = service
        self.trace, self.id, self.parent = span["traceId"], span["spanId"], span.get("parentSpanId")
        self.name, self.kind = span["name"], span["kind"]
        self.begin, self.end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        self.error = span.get("status", {}).get("message")
        self.attributes = attributes(span)

    def __repr__(self):
        return f"{self.service}: {self.name} {self.id} of {self.parent} {self.attributes} {self.error or ''}"


def attributes(of):
    return {one["key"]: next(iter(one["value"].values())) for one in of["attributes"]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, self.headers["Content-Type"], body.decode()))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Collector:
    """Listens on a free local port until closed."""

    def __init__(self):
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.requests = []
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    @property
    def requests(self):
        """(path, content type, body) of each request."""
        return list(self.http.requests)

    def spans(self):
        out = []
        for _, _, body in self.requests:
            for resource in json.loads(body)["resourceSpans"]:
                service = attributes(resource["resource"])["service.name"]
                out += [Span(service, span) for scope in resource["scopeSpans"] for span in scope["spans"]]
        return out

    def wait_for(self, test, found):
        """Waits until `found` returns a true value for the spans; returns that value."""
        until = time.monotonic() + 60
        while not (out := found(self.spans())):
            test.assertLess(time.monotonic(), until, self.spans())
            time.sleep(0.05)
        return out

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()
