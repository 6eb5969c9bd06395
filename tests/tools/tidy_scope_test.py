"""clang-tidy with tools/tidy_scope.cc: reports findings in our files and headers, and checks no others."""
import pathlib
import shutil
import subprocess
import unittest

import support

CLANG = pathlib.Path("/usr/lib/llvm-14/include/clang/Frontend/FrontendPluginRegistry.h")


@unittest.skipUnless(shutil.which("clang-tidy") and shutil.which("clang++") and CLANG.exists(),
                     "needs clang-tidy and clang's headers: ./dev check installs them")
class TidyScope(support.TreeTest):

    def tidy(self, *arguments):
        return subprocess.run(
            ["clang-tidy", *arguments, "--quiet", "--checks=-*,modernize-use-using",
             "--header-filter=.*", "--system-headers", "main.cc", "--", "-isystem", "system", "-I", "."],
            cwd=self.root, capture_output=True, text=True, check=False).stdout

    def test_what_is_ours_is_seen_and_nothing_else(self):
        self.tree({"main.cc": '#include <theirs.h>\n#include "ours.h"\n'
                              "namespace a { namespace { typedef int Source; } }\n",
                   "ours.h": "namespace a { struct B { typedef int Header; }; }\n",
                   "system/theirs.h": "typedef int System;\n"})
        plugin = self.root / "scope.so"
        subprocess.run(["clang++", "-shared", "-fPIC", "-std=c++17", "-fno-rtti", "-isystem",
                        "/usr/lib/llvm-14/include", support.ROOT / "tools/tidy_scope.cc", "-o", plugin],
                       check=True)
        without, scoped = self.tidy(), self.tidy(f"--load={plugin}")
        for word in ("Source", "Header"):
            self.assertIn(f"typedef int {word}", without)
            self.assertIn(f"typedef int {word}", scoped)
        self.assertIn("typedef int System", without)
        self.assertNotIn("typedef int System", scoped)


if __name__ == "__main__":
    unittest.main()
