"""Compares the processes `portico fn render` and `fn eval` with those of kpt on the same package.

A package of a catalog's median size (8 files, 11 resources) with 0, 2 and 8 functions in its
pipeline, and one function on a folder without a pipeline. kpt has no built-in functions: it runs the
same ones as programs (`portico fn run`), which is its fastest way; a container takes about 0.1 s more
per function. `portico exec` also runs these programs, in the sandbox and without. Prints the median
wall-clock time of the runs, and the ratio. kpt is measured only if it is installed.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

FUNCTIONS = [("set-namespace", "namespace"), ("set-annotations", "owner")]


def deployment(number):
    container = "".join(f"""      - name: c{c}
        image: "registry.example.com/team/app-{c}:1.2.3"
        env:
        - name: LOG_LEVEL
          value: info # as in production
        resources:
          requests:
            cpu: 100m
            memory: 64Mi
""" for c in range(2))
    return f"""# workload {number}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{number}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web-{number}
  template:
    metadata:
      labels:
        app: web-{number}
    spec:
      containers:
{container}"""


def small(kind, number):
    return f"""apiVersion: v1
kind: {kind}
metadata:
  name: {kind.lower()}-{number}
data:
  key: value
"""


def write_package(folder, functions, step):
    """`step(name)` returns the line of YAML for a function in the pipeline."""
    folder.mkdir(parents=True)
    kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"
    if functions:
        kptfile += "pipeline:\n  mutators:\n"
    for i in range(functions):
        name, key = FUNCTIONS[i % 2]
        kptfile += f"  - {step(name)}\n    configMap:\n      {key}: value-{i // 2}\n"
    (folder / "Kptfile").write_text(kptfile)
    for i in range(4):
        (folder / f"deployment-{i}.yaml").write_text(deployment(i))
    (folder / "config.yaml").write_text(
        "---\n".join([small("ConfigMap", i) for i in range(3)] + [small("Secret", 3)]))
    (folder / "service.yaml").write_text(small("Service", 4))
    (folder / "README.md").write_text("# web\n")


def measure(command, package, home, runs):
    """Median time in ms of `command` in fresh copies of `package`, named web."""
    times = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory(dir=home) as work:
            shutil.copytree(package, pathlib.Path(work) / "web")
            start = time.perf_counter()
            subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def compare(name, ours, others):
    """`ours`: time in ms; `others`: name -> time in ms."""
    line = f"{name:24}portico {ours:7.1f} ms"
    for which, median in others.items():
        line += f"   {which} {median:7.1f} ms ({median / ours:.0f} times)"
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portico", default="build/bench/portico", help="path of portico")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    portico = str(pathlib.Path(options.portico).resolve())
    kpt, runs = shutil.which("kpt"), options.runs
    sandbox = shutil.which("bwrap") is not None

    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        for count in (0, 2, 8):
            built_in, programs = home / f"built-in-{count}", home / f"programs-{count}"
            write_package(built_in, count, lambda name: f"image: {name}:latest")
            write_package(programs, count, lambda name: f'exec: "{portico} fn run {name}"')
            ours = measure([portico, "fn", "render", "web"], built_in, home, runs)
            others = {}
            if kpt:
                others["kpt"] = measure([kpt, "fn", "render", "web", "--allow-exec"], programs,
                                        home, runs)
            if count:
                own = [portico, "fn", "render", "web", "--allow-exec"]
                others["portico exec"] = measure([*own, "--no-sandbox"], programs, home, runs)
                if sandbox:
                    others["sandboxed"] = measure(own, programs, home, runs)
            compare(f"render, {count} functions", ours, others)

        plain = home / "built-in-0"
        arguments = ["--", "namespace=shop"]
        ours = measure([portico, "fn", "eval", "web", "-i", "set-namespace", *arguments], plain,
                       home, runs)
        others = {}
        if kpt:
            program = f"{portico} fn run set-namespace"
            others["kpt"] = measure([kpt, "fn", "eval", "web", "--exec", program, *arguments],
                                    plain, home, runs)
        compare("eval, one function", ours, others)


if __name__ == "__main__":
    main()
