"""Each outside error that src/base/world_error.cc classifies: a running server reports it, and recovers
without a restart once it is fixed."""
import errno
import json
import os
import signal
import subprocess
import time
import unittest

import world_table
import yaml
from evaluator import Evaluator
from fault_fleet import SLOW, WEB
from shim import Shim
from support import ENVIRONMENT, binary
from world_cases import BUSY, WorldCases, has_plugin

LIMIT = 180  # seconds, for all rows to fail and then for all to be Ready


class World(WorldCases):
    more_environment = {}

    # ---- the fleet

    def blueprints(self):
        files = {}
        for row in self.rows:
            for path, text in WEB.items():
                package = path.replace("web/", f"{row.name}/")
                files[package] = text.replace("set-labels:v0.2.0", row.image) if row.image else text
        self.bare("blueprints", files, tags=[f"{row.name}/v1" for row in self.rows])
        self.bare("edge")

    @staticmethod
    def repository(name, url):
        return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                "metadata": {"name": name},
                "spec": {"type": "git", "deployment": True, "git": {"repo": url}}}

    def manifests(self):
        out = [self.repository(name, url)
               for name, url in [("blueprints", str(self.dir / "blueprints.git")),
                                 ("edge", str(self.dir / "edge.git")),
                                 *((row.name, row.url) for row in self.rows if row.url)]]
        out += [{"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                 "metadata": {"name": row.name},
                 "spec": {"upstream": {"repo": "blueprints", "package": row.name, "revision": 1},
                          "downstream": {"repo": row.name if row.url else "edge",
                                         "package": row.name}}} for row in self.rows]
        for row in self.rows:
            if row.image and "/fn/" in row.image:
                out.append(self.function_config(row.name))
        return "---\n".join(map(yaml.safe_dump, out))

    def drafts(self, row):
        repository = self.dir / f"{row.name if row.url else 'edge'}.git"
        if not repository.exists():
            return []
        return self.refs(repository, f"refs/heads/drafts/{row.name}")

    def lines(self):
        out = []
        for line in self.log.read_text().splitlines():
            try:
                out.append(json.loads(line))
            except ValueError:
                continue  # the last line, still being written
        return out

    def wait_for(self, what, rows):
        until = time.monotonic() + LIMIT
        left = list(rows)
        while left:
            self.assertIsNone(self.process.poll(), "serve ended")
            lines = self.lines()
            left = [row for row in left if not what(row, lines)]
            if left and time.monotonic() > until:
                last = {row.name: [line for line in lines if row.name in line.get("object", "")][-2:]
                        for row in left}
                self.fail(f"not within {LIMIT} s: {json.dumps(last, indent=1)}")
            time.sleep(0.1)

    @staticmethod
    def has_failed(row, lines):
        says = row.says if isinstance(row.says, tuple) else (row.says,)
        return any(any(one in line.get("error", "") for one in says) and
                   line.get("object", "").rstrip().endswith("/" + row.name) for line in lines)

    def fails_and_is_mended(self, row, lines):
        if not self.has_failed(row, lines):
            return False
        self.assertEqual(self.drafts(row), [], f"{row.name} did not fail")
        row.mend()
        return True

    def fail_and_heal(self):
        """Each row fails and reports it, and is Ready once it is fixed, all under one `serve`."""
        self.blueprints()
        self.portico("apply", "-f", "-", stdin=self.manifests())
        self.log = self.dir / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [binary(), "--containers", "serve", "-v", "--log-format", "json", "--resync", "1"],
                cwd=self.dir, text=True, stdout=subprocess.DEVNULL, stderr=log,
                env={**ENVIRONMENT, **self.more_environment, "PATH": f"{self.dir}/bin:{os.environ['PATH']}",
                     "GIT_SSH_COMMAND": str(self.dir / "ssh")})
        self.addCleanup(self.process.kill)
        # Fixed at once, because repeated failures are retried less and less often.
        self.wait_for(self.fails_and_is_mended, self.rows)
        self.wait_for(lambda row, _: self.drafts(row), self.rows)
        # The draft exists before the status says so.
        self.wait_for(lambda row, lines: any(
            line.get("message") == "recovered" and line["object"].endswith("/" + row.name)
            for line in lines), self.rows)
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=60), 0)
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "True", f"{name}: {ready['message']}")

    def test_each_row_of_the_table_has_a_case(self):
        self.assertEqual(set(world_table.ELSEWHERE) - world_table.rows() - set(world_table.tables()), set(), "no such row")
        self.assertEqual(world_table.rows() - world_table.in_unit_test(), set(), "without a case in the unit test")
        self.every_fault()
        self.grpc_statuses()
        here = {row.of for row in self.rows if row.of} | {BUSY}
        self.assertEqual(here - world_table.rows(), set(), "no such row")
        self.assertEqual(here & world_table.elsewhere(), set(), "has a case here")
        self.assertEqual(world_table.rows() - here - world_table.elsewhere(), set(), "without a case here, and no reason")

    def test_all_rows(self):
        self.every_fault()
        if SLOW:
            self.silent()
        if has_plugin():
            self.grpc_statuses()
        self.more_environment = {**self.shim.environment(), "GIT_SSL_CAINFO": str(self.authorities)}
        self.fail_and_heal()

    def grpc_statuses(self):
        self.evaluator = Evaluator()
        self.addCleanup(self.evaluator.close)
        for code in range(1, 17):
            self.grpc(code)

    def every_fault(self):
        self.shim = Shim(self.dir / "shim", self.dir)
        for status, says in {401: "Authentication failed", 403: "403", 404: "not found", 408: "408",
                             429: "429", 500: "500", 502: "502", 503: "503", 507: "507"}.items():
            self.http(status, says)
        for status in (403, 429, 500, 507):
            self.http(status, str(status), "push")
        self.hook("hook", "pre-receive", "frozen until Monday", "pre-receive hook declined")
        self.hook("quota", "pre-receive", "quota exceeded", "hook declined")
        self.hook("protected", "update", "protected branch", "hook declined")
        self.held()
        self.blocked()
        self.rejections()
        self.disk(0, "full", errno.ENOSPC, "No space left on device")
        self.disk(1, "readonly", errno.EROFS, "Read-only file system")
        self.nobody_listens()
        self.nobody_serves()
        self.reset()
        self.no_such_host()
        self.untrusted()
        self.not_exported()
        self.ssh("host-key", "Host key verification failed.", "host key verification failed")
        self.ssh("key", "Permission denied (publickey).", "permission denied")
        self.ssh("slow", "ssh: connect to host somewhere port 22: Connection timed out", "timed out")
        self.ssh("broken", "kex_exchange_identification: read: Connection reset by peer", "connection reset")
        self.ssh("taken-away", "remote: ERROR: Repository not found.", "not found")
        self.ssh("renamed", "ERROR: The project you were looking for does not exist.", "does not exist")
        self.ssh("no-git", "fatal: '/no-git' does not appear to be a git repository",
                 "does not appear to be a git repository")
        self.ssh("over", "remote: ERROR: disk quota exceeded", "quota")
        self.missing()
        self.no_branch()
        self.containers()

    def test_a_program_that_is_being_written(self):
        self.busy()
        self.fail_and_heal()


if __name__ == "__main__":
    unittest.main()
