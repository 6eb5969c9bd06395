"""Serves the bare repositories of a folder over HTTP, with authentication. It runs git's http-backend; the
test decides which credentials are accepted."""
import base64
import http.server
import os
import pathlib
import subprocess
import sys
import threading

BACKEND = pathlib.Path(subprocess.run(["git", "--exec-path"], check=True, text=True,
                                      capture_output=True).stdout.strip()) / "git-http-backend"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def serve(self):
        path, _, query = self.path.partition("?")
        target = self.server.redirects.get(path)
        if target:
            self.reply("302 Found", [("Location", target + "?" + query)], b"")
            return
        self.server.seen.append(self.headers.get("Authorization"))
        if self.headers.get("Authorization") not in self.server.allowed:
            self.reply("401 Unauthorized", [("WWW-Authenticate", 'Basic realm="git"')], b"")
            return
        done = subprocess.run([str(BACKEND)], input=self.body(), capture_output=True, env={
            **{k: os.environ[k] for k in ("PATH",) if k in os.environ},
            "GIT_PROJECT_ROOT": str(self.server.folder), "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            # Every accepted client may push.
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.receivepack",
            "GIT_CONFIG_VALUE_0": "true",
            "REQUEST_METHOD": self.command, "PATH_INFO": path, "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", "")})
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n") if line]
        status = dict(headers).pop("Status", "200 OK")
        self.reply(status, [h for h in headers if h[0] != "Status"], body)

    do_GET = do_POST = serve

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def reply(self, status, headers, body):
        code, _, reason = status.partition(" ")
        self.send_response(int(code), reason)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A client may leave at any time; tests cut connections on purpose.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class GitServer:
    """Serves `folder` on a free local port until closed."""

    def __init__(self, folder, handler=Handler):
        self.http = Server(("127.0.0.1", 0), handler)
        self.http.folder = folder
        self.http.allowed, self.http.seen, self.http.redirects = set(), [], {}
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()

    def url(self, repository):
        return f"http://127.0.0.1:{self.http.server_port}/{repository}"

    def allow_only(self, authorization):
        self.http.allowed = {authorization}

    @property
    def seen(self):
        """The Authorization header of each request, or None."""
        return self.http.seen

    def redirect(self, path, to):
        self.http.redirects[path] = to

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


def basic(name, password):
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()
