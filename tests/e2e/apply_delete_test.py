"""apply --dry-run, and the ways to name objects to delete."""
import json
import pathlib
import unittest

from support import MODE, Fleet


def config_map(name, value="1", **labels):
    return {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": value},
            "metadata": {"name": name, "namespace": "default", "labels": labels}}


class ApplyDelete(Fleet):
    def file(self, name, *objects):
        return pathlib.Path(self.write(name, "\n---\n".join(map(json.dumps, objects)))).name

    def names(self):
        return sorted(self.objects("configmap")) if self.run_portico(
            "get", "configmap").returncode == 0 else []

    def test_dry_run_says_what_would_be_and_stores_nothing(self):
        both = self.file("both.yaml", config_map("one"), config_map("two"))
        self.assertEqual(self.portico("apply", "-f", both, "--dry-run").splitlines(),
                         ["configmap/one created (dry run)", "configmap/two created (dry run)"])
        self.assertEqual(self.names(), [])
        self.portico("apply", "-f", self.file("one.yaml", config_map("one")))
        before = self.objects("configmap")
        changed = self.file("all.yaml", config_map("one"), config_map("two"))
        self.assertEqual(self.portico("apply", "-f", changed, "--dry-run").splitlines(),
                         ["configmap/one unchanged (dry run)", "configmap/two created (dry run)"])
        changed = self.file("changed.yaml", config_map("one", "2"))
        self.assertEqual(self.portico("apply", "-f", changed, "--dry-run").splitlines(),
                         ["configmap/one configured (dry run)"])
        # Changing only a label is a change too; so is removing a field.
        for one in (config_map("one", env="prod"), {**config_map("one"), "data": {}}):
            self.assertIn("configured", self.portico("apply", "-f", self.file("x.yaml", one),
                                                     "--dry-run"))
        self.assertEqual(self.objects("configmap"), before)

    def test_dry_run_refuses_what_apply_refuses(self):
        bad = self.file("bad.yaml", {**config_map("one"), "metadata": {"name": "Bad_Name"}})
        self.assertIn("Bad_Name", self.fails("apply", "-f", bad, "--dry-run"))
        one = self.file("one.yaml", config_map("one"))
        self.portico("apply", "-f", one)
        stale = config_map("one", "2")
        stale["metadata"]["resourceVersion"] = "999"
        stale = self.file("stale.yaml", stale)
        for more in (["--dry-run"], []):
            self.assertIn("999" if MODE == "folder" else "has been modified",
                          self.fails("apply", "-f", stale, *more))
        self.fails("apply", "-f", one, "--dry-run", "--wait")

    def test_delete_by_name_selector_and_file(self):
        names = ["a", "b", "c", "d"]
        self.portico("apply", "-f", self.file("all.yaml", *(
            config_map(n, env="prod" if n in "ab" else "test") for n in names)))
        self.assertEqual(self.portico("delete", "configmap", "a", "--dry-run").split("\n")[0],
                         "configmap/a deleted (dry run)")
        self.assertEqual(self.names(), names)
        self.assertIn("configmap/a deleted", self.portico("delete", "configmap", "a"))
        self.portico("delete", "configmap", "-l", "env=prod")
        self.assertEqual(self.names(), ["c", "d"])
        self.portico("delete", "configmap", "-l", "env=none")
        self.assertEqual(self.names(), ["c", "d"])
        # Reports missing objects and deletes the rest.
        error = self.fails("delete", "-f", "all.yaml")
        self.assertIn('configmaps "a" not found in namespace "default"', error)
        self.assertEqual(self.names(), [])
        self.portico("delete", "-f", "all.yaml", "--ignore-not-found")

    def test_delete_asks_for_one_way_to_say_it(self):
        self.portico("apply", "-f", self.file("one.yaml", config_map("one", env="prod")))
        for arguments in ([], ["configmap"], ["configmap", "-l", ""],
                          ["configmap", "one", "-l", "env=prod"],
                          ["configmap", "-f", "one.yaml"], ["-f", "one.yaml", "-l", "env=prod"],
                          ["configmap", "missing"], ["configmap", "-l", "a in (b"]):
            self.fails("delete", *arguments)
        revision = self.file("rpkg.yaml", {"apiVersion": "porch.kpt.dev/v1alpha1",
                                           "kind": "PackageRevision", "metadata": {"name": "x"}})
        self.assertIn("portico rpkg delete", self.fails("delete", "-f", revision))
        self.assertEqual(self.names(), ["one"])


if __name__ == "__main__":
    unittest.main()
