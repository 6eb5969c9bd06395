"""The cases of ../shared/conformance that need a command line: pipes, programs, links, --save,
output elsewhere. The rules are those of its render/README.md. Cases that the library runs are
tests/conformance's."""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

from support import ENVIRONMENT, SHARED, binary

SUITES = SHARED / "conformance"
FEATURES = {"pipe", "exec", "save-fn", "symlink", "selectors", "image-pull-policy"}
BUILT_IN = set(re.findall(r'Entry\{"([a-z-]+)"', (
    pathlib.Path(__file__).parents[2] / "src/functions/catalog.cc").read_text()))
KNOWN = {
    "fn-eval/fn-source-subpkgs-with-krmignore": "the expectation is without Kptfiles, which kpt has",
    "fn-eval/save-fn-override-fn": "kpt indents the list anew; untouched text stays",
    "render/out-of-place-dir": "kpt drops the blank line below a license comment; it stays",
}


def needs_a_command_line(meta):
    steps = meta["run"]
    words = [word for step in steps for argv in step["pipe"] for word in argv]
    return (len(steps) > 1 or len(steps[0]["pipe"]) > 1 or "-o" in words or "source" in words
            or "--include-meta-resources" in words
            or {"exec", "save-fn"} & set(meta["requires"].get("features", [])))


def cases():
    for path in sorted(p for suite in ("render", "fn-eval") for p in (SUITES / suite).glob("*/case.yaml")):
        meta = yaml.safe_load(path.read_text())
        needed = meta["requires"]
        if (not meta.get("upstream_skip") and not needed.get("other_functions")
                and set(needed.get("functions", [])) <= BUILT_IN
                and set(needed.get("features", [])) <= FEATURES and needs_a_command_line(meta)):
            yield f"{path.parents[1].name}/{path.parent.name}", path.parent, meta


class Case:
    def __init__(self, folder, meta, work):
        self.folder, self.meta, self.work = folder, meta, work
        self.package = work / meta["package_dir"]
        shutil.copytree(folder / "input", self.package, symlinks=True)
        if "place_case_input_at" in meta:
            shutil.copytree(folder / "input", work / self.filled(meta["place_case_input_at"]))
        self.stdout = self.stderr = ""
        self.code = 0

    def filled(self, text):
        for name, value in {"work": self.work, "pkg": self.package, "case": self.folder,
                            "results": self.work / "results"}.items():
            text = text.replace("{%s}" % name, str(value))
        return re.sub(r"\{content-of:([^}]*)\}",
                      lambda file: (self.folder / file[1]).read_text(), text)

    def run(self):
        options = self.meta.get("script_options") or []
        environment = {**ENVIRONMENT, **(self.meta.get("env") or {})}
        for step in self.meta["run"]:
            data, codes = b"", []
            for argv in step["pipe"]:
                argv = [self.filled(str(word)) for word in argv]
                if argv[0] == "kpt":
                    argv[0] = binary()
                done = subprocess.run(argv, cwd=self.filled(step["cwd"]), env=environment,
                                      input=data, capture_output=True, timeout=120)
                data = done.stdout
                self.stderr += done.stderr.decode()
                codes.append(done.returncode)
            self.stdout += data.decode()
            failed = [code for code in codes if code]
            self.code = failed[-1] if failed and "pipefail" in options else codes[-1]
            if self.code and "stop_on_error" in options:
                break

    def differences(self):
        expect = self.meta.get("expect", {})
        if "exit_code" in expect and bool(expect["exit_code"]) != bool(self.code):
            yield f"exit code {self.code}"
        strip = expect.get("stderr_strip_lines") or []

        def without(text):
            return "\n".join(line for line in text.split("\n") if line not in strip).strip()

        said = re.sub(r'(\[(?:PASS|FAIL)\] "[^"]*" in )\S+', r"\g<1>0s",
                      self.stderr.replace(f"{self.work}/", ""))
        if without(expect.get("stderr_contains") or "") not in without(said):
            yield f"stderr lacks\n{expect['stderr_contains']}"
        if (expect.get("stdout_contains") or "").strip() not in self.stdout:
            yield f"stdout lacks\n{expect['stdout_contains']}\nin\n{self.stdout}"
        if self.meta["compare"].get("tree") == "text":
            want, have = tree(self.folder / "expected"), tree(self.package)
            for path in sorted(set(want) | set(have)):
                lines = [files.get(path, "(not there)").split("\n") for files in (want, have)]
                if lines[0] != lines[1]:
                    yield "\n".join(difflib.unified_diff(*lines, path, path, lineterm=""))


def tree(folder):
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*"))
            if p.is_file() and not p.is_symlink() and ".git" not in p.parts}


@unittest.skipUnless(SUITES.is_dir(), "no ../shared/conformance")
class Conformance(unittest.TestCase):
    def test_cases(self):
        count = 0
        for name, folder, meta in cases():
            with self.subTest(name), tempfile.TemporaryDirectory() as work:
                one = Case(folder, meta, pathlib.Path(os.path.realpath(work)))
                one.run()
                found = list(one.differences())
                count += 1
                if name in KNOWN:
                    self.assertTrue(found, f"{name} passes: take it off the list")
                    continue
                self.assertEqual(found, [], "\n".join(found) + "\n" + one.stderr)
        self.assertGreater(count, 20)


if __name__ == "__main__":
    unittest.main()
