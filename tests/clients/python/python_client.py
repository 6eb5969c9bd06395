"""Typical use of the Python client, with assertions: `python_client.py KUBECONFIG`."""
import json
import sys
import threading
import urllib3

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError, UnprocessibleEntityError

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "gadgets.py.example.com"},
    "spec": {"group": "py.example.com", "scope": "Namespaced",
             "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget"},
             "versions": [{"name": "v1", "served": True, "storage": True,
                           "subresources": {"status": {}},
                           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                               "spec": {"type": "object", "properties": {
                                   "size": {"type": "integer", "maximum": 9},
                                   "parts": {"type": "array", "items": {"type": "string"},
                                             "x-kubernetes-list-type": "set"}}},
                               "status": {"type": "object",
                                          "x-kubernetes-preserve-unknown-fields": True}}}}}]}}


def main(kubeconfig):
    urllib3.disable_warnings()
    api = config.new_client_from_config(kubeconfig)
    typed(client.CoreV1Api(api))
    untyped = dynamic.DynamicClient(api)
    define(untyped)
    write(untyped)
    apply(untyped)
    follow(untyped)
    pages(client.CoreV1Api(api))


def refused(error, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except error as why:
        return why
    raise AssertionError(f"not refused: {arguments} {options}")


def typed(core):
    core.create_namespaced_config_map("default", client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name="typed"), data={"a": "1"}))
    why = refused(ApiException, core.create_namespaced_config_map, "default",
                  client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed")))
    assert why.status == 409 and "AlreadyExists" in why.body, why
    core.patch_namespaced_config_map("typed", "default", {"data": {"b": "2"}})
    core.patch_namespaced_config_map("typed", "default",
                                     [{"op": "replace", "path": "/data/a", "value": "3"}])
    stored = core.read_namespaced_config_map("typed", "default")
    assert stored.data == {"a": "3", "b": "2"}, stored.data
    core.create_namespaced_secret("default", client.V1Secret(
        metadata=client.V1ObjectMeta(name="typed"), string_data={"p": "q"}))
    assert core.read_namespaced_secret("typed", "default").data == {"p": "cQ=="}
    done = core.delete_namespaced_config_map("typed", "default",
                                             body=client.V1DeleteOptions(grace_period_seconds=0))
    assert done.status == "Success", done
    assert refused(ApiException, core.read_namespaced_config_map, "typed", "default").status == 404


def define(untyped):
    definitions = untyped.resources.get(api_version="apiextensions.k8s.io/v1",
                                        kind="CustomResourceDefinition")
    definitions.create(body=DEFINITION)
    for event in definitions.watch(field_selector="metadata.name=gadgets.py.example.com",
                                   timeout=20):
        conditions = (event["object"].to_dict().get("status") or {}).get("conditions", [])
        if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
            break
    else:
        raise AssertionError("never established")
    untyped.resources.invalidate_cache()


def gadgets(untyped):
    return untyped.resources.get(api_version="py.example.com/v1", kind="Gadget")


def gadget(name, **spec):
    return {"apiVersion": "py.example.com/v1", "kind": "Gadget", "metadata": {"name": name},
            "spec": spec}


def write(untyped):
    kind = gadgets(untyped)
    made = kind.create(body=gadget("a", size=1), namespace="default")
    assert made.metadata.generation == 1
    refused(UnprocessibleEntityError, kind.create, body=gadget("b", size=10), namespace="default")
    kind.patch(body=gadget("a", size=2), namespace="default",
               content_type="application/merge-patch+json")
    stale = made.to_dict()
    stale["spec"]["size"] = 3
    refused(ConflictError, kind.replace, body=stale, namespace="default")
    status = kind.get(name="a", namespace="default").to_dict()
    status["status"] = {"seen": 2}
    changed = kind.status.replace(body=status, namespace="default")
    assert (changed.metadata.generation, changed.status.seen) == (2, 2), changed
    kind.delete(name="a", namespace="default")
    refused(NotFoundError, kind.get, name="a", namespace="default")


def apply(untyped):
    kind = gadgets(untyped)

    def applied(manager, force=False, **spec):
        # This client needs the body of this content type as text.
        return kind.server_side_apply(body=json.dumps(gadget("s", **spec)), name="s",
                                      namespace="default", field_manager=manager,
                                      force_conflicts=force)

    applied("ada", size=1, parts=["x"])
    both = applied("bob", parts=["y"])
    assert both.spec.parts == ["x", "y"], both.spec
    why = refused(ConflictError, applied, "bob", size=2)
    assert 'conflict with "ada": .spec.size' in json.loads(why.body)["message"], why.body
    taken = applied("bob", force=True, size=2)
    assert (taken.spec.size, taken.spec.parts) == (2, ["x"]), taken.spec
    assert {m.manager for m in taken.metadata.managedFields} == {"ada", "bob"}
    kind.delete(name="s", namespace="default")


def follow(untyped):
    """A watch opened before the changes and a later one from a resourceVersion see the same events."""
    kind = gadgets(untyped)
    version = kind.get(namespace="default").metadata.resourceVersion
    seen = []
    begun = threading.Event()

    def read():
        watcher = watch.Watch()
        begun.set()
        for event in kind.watch(namespace="default", resource_version=version, timeout=30,
                                watcher=watcher):
            seen.append((event["type"], event["object"].metadata.name))
            if seen[-1] == ("DELETED", "w2"):
                watcher.stop()

    reader = threading.Thread(target=read)
    reader.start()
    begun.wait()
    for name in ("w1", "w2"):
        kind.create(body=gadget(name, size=1), namespace="default")
    kind.patch(body=gadget("w1", size=2), namespace="default",
               content_type="application/merge-patch+json")
    kind.delete(namespace="default", label_selector="none=such")
    kind.delete(namespace="default", label_selector="none!=such")  # all of them
    reader.join(timeout=30)
    assert seen == [("ADDED", "w1"), ("ADDED", "w2"), ("MODIFIED", "w1"), ("DELETED", "w1"),
                    ("DELETED", "w2")], seen


def pages(core):
    for i in range(7):
        core.create_namespaced_config_map("default", client.V1ConfigMap(
            metadata=client.V1ObjectMeta(name=f"page-{i}", labels={"of": "pages"})))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map("default", label_selector="of=pages", limit=3,
                                               _continue=token)
        names += [one.metadata.name for one in page.items]
        token = page.metadata._continue
        if not token:
            break
    assert names == [f"page-{i}" for i in range(7)], names
    core.delete_collection_namespaced_config_map("default", label_selector="of=pages")
    assert not core.list_namespaced_config_map("default", label_selector="of=pages").items


if __name__ == "__main__":
    main(sys.argv[1])
