#include "krm/meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/type_names.h"

namespace portico::krm {
namespace {

using ::testing::StartsWith;

json::Value value(std::string_view text) {
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << text;
  return *parsed;
}

TEST(Meta, TypesAreThoseThatAnApiCanServe) {
  const auto check = [](const std::string& api_version, const std::string& kind) {
    const auto done =
        validate_type(json::Value::object({{"apiVersion", api_version}, {"kind", kind}}));
    return done ? "" : done.error().text();
  };
  for (const char* fine : {"v1", "apps/v1", "config.porch.kpt.dev/v1alpha2", "a-1.b/v1beta1"})
    EXPECT_EQ(check(fine, "ConfigMap"), "") << fine;
  for (const char* bad : {"", "/", "/v1", "apps/", "Apps/v1", "a_b/v1", "a/b/c", "a..b/v1", "v1 ",
                          "1", "apps/V1", "apps/v1\n", "../v1"})
    EXPECT_THAT(check(bad, "ConfigMap"), StartsWith("apiVersion: ")) << bad;
  for (const char* fine : {"A", "a", "Kind2", "configMap"})
    EXPECT_EQ(check("v1", fine), "") << fine;
  for (const char* bad : {"", "2Kind", "A-b", "A/b", "A b", "A\x1b[31m", "\u00e4", "A.b"})
    EXPECT_THAT(check("v1", bad), StartsWith("kind: ")) << bad;
  EXPECT_THAT(check("v1", std::string(64, 'a')), StartsWith("kind: "));
}

TEST(Meta, ReadsKeysAndVersions) {
  const json::Value object = value(R"({"apiVersion":"config.porch.kpt.dev/v1alpha1",
    "kind":"Repository","metadata":{"name":"catalog","namespace":"default","uid":"u",
    "resourceVersion":"17","generation":3,"labels":{"a":"b"},"annotations":{"c":"d"},
    "deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  EXPECT_EQ(object_key(object).text(), "Repository.config.porch.kpt.dev default/catalog");
  EXPECT_EQ(resource_version_of(object), 17u);
  EXPECT_EQ(generation_of(object), 3);
  EXPECT_TRUE(is_deleting(object));
  EXPECT_EQ(label_of(object, "a"), "b");
  EXPECT_EQ(annotation_of(object, "c"), "d");
  EXPECT_EQ(group_version("v1").text(), "v1");
  EXPECT_EQ(group_version("apps/v1").group, "apps");
  EXPECT_EQ(resource_version_of(value(R"({"metadata":{"resourceVersion":"17x"}})")), 0u);
  EXPECT_EQ(name_of(json::Value(1)), "");
}

TEST(Meta, OwnersAndFinalizersComeBack) {
  const json::Value bare = value(R"({"metadata":{"name":"a"}})");
  const std::vector<OwnerReference> owners = {{"v1", "ConfigMap", "x", "1", true, false},
                                              {"v1", "ConfigMap", "y", "2", false, true}};
  const json::Value owned = with_owners(bare, owners);
  EXPECT_EQ(owners_of(owned), owners);
  EXPECT_EQ(with_owners(owned, {}), bare);
  const json::Value held = with_finalizers(bare, {"a/b", "c/d"});
  EXPECT_EQ(finalizers_of(held), (std::vector<std::string>{"a/b", "c/d"}));
  EXPECT_EQ(with_finalizers(held, {}), bare);
}

TEST(Validation, Names) {
  EXPECT_TRUE(is_dns1123_label("a-1"));
  EXPECT_FALSE(is_dns1123_label("a.b"));
  EXPECT_FALSE(is_dns1123_label("-a"));
  EXPECT_FALSE(is_dns1123_label(""));
  EXPECT_FALSE(is_dns1123_label(std::string(64, 'a')));
  EXPECT_TRUE(is_dns1123_subdomain("a.b-c.d"));
  EXPECT_TRUE(is_dns1123_subdomain(std::string(253, 'a')));
  EXPECT_FALSE(is_dns1123_subdomain("a..b"));
  EXPECT_FALSE(is_dns1123_subdomain("a."));
  EXPECT_FALSE(is_dns1123_subdomain("A"));
  EXPECT_TRUE(is_label_key("example.com/Some_name.x"));
  EXPECT_TRUE(is_label_key("app"));
  EXPECT_FALSE(is_label_key("a/b/c"));
  EXPECT_FALSE(is_label_key("/a"));
  EXPECT_FALSE(is_label_key("a/"));
  EXPECT_TRUE(is_label_value(""));
  EXPECT_FALSE(is_label_value("a b"));
  EXPECT_FALSE(is_label_value("a-"));
}

TEST(Validation, MetadataErrorsNameTheField) {
  const auto error = [](std::string_view metadata) {
    auto done = validate_metadata(json::Value::object({{"metadata", value(metadata)}}));
    return done ? std::string("valid") : done.error().text();
  };
  EXPECT_THAT(error(R"({"name":"a"})"), StartsWith("valid"));
  EXPECT_THAT(error(R"({"generateName":"a-"})"), StartsWith("valid"));
  EXPECT_THAT(error(R"({"name":"A"})"), StartsWith("metadata: name: invalid name \"A\": at most"));
  EXPECT_THAT(error(R"({})"), StartsWith("metadata: name: a name or generateName i"));
  EXPECT_THAT(error(R"({"name":1})"), StartsWith("metadata: name: must be a string"));
  EXPECT_THAT(error(R"({"name":"a","namespace":"a.b"})"),
              StartsWith("metadata: namespace: invalid namespace \"a.b\""));
  EXPECT_THAT(error(R"({"name":"a","labels":{"x":1}})"),
              StartsWith("metadata.labels: the value of \"x\" must b"));
  EXPECT_THAT(error(R"({"name":"a","labels":{"x":"a b"}})"),
              StartsWith("metadata.labels: x: invalid label value \"a b\""));
  EXPECT_THAT(error(R"({"name":"a","annotations":{"Ex.Com/Y":"any thing"}})"), StartsWith("valid"));
  EXPECT_THAT(error(R"({"name":"a","annotations":[]})"),
              StartsWith("metadata.annotations: must be a map of s"));
  EXPECT_THAT(error(R"({"name":"a","ownerReferences":[{}]})"),
              StartsWith("metadata.ownerReferences: [0]: apiVersio"));
  EXPECT_THAT(error(R"({"name":"a","finalizers":["a b"]})"),
              StartsWith("metadata.finalizers: invalid finalizer name \"a b\""));
}

bool selects(std::string_view selector, const std::map<std::string, std::string>& labels) {
  auto parsed = LabelSelector::parse(selector);
  EXPECT_TRUE(parsed) << selector;
  return parsed && parsed->matches(labels);
}

TEST(LabelSelector, ParsesKubectlsTextForm) {
  const std::map<std::string, std::string> labels = {{"app", "web"}, {"tier", "front"}, {"e", ""}};
  for (const char* yes :
       {"", "app=web", "app == web", "app!=db", "app in (db, web)", "app notin (db)", "!gone",
        "app", "app=web,tier in (front,back),!x", "none!=x", "e=", "e in (,a)"})
    EXPECT_TRUE(selects(yes, labels)) << yes;
  for (const char* no : {"app=db", "app!=web", "app in (db)", "app notin (web)", "!app", "gone",
                         "app=web,tier=back", "gone in (a)", "app="})
    EXPECT_FALSE(selects(no, labels)) << no;
  for (const char* bad :
       {"=", "a in", "a in ()x", "a in (b", "a b", ",a", "a,", "a=b c", "!", "-x=1", "a=b!", "a>1"})
    EXPECT_FALSE(LabelSelector::parse(bad)) << bad;
}

TEST(LabelSelector, DecodesTheJsonForm) {
  auto selector = LabelSelector::decode(value(R"({"matchLabels":{"app":"web"},"matchExpressions":[
    {"key":"tier","operator":"In","values":["front","back"]},{"key":"x","operator":"DoesNotExist"}]})"));
  ASSERT_TRUE(selector);
  EXPECT_TRUE(selector->matches({{"app", "web"}, {"tier", "back"}}));
  EXPECT_FALSE(selector->matches({{"app", "web"}, {"tier", "back"}, {"x", ""}}));
  EXPECT_EQ(*selector, *LabelSelector::parse("app=web,tier in (front,back),!x"));
  EXPECT_TRUE(LabelSelector::decode(json::Value())->matches({}));
  EXPECT_TRUE(
      selector->matches_object(value(R"({"metadata":{"labels":{"app":"web","tier":"front"}}})")));

  const auto error = [](std::string_view text) {
    auto decoded = LabelSelector::decode(value(text));
    return decoded ? std::string() : decoded.error().text();
  };
  EXPECT_EQ(
      error(R"({"matchExpressions":[{"key":"a","operator":"Is"}]})"),
      "matchExpressions[0]: operator: invalid operator \"Is\": In, NotIn, Exists or DoesNotExist");
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"a","operator":"In"}]})"),
            "matchExpressions[0]: values: In and NotIn need at least one value");
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}]})"),
            "matchExpressions[0]: values: Exists and DoesNotExist take no values");
  EXPECT_EQ(error(R"({"matchLabels":{"a":1}})"), "matchLabels: a: must be a string");
  EXPECT_EQ(error(R"({"labels":{}})"), "unknown field \"labels\"");
}

}  // namespace
}  // namespace portico::krm
