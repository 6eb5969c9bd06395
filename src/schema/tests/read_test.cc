#include <gtest/gtest.h>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/schema.h"
#include "schema/tests/yaml_value.h"
#include "testing/cases.h"

namespace portico::schema {
namespace {

class Read : public ::testing::TestWithParam<testing::Case> {};

TEST_P(Read, RefusesWhatKubernetesRefuses) {
  const auto schema = read(yaml_value(GetParam()["schema"]), "schema");
  std::string out;
  if (schema) {
    out = "read\n";
  } else if (schema.error().causes.empty()) {
    out = schema.error().text() + "\n";
  } else {
    for (const Cause& cause : schema.error().causes) out += line(cause) + "\n";
  }
  GetParam().expect("want", out);
}
INSTANTIATE_TEST_SUITE_P(Data, Read, ::testing::ValuesIn(testing::cases("schema/tests/data/read")),
                         testing::case_name);

TEST(Schema, HasWhatIsWritten) {
  const auto schema = parse(yaml_value(R"(
type: object
properties:
  parts:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      x-kubernetes-map-type: atomic
      required: [name]
      properties:
        name: {type: string, maxLength: 20}
        kind: {type: string, default: plain}
  notes:
    type: object
    additionalProperties: {type: string, nullable: true}
)"));
  ASSERT_TRUE(schema.ok()) << schema.error().text();
  const Node* parts = (*schema)->property("parts");
  ASSERT_NE(parts, nullptr);
  EXPECT_EQ(parts->list_type, ListType::kMap);
  EXPECT_EQ(parts->list_keys, std::vector<std::string>{"name"});
  EXPECT_EQ(parts->items->map_type, MapType::kAtomic);
  EXPECT_EQ(parts->items->property("kind")->default_value, json::Value("plain"));
  EXPECT_EQ(parts->items->property("name")->max_length, 20);
  EXPECT_TRUE((*schema)->has_defaults);
  EXPECT_EQ((*schema)->member("other"), nullptr);
  EXPECT_TRUE((*schema)->property("notes")->member("anything")->nullable);
}

TEST(Schema, HasALimitOfDepth) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += R"({"type":"array","items":)";
  text += R"({"type":"string"})" + std::string(200, '}');
  const auto schema = parse(*json::parse(text));
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().what, "schemas are nested deeper than 120");
}

TEST(Causes, NumbersAndTextsAreWrittenAsGoWritesThem) {
  EXPECT_EQ(go_number(0.5), "0.5");
  EXPECT_EQ(go_number(100), "100");
  EXPECT_EQ(go_number(1e6), "1e+06");
  EXPECT_EQ(go_number(0.00001), "1e-05");
  EXPECT_EQ(go_number(-2.5), "-2.5");
  EXPECT_EQ(go_quoted("a\"b\\\n\x01é\xff"), R"("a\"b\\\n\x01é\xff")");
}

}  // namespace
}  // namespace portico::schema
