"""Secrets are encrypted on disk, and the error about a lost key names the Secrets lost with it."""
import base64
import os
import shutil
import unittest

from support import Fleet

SECRET = "hunter2-is-in-here"
MANIFEST = f"""apiVersion: v1
kind: Secret
metadata: {{name: token}}
stringData: {{password: {SECRET}}}
"""


class Encryption(Fleet):
    def files_with(self, *texts):
        """The files of the state folder that contain one of the texts."""
        found = []
        for folder, _, names in os.walk(self.dir / ".portico"):
            for name in names:
                content = open(os.path.join(folder, name), "rb").read()
                found += [name for text in texts if text.encode() in content]
        return found

    def put(self):
        (self.dir / "secret.yaml").write_text(MANIFEST)
        self.portico("apply", "-f", "secret.yaml")

    def forms(self):
        return (SECRET, base64.b64encode(SECRET.encode()).decode())

    def test_nothing_of_a_secret_is_on_disk(self):
        self.put()
        self.assertEqual(self.files_with(*self.forms()), [])
        self.assertIn(self.forms()[1], self.portico("get", "secret", "token", "-o", "yaml")
                      .replace(SECRET, self.forms()[1]))
        key = self.dir / ".portico/secrets.key"
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)

    def test_keys_are_rotated(self):
        self.put()
        key = self.dir / ".portico/secrets.key"
        old = key.read_text()
        new = base64.b64encode(os.urandom(32)).decode() + "\n"
        key.write_text(new + old)
        self.portico("label", "secret", "token", "rotated=yes")  # the next write re-encrypts
        key.write_text(new)
        self.assertIn("token", self.portico("get", "secrets"))

    def test_a_lost_key_names_what_is_lost(self):
        self.put()
        key = self.dir / ".portico/secrets.key"
        kept = key.read_text()
        key.unlink()
        refused = self.run_portico("get", "secrets")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("default/token", refused.stderr)
        self.assertIn(str(key), refused.stderr)
        key.touch(mode=0o600)
        key.write_text(kept)
        self.assertIn("token", self.portico("get", "secrets"))

    def test_the_key_may_be_in_the_environment(self):
        self.environment["PORTICO_SECRETS_KEY"] = base64.b64encode(os.urandom(32)).decode()
        shutil.rmtree(self.dir / ".portico")
        self.portico("init", str(self.dir))
        self.put()
        self.assertFalse((self.dir / ".portico/secrets.key").exists())
        self.assertEqual(self.files_with(*self.forms()), [])
        self.assertIn("token", self.portico("get", "secrets"))


if __name__ == "__main__":
    unittest.main()
