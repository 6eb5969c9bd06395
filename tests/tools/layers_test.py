import support

layers = support.load("layers")

CMAKE = """
# text
portico_module(base LIBS fmt::fmt)
portico_module(yaml)
portico_module(krm DEPS yaml
  TEST_DEPS git)
# ---- the pure line: above it nothing waits ----
portico_module(git DEPS krm LIBS git2)
portico_module(testing)
"""
GOOD = {
    "CMakeLists.txt": CMAKE,
    "src/base/clock.cc": "#include <thread>\n#include <iostream>\n",
    "src/yaml/node.cc": '#include <map>\n#include "base/result.h"\n#include "yaml/internal/scan.h"\n',
    "src/krm/object.cc": '#include "yaml/node.h"\n',
    "src/krm/tests/object_test.cc": '#include <thread>\n#include "git/open.h"\n#include "testing/cases.h"\n',
    "src/git/open.cc": '#include <mutex>\n#include "base/log.h"\n#include "krm/object.h"\n',
    "tests/conformance/git.cc": '#include "git/open.h"\n#include "own.h"\n',
}


class Layers(support.TreeTest):
    def problems(self, changed=None):
        self.tree({**GOOD, **(changed or {})})
        return layers.check(self.root)[0]

    def expect(self, text, changed):
        problems = self.problems(changed)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(text, problems[0])

    def test_allowed_includes_pass(self):
        self.assertEqual(self.problems(), [])

    def test_an_edge_without_permission(self):
        self.expect('src/yaml/more.cc:2: yaml may not include krm',
                    {"src/yaml/more.cc": '\n#include "krm/object.h"\n'})

    def test_permission_is_not_inherited(self):
        self.expect("git may not include yaml", {"src/git/more.cc": '#include "yaml/node.h"\n'})

    def test_a_permission_nobody_uses(self):
        self.expect("krm names yaml in DEPS but does not include it", {"src/krm/object.cc": ""})

    def test_a_permission_only_tests_use(self):
        self.expect("only its tests include it",
                    {"src/krm/object.cc": "", "src/krm/tests/a_test.cc": '#include "yaml/node.h"\n'})

    def test_test_deps_are_for_tests(self):
        problems = self.problems({"src/krm/object.h": '#include "git/open.h"\n'})
        self.assertEqual(len(problems), 1, problems)
        self.assertIn("krm may not include git", problems[0])

    def test_testing_is_for_tests(self):
        self.expect("git may not include testing", {"src/git/a.cc": '#include "testing/cases.h"\n'})

    def test_internal_headers_are_private(self):
        for path in ("src/krm/a.cc", "src/krm/tests/a_test.cc", "tests/e2e/a.cc"):
            with self.subTest(path):
                self.setUp()
                problems = self.problems({path: '#include "yaml/internal/scan.h"\n'})
                self.assertIn("is private to yaml", "\n".join(problems))

    def test_a_cycle(self):
        problems = self.problems({"CMakeLists.txt": CMAKE.replace("yaml)", "yaml DEPS krm)")})
        self.assertTrue(any("yaml -> krm -> yaml" in each for each in problems), problems)

    def test_a_pure_module_may_not_link_an_impure_one(self):
        problems = self.problems({"CMakeLists.txt": CMAKE.replace("yaml)", "yaml DEPS git)")})
        self.assertTrue(any("yaml is above the pure line, git below" in each for each in problems))

    def test_impure_headers(self):
        for header in ("<thread>", "<sys/socket.h>", "<fstream>", '"base/log.h"'):
            with self.subTest(header):
                self.setUp()
                self.expect("above the pure line", {"src/yaml/io.h": f"#include {header}\n"})

    def test_impure_calls_but_not_in_comments_and_strings(self):
        self.expect('src/yaml/now.cc:1: "std::getenv"', {"src/yaml/now.cc": "auto x = std::getenv(a);\n"})
        self.expect("_clock::now", {"src/yaml/now.cc": "auto t = std::chrono::system_clock::now();\n"})
        self.assertEqual(self.problems({"src/yaml/now.cc": '// getenv\nauto x = "getenv";\n'}), [])

    def test_a_folder_without_a_module(self):
        self.expect("src/new/a.cc: no portico_module", {"src/new/a.cc": ""})

    def test_a_quoted_include_is_a_path_from_src(self):
        self.expect('"node.h" is no path from src/', {"src/yaml/b.cc": '#include "node.h"\n'})

    def test_the_project_itself_has_modules(self):
        modules = layers.read_modules((support.ROOT / "CMakeLists.txt").read_text())
        self.assertTrue(modules["base"].pure)
        self.assertFalse(modules["git"].pure)
        self.assertIsNone(layers.find_cycle(modules))
