import json

import support

lists = support.load("kubernetes_lists")

META = {"properties": {"finalizers": {"type": "array", "items": {"type": "string"},
                                      "x-kubernetes-patch-strategy": "merge"}}}


def reference(name):
    return {"$ref": f"#/$defs/{name}"}


def keyed(name, *keys):
    return {"type": "array", "items": reference(name), "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": list(keys)}


def kind(group, spec):
    return {"x-kubernetes-group-version-kind": [{"group": group, "version": "v1", "kind": "Pod"}],
            "properties": {"metadata": reference("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"),
                           "spec": reference(spec), "status": reference(spec)}}


class KubernetesLists(support.TreeTest):
    def table(self, **releases):
        self.tree({f"{version}-local-strict/_definitions.json": json.dumps({"$defs": definitions})
                   for version, definitions in releases.items()})
        types, kinds = lists.types_of(lists.releases(self.root))
        return lists.fields_of(types), kinds

    def test_what_is_merged(self):
        fields, kinds = self.table(**{"v1.30.0": {
            "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": META,
            "io.k8s.api.core.v1.Pod": kind("", "io.k8s.api.core.v1.PodSpec"),
            "io.k8s.api.core.v1.PodSpec": {"properties": {
                "containers": keyed("io.k8s.api.core.v1.Container", "name"),
                "atomic": {"type": "array", "items": reference("io.k8s.api.core.v1.Container")},
                "set": {"type": "array", "x-kubernetes-list-type": "set"}}},
            "io.k8s.api.core.v1.Container": {"properties": {
                "ports": {**keyed("io.k8s.api.core.v1.Port", "port", "protocol"),
                          "x-kubernetes-patch-merge-key": "port"}}},
            "io.k8s.api.core.v1.Port": {"properties": {"port": {"type": "integer"}}}}})
        self.assertEqual(kinds, {("", "Pod"): "core.Pod"})
        self.assertEqual(fields["core.Pod"], {"metadata": ("meta.ObjectMeta", ""),
                                              "spec": ("core.PodSpec", "")})
        self.assertEqual(fields["core.PodSpec"], {"containers": ("core.Container", "name"),
                                                  "set": ("", "*")})
        self.assertEqual(fields["core.Container"], {"ports": ("", "port,protocol")})
        self.assertEqual(fields["meta.ObjectMeta"], {"finalizers": ("", "*")})

    def test_the_newest_counts(self):
        old = {"io.k8s.api.core.v1.A": {"properties": {"x": keyed("io.k8s.api.core.v1.B", "old")}}}
        new = {"io.k8s.api.core.v1.A": {"properties": {"x": keyed("io.k8s.api.core.v1.B", "new")}},
               "io.k8s.api.core.v1beta1.A": {"properties": {"x": keyed("b", "beta")}}}
        fields, _ = self.table(**{"v1.9.0": old, "v1.30.0": new})
        self.assertEqual(fields["core.A"]["x"], ("", "new"))
