// Reading applied objects: JSON gives the same result as YAML.
#include "apiserver/patches.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/object.h"

namespace portico::apiserver {
namespace {

TEST(ReadApplied, MakesOfJsonWhatYamlMakesOfIt) {
  for (
      const char* const text : {
          R"({"kind":"ConfigMap","data":{"a":"1","b":""}})",
          R"({"a":0,"b":-0,"c":12,"d":-7,"e":9223372036854775807,"f":18446744073709551615})",
          R"({"a":1.5,"b":1.0,"c":-0.25,"d":1e3,"e":2.5E-3,"f":1e+2})",
          R"({"a":true,"b":false,"c":null,"d":[],"e":{},"f":[{"g":[1,[2]]}]})",
          R"({"a":"true","b":"null","c":"1","d":"1e3","e":"~","f":"0x1f","g":"2001-01-01"})",
          R"({"a":"\"\\\/\b\f\n\r\t","b":"\u00e9\u0001","c":"ä \u4e2d","d":"# no comment","e":"- x: y"})",
          "{\n  \"a\" : 1 ,\n\t\"b\": [ 1, 2 ]\n}\n",
      }) {
    const auto read = read_applied(text);
    ASSERT_TRUE(read) << text << read.error().text();
    const auto yaml = krm::Object::parse(text);
    ASSERT_TRUE(yaml) << text << yaml.error().text();
    EXPECT_EQ(json::print(*read), json::print(yaml->value())) << text;
  }
}

TEST(ReadApplied, LeavesToYamlWhatIsNoJson) {
  for (const char* const text :
       {R"({"a":1,"a":2})", R"({"a":{"b":1,"c":2,"b":3}})", "{a: b}", "a: b\n", "{\"a\":1,}",
        "{\"a\":1}\n---\n{\"b\":2}\n", "{\"a\":", ""}) {
    const auto read = read_applied(text);
    const auto yaml = krm::Object::parse(text);
    ASSERT_EQ(read.ok(), yaml.ok()) << text;
    if (yaml) {
      EXPECT_EQ(*read, yaml->value()) << text;
    } else {
      EXPECT_EQ(read.error().text(), yaml.error().text()) << text;
    }
  }
}

}  // namespace
}  // namespace portico::apiserver
