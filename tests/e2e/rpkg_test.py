"""Package revisions the way porchctl's scripts use them: URLs, ResourceLists, lists of upgrades."""
import unittest

import yaml
from support import Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
CONFIG = """# Of the web front end.
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  size: "1"   # replicas
"""


class Rpkg(Fleet):
    def setUp(self):
        super().setUp()
        self.catalog = self.bare("catalog", {"web/Kptfile": KPTFILE, "web/config.yaml": CONFIG,
                                             "web/README.md": "# web\n"}, tags=["web/v1"])
        self.bare("edge")
        self.portico("repo", "register", "edge.git", "--deployment")

    def publish(self, *names):
        self.portico("rpkg", "propose", *names)
        self.portico("rpkg", "approve", *names)

    def clone(self, *words):
        return self.portico("rpkg", "clone", *words, "--repository", "edge")

    def kptfile(self, name):
        return next(item for item in self.pulled(name)["items"] if item["kind"] == "Kptfile")

    def pulled(self, name):
        return yaml.safe_load(self.portico("rpkg", "pull", name, "-"))

    def test_clone_by_url(self):
        url = f"file://{self.catalog}"
        self.assertEqual(self.clone(f"{url}/web@v1", "a", "--workspace", "w"),
                         "edge.a.w created\n")
        self.assertEqual(self.clone(url, "b", "--directory", "web", "--ref", "web/v1"),
                         "edge.b.v1 created\n")
        self.assertEqual(self.clone(str(self.catalog) + "/web", "c"), "edge.c.v1 created\n")
        commit = self.git(self.catalog, "rev-parse", "web/v1").strip()
        for name in ("edge.a.w", "edge.b.v1"):
            lock = self.kptfile(name)["upstreamLock"]["git"]
            self.assertEqual(lock, {"repo": url, "directory": "web", "ref": "web/v1",
                                    "commit": commit})
        self.assertEqual(self.kptfile("edge.c.v1")["upstream"]["git"]["ref"], "main")
        task = self.objects("rpkg")["edge.b.v1"]["spec"]["tasks"][0]
        self.assertEqual(task["clone"]["upstreamRef"]["git"]["repo"], url)
        self.assertEqual(self.show(self.dir / "edge.git", "drafts/a/w:a/README.md"), "# web\n")
        self.assertIn("cannot create a new revision for package \"a\"",
                      self.fails("rpkg", "clone", f"{url}/web@v1", "a", "--repository", "edge",
                                 "--workspace", "again"))
        self.assertIn("v9", self.fails("rpkg", "clone", f"{url}/web@v9", "d",
                                       "--repository", "edge"))
        self.assertIn("not a git repository", self.fails("rpkg", "clone", "oci://example.com/web", "d",
                                            "--repository", "edge"))

    def test_clone_by_url_of_a_registered_repository(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog")
        self.clone(f"file://{self.catalog}/web@v1", "a")
        task = self.objects("rpkg")["edge.a.v1"]["spec"]["tasks"][0]
        self.assertEqual(task["clone"]["upstreamRef"], {"upstreamRef": {"name": "catalog.web.v1"}})

    def test_clone_by_url_of_a_branch_that_has_moved(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog")
        self.commit(self.catalog, {"web/README.md": "# newer than the last look\n"}, "More")
        self.clone(f"file://{self.catalog}", "a", "--directory", "web", "--ref", "main")
        self.assertEqual(self.show(self.dir / "edge.git", "drafts/a/v1:a/README.md"), "# newer than the last look\n")

    def test_strategy_of_later_upgrades(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog")
        for source, name in (("catalog.web.v1", "a"), (f"file://{self.catalog}/web@v1", "b")):
            self.clone(source, name, "--strategy", "force-delete-replace")
            self.assertEqual(self.kptfile(f"edge.{name}.v1")["upstream"]["updateStrategy"],
                             "force-delete-replace")
        self.portico("rpkg", "pull", "edge.a.v1", "a")
        self.write("a/mine.yaml", CONFIG.replace("name: web", "name: mine"))
        self.portico("rpkg", "push", "edge.a.v1", "a")
        self.publish("edge.a.v1")
        self.commit(self.catalog, {"web/config.yaml": CONFIG.replace('"1"', '"2"')}, "More",
                    tags=["web/v2"])
        self.portico("repo", "sync", "catalog")
        self.portico("rpkg", "upgrade", "edge.a.v1", "--workspace", "v2")
        self.assertNotIn("mine.yaml", self.refs_files("drafts/a/v2", "a"))
        self.portico("rpkg", "upgrade", "edge.a.v1", "--workspace", "kept", "--strategy",
                     "resource-merge")
        self.assertIn("mine.yaml", self.refs_files("drafts/a/kept", "a"))

    def refs_files(self, ref, package):
        return self.git(self.dir / "edge.git", "ls-tree", "--name-only", f"{ref}:{package}").split()

    def test_a_resource_list_goes_out_and_in(self):
        self.clone(f"file://{self.catalog}/web@v1", "web")
        name = "edge.web.v1"
        text = self.portico("rpkg", "pull", name)
        self.assertEqual(text, self.portico("rpkg", "pull", name, "-"))
        items = yaml.safe_load(text)["items"]
        self.assertEqual([item["kind"] for item in items],
                         ["KptRevisionMetadata", "Kptfile", "ConfigMap", "ConfigMap"])
        self.assertEqual(items[0]["metadata"]["name"], name)
        self.assertIn("# Of the web front end.", text)

        self.assertEqual(self.portico("rpkg", "push", name, "-", stdin=text), f"{name} unchanged\n")
        self.assertEqual(self.portico("rpkg", "push", name, "-",
                                      stdin=text.replace('size: "1"', 'size: "5"')),
                         f"{name} pushed\n")
        branch = "drafts/web/v1:web/"
        edge = self.dir / "edge.git"
        config = self.show(edge, branch + "config.yaml")
        self.assertIn('  size: "5"   # replicas\n', config)
        self.assertTrue(config.startswith("# Of the web front end.\n"), config)
        self.assertEqual(self.show(edge, branch + "README.md"), "# web\n", "no list can hold it")
        self.assertIn("has been modified since it was read",
                      self.fails("rpkg", "push", name, "-", stdin=text.replace('"1"', '"6"')))
        self.portico("rpkg", "push", name, "-", "--force", stdin=text.replace('"1"', '"6"'))

        # Resources that are not listed are removed; the Kptfile stays.
        listed = self.pulled(name)
        listed["items"] = [item for item in listed["items"]
                           if item["kind"] in ("KptRevisionMetadata", "Namespace")]
        listed["items"].append({"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": "n", "annotations": {"internal.config.kubernetes.io/path": "sub/n.yaml"}}})
        self.portico("rpkg", "push", name, "-", stdin=yaml.safe_dump(listed))
        self.assertEqual(self.refs_files("drafts/web/v1", "web"), ["Kptfile", "README.md", "sub"])

    def test_lists_that_are_refused(self):
        self.clone(f"file://{self.catalog}/web@v1", "web")
        text = self.portico("rpkg", "pull", "edge.web.v1")
        without = "\n".join(line for line in text.splitlines() if "resourceVersion" not in line)
        for stdin, said in ((without, "resourceVersion"), ("kind: List\n", "ResourceList"),
                            ("a: [", "standard input"),
                            (text.replace("path: config.yaml", "path: ../out.yaml")
                             .replace("path: 'config.yaml'", "path: '../out.yaml'"), "out.yaml"),
                            (text.replace("name: edge.web.v1", "name: edge.other.v1"),
                             "was pulled from edge.other.v1")):
            self.assertIn(said, self.fails("rpkg", "push", "edge.web.v1", "-", stdin=stdin))

    def test_a_list_through_functions(self):
        self.clone(f"file://{self.catalog}/web@v1", "web")
        text = self.portico("rpkg", "pull", "edge.web.v1", "-")
        changed = self.portico("fn", "eval", "-", "-i", "set-labels", "--match-kind", "ConfigMap",
                               "--", "tier=web", stdin=text)
        self.assertIn("pushed", self.portico("rpkg", "push", "edge.web.v1", "-", stdin=changed))
        self.assertIn("tier: web", self.show(self.dir / "edge.git", "drafts/web/v1:web/config.yaml"))

    def test_what_can_be_upgraded(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog")
        for name in ("a", "b"):
            self.clone("catalog.web.v1", name)
        self.publish("edge.a.v1")
        self.assertEqual(self.portico("rpkg", "upgrade", "--discover", "downstream"),
                         "All downstream packages are up to date.\n")
        self.commit(self.catalog, {"web/config.yaml": CONFIG.replace('"1"', '"2"')}, "More",
                    tags=["web/v2", "web/v3"])
        self.portico("repo", "sync", "catalog")
        rows = [line.split(maxsplit=2) for line in
                self.portico("rpkg", "upgrade", "--discover=upstream", "edge.a.v1", "edge.b.v1",
                             "catalog.web.v1").splitlines()]
        self.assertEqual(rows[1:], [["edge.a.v1", "catalog", "v2, v3"],
                                    ["edge.b.v1", "catalog", "v2, v3"],
                                    ["catalog.web.v1", "No", "update available"]])
        rows = [line.split() for line in self.portico(
            "rpkg", "upgrade", "--discover=downstream", "catalog.web.v3").splitlines()]
        self.assertEqual(rows[1:], [["catalog.web.v3", f"edge.{name}", "v1->v3"]
                                    for name in ("a.main", "a.v1", "b.v1")])
        self.assertIn("not found", self.fails("rpkg", "upgrade", "--discover=upstream", "nothing"))
        self.assertIn("--workspace", self.fails("rpkg", "upgrade", "edge.a.v1"))
        self.assertIn("names only", self.fails("rpkg", "upgrade", "--discover=upstream",
                                               "--workspace", "x"))

    def test_a_login_is_kept_in_a_secret(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog",
                     "--repo-basic-username", "ada", "--repo-basic-password", "s3cret")
        git = self.objects("repo")["catalog"]["spec"]["git"]
        self.assertEqual(git["secretRef"], {"name": "catalog-auth"})
        secret = self.objects("Secret")["catalog-auth"]
        self.assertEqual(secret["type"], "kubernetes.io/basic-auth")
        self.portico("repo", "unregister", "catalog")
        self.fails("get", "secret", "catalog-auth")
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog",
                     "--repo-basic-username=ada", "--repo-basic-password=s3cret")
        self.portico("repo", "unregister", "catalog", "--keep-auth-secret")
        self.assertIn("catalog-auth", self.objects("Secret"))

    def test_upstreams_of_variants(self):
        self.portico("repo", "register", f"file://{self.catalog}", "--name", "catalog")
        self.settles("apply", "-f", "-", stdin="""apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge, package: web}
""")
        self.assertEqual(self.wide()[-3:], ["-", "v1", "v1"])
        self.publish("edge.web.packagevariant-1")
        self.commit(self.catalog, {"web/config.yaml": CONFIG.replace('"1"', '"2"')}, "More",
                    tags=["web/v2", "web/v3"])
        self.portico("repo", "sync", "catalog")
        self.settles("patch", "pv/web", "-p", '{"spec": {"upstream": {"revision": 2}}}')
        self.assertEqual(self.wide()[-3:], ["v1", "v2", "v3"])

    def wide(self):
        head, row = self.portico("get", "pv", "-o", "wide").splitlines()
        self.assertEqual(head.split()[-3:], ["PUBLISHED", "DRAFTED", "AVAILABLE"])
        return row.split()


if __name__ == "__main__":
    unittest.main(verbosity=2)
