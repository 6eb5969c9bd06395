"""Compares the processes `portico pkg update` and `kpt pkg update` on the same packages.

A package of 12 files (24 resources), and one of about 1 MB, in a local git repository; every second
resource changed upstream, every third file locally. Each run updates a fresh copy. Prints the median
wall-clock time of the runs, and the ratio. kpt is measured only if it is installed, and only once on
the large package, which takes it minutes.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
               "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
               "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
               "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com"}
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


def resource(number, image, replicas):
    env = "".join(f"        - name: VARIABLE_{i}\n          value: \"{i * number}\"\n"
                  for i in range(10))
    return (f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{number}\nspec:\n"
            f"  # as many as there are zones\n  replicas: {replicas} # kpt-set: ${{replicas}}\n"
            f"  template:\n    spec:\n      containers:\n      - name: server\n"
            f"        image: {image}\n        env:\n{env}")


def write(folder, files, each, image, replicas):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Kptfile").write_text(KPTFILE)
    for number in range(files):
        texts = [resource(i, image(i), replicas(i))
                 for i in range(number * each, (number + 1) * each)]
        (folder / f"file-{number}.yaml").write_text("---\n".join(texts))


def run(*command, cwd):
    subprocess.run(command, cwd=cwd, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def measure(program, home, fetched, runs):
    """Median time in seconds of `program pkg update web@v2` on copies of the folder `fetched`."""
    seconds = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory(dir=home) as work:
            shutil.copytree(fetched, pathlib.Path(work) / "web")
            start = time.perf_counter()
            run(program, "pkg", "update", "web@v2", cwd=work)
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def compare(home, name, files, each, programs, runs, kpt_runs):
    repository = home / name
    write(repository / "web", files, each, lambda i: "web:1", lambda i: 3)
    run("git", "init", "-q", "-b", "main", cwd=repository)
    for tag, image in (("v1", lambda i: "web:1"), ("v2", lambda i: f"web:{1 + (i + 1) % 2}")):
        write(repository / "web", files, each, image, lambda i: 3)
        run("git", "add", "-A", cwd=repository)
        run("git", "commit", "-q", "-m", tag, cwd=repository)
        run("git", "tag", tag, cwd=repository)
    fetched = home / f"{name}-local"
    run(programs["portico"], "pkg", "get", f"file://{repository}/.git/web@v1", str(fetched),
        cwd=home)
    for file in sorted(fetched.glob("file-*.yaml"))[::3]:
        file.write_text(file.read_text().replace("replicas: 3", "replicas: 5"))
    medians = {which: measure(program, home, fetched, kpt_runs if which == "kpt" else runs)
               for which, program in programs.items()}
    line = "  ".join(f"{which} {median * 1e3:8.1f} ms" for which, median in medians.items())
    if "kpt" in medians:
        line += f"  kpt takes {medians['kpt'] / medians['portico']:.0f} times as long"
    print(f"{name:14}{line}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portico", default="build/bench/portico", help="path of portico")
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    programs = {"portico": str(pathlib.Path(options.portico).resolve())}
    if shutil.which("kpt"):
        programs["kpt"] = shutil.which("kpt")
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        ENVIRONMENT.update(HOME=folder, XDG_CACHE_HOME=str(home / "cache"))
        compare(home, "12 files", 12, 2, programs, options.runs, options.runs)
        compare(home, "1 MB", 40, 40, programs, options.runs, 1)


if __name__ == "__main__":
    main()
