#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/secret_file.h"
#include "seal/secrets_cipher.h"
#include "testing/cases.h"

namespace portico::seal {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

std::string key_of(char c) { return std::string(32, c); }

class Keys : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Keys, MatchTheirFile) {
  const auto keys = parse_keys(GetParam()["text"]);
  std::string out;
  if (!keys) out = keys.error().text() + "\n";
  if (keys)
    for (const std::string& key : *keys) out += sha256_hex(key).substr(0, 8) + "\n";
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Keys,
                         ::testing::ValuesIn(portico::testing::cases("seal/tests/data/keys")),
                         portico::testing::case_name);

RC_GTEST_PROP(Cipher, OpensWhatItSealed, (const std::string& text, const std::string& place)) {
  const auto cipher = must(make_cipher({key_of('a')}, "in a test"));
  const std::string sealed = must(cipher->seal(text, place));
  RC_ASSERT(!sealed.starts_with("{"));
  RC_ASSERT(must(cipher->open(sealed, place)) == text);
  RC_ASSERT(!cipher->open(sealed, place + "x"));
}

// Any modification is detected.
RC_GTEST_PROP(Cipher, OpensNothingElse, (const std::string& text)) {
  const auto cipher = must(make_cipher({key_of('a')}, "in a test"));
  std::string sealed = must(cipher->seal(text, "place"));
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, sealed.size());
  const char other = *rc::gen::inRange<char>('!', '~');
  RC_PRE(sealed[at] != other);
  sealed[at] = other;
  const auto opened = cipher->open(sealed, "place");
  // Different base64 texts may encode the same bytes.
  const bool good = !opened || *opened == text;
  RC_ASSERT(good);
}

TEST(Cipher, SealsTheSameTextDifferentlyEachTime) {
  const auto cipher = must(make_cipher({key_of('a')}, "in a test"));
  EXPECT_NE(must(cipher->seal("text", "place")), must(cipher->seal("text", "place")));
}

TEST(Cipher, OlderKeysStillOpen) {
  const auto older = must(make_cipher({key_of('a')}, "in a test"));
  const auto both = must(make_cipher({key_of('b'), key_of('a')}, "in a test"));
  const auto newer = must(make_cipher({key_of('b')}, "in a test"));
  const std::string sealed = must(older->seal("text", "place"));
  EXPECT_EQ(must(both->open(sealed, "place")), "text");
  EXPECT_FALSE(both->is_current(sealed));
  EXPECT_TRUE(both->is_current(must(both->seal("text", "place"))));
  const auto lost = newer->open(sealed, "place");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::kNotFound);
}

TEST(Cipher, HidesSecretsOnly) {
  const auto cipher = must(make_cipher({key_of('a')}, "in a test"));
  EXPECT_TRUE(cipher->hides({"", "Secret"}));
  EXPECT_FALSE(cipher->hides({"", "ConfigMap"}));
  EXPECT_FALSE(cipher->hides({"example.com", "Secret"}));
}

TEST(Keys, AreMadeOnceInAFileOfTheOwner) {
  const portico::testing::TempDir folder;
  const auto first = must(open_cipher(folder.path(), ""));
  const auto again = must(open_cipher(folder.path(), ""));
  EXPECT_EQ(must(again->open(must(first->seal("text", "place")), "place")), "text");
  const std::filesystem::path file = folder.path() / "secrets.key";
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::permissions(file, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  EXPECT_FALSE(open_cipher(folder.path(), "")) << "others can read it";
}

TEST(Keys, OfTheEnvironmentNeedNoFile) {
  const portico::testing::TempDir folder;
  EXPECT_TRUE(open_cipher(folder.path(), base64_encode(key_of('a'))));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "secrets.key"));
}

}  // namespace
}  // namespace portico::seal
