"""Relays to a server that fail on demand: at the level of bytes (Way) and of requests (HttpWay)."""
import base64
import http.client
import http.server
import pathlib
import random
import select
import socket
import ssl
import struct
import threading
import urllib.parse

import yaml


def server_of(kubeconfig):
    """(host, port) of the cluster in a kubeconfig."""
    config = yaml.safe_load(pathlib.Path(kubeconfig).read_text(encoding="utf-8"))
    url = urllib.parse.urlsplit(config["clusters"][0]["cluster"]["server"])
    return url.hostname, url.port


def through(kubeconfig, port, path):
    """Writes a copy of a kubeconfig with another port."""
    config = yaml.safe_load(pathlib.Path(kubeconfig).read_text(encoding="utf-8"))
    config["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{port}"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return str(path)


class Way:
    """Accepts connections on a free port and relays their bytes to `address`."""

    def __init__(self, address):
        self.address = address
        self.passes = threading.Event()
        self.passes.set()
        self.pause = 0
        self.ends = random.Random(1)
        self.resets_now = False
        self.to_reset, self.resets = 0, 0
        self.lock = threading.Lock()
        self.open_now = set()
        self.held = []  # client sides of connections with held-back data
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    # ---- controls for tests

    def silent(self):
        """Accepts and keeps connections, but forwards nothing in either direction."""
        self.passes.clear()

    def slow(self, seconds):
        """Delays each piece."""
        self.pause = seconds

    def reset(self, count):
        """Resets that many connections, each after some bytes of answers."""
        with self.lock:
            self.resets_now, self.to_reset, self.resets = True, count, 0
            now = list(self.open_now)
        for each in now:
            self._reset(each)

    def open(self):
        """Forwards everything again, including held-back data of open connections, and stops resetting."""
        with self.lock:
            self.resets_now, self.to_reset = False, 0
        self.pause = 0
        self.passes.set()

    def open_anew(self):
        """Forwards everything on new connections; old ones stay silent, as if a middlebox had forgotten them."""
        with self.lock:
            self.passes = threading.Event()
            self.passes.set()

    def hangs(self):
        """Whether a client still waits on a connection with held-back data."""
        with self.lock:
            held = list(self.held)
        return any(not self._is_left(each) for each in held)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.passes.set()
        with self.lock:
            now = list(self.open_now)
        for each in now:
            self._end(each)

    # ---- implementation

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(near,), daemon=True).start()

    def _wait(self, passes, near):
        with self.lock:
            self.held.append(near)
        passes.wait()
        with self.lock:
            self.held.remove(near)

    @staticmethod
    def _is_left(near):
        """Whether the client has closed the connection."""
        poll = select.poll()
        try:
            poll.register(near, select.POLLRDHUP)
        except ValueError:
            return True  # closed on this side
        return bool(poll.poll(0))

    def _relay(self, near):
        passes = self.passes
        self._wait(passes, near)
        try:
            far = socket.create_connection(self.address)
        except OSError:
            self._reset(near)
            return
        with self.lock:
            self.open_now |= {near, far}
            allowed = self.ends.randrange(20_000) if self.to_reset else None
            self.to_reset -= allowed is not None
        threading.Thread(target=self._pump, args=(near, near, far, passes, None),
                         daemon=True).start()
        self._pump(near, far, near, passes, allowed)

    def _pump(self, near, source, sink, passes, allowed):
        try:
            while data := source.recv(65536):
                self._wait(passes, near)
                if self.pause:
                    threading.Event().wait(self.pause)
                if allowed is not None and self.resets_now and len(data) > allowed:
                    sink.sendall(data[:allowed])
                    with self.lock:
                        self.resets += 1
                    self._reset(sink)
                    break
                sink.sendall(data)
                allowed = None if allowed is None else max(0, allowed - len(data))
        except OSError:
            pass
        self._end(source)
        self._end(sink)

    def _reset(self, connection):
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self._end(connection, socket.SHUT_RD)

    def _end(self, connection, how=socket.SHUT_RDWR):
        with self.lock:
            self.open_now.discard(connection)
        try:
            connection.shutdown(how)  # wakes the thread that reads it
        except OSError:
            pass
        connection.close()


class HttpWay:
    """Accepts requests over TLS with the certificate of a cluster that tests/kubernetes/start has started, and forwards
    them unchanged to its kube-apiserver.

    `fault(method, target, body)` is called for each request before it is forwarded. It returns None, (status, headers,
    text) to answer instead, "cut" to close the connection, or a function. That function is called with the status once
    the request was answered, and returns one of the same values. `refused` counts the answers that were replaced."""

    HOP = ("connection", "keep-alive", "transfer-encoding", "content-length", "host", "te", "upgrade")

    def __init__(self, kubeconfig, pki, fault=None):
        self.address = server_of(kubeconfig)
        config = yaml.safe_load(pathlib.Path(kubeconfig).read_text(encoding="utf-8"))
        self.context = ssl.create_default_context(
            cadata=base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode())
        self.fault = fault or (lambda *_: None)
        self.refused = 0
        self.lock = threading.Lock()
        way = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            behind = None

            def log_message(self, *_):
                pass

            def any(self):
                way.handle(self)
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = any

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # tests include clients that disconnect

            def finish_request(self, request, client_address):
                # In the connection's own thread, so that a missing handshake does not block other clients.
                with way.mine.wrap_socket(request, server_side=True) as secured:
                    super().finish_request(secured, client_address)
        self.mine = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.mine.load_cert_chain(pki / "server.crt", pki / "server.key")
        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, request):
        length = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(length) if length else None
        what = self.fault(request.command, request.path, body)
        if callable(what):
            answer = self.ask(request, body)
            watch = "watch=" in request.path  # its response does not end
            text = b"" if watch else answer.read()
            instead = what(answer.status)
            if instead is None and watch:
                return self.stream(request, answer)
            if instead is None:
                return self.answer(request, answer.status, answer.getheaders(), text)
            if watch:
                request.behind.close()
                request.behind = None
            return self.give(request, instead)
        if what is not None:
            return self.give(request, what)
        answer = self.ask(request, body)
        if "watch=" in request.path:
            return self.stream(request, answer)
        return self.answer(request, answer.status, answer.getheaders(), answer.read())

    def ask(self, request, body):
        """kube-apiserver's answer, over the backend connection that belongs to the client's connection."""
        if request.behind is None:
            request.behind = http.client.HTTPSConnection(*self.address, context=self.context)
        request.behind.request(request.command, request.path, body=body, headers=self.kept(request.headers.items()))
        return request.behind.getresponse()

    def kept(self, headers):
        return {key: value for key, value in headers if key.lower() not in self.HOP}

    def give(self, request, what):
        with self.lock:
            self.refused += 1
        if what == "cut":
            request.close_connection = True
            request.connection.close()
        else:
            self.answer(request, what[0], what[1], what[2])

    def answer(self, request, status, headers, text):
        request.send_response_only(status)
        for key, value in self.kept(headers).items():
            request.send_header(key, value)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    def stream(self, request, answer):
        request.send_response_only(answer.status)
        for key, value in self.kept(answer.getheaders()).items():
            request.send_header(key, value)
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        try:
            while data := answer.read1(65536):
                request.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                request.wfile.flush()
            request.wfile.write(b"0\r\n\r\n")
        finally:
            request.behind.close()
            request.behind = None
