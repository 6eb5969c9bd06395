#include "apply/applyset.h"

#include <gtest/gtest.h>

namespace portico::apply {
namespace {

using json::Value;

const std::set<krm::GroupKind> kKinds{{"", "ConfigMap"},
                                      {"config.porch.kpt.dev", "PackageVariant"}};

TEST(Applyset, IsNamedAsKubectlNamesIt) {
  const auto plain = parse_applyset("web", "default"), map = parse_applyset("configmaps/web", "x");
  ASSERT_TRUE(plain.ok() && map.ok());
  EXPECT_EQ(plain->key().text(), "Secret default/web");
  EXPECT_EQ(map->key().text(), "ConfigMap x/web");
  // base64url of the SHA-256 of "web.default.Secret."
  EXPECT_EQ(applyset_id(*plain), "applyset-zN5gMMt3uHLO5pHDCETR-9uiGqcPRNY0X24Hk0Rzcgo-v1");
  EXPECT_NE(applyset_id(*plain), applyset_id(*map));
  for (const char* wrong : {"", "deployments/web", "secrets/", "Web", "a/b/c"})
    EXPECT_FALSE(parse_applyset(wrong, "default").ok()) << wrong;
}

TEST(Applyset, ParentKeepsTheKinds) {
  const ApplysetParent parent = *parse_applyset("web", "default");
  const auto made = parent_object(parent, Value(), kKinds);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(krm::annotation_of(*made, kApplysetKinds),
            "ConfigMap,PackageVariant.config.porch.kpt.dev");
  EXPECT_EQ(kinds_of(*made), kKinds);
  const auto again = parent_object(parent, *made, {});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(kinds_of(*again).empty());
}

TEST(Applyset, LeavesAloneWhatIsNotItsOwn) {
  const ApplysetParent parent = *parse_applyset("web", "default");
  const Value made = *parent_object(parent, Value(), kKinds);
  const auto refused = [&](const Value& stored) {
    const auto out = parent_object(parent, stored, kKinds);
    return out ? "" : out.error().what;
  };
  EXPECT_NE(refused(made.without_at({"metadata", "labels", kApplysetId}))
                .find("is not an ApplySet parent"),
            std::string::npos);
  EXPECT_NE(
      refused(made.with_at({"metadata", "labels", kApplysetId}, "x")).find("another ApplySet"),
      std::string::npos);
  EXPECT_NE(refused(made.with_at({"metadata", "annotations", kApplysetTooling}, "kubectl/v1.34"))
                .find("another tool"),
            std::string::npos);
  const auto member = as_member(made, Value(), "a");
  ASSERT_TRUE(member.ok());
  EXPECT_EQ(krm::label_of(*member, kPartOf), "a");
  EXPECT_TRUE(as_member(made, *member, "a").ok());
  EXPECT_FALSE(as_member(made, *member, "b").ok());
}

}  // namespace
}  // namespace portico::apply
