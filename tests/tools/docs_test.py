import pathlib
import stat

import support

docs = support.load("docs")

TREE = {
    "CMakeLists.txt": "portico_module(base)\nportico_module(krm DEPS json)\nportico_module(json)\n",
    "dev": "## build [PRESET]   builds\n## test   tests\n",
    "src/krm/object.h": "",
    "docs/testing.md": "# Testing\n\n## How it `runs`\n",
    "tests/e2e/init.sh": "",
}
HELP = """#!/bin/sh
case "$*" in
--help) printf 'Usage: portico\\n\\nSubcommands:\\n  rpkg       revisions\\n  apply      objects\\n' ;;
"rpkg --help") printf 'Subcommands:\\n  clone      one\\n  get,list   some\\n' ;;
"rpkg clone --help") printf 'Options:\\n  --name\\n' ;;
esac
"""


class Docs(support.TreeTest):
    def problems(self, text, tree=None, program=None):
        self.tree({**TREE, "docs/page.md": text, **(tree or {})})
        return docs.Checker(self.root, program).check()

    def expect(self, text, *wanted, **more):
        problems = self.problems(text, **more)
        self.assertEqual(len(problems), len(wanted), problems)
        for problem, want in zip(problems, wanted):
            self.assertIn(want, problem)

    def test_what_exists_passes(self):
        self.expect("`src/krm/object.h` `krm/object.h` `src/` `tests/e2e/*.sh` `src/<module>/object.h` "
                    "`a/b` `build/debug/x` `~/src` [t](testing.md) [h](testing.md#how-it-runs) "
                    "[w](https://example.org) `./dev test krm` `https://host/src/none.h`\n"
                    "```\n./dev build\nsrc/krm/object.h\n```\n")

    def test_paths_that_do_not_exist(self):
        self.expect("one\n`src/krm/none.h`", "docs/page.md:2: no path \"src/krm/none.h\"")
        self.expect("`krm/none.cc`", "no path \"krm/none.cc\"")
        self.expect("`tests/e2e/*.py`", "no path \"tests/e2e/*.py\"")
        self.expect("```sh\n\nsh tests/e2e/none.sh\n```", "docs/page.md:3: no path")

    def test_links_that_do_not_exist(self):
        self.expect("[x](none.md)", "no file \"none.md\"")
        self.expect("[x](testing.md#other)", "no heading \"#other\"")
        self.expect("[x](#other)", "no heading \"#other\"")

    def test_dev_commands(self):
        self.expect("`./dev nothing`", "no command \"./dev nothing\"")
        self.expect("```\n./dev frob --now\n```", "no command \"./dev frob\"")

    def test_program_commands(self):
        self.tree({"bin/portico": HELP})
        binary = self.root / "bin/portico"
        binary.chmod(binary.stat().st_mode | stat.S_IXUSR)
        program = docs.Program(binary)
        self.expect("`portico apply -f x` `portico rpkg clone a b` `portico rpkg list` portico would",
                    program=program)
        self.expect("```\nportico frob\n```", "no command \"portico frob\"", program=program)
        self.expect("`portico rpkg frob`", "no command \"portico rpkg frob\"", program=program)

    def test_the_table_of_modules(self):
        rows = "| `base` | x | — |\n| `krm` | x | json |\n| `json` | x |  |\n"
        table = pathlib.PurePath("docs/architecture.md").as_posix()
        self.expect("", tree={table: rows})
        self.expect("", "krm may use json", tree={table: rows.replace("| json", "| base")})
        self.expect("", "no row for json", tree={table: rows.replace("| `json` | x |  |\n", "")})
        self.expect("", "no module \"more\"", tree={table: rows + "| `more` | x | json |\n"})
        self.expect("", "another order",
                    tree={table: "| `json` | x | — |\n| `base` | x | — |\n| `krm` | x | json |\n"})
