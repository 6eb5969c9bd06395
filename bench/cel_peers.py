#!/usr/bin/env python3
"""Compares ./dev bench cel with cel-go (with Kubernetes' libraries) and cel-python in one run, on the
same expressions and values.

Prints, for each expression, our time in ns and how many times as long the others take, and finally
the medians. Needs build/bench/cel_bench (./dev bench builds it); go and pip download the others into
build/peers. An engine that cannot be built is skipped, with the reason.
"""
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "bench/data/cel.json"
PEERS = ROOT / "build/peers"


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def cel_go():
    run("go", "build", "-o", PEERS / "cel_go", ".", cwd=ROOT / "bench/peers/cel_go")
    return run(PEERS / "cel_go", DATA)


def cel_python():
    venv = PEERS / "python"
    if not venv.exists():
        run(sys.executable, "-m", "venv", venv)
    run(venv / "bin/pip", "install", "--quiet", "cel-python==0.5.0")
    return run(venv / "bin/python", ROOT / "bench/peers/cel_python.py", DATA)


def main():
    PEERS.mkdir(parents=True, exist_ok=True)
    ours = json.loads(run(ROOT / "build/bench/cel_bench", "--json"))
    peers = {}
    for name, engine in {"cel-go": cel_go, "cel-python": cel_python}.items():
        try:
            peers[name] = {row["expression"]: row for row in json.loads(engine())}
        except (RuntimeError, OSError) as problem:
            print(f"{name} skipped: {problem}", file=sys.stderr)

    ratios = {}
    heads = "".join(f"{name + ' compile':>20}{name + ' evaluate':>21}" for name in peers)
    print(f"{'compile ns':>12}{'evaluate ns':>13}{heads}   times as long")
    for row in ours:
        line = f"{row['compile']['ns']:>12.0f}{row['evaluate']['ns']:>13.0f}"
        for name, rows in peers.items():
            other = rows.get(row["expression"])
            if other is None:
                line += f"{'-':>20}{'-':>21}"
                continue
            same = str(other["result"]) == row["result"].strip('"')
            if not same and "map(k" not in row["expression"]:  # maps are unordered in cel-go
                sys.exit(f"{name} differs: {row['expression']}: {other['result']}")
            for phase, width in (("compile", 20), ("evaluate", 21)):
                ratio = other[phase]["ns"] / row[phase]["ns"]
                ratios.setdefault((name, phase), []).append(ratio)
                line += f"{ratio:>{width}.1f}"
        print(f"{line}   {row['expression']}")
    for (name, phase), values in ratios.items():
        print(f"median of {len(values)}: {name} takes {statistics.median(values):.1f} times as long "
              f"to {phase}")


if __name__ == "__main__":
    main()
