#include "schema/object.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/internal/formats.h"
#include "schema/tests/yaml_value.h"
#include "testing/cases.h"

namespace portico::schema {
namespace {

class Object : public ::testing::TestWithParam<testing::Case> {};

/// Sections: schema, object, optionally old; want: unknown fields, causes, and the result of
/// take_in.
TEST_P(Object, IsTakenInAndChecked) {
  const testing::Case& one = GetParam();
  const auto schema = parse(yaml_value(one["schema"]));
  ASSERT_TRUE(schema.ok()) << schema.error().text();
  const ObjectRules rules{.rules = Rules::compile(*schema),
                          .namespaced = false,
                          .name = NameRule::kSubdomain,
                          .scale = std::nullopt};
  const auto with_name = [](const json::Value& value) {
    return value["metadata"].is_null() ? value.with_at({"metadata", "name"}, "x") : value;
  };
  std::string out;
  const auto taken = take_in(with_name(yaml_value(one["object"])), *schema);
  if (!taken) {
    out = taken.error().text() + "\n";
  } else {
    for (const std::string& path : taken->unknown) out += unknown_field(path) + "\n";
    const auto old = with_name(yaml_value(one["old"]));
    for (const Cause& cause : one.has("old") ? update_causes(taken->object, old, *schema, rules)
                                             : create_causes(taken->object, *schema, rules))
      out += fmt::format("{} {}\n", cause.reason, line(cause));
    if (one.has("taken")) one.expect("taken", json::print_pretty(taken->object, 2) + "\n");
    const auto again = take_in(taken->object, *schema);
    EXPECT_TRUE(again.ok() && again->object == taken->object) << "taken in twice";
  }
  one.expect("want", out);
}
INSTANTIATE_TEST_SUITE_P(Data, Object,
                         ::testing::ValuesIn(testing::cases("schema/tests/data/object")),
                         testing::case_name);

TEST(Formats, TakeWhatKubernetesTakes) {
  const auto all = [](std::string_view format, bool good,
                      std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts)
      EXPECT_EQ(internal::has_format(text, format), good) << format << " " << text;
  };
  all("date", true, {"2024-02-29", "2000-02-29"});
  all("date", false, {"2023-02-29", "1900-02-29", "2024-1-1", "2024-04-31", ""});
  all("date-time", true, {"2024-01-01t00:00:00z", "2024-01-01T23:59:59.5+01:00"});
  all("date-time", false,
      {"2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z",
       "2024-01-01 00:00:00Z"});
  all("duration", true, {"1h30m", "-2s", "1.5h", "3 weeks", "0", "5 minutes"});
  all("duration", false, {"", "5", "h", "5 apples", "-"});
  all("ipv4", true, {"1.2.3.4"});
  all("ipv4", false, {"1.2.3", "01.2.3.4", "::1", ""});
  all("ipv6", true, {"::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"});
  all("ipv6", false, {"1.2.3.4", ":::", "1:2:3:4:5:6:7", "1::2::3", "12345::", "::1.2.3", "1:2:"});
  all("cidr", true, {"10.0.0.0/8", "2001:db8::/64"});
  all("cidr", false, {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "::/129"});
  all("mac", true, {"00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455"});
  all("mac", false, {"00:11:22:33:44", "00:11:22:33:44:5g", "001122334455"});
  all("hostname", true, {"a", "a-b.example.com"});
  all("hostname", false, {"", "-a", "a-", "a_b", "a..b", "1a"});
  all("email", true, {"a@b", "Ada <ada@example.com>"});
  all("email", false, {"", "@", "a@", "a b@c", "a@b@c"});
  all("uri", true, {"https://example.com/x", "/x", "urn:x"});
  all("uri", false, {"", "example.com", "a b"});
  all("uuid", true, {"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"});
  all("uuid", false, {"", "123e4567", "123e4567-e89b-12d3-a456-42661417400g"});
  all("uuid4", true, {"123e4567-e89b-42d3-a456-426614174000"});
  all("uuid4", false, {"123e4567-e89b-12d3-a456-426614174000"});
  all("byte", true, {"aGVsbG8=", "YWI=", "YQ=="});
  all("byte", false, {"aGVsbG8", "=", "a===", "aGVs bG8="});
  all("isbn", true, {"0-306-40615-2", "978-0-306-40615-7"});
  all("isbn", false, {"0-306-40615-3", "x"});
  all("creditcard", true, {"4111 1111 1111 1111"});
  all("creditcard", false, {"4111 1111 1111 1112"});
  all("hexcolor", true, {"#fff", "00ff00"});
  all("rgbcolor", true, {"rgb(1, 2, 255)"});
  all("rgbcolor", false, {"rgb(1,2,256)", "rgb(1,2)"});
  all("k8s-short-name", false, {"a.b", "A", "-a"});
  all("k8s-long-name", true, {"a.b"});
}

}  // namespace
}  // namespace portico::schema
