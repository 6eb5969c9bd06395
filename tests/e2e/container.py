"""Runs programs of an image of tools/image: with runc, or with bubblewrap if this machine cannot create containers."""
import json
import os
import pathlib
import shutil
import subprocess
import tarfile

USER = 65532


class Image:
    """An image in the OCI layout, and its root file system unpacked next to it."""

    def __init__(self, layout, root):
        self.layout, self.root = pathlib.Path(layout), pathlib.Path(root)
        self.manifest = self.json(self.read("index.json")["manifests"][0])
        self.config = self.json(self.manifest["config"])
        self.root.mkdir(parents=True)
        for layer in self.manifest["layers"]:
            with tarfile.open(self.blob(layer)) as tar:
                tar.extractall(self.root)

    def read(self, name):
        return json.loads((self.layout / name).read_text())

    def blob(self, descriptor):
        return self.layout / "blobs/sha256" / descriptor["digest"].removeprefix("sha256:")

    def json(self, descriptor):
        return json.loads(self.blob(descriptor).read_text())


def environment(image, more):
    given = dict(each.split("=", 1) for each in image.config["config"]["Env"])
    return {**given, **(more or {})}


def runc_command(image, bundle, arguments, mounts, env):
    """`runc run` of a bundle: user 65532, no capabilities, read-only root, this machine's network."""
    bundle.mkdir(parents=True)
    def mount(kind, place, options, source=None):
        return {"destination": place, "type": kind, "source": source or kind, "options": options}
    spec = {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": USER, "gid": USER}, "args": arguments, "cwd": "/var/lib/portico",
            "env": [f"{key}={value}" for key, value in sorted(env.items())], "noNewPrivileges": True,
            "capabilities": {each: [] for each in ("bounding", "effective", "permitted")}},
        "root": {"path": str(image.root), "readonly": True},
        "mounts": [
            mount("proc", "/proc", []), mount("tmpfs", "/dev", ["nosuid", "mode=755", "size=65536k"]),
            mount("tmpfs", "/tmp", ["nosuid", "nodev", "mode=1777"]),
            *(mount("bind", place, ["rbind", *options], str(source)) for source, place, options in mounts)],
        "linux": {"namespaces": [{"type": each} for each in ("pid", "ipc", "uts", "mount")],
                  "maskedPaths": ["/proc/kcore", "/proc/keys"], "readonlyPaths": ["/proc/sys"]}}
    (bundle / "config.json").write_text(json.dumps(spec))
    return ["runc", "--root", str(bundle / "runc"), "run", "--bundle", str(bundle), f"portico-{os.getpid()}-{bundle.name}"]


def bwrap_command(image, arguments, mounts, env):
    command = ["bwrap", "--unshare-user", "--unshare-pid", "--uid", str(USER), "--gid", str(USER), "--cap-drop", "ALL",
               "--ro-bind", str(image.root), "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--clearenv",
               "--chdir", "/var/lib/portico", "--die-with-parent"]
    for key, value in sorted(env.items()):
        command += ["--setenv", key, value]
    for source, place, options in mounts:
        command += ["--ro-bind" if "ro" in options else "--bind", str(source), place]
    return [*command, "--", *arguments]


def works(command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Runner:
    """Runs programs of an image. `way` is "runc", "bwrap", or "" if neither works."""

    def __init__(self, image, folder):
        self.image, self.folder, self.made = image, pathlib.Path(folder), 0
        self.way = ""
        for way in ("runc", "bwrap"):
            if shutil.which(way):
                self.way = way
                if works(self.command(["/usr/bin/portico", "--version"])):
                    return
        self.way = ""

    def command(self, arguments, mounts=(), env=None):
        """`mounts` are (local folder, path in the container, options)."""
        self.made += 1
        env = environment(self.image, env)
        if self.way == "runc":
            return runc_command(self.image, self.folder / f"bundle{self.made}", arguments, mounts, env)
        return bwrap_command(self.image, arguments, mounts, env)

    def own(self, folder):
        """Creates a local folder that the image's user may write."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.way == "runc":
            os.chown(folder, USER, USER)
        return folder
