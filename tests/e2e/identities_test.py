"""Authentication: token files, OpenID Connect, user-provided certificates."""
import base64
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import threading
import time
import unittest

from api_server import ApiServer
from support import Fleet


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """An OpenID Connect issuer on loopback with one RSA key."""

    def __init__(self, folder):
        self.folder = folder
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-nodes", "-keyout", folder / "oidc.key", "-out", folder / "oidc.crt",
                     "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
        self.openssl("genrsa", "-out", folder / "sign.key", "2048")
        modulus = self.openssl("rsa", "-in", folder / "sign.key", "-noout", "-modulus")
        number = bytes.fromhex(modulus.decode().strip().split("=")[1])
        key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k", "e": "AQAB",
               "n": text(number)}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(handler):
                body = {"keys": [key]} if handler.path == "/keys" else {
                    "issuer": self.url, "jwks_uri": self.url + "/keys"}
                handler.send_response(200)
                handler.send_header("Content-Type", "application/json")
                handler.end_headers()
                handler.wfile.write(json.dumps(body).encode())

            def log_message(handler, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "oidc.crt", folder / "oidc.key")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def openssl(self, *arguments, stdin=None):
        return subprocess.run(["openssl", *map(str, arguments)], check=True, input=stdin,
                              capture_output=True).stdout

    def token(self, **claims):
        now = int(time.time())
        claims = {"iss": self.url, "aud": "portico", "iat": now, "exp": now + 600, **claims}
        signed = ".".join(text(json.dumps(part).encode())
                          for part in ({"alg": "RS256", "kid": "k"}, claims))
        signature = self.openssl("dgst", "-sha256", "-sign", self.folder / "sign.key",
                                 stdin=signed.encode())
        return f"{signed}.{text(signature)}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Identities(ApiServer):
    def setUp(self):
        Fleet.setUp(self)  # each test serves with its own options

    def who(self, config):
        done = self.run_kubectl("auth", "whoami", "-o", "json", kubeconfig=config)
        if done.returncode != 0:
            return done.stderr
        user = json.loads(done.stdout)["status"]["userInfo"]
        return user["username"], user["groups"]

    def test_a_token_file(self):
        tokens = self.dir / "tokens.csv"
        tokens.write_text('s3cret,ada,7,"team,other"\n')
        tokens.chmod(0o644)
        refused = self.run_portico("serve", "--listen", "127.0.0.1:0", "--token-file", str(tokens))
        self.assertIn("tokens.csv", refused.stderr)
        tokens.chmod(0o600)
        self.serve("--token-file", tokens)
        self.assertEqual(self.who(self.with_token("s3cret")),
                         ("ada", ["team", "other", "system:authenticated"]))
        self.assertIn("Unauthorized", self.who(self.with_token("wrong")))

    def test_open_id_connect(self):
        provider = Provider(self.dir)
        self.addCleanup(provider.close)
        self.serve("--oidc-issuer-url", provider.url, "--oidc-client-id", "portico",
                   "--oidc-username-claim", "name", "--oidc-username-prefix", "oidc:",
                   "--oidc-groups-claim", "teams", "--oidc-ca-file", self.dir / "oidc.crt")
        token = provider.token(name="ada", teams=["a"])
        self.assertEqual(self.who(self.with_token(token)),
                         ("oidc:ada", ["a", "system:authenticated"]))
        self.assertIn("Unauthorized",
                      self.who(self.with_token(provider.token(name="ada", aud="other"))))
        self.assertIn("Unauthorized",
                      self.who(self.with_token(provider.token(name="ada", exp=1))))
        self.kubectl("create", "rolebinding", "a", "--clusterrole=portico:viewer", "--group=a")
        self.assertEqual(self.run_kubectl("get", "packagerevisions",
                                          kubeconfig=self.with_token(token)).returncode, 0)

    def certificate(self, name):
        provider_key, crt = self.dir / f"{name}.key", self.dir / f"{name}.crt"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-keyout", provider_key, "-out", crt,
                        "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"],
                       check=True, capture_output=True)
        return crt, provider_key

    def test_a_certificate_of_ones_own(self):
        crt, key = self.certificate("own")
        self.serve("--tls-cert", crt, "--tls-key", key)
        self.assertEqual(self.who(self.kubeconfig)[0], "portico-admin")
        # It is read again when it changes, and the kubeconfig follows.
        kubeconfig = pathlib.Path(self.kubeconfig)
        old = kubeconfig.read_bytes()
        for new, kept in zip(self.certificate("next"), (crt, key)):
            os.replace(new, kept)
        until = time.monotonic() + 20
        while kubeconfig.read_bytes() == old and time.monotonic() < until:
            time.sleep(0.05)
        self.assertNotEqual(kubeconfig.read_bytes(), old)
        self.assertEqual(self.who(self.kubeconfig)[0], "portico-admin")


if __name__ == "__main__":
    unittest.main()
