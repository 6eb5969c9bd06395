#include "fnrun/builtin.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "render/render.h"
#include "testing/cases.h"

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

TEST(BuiltinRunner, SaysWhatCouldRunWhatItHasNot) {
  const auto outcome = BuiltinRunner().run({"docker.io/nephio/nad-fn:latest", "", ""}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kInvalid);
  EXPECT_NE(outcome.error().what.find("docker.io/nephio/nad-fn:latest"), std::string::npos);
  EXPECT_NE(outcome.error().what.find("FunctionConfig"), std::string::npos);
  EXPECT_FALSE(BuiltinRunner().run({"", "./set-labels", ""}, {}));
}

krm::Package read_package(const fs::path& folder) {
  krm::Package package;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      package.set(fs::relative(entry.path(), folder).generic_string(),
                  testing::read_file(entry.path()));
  return package;
}

/// Renders every catalog package that needs only built-in functions, twice.
TEST(BuiltinRunner, RendersTheCatalogOfARealFleet) {
  const fs::path shared = testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "no ../shared";
  const fs::path nephio = shared / "fixtures/nephio";
  testing::TempDir temp;
  const std::string clone = "git clone -q " + (nephio / "repos/catalog.bundle").string() + " " +
                            (temp.path() / "catalog").string() + " 2>/dev/null";
  if (std::system(clone.c_str()) != 0) GTEST_SKIP() << "no git";
  std::istringstream rows(testing::read_file(nephio / "packages.tsv"));
  std::size_t count = 0, functions = 0;
  for (std::string row; std::getline(rows, row);) {
    std::vector<std::string> cells(1);
    for (const char c : row) {
      if (c == '\t') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    const fs::path folder = temp.path() / "catalog" / (cells.size() > 2 ? cells[2] : "");
    if (cells.size() < 5 || cells[4] != "yes" || !fs::is_directory(folder)) continue;
    const krm::Package package = read_package(folder);
    auto rendered = render::render(package, BuiltinRunner());
    ASSERT_TRUE(rendered) << cells[2] << ": " << rendered.error().text();
    EXPECT_FALSE(rendered->failure) << cells[2] << ": " << rendered->failure->text();
    ++count;
    for (const auto& run : rendered->packages) functions += run.functions.size();
    auto again = render::render(rendered->package, BuiltinRunner());
    ASSERT_TRUE(again) << cells[2] << ": " << again.error().text();
    EXPECT_EQ(again->package, rendered->package) << cells[2] << " rendered twice";
  }
  EXPECT_GT(count, 40u);
  EXPECT_GT(functions, 5u);
}

}  // namespace
}  // namespace portico::fnrun
