// Deletion of a namespace while other clients write.
#include "apiserver/namespaces.h"

#include <gtest/gtest.h>

#include <atomic>

#include "api/kinds.h"
#include "krm/meta.h"
#include "registry/forwarding_registry.h"
#include "store/embedded.h"

namespace portico::apiserver {
namespace {

using json::Value;
using registry::Verb;
using registry::Write;

Value variant() {
  return krm::with_finalizers(
      Value::object({{"apiVersion", std::string(api::kConfigV1Alpha1)},
                     {"kind", api::variant_kind().kind},
                     {"metadata", Value::object({{"name", "pv"}, {"namespace", "team"}})}}),
      {std::string(api::kVariantFinalizer)});
}

/// Simulates a controller that writes the variant's status before each commit.
class Interfering : public registry::ForwardingRegistry {
 public:
  explicit Interfering(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}

  Result<std::vector<Value>> commit(const std::vector<Write>& writes) override {
    interfere(writes);
    return below_.commit(writes);
  }
  std::vector<Result<Value>> commit_each(const std::vector<Write>& writes) override {
    interfere(writes);
    return below_.commit_each(writes);
  }
  std::atomic<int> left = 3;

 private:
  // Called on the caller's thread and on the one that follows namespaces.
  void interfere(const std::vector<Write>& writes) {
    for (const Write& write : writes) {
      if (krm::name_of(write.object) != "pv" || left <= 0) continue;
      const Value status = Value::object({{"n", --left}});
      (void)below_.commit({{Verb::kUpdateStatus, variant().with("status", status)}});
    }
  }
  registry::Registry& below_;
};

TEST(Namespaces, NeverDeleteAVariantWithItsFinalizer) {
  SystemClock clock;
  const auto store = *store::open_embedded({});
  Interfering registry(*store);
  const auto made = store->commit(
      {{Verb::kCreate,
        Value::object({{"apiVersion", "v1"},
                       {"kind", "Namespace"},
                       {"metadata", Value::object({{"name", "team"}})},
                       {"spec", Value::object({{"finalizers", Value::array({"kubernetes"})}})}})},
       {Verb::kCreate, variant()}});
  ASSERT_TRUE(made) << made.error().text();
  const auto watch = store->watch({.type = api::variant_kind()}, store->version());
  const auto namespaces = Namespaces::open(registry, clock, nullptr);
  ASSERT_TRUE(namespaces);
  const auto ns = store->get({{"", "Namespace"}, "", "team"});
  ASSERT_TRUE((*namespaces)->remove(*ns, false));
  EXPECT_FALSE(store->get(krm::object_key(variant())));
  const auto events = watch->next(std::chrono::seconds(0));
  ASSERT_TRUE(events);
  EXPECT_LE(registry.left, 0);
  for (const registry::Event& event : *events)
    EXPECT_FALSE(krm::is_deleting(event.object) && !krm::finalizers_of(event.object).empty())
        << "its packages would be deleted from git";
}

}  // namespace
}  // namespace portico::apiserver
