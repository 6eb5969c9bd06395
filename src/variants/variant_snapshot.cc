#include "variants/variant_snapshot.h"

#include <algorithm>

#include "base/hash.h"
#include "json/text.h"

namespace portico::variants {

namespace {

json::Value identity(const Revision& upstream) {
  const auto& self = upstream.object->status.self_lock;
  return self ? api::encode(*self) : json::Value(upstream.name());
}

}  // namespace

std::string inputs_hash(const api::PackageVariant& variant, const Revision& upstream,
                        std::vector<InjectedState> injected) {
  std::sort(injected.begin(), injected.end());
  std::vector<json::Value> objects;
  for (const InjectedState& one : injected)
    objects.push_back(json::Value::array({one.api_version, one.kind, one.name, one.content_hash}));

  api::PackageVariantSpec mutations;  // the part of the spec that affects content
  mutations.package_context = variant.spec.package_context;
  mutations.pipeline = variant.spec.pipeline;
  mutations.injectors = variant.spec.injectors;
  const json::Value inputs = json::Value::object({
      {"variant", json::Value(variant.metadata.name)},
      {"upstream", identity(upstream)},
      {"mutations", api::encode(mutations)},
      {"injected", json::Value::array(std::move(objects))},
  });
  return sha256_hex(json::print(inputs));
}

std::string upstream_hash(const Revision& upstream) {
  return sha256_hex(json::print(identity(upstream)));
}

}  // namespace portico::variants
