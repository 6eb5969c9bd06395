"""For tests: a server run by `portico serve --listen`, and kubectl against it."""
import re
import shutil
import subprocess
import unittest

from support import ENVIRONMENT, Fleet, binary

KUBECTL = shutil.which("kubectl")


class Served(Fleet):
    """A state folder that is served on request."""

    def serve(self, *options, listen="127.0.0.1:0"):
        log = open(self.dir / "serve.log", "a+")  # an unread pipe would block it
        self.addCleanup(log.close)
        self.server = subprocess.Popen(
            [binary(), "serve", "--listen", listen, *map(str, options)], cwd=self.dir, env=ENVIRONMENT,
            text=True, stdout=subprocess.PIPE, stderr=log)
        self.addCleanup(self.stop, self.server)
        for line in self.server.stdout:
            found = re.search(r"Kubernetes API at (https://\S+);", line)
            if found:
                self.url = found.group(1)
                break
        else:
            log.seek(0)
            self.fail(f"serve ended: {log.read()}")
        self.kubeconfig = self.portico("kubeconfig").strip()

    def stop(self, server=None):
        server = server or self.server
        if server.poll() is None:
            server.terminate()
        server.wait(timeout=20)
        server.stdout.close()


@unittest.skipUnless(KUBECTL, "kubectl is not installed")
class ApiServer(Served):
    """A served state folder, and kubectl as its administrator."""

    def setUp(self):
        super().setUp()
        self.serve()

    def run_kubectl(self, *arguments, stdin=None, timeout=60, kubeconfig=None):
        environment = {**ENVIRONMENT, "KUBECONFIG": str(kubeconfig or self.kubeconfig),
                       "HOME": str(self.dir)}
        return subprocess.run([KUBECTL, *arguments], cwd=self.dir, env=environment, input=stdin,
                              text=True, capture_output=True, timeout=timeout)

    def kubectl(self, *arguments, stdin=None):
        done = self.run_kubectl(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, f"kubectl {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def with_token(self, token):
        """A kubeconfig with this bearer token."""
        config = self.dir / "token.kubeconfig"
        shutil.copy(self.kubeconfig, config)
        for words in (("set-credentials", "bearer", f"--token={token}"),
                      ("set-context", "--current", "--user=bearer")):
            done = self.run_kubectl("config", *words, kubeconfig=config)
            self.assertEqual(done.returncode, 0, done.stderr)
        return config

    def user(self, name):
        """A kubeconfig of a user with a certificate issued by the server's CA."""
        authority = self.dir / ".portico/pki/ca.key"
        key, request, issued = (self.dir / f"{name}.{end}" for end in ("key", "csr", "crt"))
        def openssl(*arguments):
            subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", key, "-subj", f"/CN={name}", "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", authority, "-CAkey", authority,
                "-CAcreateserial", "-days", "1", "-out", issued)
        config = self.dir / f"{name}.kubeconfig"
        shutil.copy(self.kubeconfig, config)
        for words in (("set-credentials", name, f"--client-certificate={issued}",
                       f"--client-key={key}", "--embed-certs"),
                      ("set-context", "--current", f"--user={name}")):
            done = self.run_kubectl("config", *words, kubeconfig=config)
            self.assertEqual(done.returncode, 0, done.stderr)
        return config
