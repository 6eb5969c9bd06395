"""tools/changed_code: which files changed in more than comments."""
import subprocess
import unittest

import support

BEFORE = {
    "same.cc": "// One.\nint a = 1;  // here\n",
    "comment.cc": "// One.\nint a = 1;  // here\nconst char* b = R\"(// text)\";\n",
    "code.cc": "// One.\nint a = 1;\n",
    "text.cc": "const char* b = R\"(// text)\";\n",
    "lint.cc": "int a = 1;\n",
}
AFTER = {
    "comment.cc": "/* Another one,\n   longer. */\nint a =\n    1;\nconst char* b = R\"(// text)\";\n",
    "code.cc": "// One.\nint a = 2;\n",
    "text.cc": "const char* b = R\"(// other text)\";\n",
    "lint.cc": "int a = 1;  // NOLINT(readability-name)\n",
    "new.cc": "int c;\n",
}


class ChangedCode(support.TreeTest):

    def git(self, *arguments):
        return subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
            cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def test_comments_and_layout_do_not_count(self):
        self.git("init", "-q")
        self.tree(BEFORE)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "before")
        self.tree(AFTER)
        printed = subprocess.run(
            [support.ROOT / "tools/changed_code", "HEAD"], cwd=self.root, check=True,
            capture_output=True, text=True, input="\n".join(sorted(BEFORE | AFTER))).stdout
        self.assertEqual(printed.split(), ["code.cc", "lint.cc", "new.cc", "text.cc"])


if __name__ == "__main__":
    unittest.main()
