#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/result.h"
#include "base/spelling.h"
#include "base/time.h"

namespace portico {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return invalid("{} is odd", n);
  return n / 2;
}

Result<int> quarter(int n) {
  PORTICO_TRY(const int h, half(n), "first half");
  PORTICO_TRY(const int q, half(h), "second half");
  return q;
}

TEST(Result, TriesAndAddsPlaces) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(6).error().in("pvs/edge").text(), "pvs/edge: second half: 3 is odd");
}

TEST(Reason, HasKubernetesNames) {
  const auto reason = [](const Error& error) {
    return std::string(name(error.reason, error.code));
  };
  EXPECT_EQ(reason(conflict("x")), "Conflict");
  EXPECT_EQ(reason(already_exists("x")), "AlreadyExists");
  EXPECT_EQ(reason(not_found("x").because(Reason::kExpired)), "Expired");
  EXPECT_EQ(reason(unavailable("x")), "ServiceUnavailable");
  EXPECT_EQ(reason(internal("x")), "InternalError");
  EXPECT_EQ(reason(forbidden("x").in("place")), "Forbidden") << "a place keeps the reason";
}

TEST(Spelling, NamesWhatIsNear) {
  const std::vector<std::string_view> words = {"takeUpstream", "keepLocal", "fail"};
  EXPECT_EQ(nearest("keep_locale", words), "keepLocal");
  EXPECT_EQ(nearest("FAIL", words), "fail");
  EXPECT_EQ(nearest("something else", words), "");
  EXPECT_EQ(nearest(std::string(300, 'x'), words), "");
  EXPECT_EQ(hint("failed", words, "."), " (did you mean .fail?)");
  EXPECT_EQ(hint("", words), "");
}

TEST(Hash, MatchesKnownDigests) {
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hash, Base64RoundTrips) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd"}) {
    std::string back;
    ASSERT_TRUE(base64_decode(base64_encode(text), back));
    EXPECT_EQ(back, text);
  }
  std::string back;
  EXPECT_FALSE(base64_decode("a", back));
  EXPECT_FALSE(base64_decode("*aaa", back));
}

TEST(Hash, Uuid5HasVersionAndVariant) {
  const std::string id = uuid5("space", "name");
  ASSERT_EQ(id.size(), 36u);
  EXPECT_EQ(id[14], '5');
  EXPECT_NE(id, uuid5("space", "other"));
}

TEST(Time, RoundTrips) {
  for (const char* text : {"2026-11-21T10:59:00Z", "1969-12-31T23:59:59Z"})
    EXPECT_EQ(rfc3339(*parse_rfc3339(text)), text);
  EXPECT_EQ(rfc3339(*parse_rfc3339("2026-11-21T12:59:00.5+02:00")), "2026-11-21T10:59:00Z");
  for (const char* text : {"", "2026-11-21", "2026-02-30T00:00:00Z", "2026-11-21T10:59:00"})
    EXPECT_FALSE(parse_rfc3339(text)) << text;
}

}  // namespace
}  // namespace portico
