"""Upgrades along the real history of ten packages, with local edits published in between."""
import re
import unittest

import yaml
from nephio import FIXTURE, Deployment

# (repository, directory in the catalog) of packages with v1, v2 and v3 and built-in functions only.
PACKAGES = [("catalog-distros-sandbox", "distros/sandbox/gitea"),
            ("catalog-infra-capi", "infra/capi/nephio-workload-cluster"),
            ("catalog-nephio-core", "nephio/core/nephio-operator"),
            ("catalog-nephio-core", "nephio/core/porch"),
            ("catalog-nephio-optional", "nephio/optional/network-config"),
            ("catalog-nephio-optional", "nephio/optional/porch-cert-manager-webhook"),
            ("catalog-nephio-optional", "nephio/optional/resource-backend"),
            ("catalog-workloads-free5gc", "workloads/free5gc/free5gc-operator"),
            ("catalog-workloads-oai", "workloads/oai/oai-ran-operator"),
            ("catalog-workloads-oai", "workloads/oai/pkg-example-ue-bp")]
# Its pipeline copies the package's name everywhere, so values differ from upstream.
RENDERED = {"nephio-workload-cluster"}
# Its v3 in the catalog has a file that is not valid YAML.
BROKEN = {"porch-cert-manager-webhook"}
BOOKKEEPING = {"internal.kpt.dev/upstream-identifier"}
NOTE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: local-note\ndata:\n  by: the team\n"


def resources(text):
    """(kind, name) -> resource, without the additions of the clone and of the local edit."""
    out = {}
    for document in yaml.safe_load_all(text):
        if not isinstance(document, dict) or "kind" not in document:
            continue
        metadata = document.get("metadata") or {}
        for field, ours in (("annotations", BOOKKEEPING), ("labels", {"local-edit"})):
            kept = {k: v for k, v in (metadata.get(field) or {}).items() if k not in ours}
            metadata.pop(field, None)
            if kept:
                metadata[field] = kept
        out[(document["kind"], metadata.get("name"))] = document
    return out


def comments(text):
    """The text after each '#' that starts a comment (or a line of a script)."""
    return {found.strip() for found in re.findall(r"(?:^|(?<=\s))#(.*)$", text, re.M)} - {""}


def with_label(text):
    """`text` with the label local-edit on its first resource, otherwise unchanged."""
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("metadata:")) + 1
    indent = re.match(" *", lines[at])[0]
    label = f"{indent}{indent}local-edit: kept"
    for i in range(at, len(lines)):
        if not lines[i].startswith(" "):
            break
        if lines[i].rstrip() == f"{indent}labels:":
            nested = re.match(" *", lines[i + 1])[0]
            return "\n".join([*lines[:i + 1], f"{nested}local-edit: kept", *lines[i + 1:]])
    return "\n".join([*lines[:at], f"{indent}labels:", label, *lines[at:]])


@unittest.skipUnless(FIXTURE.is_dir(), "needs ../shared/fixtures/nephio")
class Upgrades(Deployment):
    maxDiff = 4000

    def files(self, version, path):
        """Path in the package -> file, for a package at a tag of the catalog."""
        tag = f"refs/tags/{path}/{version}"
        names = self.git(self.dir / "catalog.git", "ls-tree", "-r", "--name-only", tag,
                         path + "/").splitlines()
        return {name[len(path) + 1:]: self.show(self.dir / "catalog.git", f"{tag}:{name}")
                for name in names}

    def downstream(self, name, ref):
        repository = self.dir / "edge01.git"
        names = self.git(repository, "ls-tree", "-r", "--name-only", ref, name + "/").splitlines()
        return {n[len(name) + 1:]: self.show(repository, f"{ref}:{n}") for n in names}

    def variants(self, pin, broken=()):
        """Applies one variant per package; `pin` has the other fields of its upstream. Those in
        `broken` fail without affecting the others."""
        manifests = []
        for repository, path in PACKAGES:
            name = path.rpartition("/")[2]
            manifests.append({
                "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
                "metadata": {"name": name, "namespace": "default"},
                "spec": {"upstream": {"repo": repository, "package": name, **pin},
                         "downstream": {"repo": "edge01", "package": name},
                         "adoptionPolicy": "adoptExisting"}})
        self.settles("apply", "-f", "-", stdin=yaml.safe_dump_all(manifests))
        for name, variant in self.objects("packagevariants").items():
            ready = self.condition(variant)
            self.assertEqual(ready["status"], "False" if name in broken else "True",
                             f"{name}: {ready['message']}")
            if name in broken:
                self.assertIn("9-controllers.yaml: 50:9: ", ready["message"])

    def edited_file(self, path):
        """A file with resources that exists in all versions."""
        versions = [self.files(v, path) for v in ("v1", "v2", "v3")]
        for name, text in sorted(versions[0].items()):
            if name.endswith((".yaml", ".yml")) and name != "package-context.yaml" and \
                    all(resources(v.get(name, "")) for v in versions):
                return name
        raise AssertionError(f"{path} has no such file")

    def edit(self, revision, path):
        """Adds a label to a resource, a line to the README and a local file."""
        folder = self.dir / "work" / revision
        self.portico("rpkg", "pull", revision, str(folder))
        target = folder / self.edited_file(path)
        target.write_text(with_label(target.read_text()))
        with open(folder / "README.md", "a") as readme:
            readme.write("\nMaintained by the team of edge01.\n")
        (folder / "local-note.yaml").write_text(NOTE)
        self.portico("rpkg", "push", revision, str(folder))

    def check(self, name, path, ref, old, new):
        """`ref` has upstream's changes from `old` to `new` and the local edit."""
        before, after, have = self.files(old, path), self.files(new, path), \
            self.downstream(name, ref)
        kptfile = yaml.safe_load(have["Kptfile"])
        self.assertEqual(kptfile["upstreamLock"]["git"]["ref"], f"{path}/{new}")
        self.assertEqual(kptfile["upstreamLock"]["git"]["commit"],
                         self.git(self.dir / "catalog.git", "rev-parse",
                                  f"refs/tags/{path}/{new}^{{commit}}").strip())
        self.assertEqual(kptfile["metadata"]["name"], name)

        self.assertIn("local-edit: kept", have[self.edited_file(path)])
        self.assertEqual(resources(have["local-note.yaml"]), resources(NOTE))
        changed = 0
        for file, text in after.items():
            if file.endswith("Kptfile") or file == "package-context.yaml":
                continue
            if not file.endswith((".yaml", ".yml")):
                if file == "README.md":
                    self.assertTrue(have[file].endswith("of edge01.\n") or text != before.get(file))
                else:
                    self.assertEqual(have[file], text, file)
                continue
            self.assertEqual(comments(text) - comments(have[file]), set(),
                             f"{name}: {file}: comments that got lost")
            upstream, ours = resources(text), resources(have[file])
            for key, resource in upstream.items():
                changed += resource != resources(before.get(file, "")).get(key)
                if name not in RENDERED:
                    self.assertEqual(ours.get(key), resource, f"{name}: {file}: {key}")
        for file in before.keys() - after.keys():
            self.assertNotIn(file, have, f"{name}: upstream deleted it")
        return changed

    def test_pinned_revisions_moved_to_newer_ones_keep_local_edits(self):
        self.variants({"revision": 1})
        drafts = sorted(n for n, r in self.objects("rpkg").items()
                        if r["spec"]["lifecycle"] == "Draft")
        self.assertEqual(len(drafts), len(PACKAGES))
        paths = {path.rpartition("/")[2]: path for _, path in PACKAGES}
        names = {r: self.objects("rpkg")[r]["spec"]["packageName"] for r in drafts}
        # Half of the edits go into the variant's draft, half into a revision created by a user.
        for revision in drafts[::2]:
            self.edit(revision, paths[names[revision]])
        self.approve_all()
        copies = []
        for revision in drafts[1::2]:
            package = names[revision]
            self.portico("rpkg", "copy", revision, "--workspace", "by-hand")
            copies.append(f"edge01.{package}.by-hand")
            self.edit(copies[-1], paths[package])
        self.portico("rpkg", "propose", *copies)
        self.portico("rpkg", "approve", *copies, "--wait")

        changed = 0
        for pin, old, new, broken in (({"revision": 2}, "v1", "v2", set()),
                                      ({"revision": 3}, "v2", "v3", BROKEN)):
            self.variants(pin, broken)
            made = [r for r in self.objects("rpkg").values() if r["spec"]["lifecycle"] == "Draft"]
            self.assertEqual({r["spec"]["packageName"] for r in made}, paths.keys() - broken)
            for r in made:
                name = r["spec"]["packageName"]
                ref = f"refs/heads/drafts/{name}/{r['spec']['workspaceName']}"
                changed += self.check(name, paths[name], ref, old, new)
            self.approve_all()
            self.assertEqual([n for n, r in self.objects("rpkg").items()
                              if r["spec"]["lifecycle"] == "Draft"], [], "settled")
        self.assertGreater(changed, 50, "resources that the upstreams changed")
        self.fsck(self.dir / "edge01.git")

    def test_drafts_are_upgraded_in_place(self):
        self.variants({"revision": 1})
        drafts = sorted(n for n, r in self.objects("rpkg").items()
                        if r["spec"]["lifecycle"] == "Draft")
        paths = {path.rpartition("/")[2]: path for _, path in PACKAGES}
        for revision in drafts:
            self.edit(revision, paths[self.objects("rpkg")[revision]["spec"]["packageName"]])
        self.variants({"revision": 2})
        self.assertEqual(sorted(n for n, r in self.objects("rpkg").items()
                                if r["spec"]["lifecycle"] == "Draft"), drafts, "the same drafts")
        for revision in drafts:
            r = self.objects("rpkg")[revision]
            name = r["spec"]["packageName"]
            self.check(name, paths[name], f"refs/heads/drafts/{name}/{r['spec']['workspaceName']}",
                       "v1", "v2")

    def test_variants_that_name_no_revision_follow_the_latest(self):
        catalog = self.dir / "catalog.git"
        later = {path: self.git(catalog, "rev-parse", f"refs/tags/{path}/v3").strip()
                 for _, path in PACKAGES}
        for path in later:
            self.git(catalog, "update-ref", "-d", f"refs/tags/{path}/v3")
        self.portico("repo", "sync", "--all", "--wait")
        self.variants({})
        self.approve_all()
        for path, tag in later.items():
            self.git(catalog, "update-ref", f"refs/tags/{path}/v3", tag)
        self.portico("repo", "sync", "--all", "--wait")
        made = {r["spec"]["packageName"]: r for r in self.objects("rpkg").values()
                if r["spec"]["lifecycle"] == "Draft"}
        self.assertEqual(made.keys(), {p.rpartition("/")[2] for _, p in PACKAGES} - BROKEN)
        for _, path in PACKAGES:
            name = path.rpartition("/")[2]
            if name in BROKEN:
                continue
            ref = f"refs/heads/drafts/{name}/{made[name]['spec']['workspaceName']}"
            kptfile = yaml.safe_load(self.downstream(name, ref)["Kptfile"])
            self.assertEqual(kptfile["upstreamLock"]["git"]["ref"], f"{path}/v3")


if __name__ == "__main__":
    unittest.main()
