#include "base/go_quoted.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

// Expected values printed by `fmt.Printf("%q", ...)` of Go 1.24.
TEST(GoQuoted, IsWhatGoPrints) {
  EXPECT_EQ(go_quoted("a \"b\" c:\\d"), R"("a \"b\" c:\\d")");
  EXPECT_EQ(go_quoted("\a\b\f\n\r\t\v\x1b\x7f"), R"("\a\b\f\n\r\t\v\x1b\x7f")");
  EXPECT_EQ(go_quoted("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  EXPECT_EQ(go_quoted("\xc2\xa0\xe2\x80\xae\xef\xbb\xbf\xc2\x85"), R"("\u00a0\u202e\ufeff\u0085")");
  EXPECT_EQ(go_quoted("\xff\xc3"), R"("\xff\xc3")");
  EXPECT_EQ(go_quoted(std::string_view("\0", 1)), R"("\x00")");
  EXPECT_EQ(go_quoted("\xf3\xa0\x80\x81"), R"("\U000e0001")");
  EXPECT_EQ(go_quoted(std::vector<std::string>{"a", "b"}), R"(["a" "b"])");
}

}  // namespace
}  // namespace portico
