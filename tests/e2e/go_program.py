"""Builds the Go programs of tests/clients with a Go that is new enough; with --compiler GO.MOD only names such a Go."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from support import ROOT

MODULE = ROOT / "tests/clients/go"


class NoGo(Exception):
    """Go cannot be had here: why, in one line."""


def build():
    """The path of the program, built where it is not up to date."""
    program = ROOT / "build/clients/clients"
    program.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly -buildvcs=false"}
    go = compiler()
    fetched = subprocess.run([go, "mod", "download"], cwd=MODULE, env=environment, text=True,
                             capture_output=True)
    if fetched.returncode != 0:
        raise NoGo(f"modules of {MODULE} cannot be fetched: {fetched.stderr.strip()[-300:]}")
    done = subprocess.run([go, "build", "-o", str(program), "."], cwd=MODULE,
                          env=environment, text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"go build in {MODULE}: {done.stderr}")
    return program


def compiler(mod=MODULE / "go.mod"):
    """A `go` that knows what a go.mod asks for, by way of the Go proxy where this one is older."""
    wanted = re.search(r"^go (\d+)\.(\d+)\.(\d+)$", mod.read_text(), re.M)
    found = shutil.which("go") or shutil.which("/usr/local/go/bin/go")
    if not found:
        raise NoGo("Go is not installed: ./dev setup installs it")
    said = subprocess.run([found, "version"], text=True, capture_output=True,
                          env={**os.environ, "GOTOOLCHAIN": "local"}, check=True).stdout
    version, system = re.search(r"go version go(\S+) (\S+)", said).groups()
    if tuple(map(int, version.split(".")[:2])) >= tuple(map(int, wanted.groups()[:2])):
        return found
    return toolchain(found, ".".join(wanted.groups()), system.replace("/", "-"))


def toolchain(found, version, system):
    """The Go of that version: a module, which a Go from before 1.21 fetches as any other."""
    module = f"golang.org/toolchain@v0.0.1-go{version}.{system}"
    done = subprocess.run([found, "mod", "download", "-json", module], text=True,
                          capture_output=True, cwd="/")
    answer = json.loads(done.stdout or "{}")
    if done.returncode != 0 or "Dir" not in answer:
        raise NoGo(f"{module}: {answer.get('Error') or done.stderr}")
    # Modules are unpacked as files that nobody may run.
    home = pathlib.Path(answer["Dir"])
    for program in [*home.glob("bin/*"), *home.glob("pkg/tool/*/*")]:
        program.chmod(0o755)
    return str(home / "bin/go")


if __name__ == "__main__":
    try:
        print(compiler(pathlib.Path(sys.argv[2])) if sys.argv[1:2] == ["--compiler"] else build())
    except (NoGo, RuntimeError) as why:
        raise SystemExit(f"Go programs of the tests: {why}")
