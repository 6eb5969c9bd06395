"""The rows of the tables of src/base/world_error.cc, and why some of them have no case in world_test.py."""
import re

from support import ROOT

SOURCE = ROOT / "src/base/world_error.cc"
UNIT = ROOT / "src/base/tests/world_error_test.cc"

# By row, or by table.
ELSEWHERE = {
    "kGit: could not read username": "git gets an empty login and never asks; older ones say this",
    "kGit: could not read password": "git gets an empty login and never asks; older ones say this",
    "kGit: hook declined": "who says so by ref is in kRejectedRef, where what is not named is a refusal: three cases",
    "kGit: repository not exported": "git daemon says it after \"access denied\", which counts",
    "kOwnObjects": "of damage on this disk: damage_test.py of tests/e2e",
    "kHttp": "API servers answer it to commands and to `portico controllers`: api_test.py has each",
    "kCurl": "of the same: api_test.py has those that the other side is to blame for",
    "kNoStart: EAGAIN": "the test would lack it, too",
    "kNoStart: ENOMEM": "the test would lack it, too",
    "kNoStart: EMFILE": "the test would lack it, too",
    "kNoStart: ENFILE": "the test would lack it, too",
    "kNoStart: EIO": "of the disk that programs are on: disk_test.py breaks others",
}


def tables():
    """Table -> the texts or numbers of its rows."""
    out = {}
    for name, body in re.findall(r"constexpr auto (k\w+) = std::to_array<.*?>\(\{\n(.*?)\n\}\);", SOURCE.read_text(), re.S):
        lines = [line.split("//")[0] for line in body.splitlines()]
        out[name] = [row for line in lines for row in re.findall(r'^ *\{?(?:"(.*?)"|(\w+)),', line)]
        out[name] = [text or number for text, number in out[name]]
    return out


def rows():
    return {f"{table}: {row}" for table, all_rows in tables().items() for row in all_rows}


def elsewhere():
    return {row for row in rows() if row in ELSEWHERE or row.split(":")[0] in ELSEWHERE}


# The unit test of each table whose rows are numbers; texts are searched in all unit tests.
UNITS = {"kGrpc": "WhatFunctionServersAnswer", "kHttp": "WhatApiServersAnswer", "kCurl": "WhatCurlSays",
         "kNoStart": "WhatTheSystemSays"}


def in_unit_test():
    text = UNIT.read_text()
    out = set()
    for table, all_rows in tables().items():
        part = text
        if table in UNITS:
            part = re.search(rf"^TEST\(WorldError, {UNITS[table]}\).*?^}}", text, re.S | re.M)[0]
        out |= {f"{table}: {row}" for row in all_rows
                if re.search(rf"(?<!\w){re.escape(row)}" + (r"\b" if table in UNITS else ""), part, re.I)}
    return out
