// The indexes give the same answers as a full search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "api/kinds.h"
#include "controllers/set_index.h"
#include "controllers/variant_index.h"
#include "json/text.h"
#include "krm/object.h"

namespace portico::controllers {
namespace {

using json::Value;
using Keys = std::set<krm::ObjectKey>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kNamespaces{"n1", "n2"};
const std::vector<std::string> kNames{"a", "b", "c"};
const std::vector<std::string> kKinds{"ConfigMap", "Secret"};

std::string one_of(const std::vector<std::string>& all) { return *rc::gen::elementOf(all); }

Value object(std::string_view api_version, std::string_view kind, const std::string& ns,
             const std::string& name) {
  return Value::object({{"apiVersion", Value(api_version)}, {"kind", Value(kind)}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "namespace"}, ns);
}

Value revision_of(const std::string& ns, const std::string& repo, const std::string& package) {
  return object(api::kPorchV1Alpha1, api::kRevisionKind, ns, repo + "." + package + ".v1")
      .with_at({"spec", "repository"}, repo)
      .with_at({"spec", "packageName"}, package);
}

Value labelled(const Value& one) {
  Value out = one;
  for (const char* label : {"env", "zone"})
    if (*rc::gen::arbitrary<bool>())
      out = out.with_at({"metadata", "labels", label}, one_of({"x", "y"}));
  return out;
}

// Any object that an event can be about.
Value arbitrary_object() {
  const std::string ns = one_of(kNamespaces), name = one_of(kNames);
  switch (*rc::gen::inRange(0, 6)) {
    case 0: {
      Value out = revision_of(ns, name, one_of(kNames));
      if (*rc::gen::arbitrary<bool>())
        out = krm::with_owners(out, {{std::string(api::kConfigV1Alpha1),
                                      one_of({std::string(api::kVariantKind), "ConfigMap"}),
                                      one_of(kNames), "uid", true, false}});
      return out;
    }
    case 1:
      return labelled(object(api::kConfigV1Alpha1, api::kRepositoryKind, ns, name));
    case 2:
      return object(api::kConfigV1Alpha1, api::kVariantKind, ns, name);
    case 3:
      return object(api::kConfigV1Alpha2, api::kVariantSetKind, ns, name);
    case 4:
      return object(api::kConfigV1Alpha1, api::kFunctionConfigKind, ns, name);
    default:
      return labelled(object("v1", one_of(kKinds), ns, name));
  }
}

bool is(const Value& one, std::string_view group, std::string_view kind) {
  return krm::group_kind(one) == krm::GroupKind{std::string(group), std::string(kind)};
}

// Variants.

Value arbitrary_variant(const krm::ObjectKey& key) {
  Value out = object(api::kConfigV1Alpha1, api::kVariantKind, key.ns, key.name);
  for (const char* side : {"upstream", "downstream"})
    out = out.with_at({"spec", side, "repo"}, one_of(kNames))
              .with_at({"spec", side, "package"}, one_of(kNames));
  std::vector<Value> injectors;
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    Value injector = Value::object({{"name", one_of(kNames)}});
    if (*rc::gen::arbitrary<bool>()) injector = injector.with("kind", one_of(kKinds));
    injectors.push_back(injector);
  }
  return out.with_at({"spec", "injectors"}, Value::array(std::move(injectors)));
}

bool concerns(const Value& one, const krm::ObjectKey& key, const Value& variant) {
  const krm::ObjectKey of = krm::object_key(one);
  if (of == key || is(one, api::kConfigGroup, api::kFunctionConfigKind)) return true;
  if (of.ns != key.ns) return false;
  const Value& spec = variant["spec"];
  if (is(one, api::kPorchGroup, api::kRevisionKind)) {
    for (const char* side : {"upstream", "downstream"})
      if (spec[side]["repo"] == one["spec"]["repository"] &&
          spec[side]["package"] == one["spec"]["packageName"])
        return true;
    for (const krm::OwnerReference& owner : krm::owners_of(one))
      if (owner.kind == api::kVariantKind && owner.name == key.name) return true;
    return false;
  }
  if (is(one, api::kConfigGroup, api::kRepositoryKind))
    for (const char* side : {"upstream", "downstream"})
      if (spec[side]["repo"].as_string() == of.name) return true;
  for (const Value& injector : spec["injectors"].items())
    if (injector["name"].as_string() == of.name &&
        (injector["kind"].is_null() || injector["kind"].as_string() == of.type.kind))
      return true;
  return false;
}

RC_GTEST_PROP(VariantIndex, AnswersAsAScanWould, ()) {
  VariantIndex index;
  std::map<krm::ObjectKey, Value> variants;
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    const krm::ObjectKey key{{std::string(api::kConfigGroup), std::string(api::kVariantKind)},
                             one_of(kNamespaces),
                             one_of(kNames)};
    if (*rc::gen::inRange(0, 4) == 0) {
      index.put(key, Value());
      variants.erase(key);
    } else {
      variants.insert_or_assign(key, arbitrary_variant(key));
      index.put(key, variants[key]);
    }
    const Value one = arbitrary_object();
    Keys want;
    for (const auto& [each, variant] : variants)
      if (concerns(one, each, variant)) want.insert(each);
    // A variant always concerns itself, even when it is new or deleted.
    if (is(one, api::kConfigGroup, api::kVariantKind)) want.insert(krm::object_key(one));
    RC_ASSERT(index.concerned(one) == want);
  }
}

// Sets.

// The ways to specify targets: the target as written, and `met`, which says whether an object in
// the set's namespace matches it.
struct Way {
  Value target;
  std::function<bool(const Value&)> met;
};

Value labels_of(const std::string& env) {
  return Value::object().with_at({"matchLabels", "env"}, env);
}
bool has_env(const Value& one, const std::string& env) { return krm::label_of(one, "env") == env; }

Way arbitrary_way() {
  const std::string name = one_of(kNames), env = one_of({"x", "y"}), kind = one_of(kKinds);
  const auto repository = [](const Value& one) {
    return is(one, api::kConfigGroup, api::kRepositoryKind);
  };
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return {Value::object({{"repositories", Value::array({Value::object({{"name", name}})})}}),
              [=](const Value& one) { return repository(one) && krm::name_of(one) == name; }};
    case 1:
      return {Value::object({{"repositorySelector", labels_of(env)}}),
              [=](const Value& one) { return repository(one) && has_env(one, env); }};
    case 2:
      // The object determines the repository, so any repository may match.
      return {Value::object(
                  {{"objectSelector", labels_of(env).with("apiVersion", "v1").with("kind", kind)}}),
              [=](const Value& one) {
                return repository(one) || (is(one, "", kind) && has_env(one, env));
              }};
    case 3:
      return {
          Value::object({{"objectSelector",
                          Value::object({{"apiVersion", "v1"}, {"kind", kind}, {"name", name}})}}),
          [=](const Value& one) {
            return repository(one) || (is(one, "", kind) && krm::name_of(one) == name);
          }};
    case 4:
      return {Value::object({{"repositorySelector", labels_of(env)}})
                  .with_at({"template", "downstream", "repo"}, name),
              [=](const Value& one) {
                return repository(one) && (has_env(one, env) || krm::name_of(one) == name);
              }};
    default:
      return {Value::object({{"repositorySelector", labels_of(env)}})
                  .with_at({"template", "downstream", "repoExpr"}, "target.name"),
              repository};
  }
}

struct Set {
  std::string upstream_repo, upstream_package;
  std::vector<Way> ways;
};

RC_GTEST_PROP(SetIndex, AnswersAsAScanWould, ()) {
  SetIndex index;
  std::map<krm::ObjectKey, Set> sets;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    const krm::ObjectKey key{{std::string(api::kConfigGroup), std::string(api::kVariantSetKind)},
                             one_of(kNamespaces),
                             one_of(kNames)};
    if (*rc::gen::inRange(0, 5) == 0) {
      index.put(key, Value());
      sets.erase(key);
    } else {
      Set set{one_of(kNames), one_of(kNames), {}};
      std::vector<Value> targets;
      for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
        set.ways.push_back(arbitrary_way());
        targets.push_back(set.ways.back().target);
      }
      index.put(key, object(api::kConfigV1Alpha2, api::kVariantSetKind, key.ns, key.name)
                         .with_at({"spec", "upstream", "repo"}, set.upstream_repo)
                         .with_at({"spec", "upstream", "package"}, set.upstream_package)
                         .with_at({"spec", "targets"}, Value::array(std::move(targets))));
      sets.insert_or_assign(key, std::move(set));
    }
    const Value one = arbitrary_object();
    const Value before =
        *rc::gen::arbitrary<bool>() ? Value() : labelled(one.without_at({"metadata", "labels"}));
    Keys want;
    for (const auto& [each, set] : sets) {
      if (each.ns != krm::namespace_of(one)) continue;
      bool met = false;
      if (is(one, api::kPorchGroup, api::kRevisionKind))
        met = one["spec"]["repository"].as_string() == set.upstream_repo &&
              one["spec"]["packageName"].as_string() == set.upstream_package;
      if (is(one, api::kConfigGroup, api::kRepositoryKind))
        met = krm::name_of(one) == set.upstream_repo;
      // Of objects other than Repositories, a set uses the metadata alone.
      const bool unused = !is(one, api::kConfigGroup, api::kRepositoryKind) &&
                          before["metadata"] == one["metadata"];
      for (const Way& way : set.ways)
        met = met || (!unused && (way.met(one) || (!before.is_null() && way.met(before))));
      if (met) want.insert(each);
    }
    if (is(one, api::kConfigGroup, api::kVariantSetKind)) want.insert(krm::object_key(one));
    RC_ASSERT(index.concerned(one, before) == want);
  }
}

TEST(SetIndex, OneThatDoesNotDecodeDependsOnItselfOnly) {
  SetIndex index;
  const Value broken = object(api::kConfigV1Alpha2, api::kVariantSetKind, "n1", "broken")
                           .with_at({"spec", "upstream"}, "text");
  const krm::ObjectKey key = krm::object_key(broken);
  index.put(key, broken);
  EXPECT_THAT(index.concerned(broken, Value()), ElementsAre(key));
  EXPECT_THAT(index.concerned(revision_of("n1", "a", "b"), Value()), IsEmpty());
}

TEST(SetIndex, UsesTheMetadataAloneOfSelectedObjects) {
  SetIndex index;
  const Value set =
      object(api::kConfigV1Alpha2, api::kVariantSetKind, "n1", "s")
          .with_at({"spec", "targets"},
                   Value::array({Value::object(
                       {{"objectSelector",
                         labels_of("x").with("apiVersion", "v1").with("kind", "ConfigMap")}})}));
  const krm::ObjectKey key = krm::object_key(set);
  index.put(key, set);
  const Value one = object("v1", "ConfigMap", "n1", "c")
                        .with_at({"metadata", "labels"}, Value::object({{"env", "x"}}))
                        .with_at({"metadata", "resourceVersion"}, "7");
  const Value other_data =
      one.with("data", Value::object({{"a", "b"}})).with_at({"metadata", "resourceVersion"}, "8");
  EXPECT_THAT(index.concerned(other_data, one), IsEmpty());
  EXPECT_THAT(index.concerned(one.with_at({"metadata", "annotations", "a"}, "b"), one),
              ElementsAre(key));
  EXPECT_THAT(index.concerned(one, Value()), ElementsAre(key)) << "new or deleted";
}

TEST(SetIndex, OwnerIsTheControllingSet) {
  const Value variant = object(api::kConfigV1Alpha1, api::kVariantKind, "n1", "v");
  const std::string set(api::kVariantSetKind), version(api::kConfigV1Alpha2);
  EXPECT_EQ(SetIndex::owner_of(variant), std::nullopt);
  EXPECT_EQ(SetIndex::owner_of(krm::with_owners(variant, {{version, set, "s", "u", false, false}})),
            std::nullopt);
  EXPECT_EQ(
      SetIndex::owner_of(krm::with_owners(variant, {{"v1", "ConfigMap", "c", "u", true, false},
                                                    {version, set, "s", "u", true, false}})),
      (krm::ObjectKey{{std::string(api::kConfigGroup), set}, "n1", "s"}));
}

}  // namespace
}  // namespace portico::controllers
