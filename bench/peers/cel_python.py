"""What cel-python needs for the expressions of ../data/cel.json: JSON, as cel_bench --json gives it.

Expressions that call functions it does not have are left out.
"""
import json
import statistics
import sys
import time

import celpy
import celpy.celtypes
from celpy.adapter import json_to_cel


def cost_of(operation):
    rounds, repeat = [], 1
    while len(rounds) < 7:
        start = time.process_time_ns()
        for _ in range(repeat):
            operation()
        took = time.process_time_ns() - start
        if took < 5_000_000:
            repeat *= 2
        else:
            rounds.append(took / repeat)
    return {"ns": statistics.median(rounds)}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    variables = {name: json_to_cel(value) for name, value in data["variables"].items()}
    rows = []
    for each in data["expressions"]:
        text = each["expr"]
        env = celpy.Environment()
        try:
            tree = env.compile(text)
            program = env.program(tree)
            result = program.evaluate(variables)
        except Exception:  # pylint: disable=broad-except  # its errors have no common base
            continue
        if isinstance(result, celpy.CELEvalError):
            continue
        rows.append({
            "expression": text,
            "result": str(result).lower() if isinstance(result, celpy.celtypes.BoolType) else str(result),
            "parse": cost_of(lambda: env.compile(text)),
            "compile": cost_of(lambda: env.program(env.compile(text))),
            "evaluate": cost_of(lambda: program.evaluate(variables)),
        })
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
