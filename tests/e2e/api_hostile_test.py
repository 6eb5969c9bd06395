"""Hostile clients of `portico serve --listen`: nothing crashes, others are served, memory and
threads stay bounded."""
import base64
import contextlib
import gzip
import json
import os
import pathlib
import re
import resource
import socket
import ssl
import threading
import time
import unittest

from api_server import Served

MIB = 1 << 20
# The maximum memory of the program, whatever these tests send.
MOST_MEMORY = 700 * MIB
MOST_THREADS = 200
CONNECTIONS = 10_000 if os.environ.get("PORTICO_SLOW") else 2_000


class Client:
    """A raw connection that sends arbitrary bytes."""

    def __init__(self, test, certificate=True):
        self.socket = socket.create_connection(test.address, timeout=60)
        context = test.admin if certificate else test.stranger
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        test.addCleanup(self.socket.close)
        self.left = b""

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())
        return self

    def read(self):
        """(status, headers, body) of one response; (0, {}, b"") at the end of the connection."""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while b"\r\n\r\n" not in self.left:
                if not self._more():
                    return 0, {}, b""
            head, _, self.left = self.left.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            headers = {k.lower(): v.strip() for k, _, v in (l.partition(":") for l in lines[1:])}
            status = int(lines[0].split()[1])
            if headers.get("transfer-encoding") == "chunked":
                return status, headers, b""
            size = int(headers.get("content-length", 0))
            while len(self.left) < size and self._more():
                pass
            body, self.left = self.left[:size], self.left[size:]
            return status, headers, body
        return 0, {}, b""

    def ends(self, seconds):
        """Whether the server closes the connection within that time."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(65536):
                pass
            return True
        except TimeoutError:
            return False
        except OSError:
            return True

    def _more(self):
        got = self.socket.recv(65536)
        self.left += got
        return bool(got)


def request(method, target, body=b"", **headers):
    fields = {"Host": "localhost", **({"Content-Length": str(len(body))} if body else {}),
              **{k.replace("_", "-"): v for k, v in headers.items()}}
    head = "".join(f"{k}: {v}\r\n" for k, v in fields.items())
    return f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body


CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def config_map(name, **data):
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                       "data": data}).encode()


class Hostile(Served):
    def setUp(self):
        super().setUp()
        self.serve()
        host, port = self.url.removeprefix("https://").rsplit(":", 1)
        self.address = (host, int(port))
        text = pathlib.Path(self.kubeconfig).read_text()
        data = {key: base64.b64decode(re.search(rf"{key}: (\S+)", text).group(1)).decode()
                for key in ("certificate-authority-data", "client-certificate-data",
                            "client-key-data")}
        pem = self.write("admin.pem", data["client-certificate-data"] + data["client-key-data"])
        self.admin = ssl.create_default_context(cadata=data["certificate-authority-data"])
        self.stranger = ssl.create_default_context(cadata=data["certificate-authority-data"])
        self.admin.load_cert_chain(pem)
        self.addCleanup(self.check_alive)

    def status(self, field):
        text = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", text).group(1))

    def check_alive(self):
        """A clean-up that runs before the server is stopped."""
        self.assertIsNone(self.server.poll(), "the server ended")
        self.assertEqual(self.ask("GET", "/readyz")[0], 200)
        self.assertLess(self.status("VmRSS") * 1024, MOST_MEMORY)
        self.assertLess(self.status("Threads"), MOST_THREADS)

    def ask(self, method, target, body=b"", **headers):
        client = Client(self)
        answer = client.send(request(method, target, body, **headers)).read()
        client.socket.close()
        return answer

    def refused(self, data, statuses=(400, 501, 505)):
        """Sends `data` on a new connection, which ends if the head is refused."""
        client = Client(self)
        status = client.send(data).read()[0]
        self.assertIn(status, statuses, data[:200])
        return client

    def test_requests_that_can_be_read_in_two_ways(self):
        host = b"POST " + CONFIG_MAPS.encode() + b" HTTP/1.1\r\nHost: localhost\r\n"
        smuggled = b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for fields in (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                       b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                       b"Content-Length: 5\r\nContent-Length: 6\r\n",
                       b"Content-Length: 5, 6\r\n", b"Content-Length: +5\r\n",
                       b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n",
                       b"Transfer-Encoding : chunked\r\n", b"Transfer-Encoding:\x0bchunked\r\n",
                       b"X: a\r\n b\r\n", b"X: a\x00b\r\n", b"X: a\rb\r\n", b"X: a\nY: b\r\n",
                       b"Host: other\r\n", b": nameless\r\n", b"X y: z\r\n"):
            client = self.refused(host + fields + b"\r\n" + smuggled)
            # Bytes after a refused head are never parsed as a request.
            self.assertEqual(client.read()[0], 0, fields)
        for line in (b"GET  /version HTTP/1.1", b"GET /version", b"GET /a b HTTP/1.1",
                     b"GET \\version HTTP/1.1", b"\x16\x03\x01 / HTTP/1.1", b"GET /\xff HTTP/1.1"):
            self.refused(line + b"\r\nHost: localhost\r\n\r\n")
        self.refused(b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n")
        self.refused(b"GET /" + b"a" * (1 << 17) + b" HTTP/1.1\r\n\r\n", (414, 431))
        self.refused(request("GET", "/version", **{f"X{i}": "y" for i in range(1000)}), (431,))

    def test_paths(self):
        self.ask("POST", CONFIG_MAPS, config_map("secret"))
        for path in ("/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets",
                     "/api/v1/namespaces/default%2fconfigmaps/secret",
                     "/api/v1/namespaces/../namespaces/default/configmaps/secret",
                     "/api/v1/./namespaces/default/configmaps/secret",
                     "//api/v1/namespaces/default/configmaps/secret",
                     "/api//v1/namespaces/default/configmaps/secret",
                     "/api/v1/namespaces/default/configmaps/%00secret",
                     "/api/v1/namespaces/default/configmaps/secret%00",
                     "/api/v1/namespaces/default/configmaps/%2e%2e",
                     "/api/v1/namespaces/default/configmaps/%ff",
                     "/api/v1/namespaces/default/configmaps/%zz",
                     "/api/v1/namespaces/default/configmaps/%",
                     "/api/v1/namespaces/default/configmaps/" + "a/" * 4000,
                     "/openapi/v3/../v2", "/openapi/v3/%2e%2e/%2e%2e/etc/passwd"):
            status, _, body = self.ask("GET", path)
            self.assertIn(status, (301, 400, 404), f"{path}: {body[:200]}")
        for query in ("?limit=-1", "?limit=99999999999999999999", "?continue=%00", "?watch=maybe",
                      "?labelSelector=" + "(" * 9000, "?labelSelector=a+in+(" + "b," * 4000 + ")",
                      "?fieldSelector=%ff=%fe", "?resourceVersion=18446744073709551616",
                      "?timeoutSeconds=-5&watch=1", "?continue=" + "A" * 9000, "?a;b=c", "?%zz"):
            status, headers, _ = self.ask("GET", CONFIG_MAPS + query)
            self.assertIn(status, (200, 400, 410, 422), query)

    def test_bodies(self):
        deep = 100_000
        laughs = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
            b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 9))
            for i in range(20))
        nested = b""
        for _ in range(3000):
            nested = b"\x0a" + varint(len(nested)) + nested
        protobuf = "application/vnd.kubernetes.protobuf"
        bodies = [
            ("application/json", b"[" * deep), ("application/json", b'{"a":' * deep),
            ("application/json", b'{"metadata":' * deep + b"1" + b"}" * deep),
            ("application/json", config_map("a") + b"{}"), ("application/json", b"\xff\xfe{}"),
            ("application/json", b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\xff"}}'),
            ("application/json", b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\\ud800"}}'),
            ("application/json", b'{"a":' + b"9" * MIB + b"}"), ("application/json", b"nul"),
            ("application/json", b'{"a":1e999999999}'), ("application/json", b" " * MIB),
            ("application/yaml", b"[" * deep), ("application/yaml", b"- " * deep),
            ("application/yaml", b"a: " * 5000), ("application/yaml", laughs),
            ("application/yaml", b"? " * deep), ("application/yaml", b"&a *a"),
            ("application/yaml", b"!!binary |\n  " + b"A" * MIB), ("application/yaml", b"\x00"),
            (protobuf, b"k8s\x00"), (protobuf, b"k8s\x00" + nested), (protobuf, b"\xff" * MIB),
            (protobuf, b"k8s\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
            ("text/html", b"<a>"), ("application/json;" * 1000, b"{}"),
        ]
        for content_type, body in bodies:
            status, _, answer = self.ask("POST", CONFIG_MAPS, body, Content_Type=content_type)
            self.assertIn(status, (400, 415, 422), f"{content_type} {body[:40]} {answer[:200]}")
        self.ask("POST", CONFIG_MAPS, config_map("patched"))
        for content_type, body in (
                ("application/json-patch+json", b"[" * deep),
                ("application/json-patch+json",
                 json.dumps([{"op": "copy", "from": "/data", "path": "/data/x"}] * 200).encode()),
                ("application/json-patch+json", json.dumps(
                    [{"op": "add", "path": "/data", "value": {"a": "b" * 1000}}]
                    + [{"op": "copy", "from": "/data", "path": f"/data/{i}"}
                       for i in range(60)]).encode()),
                ("application/merge-patch+json", b'{"data":' * deep),
                ("application/strategic-merge-patch+json",
                 b'{"$patch":"replace","data":{"$patch":"delete"},"metadata":{"$retainKeys":[]}}' * 2),
                ("application/apply-patch+yaml", b"{" * deep),
                ("application/apply-patch+yaml", laughs)):
            status, _, answer = self.ask("PATCH", CONFIG_MAPS + "/patched?fieldManager=x", body,
                                         Content_Type=content_type)
            self.assertIn(status, (400, 413, 415, 422), f"{content_type} {body[:40]} {answer[:200]}")

    def test_bodies_that_are_too_large(self):
        bomb = gzip.compress(b"\0" * (200 * MIB))
        status, _, answer = self.ask("POST", CONFIG_MAPS, bomb, Content_Encoding="gzip")
        self.assertIn(status, (400, 413, 415), answer[:200])
        for length in ("3145729000", "18446744073709551615", "99999999999999999999999"):
            client = self.refused(request("POST", CONFIG_MAPS, Content_Length=length), (400, 413))
            self.assertTrue(client.ends(20))
        client = Client(self).send(request("POST", CONFIG_MAPS, Transfer_Encoding="chunked"))
        with contextlib.suppress(OSError):
            for _ in range(64):
                client.send(b"100000\r\n" + b"x" * MIB + b"\r\n")
        self.assertIn(client.read()[0], (0, 413))
        self.refused(request("POST", CONFIG_MAPS, Transfer_Encoding="chunked")
                     + b"ffffffffffffffffff\r\n", (400, 413))

    def test_requests_one_behind_the_other(self):
        client = Client(self)
        client.send(request("GET", "/version") + request("POST", CONFIG_MAPS, config_map("p"))
                    + request("GET", CONFIG_MAPS + "/p") + request("GET", "/nothing")
                    + request("DELETE", CONFIG_MAPS + "/p"))
        self.assertEqual([client.read()[0] for _ in range(5)], [200, 201, 200, 404, 200])
        client.send(request("GET", "/version") * 5000)
        self.assertEqual({client.read()[0] for _ in range(5000)}, {200})

    def test_halves_of_requests_do_not_hold_others_up(self):
        halves = (b"", b"G", b"GET /version HTTP/1.1\r\nHost: loc",
                  request("POST", CONFIG_MAPS, Content_Length="1000") + b"{")
        begun = [Client(self).send(half) for half in halves for _ in range(50)]
        dumb = [socket.create_connection(self.address) for _ in range(200)]  # no handshake
        for each in dumb:
            self.addCleanup(each.close)
        for _ in range(20):
            self.assertEqual(self.quick("GET", "/version"), 200)
        # Clients have ten seconds to finish a head, and to finish the handshake.
        for client in begun[50:150]:
            self.assertTrue(client.ends(30))
        for each in dumb:
            each.settimeout(30)
            with contextlib.suppress(ConnectionError):
                self.assertEqual(each.recv(1), b"")
        for client in begun[150:]:
            client.socket.close()  # in the middle of a body

    def quick(self, *what, seconds=5, **more):
        begin = time.monotonic()
        status = self.ask(*what, **more)[0]
        self.assertLess(time.monotonic() - begin, seconds)
        return status

    def test_many_connections(self):
        # As many as this process may open, from several addresses because of the limit per client.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        kept = []
        for i in range(min(CONNECTIONS, hard - 200)):
            try:
                made = socket.create_connection(self.address, timeout=60,
                                                source_address=(f"127.0.1.{i % 8 + 1}", 0))
            except OSError as error:
                self.fail(f"{len(kept)} connections: {error}")
            self.addCleanup(made.close)
            kept.append(made)
        for _ in range(5):
            self.assertEqual(self.quick("GET", "/version", seconds=20), 200)

    def test_a_watcher_that_never_reads(self):
        watchers = [Client(self).send(request("GET", CONFIG_MAPS + "?watch=1")) for _ in range(20)]
        for each in watchers:
            self.assertEqual(each.read()[0], 200)
            each.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        value = "x" * (200 << 10)
        writer = Client(self)
        for i in range(150):  # 30 MB for each watcher
            status = writer.send(request("POST", CONFIG_MAPS, config_map(f"w{i}", v=value))).read()[0]
            self.assertEqual(status, 201)
        # Closed, or kept waiting: other clients are not affected, and memory is bounded (tearDown).
        self.assertEqual(self.quick("GET", "/version", seconds=20), 200)

    def test_a_flood_by_one_leaves_room_for_others(self):
        stop = threading.Event()

        def flood():
            client = Client(self, certificate=False)
            while not stop.is_set():
                try:
                    client.send(request("GET", CONFIG_MAPS) * 20)
                    for _ in range(20):
                        if client.read()[0] == 0:
                            client = Client(self, certificate=False)
                            break
                except OSError:
                    client = Client(self, certificate=False)

        threads = [threading.Thread(target=flood) for _ in range(30)]
        for each in threads:
            each.start()
        try:
            worst = 0
            for i in range(20):
                begin = time.monotonic()
                self.assertEqual(self.ask("POST", CONFIG_MAPS, config_map(f"mine{i}"))[0], 201)
                worst = max(worst, time.monotonic() - begin)
            self.assertLess(worst, 5)
        finally:
            stop.set()
            for each in threads:
                each.join()


    def user(self, name):
        """The header of a service account with all rights on ConfigMaps."""
        accounts = "/api/v1/namespaces/default/serviceaccounts"
        rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/"
        self.made(accounts, kind="ServiceAccount", apiVersion="v1", metadata={"name": name})
        token = self.made(f"{accounts}/{name}/token", kind="TokenRequest",
                          apiVersion="authentication.k8s.io/v1")["status"]["token"]
        self.made(rbac + "roles", kind="Role", metadata={"name": name},
                  apiVersion="rbac.authorization.k8s.io/v1",
                  rules=[{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"]}])
        self.made(rbac + "rolebindings", kind="RoleBinding", metadata={"name": name},
                  apiVersion="rbac.authorization.k8s.io/v1",
                  roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
                  subjects=[{"kind": "ServiceAccount", "name": name, "namespace": "default"}])
        return {"Authorization": f"Bearer {token}"}

    def made(self, path, **fields):
        status, _, body = self.ask("POST", path, json.dumps(fields).encode())
        self.assertEqual(status, 201, body)
        return json.loads(body)

    def test_a_flood_by_a_user_with_rights_leaves_room_for_others(self):
        # More connections than the request class has handlers, with lists and writes on each.
        mallory = self.user("mallory")
        for i in range(10):
            self.ask("POST", CONFIG_MAPS, config_map(f"large{i}", v="x" * 5_000))
        stop, seen = threading.Event(), set()

        def flood(number):
            def connected():
                return Client(self, certificate=False)

            clients, sent = [connected() for _ in range(30)], 0
            while not stop.is_set():
                for client in clients:
                    sent += 1
                    begun = b"".join(request("GET", CONFIG_MAPS + "?limit=10", **mallory)
                                     + request("POST", CONFIG_MAPS,
                                               config_map(f"flood{number}-{sent}-{n}"), **mallory)
                                     for n in range(5))
                    with contextlib.suppress(OSError):
                        client.send(begun)
                for i, client in enumerate(clients):
                    statuses = {client.read()[0] for _ in range(10)}
                    seen.update(statuses)
                    if 0 in statuses:  # closed: connects again
                        clients[i] = connected()

        threads = [threading.Thread(target=flood, args=(i,)) for i in range(2)]
        for each in threads:
            each.start()
        try:
            for i in range(20):
                self.assertEqual(self.quick("GET", CONFIG_MAPS + "/large0", seconds=10), 200)
                self.assertEqual(self.quick("POST", CONFIG_MAPS, config_map(f"mine{i}"),
                                            seconds=10), 201)
        finally:
            stop.set()
            for each in threads:
                each.join()
        self.assertLessEqual({200, 201}, seen)
        self.assertLessEqual(seen, {0, 200, 201, 429})


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


if __name__ == "__main__":
    unittest.main()
