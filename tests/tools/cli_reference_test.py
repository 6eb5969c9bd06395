import stat

import support

reference = support.load("cli_reference")

ROOT = """Keeps fleets.
Usage: portico [OPTIONS] SUBCOMMAND

Options:
  -h,--help                   Print this help message and exit
  -n,--namespace TEXT=default Namespace

Subcommands:
  apply                       Create objects
  rpkg, rpackage              Package revisions
"""
APPLY = """Create objects
Usage: portico apply [OPTIONS] [names...]

Positionals:
  names TEXT ...              Only these

Options:
  -h,--help                   Print this help message and exit
  -f,--filename TEXT ... REQUIRED
                              File, folder, or - for
                              standard input

Examples:
  portico apply -f a | cat
"""


class Reference(support.TreeTest):
    def test_a_command_is_read_from_its_help(self):
        command = reference.parse_help(("apply",), APPLY)
        self.assertEqual(command.about, "Create objects")
        self.assertEqual(command.usage, "portico apply [OPTIONS] [names...]")
        self.assertEqual(command.parts, [
            ("Positionals", [("names TEXT ...", "Only these")]),
            ("Options", [("-h,--help", "Print this help message and exit"),
                         ("-f,--filename TEXT ... REQUIRED",
                          "File, folder, or - for standard input")])])
        self.assertEqual(command.examples, ["portico apply -f a | cat"])

    def test_a_long_default_leaves_one_blank(self):
        root = reference.parse_help((), ROOT)
        self.assertIn(("-n,--namespace TEXT=default", "Namespace"), root.parts[0][1])
        self.assertEqual(root.children, ["apply", "rpkg"])

    def test_both_forms_have_every_command(self):
        self.tree({"portico": f"#!/bin/sh\ncase $1 in\n--help) cat <<'E'\n{ROOT}E\n;;\n"
                              f"*) cat <<'E'\n{APPLY}E\n;;\nesac\n"})
        program = self.root / "portico"
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        commands = reference.walk(str(program))
        self.assertEqual([each.words for each in commands], [(), ("apply",), ("rpkg",)])
        text = reference.markdown(commands)
        self.assertIn("## portico rpkg\n", text)
        self.assertIn("| `-n,--namespace TEXT=default` | Namespace |", text)
        self.assertNotIn("--help", text)
        manual = reference.manual(commands, "1")
        self.assertIn(".SH RPKG\n", manual)
        self.assertIn("\\fB\\-f,\\-\\-filename TEXT ... REQUIRED\\fR\nFile, folder", manual)
