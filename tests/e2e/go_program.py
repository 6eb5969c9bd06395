"""Builds the Go programs of tests/clients with a new enough Go; with --compiler GO.MOD only prints the path of such a
Go."""
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
    """Go is not available; the message is one line with the reason."""


def build():
    """Builds the program if needed; returns its path."""
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
    """A `go` new enough for a go.mod, from the Go proxy if the installed one is older."""
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
    """Fetches that version of Go as a module, which also works with a Go older than 1.21."""
    module = f"golang.org/toolchain@v0.0.1-go{version}.{system}"
    done = subprocess.run([found, "mod", "download", "-json", module], text=True,
                          capture_output=True, cwd="/")
    answer = json.loads(done.stdout or "{}")
    if done.returncode != 0 or "Dir" not in answer:
        raise NoGo(f"{module}: {answer.get('Error') or done.stderr}")
    # Module files are unpacked without the executable bit.
    home = pathlib.Path(answer["Dir"])
    for program in [*home.glob("bin/*"), *home.glob("pkg/tool/*/*")]:
        program.chmod(0o755)
    return str(home / "bin/go")


if __name__ == "__main__":
    try:
        print(compiler(pathlib.Path(sys.argv[2])) if sys.argv[1:2] == ["--compiler"] else build())
    except (NoGo, RuntimeError) as why:
        raise SystemExit(f"Go programs of the tests: {why}")
