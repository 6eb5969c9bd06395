#include "krm/diff.h"

#include <gtest/gtest.h>

#include <random>

#include "krm/equal.h"
#include "testing/cases.h"

namespace portico::krm {
namespace {

class DiffCases : public ::testing::TestWithParam<testing::Case> {};

TEST_P(DiffCases, GivesTheHunksOfItsFile) {
  GetParam().expect("diff", diff_text(GetParam()["before"], GetParam()["after"]));
}
INSTANTIATE_TEST_SUITE_P(Data, DiffCases,
                         ::testing::ValuesIn(testing::cases("krm/tests/data/diff")),
                         testing::case_name);

/// A strict version of patch(1): every line of a hunk must be where its header says.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> old_lines, out;
  const auto split = [](const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    return lines;
  };
  old_lines = split(before);
  std::size_t next = 0;
  for (const std::string& line : split(diff)) {
    if (line.starts_with("@@")) {
      unsigned long begin = 0, count = 1;
      if (std::sscanf(line.c_str(), "@@ -%lu,%lu", &begin, &count) == 1) count = 1;
      const std::size_t first = count == 0 ? begin : begin - 1;
      while (next < first) out.push_back(old_lines.at(next++));
    } else if (line.starts_with('\\')) {
      if (!out.empty() && out.back().ends_with('\n')) out.back().pop_back();
    } else if (line.front() == '+') {
      out.push_back(line.substr(1));
    } else {
      std::string want = old_lines.at(next++);
      if (!want.ends_with('\n')) want += '\n';
      EXPECT_EQ(line.substr(1), want);
      if (line.front() == ' ') out.push_back(line.substr(1));
    }
  }
  while (next < old_lines.size()) out.push_back(old_lines[next++]);
  std::string text;
  for (const std::string& line : out) text += line;
  return text;
}

std::size_t common_lines(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1), last;
  for (const char line : a) {
    last = row;
    for (std::size_t k = 0; k < b.size(); ++k)
      row[k + 1] = line == b[k] ? last[k] + 1 : std::max(last[k + 1], row[k]);
  }
  return row[b.size()];
}

TEST(Diff, PatchesBackAndIsAsShortAsCanBe) {
  std::mt19937 random(1);
  for (int round = 0; round < 4000; ++round) {
    std::string before, after, a, b;
    const auto fill = [&](std::string& lines, std::string& text) {
      for (std::size_t n = random() % 14; n > 0; --n) {
        lines += static_cast<char>('a' + random() % 3);
        text += lines.back();
        text += '\n';
      }
    };
    fill(a, before);
    fill(b, after);
    const std::string diff = diff_text(before, after, {.context = random() % 3});
    ASSERT_EQ(patched(before, diff), after) << diff;
    std::size_t changes = 0;
    for (std::size_t i = 0; i < diff.size(); ++i)
      if ((i == 0 || diff[i - 1] == '\n') && (diff[i] == '-' || diff[i] == '+')) ++changes;
    ASSERT_EQ(changes, a.size() + b.size() - 2 * common_lines(a, b)) << before << "--\n" << after;
  }
}

TEST(Diff, LargeTextsThatShareNothingEnd) {
  std::string before, after;
  for (int i = 0; i < 9000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patched(before, diff_text(before, after)), after);
}

TEST(Diff, PackagesHaveGitsHeaders) {
  Package before, after;
  before.set("a.yaml", "a: 1\n");
  before.set("gone.yaml", "x\n");
  before.set("same", "s");
  before.files["run.sh"] = File("echo\n");
  before.files["bin"] = File(std::string("\0a", 2));
  after.set("a.yaml", "a: 2\n");
  after.set("new.yaml", "y");
  after.set("same", "s");
  after.files["run.sh"] = File("echo\n", FileMode::kExecutable);
  after.files["bin"] = File(std::string("\0b", 2));
  EXPECT_EQ(diff_packages(before, after), R"(diff --git a/a.yaml b/a.yaml
--- a/a.yaml
+++ b/a.yaml
@@ -1 +1 @@
-a: 1
+a: 2
diff --git a/bin b/bin
Binary files a/bin and b/bin differ
diff --git a/gone.yaml b/gone.yaml
deleted file mode 100644
--- a/gone.yaml
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new.yaml b/new.yaml
new file mode 100644
--- /dev/null
+++ b/new.yaml
@@ -0,0 +1 @@
+y
\ No newline at end of file
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
)");
  EXPECT_EQ(diff_packages(before, before), "");
}

TEST(Equal, IgnoresWhatKubernetesDoesNotSee) {
  Package a, b;
  a.set("x.yaml", "# c\na: 'x'\nb: 0x10\n---\n- 1\n");
  b.set("x.yaml", "---\n{b: 16, \"a\": x}\n---\n---\n[1]\n");
  a.set("notes.txt", "x");
  b.set("notes.txt", "x");
  EXPECT_TRUE(equal(a, b));
  b.set("notes.txt", "y");
  EXPECT_FALSE(equal(a, b));
  b.set("notes.txt", "x");
  b.set("x.yaml", "a: x\nb: 16\n---\n- 2\n");
  EXPECT_FALSE(equal(a, b));
  b.set("x.yaml", "a: x\nb: 16\n");
  EXPECT_FALSE(equal(a, b));
  a.set("x.yaml", "a: [\n");
  b.set("x.yaml", "a: [ \n");
  EXPECT_FALSE(equal(a, b));
  b = a;
  EXPECT_TRUE(equal(a, b));
  b.set("more.yaml", "");
  EXPECT_FALSE(equal(a, b));
  Package executable = a;
  executable.files["notes.txt"].mode = FileMode::kExecutable;
  EXPECT_FALSE(equal(a, executable));
  EXPECT_TRUE(is_krm_path("a/b/Kptfile"));
  EXPECT_TRUE(is_krm_path("x.yml"));
  EXPECT_FALSE(is_krm_path("a.yaml/README.md"));
}

}  // namespace
}  // namespace portico::krm
