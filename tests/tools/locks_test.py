"""tools/locks: clang finds accesses to guarded state without its lock."""
import json
import re
import shutil
import subprocess
import unittest

import support

COUNTER = """#pragma once
#include "base/mutex.h"
namespace portico {
class Counter {
 public:
  void add();
 private:
  void add_locked() PORTICO_REQUIRES(mutex_) { ++count_; }
  Mutex mutex_;
  int count_ PORTICO_GUARDED_BY(mutex_) = 0;
};
}
"""
ADD = '#include "m/counter.h"\nvoid portico::Counter::add() { %s }\n'
HELD = ADD % "const MutexLock lock(mutex_); ++count_; add_locked();"


@unittest.skipUnless(shutil.which("clang++"), "needs clang: ./dev check installs it")
class Locks(support.TreeTest):
    def locks(self, *files, **sources):
        self.tree({"src/base/mutex.h": (support.ROOT / "src/base/mutex.h").read_text(),
                   "src/m/counter.h": COUNTER,
                   **{f"src/m/{name}.cc": text for name, text in sources.items()}})
        self.tree({"build/compile_commands.json": json.dumps([
            {"directory": str(self.root / "build"), "file": f"../src/m/{name}.cc",
             "command": f"ccache g++ -I../src -std=gnu++20 -Wno-dangling-pointer -Werror -o {name}.o"
                        f" -c ../src/m/{name}.cc"} for name in sources])})
        return subprocess.run([support.ROOT / "tools/locks", "build", *files], cwd=self.root,
                              capture_output=True, text=True, check=False)

    def test_a_lock_that_is_held_passes(self):
        done = self.locks(counter=HELD)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("1 sources that see one, 0 problems", done.stderr)
        self.assertFalse((self.root / "build/counter.o").exists())

    def test_a_lock_that_is_missing_is_found(self):
        bodies = ["++count_;", "add_locked();", "MutexLock lock(mutex_); lock.unlock(); ++count_;",
                  "const MutexLock one(mutex_); const MutexLock two(mutex_);"]
        self.tree({"src/m/all.h": '#pragma once\n#include "m/counter.h"\n'})
        done = self.locks(counter='#include "m/all.h"\nvoid portico::Counter::add() {\n%s}\n'
                          % "".join(f"{{ {body} }}\n" for body in bodies))
        self.assertEqual(done.returncode, 1, done.stdout)
        for line, text in ((3, "'count_' requires holding mutex 'mutex_'"),
                           (4, "'add_locked' requires holding mutex 'mutex_'"),
                           (5, "'count_' requires holding mutex 'mutex_'"),
                           (6, "'mutex_' that is already held")):
            self.assertRegex(done.stdout, f"src/m/counter.cc:{line}:.*{re.escape(text)}")

    def test_who_sees_no_lock_is_not_compiled(self):
        done = self.locks(counter=HELD, broken='// Mutex\nconst char* c = "Mutex"; no code\n')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 sources", done.stderr)

    def test_of_files_that_are_named_no_other_is_looked_at(self):
        done = self.locks("src/m/good.cc", good=HELD, bad=ADD % "++count_;")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 sources", done.stderr)

    def test_a_source_that_is_not_built_is_named(self):
        self.tree({"src/m/more.cc": ADD % "++count_;"})
        done = self.locks()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("src/m/more.cc is not built in build", done.stderr)

    def test_a_lock_that_clang_cannot_see_is_refused(self):
        done = self.locks(other="#include <mutex>\n// std::mutex\nstatic std::mutex m;\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("src/m/other.cc:3: std::mutex is a lock that clang cannot see", done.stdout)


if __name__ == "__main__":
    unittest.main()
