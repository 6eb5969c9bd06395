#include "gitpackages/credentials.h"

#include <gmock/gmock.h>

#include "base/hash.h"

namespace portico::gitpackages {
namespace {

using json::Value;
using ::testing::HasSubstr;
using ::testing::Not;

Value secret(const char* type, std::initializer_list<std::pair<const char*, const char*>> data) {
  Value out = Value::object({{"kind", "Secret"}, {"data", Value::object()}})
                  .with_at({"metadata", "name"}, "git");
  if (*type != '\0') out = out.with("type", type);
  for (const auto& [key, value] : data) out = out.with_at({"data", key}, base64_encode(value));
  return out;
}

TEST(Credentials, AreReadByTheSecretsType) {
  const Credentials ada{"ada", "pass word", ""};
  EXPECT_EQ(*credentials_of(secret("kubernetes.io/basic-auth",
                                   {{"username", "ada"}, {"password", "pass word"}})),
            ada);
  EXPECT_EQ(*credentials_of(secret("Opaque", {{"username", "ada"}, {"password", "pass word"}})),
            ada);
  const Credentials token{"", "", "t0ken"};
  EXPECT_EQ(*credentials_of(secret("Opaque", {{"bearerToken", "t0ken"}})), token);
  EXPECT_EQ(*credentials_of(secret("", {{"bearerToken", "t0ken"}, {"password", "no"}})), token);
  // A token as password needs no username.
  EXPECT_EQ(*credentials_of(
                secret("kubernetes.io/basic-auth", {{"username", ""}, {"password", "t0ken"}})),
            (Credentials{"", "t0ken", ""}));
}

TEST(Credentials, ThatAreWrongAreNamedButNotShown) {
  const auto error = [](const Value& one) {
    const auto read = credentials_of(one);
    EXPECT_FALSE(read.ok());
    if (read) return std::string();
    EXPECT_EQ(read.error().code, Code::kInvalid);
    return read.error().text();
  };
  const char* const basic = "kubernetes.io/basic-auth";
  EXPECT_EQ(error(secret(basic, {{"username", "ada"}})),
            "Secret \"git\": data.password: missing required key");
  EXPECT_EQ(error(secret(basic, {{"password", "hidden"}})),
            "Secret \"git\": data.username: missing required key");
  EXPECT_EQ(error(secret(basic, {{"bearerToken", "hidden"}})),
            "Secret \"git\": data.username: missing required key");
  EXPECT_EQ(error(secret("Opaque", {})), "Secret \"git\": data.bearerToken: missing required key");
  EXPECT_EQ(error(secret("Opaque", {{"bearerToken", ""}})),
            "Secret \"git\": data.bearerToken: must not be empty");
  for (const char* type : {"kpt.dev/workload-identity-auth", "kubernetes.io/ssh-auth"}) {
    const std::string text = error(secret(type, {{"bearerToken", "hidden"}}));
    EXPECT_THAT(text, HasSubstr(type));
    EXPECT_THAT(text, HasSubstr("use kubernetes.io/basic-auth"));
  }
  for (const char* value : {"hidden\n", "hid\nden", "hid\rden", "hid\x7f"}) {
    const std::string text = error(secret("Opaque", {{"bearerToken", value}}));
    EXPECT_THAT(text, HasSubstr("data.bearerToken: "));
    EXPECT_THAT(text, Not(HasSubstr("hid")));
  }
  const Value broken = secret("Opaque", {}).with_at({"data", "bearerToken"}, "%hidden%");
  EXPECT_EQ(error(broken), "Secret \"git\": data.bearerToken: is not base64");
  EXPECT_EQ(error(secret("Opaque", {}).with_at({"data", "bearerToken"}, 7)),
            "Secret \"git\": data.bearerToken: is not base64");
}

}  // namespace
}  // namespace portico::gitpackages
