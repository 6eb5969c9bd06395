#include "registry/page_token.h"

#include <gtest/gtest.h>

namespace portico::registry {
namespace {

TEST(PageToken, IsReadBackFromItsText) {
  for (const PageToken& one : {PageToken{1, {{"", "Secret"}, "", "a"}},
                               PageToken{~ResourceVersion{0}, {{"x.io", "Thing"}, "ns", "a.b-c"}}})
    EXPECT_EQ(*parse_page_token(one.text()), one);
}

TEST(PageToken, OfAnythingElseIsRefused) {
  for (const char* text :
       {"v1", "v1/1/g/K/ns", "v1/1/g/K/ns/n/x", "v2/1/g/K/ns/n", "v1/x/g/K/ns/n", "v1/1x/g/K/ns/n",
        "v1/-1/g/K/ns/n", "v1/1/g//ns/n", "v1/1/g/K/ns/", "v1/99999999999999999999/g/K/ns/n"}) {
    const auto parsed = parse_page_token(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::kInvalid);
    EXPECT_EQ(parsed.error().reason, Reason::kBadRequest);
  }
}

}  // namespace
}  // namespace portico::registry
